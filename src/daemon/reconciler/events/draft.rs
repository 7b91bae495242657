//! The message of an Event, and the object that it is about.

use crate::reconciler::news::{Kind, News};
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;

/// The longest message in characters. The API server limits the note of an Event to 1024 bytes.
const LONGEST: usize = 1_000;

/// The object that an Event is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// Its identity.
    pub object: ObjectKey,
    /// Its uid, by which `kubectl describe` finds the Events of an object; `None` if the hub does not have it.
    pub uid: Option<String>,
}

impl Subject {
    /// Returns the object that an item of news is about: the repaired object, the ManagedClusterAddOn of a single cluster, or else the
    /// ClusterManagementAddOn. News that concerns no object on the hub, such as that about a whole application, is reported on the namespace
    /// `default`.
    pub fn of(news: &News, fleet: &Fleet) -> Self {
        let object = match news {
            News::ForeignWriter { object, .. } | News::DriftRepaired { object: Some(object), .. } => Some(object),
            _ => None,
        };
        match (object, news.addon(), news.cluster()) {
            (Some(object), ..) => Self::object(object, fleet),
            (None, Some(addon), Some(cluster)) => Self::cluster(addon, &cluster, fleet),
            (None, Some(UnitName::AddOn(addon)), None) => {
                let uid = fleet.addons.get(addon).and_then(|addon| addon.metadata.uid.clone());
                let object = object_key::addon(addon.as_str());
                Self { object, uid }
            }
            (None, Some(UnitName::Application(_)) | None, _) => Self::hub(),
        }
    }

    /// The hub as a whole.
    fn hub() -> Self {
        Self { object: ObjectKey::new("", "Namespace", "", "default"), uid: None }
    }

    /// What a cluster has of a unit: its ManagedClusterAddOn, or the first work of an application.
    fn cluster(unit: &UnitName, cluster: &ClusterName, fleet: &Fleet) -> Self {
        if let UnitName::Application(_) = unit {
            let works = fleet.works.get(unit).and_then(|clusters| clusters.get(cluster));
            let Some((name, work)) = works.and_then(|works| works.first_key_value()) else { return Self::hub() };
            return Self { object: object_key::work(cluster.as_str(), name), uid: work.metadata.uid.clone() };
        }
        let found = fleet.cluster_addons.get(unit).and_then(|clusters| clusters.get(cluster));
        let uid = found.and_then(|found| found.metadata.uid.clone());
        Self { object: object_key::cluster_addon(cluster.as_str(), unit.as_str()), uid }
    }

    fn object(object: &ObjectKey, fleet: &Fleet) -> Self {
        let declared = fleet.declared.get(object).and_then(|object| object.pointer("/metadata/uid")?.as_str());
        let work = || {
            let mut clusters = fleet.works.values().filter_map(|addon| addon.get(object.namespace.as_str()));
            clusters.find_map(|works| works.get(&object.name)?.metadata.uid.clone())
        };
        let is_work = object.kind == "ManifestWork" && object.group == key::WORK_GROUP;
        let uid = declared.map(str::to_owned).or_else(|| if is_work { work() } else { None });
        Self { object: object.clone(), uid }
    }
}

/// The content of an Event.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Draft {
    /// The object that it is about.
    pub subject: Subject,
    /// The reason.
    pub kind: Kind,
    /// The readable message.
    pub message: String,
}

impl Draft {
    /// Returns the Event for an item of news.
    pub fn of(news: &News, fleet: &Fleet) -> Self {
        let message = news.to_string().chars().take(LONGEST).collect();
        Self { subject: Subject::of(news, fleet), kind: news.kind(), message }
    }
}
