//! Objects that two units would have on one cluster, which only the content for the cluster shows.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::content::Content;
use crate::digest::known_objects;
use crate::types::Repository;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;

/// Replaces the content of clusters on which another unit declares one of its objects: the two would overwrite each other. It is not asked whether
/// the cluster gets that unit, as it is not asked for other units.
pub(super) fn refuse(repository: &Repository, contents: &mut BTreeMap<UnitName, BTreeMap<ClusterName, Arc<Content>>>) {
    let mut writers: BTreeMap<ObjectKey, UnitName> = BTreeMap::new();
    for (name, unit) in repository.addons.iter().filter(|(name, _)| !contents.contains_key(*name)) {
        writers.extend(known_objects(name, unit).into_iter().map(|object| (object, name.clone())));
    }
    let mut on_cluster: BTreeMap<(ClusterName, ObjectKey), Vec<UnitName>> = BTreeMap::new();
    for (name, clusters) in contents.iter() {
        for (cluster, content) in clusters {
            for object in &content.objects {
                on_cluster.entry((cluster.clone(), object.clone())).or_default().push(name.clone());
            }
        }
    }
    for (name, clusters) in contents.iter_mut() {
        for (cluster, content) in clusters.iter_mut() {
            let other = |object: &ObjectKey| {
                let known = writers.get(object);
                let of_cluster = on_cluster.get(&(cluster.clone(), object.clone()));
                let other = known.or_else(|| of_cluster?.iter().find(|other| *other != name))?;
                Some(format!("{object} is written by {other} as well; keep it in one of them"))
            };
            if let Some(why) = content.objects.iter().find_map(other) {
                *content = Arc::new(Content::refused(why, content.given.len()));
            }
        }
    }
}
