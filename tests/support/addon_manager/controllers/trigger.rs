//! Which controllers decide again after a change.

use serde_json::Value;

use crate::upstream::controllers::view::addon_label;
use crate::upstream::controllers::{addon, cluster};
use crate::upstream::controls::Controller;
use crate::upstream::hub::cache::{Cache, name_of};
use crate::upstream::hub::kind::{ADDON, BINDING, CLUSTER, CLUSTER_ADDON, DECISION, Kind, WORK};
use crate::upstream::queue::Task;

/// Returns the tasks that a change of an object triggers.
///
/// # Source
/// The informers of OCM's controllers. A configuration triggers only those that record its hash.
pub(in crate::upstream) fn triggered(cache: &Cache, kind: Kind, object: &Value) -> Vec<Task> {
    let (namespace, name) = name_of(object);
    match kind {
        ADDON => {
            let of_addon = addon::CONTROLLERS.iter().map(|controller| Task::new(*controller, "", &name));
            let of_clusters = [Controller::Progressing, Controller::Owner, Controller::Configuration];
            of_addon.chain(everywhere(cache, &of_clusters, |_, addon| addon == name)).collect()
        }
        CLUSTER_ADDON => {
            let of_cluster = cluster::CONTROLLERS.iter().map(|controller| Task::new(*controller, &namespace, &name));
            let of_addon = [Controller::InstallProgression, Controller::Installation];
            of_cluster.chain(of_addon.map(|controller| Task::new(controller, "", &name))).collect()
        }
        WORK => {
            let Some(addon) = addon_label(object) else { return Vec::new() };
            [Controller::Progressing, Controller::Deploy].map(|c| Task::new(c, &namespace, addon)).to_vec()
        }
        CLUSTER => {
            let controllers = [Controller::Registration, Controller::Deploy];
            everywhere(cache, &controllers, |cluster, _| cluster == name).collect()
        }
        DECISION => {
            let of_addons = cache.all(ADDON).map(|(_, addon, _)| Task::new(Controller::Installation, "", addon));
            of_addons.chain(everywhere(cache, &[Controller::Configuration], |_, _| true)).collect()
        }
        BINDING => Vec::new(),
        _ => {
            let of_addons = cache.all(ADDON).map(|(_, addon, _)| Task::new(Controller::AddonHashes, "", addon));
            of_addons.chain(everywhere(cache, &[Controller::ClusterHashes], |_, _| true)).collect()
        }
    }
}

/// Returns all tasks.
pub(in crate::upstream) fn all(cache: &Cache) -> Vec<Task> {
    let of_addon = |name: &str| addon::CONTROLLERS.map(|controller| Task::new(controller, "", name));
    let of_addons = cache.all(ADDON).flat_map(|(_, name, _)| of_addon(name));
    of_addons.chain(everywhere(cache, &cluster::CONTROLLERS, |_, _| true)).collect()
}

/// Returns the tasks of an add-on on all its clusters.
pub(in crate::upstream) fn of_addon(cache: &Cache, name: &str) -> Vec<Task> {
    everywhere(cache, &cluster::CONTROLLERS, |_, addon| addon == name).collect()
}

fn everywhere<'a>(
    cache: &'a Cache,
    controllers: &'a [Controller],
    is_meant: impl Fn(&str, &str) -> bool + 'a,
) -> impl Iterator<Item = Task> + 'a {
    let addons = cache.all(CLUSTER_ADDON).filter(move |(cluster, addon, _)| is_meant(cluster, addon));
    addons.flat_map(|(cluster, addon, _)| controllers.iter().map(move |c| Task::new(*c, cluster, addon)))
}
