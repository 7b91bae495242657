//! The chain from an application to its objects on one cluster.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::declared::short;
use crate::cli::args::HubArgs;
use crate::cli::commands::doctor::request::{Requests, Resource};
use crate::cli::compose;
use crate::cli::failure::Failure;
use tidegate_api::fleet::unit_of_work;
use tidegate_api::key;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_api::work_name::unit_label;
use tidegate_delivery::{Access, Holds, Level, Link, first_broken, links};
use tidegate_model::line::one_line;
use tidegate_model::name::{ClusterName, UnitName};

/// The works of the hub.
pub(super) const WORKS: Resource = Resource::new("/apis/work.open-cluster-management.io/v1", "manifestworks");

/// What the hub has for a cluster.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Chain {
    /// The links, those of each work together.
    links: Vec<Link>,
    /// The index of the first one that does not hold.
    first_broken: Option<usize>,
}

/// Reads the works of an application on a cluster.
///
/// # Errors
/// A hub that cannot be read, or a work that cannot be understood.
pub(super) async fn read(hub: &HubArgs, name: &UnitName, cluster: &ClusterName) -> Result<Chain, Failure> {
    let UnitName::Application(application) = name else { return Ok(Chain::of(&[])) };
    let requests = Requests(compose::client(hub).await?);
    let labels = format!("{}={}", key::UNIT_LABEL, unit_label(application));
    let found = requests.list_labeled(WORKS, Some(labels)).await.map_err(|unknown| Failure::Unreachable {
        message: format!("the works of {name} cannot be read: {unknown}"),
        hint: "check --kubeconfig and --context, and that the account may list ManifestWorks".to_owned(),
    })?;
    let is_its = |work: &&Value| {
        let is_of_unit = unit_of_work(work).is_ok_and(|unit| unit.as_ref() == Some(name));
        is_of_unit && work.pointer("/metadata/namespace").and_then(Value::as_str) == Some(cluster.as_str())
    };
    let works: Result<Vec<ManifestWork>, _> =
        found.iter().filter(is_its).map(|work| serde_json::from_value(work.clone())).collect();
    let mut works =
        works.map_err(|error| Failure::Usage(format!("a work of {name} on {cluster} cannot be read: {error}")))?;
    works.sort_by(|one, other| one.metadata.name.cmp(&other.metadata.name));
    Ok(Chain::of(&works))
}

impl Chain {
    fn of(works: &[ManifestWork]) -> Self {
        let links: Vec<Link> = works.iter().flat_map(links).collect();
        let first_broken = first_broken(&links);
        Self { links, first_broken }
    }

    /// Returns the chain as a tree below the line of the cluster.
    pub(super) fn tree(&self, name: &UnitName) -> String {
        let mut text = String::new();
        if self.links.is_empty() {
            text.push_str("    no work of the application is on the hub  <- first broken link\n");
        }
        for (index, link) in self.links.iter().enumerate() {
            let (indent, label) = match link.level {
                Level::Work => (4, link.what.clone()),
                Level::Manifest => (6, link.what.clone()),
                Level::Object => (8, "on the cluster".to_owned()),
            };
            let mark = match (self.first_broken == Some(index), link.holds) {
                (true, Holds::No) => "  <- first broken link",
                (true, _) => "  <- first link that is not known to hold",
                (false, _) => "",
            };
            // Writing into a String cannot fail.
            let _ = writeln!(text, "{}{}{mark}", " ".repeat(indent), one_line(&format!("{label}: {}", link.reports)));
            if let Some(access) = &link.forbidden {
                let _ = writeln!(text, "{}{}", " ".repeat(indent + 2), one_line(&remedy(name, access)));
            }
        }
        text
    }
}

fn remedy(name: &UnitName, access: &Access) -> String {
    format!(
        "the work agent may not {access}; `tidegate app permissions {}` prints a ClusterRole that allows it",
        short(name.as_str())
    )
}
