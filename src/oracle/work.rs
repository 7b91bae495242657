//! Area `manifestwork`: rendered manifests packed into ManifestWorks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::manifest_work::{ManifestConfigOption, ManifestWork};
use tidegate_delivery::status::works::annotation;
use tidegate_delivery::{Error, Hosting, Layout, Rendered, Work, WorkOwner, hook_work, works};
use tidegate_go::canonical::go_json;
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::semantics::Rules;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    #[serde(rename = "managedClusterAddOn")]
    addon: ManagedClusterAddOn,
    target: String,
    hosted_mode_enabled: bool,
    work_namespace: ClusterName,
    manifests_limit: usize,
    health_prober: String,
    user_manifest_configs: Vec<ManifestConfigOption>,
    manifests: Vec<Value>,
    existing_works: Vec<ManifestWork>,
}

pub(super) fn answer(input: &Value) -> Result<Value, serde_json::Error> {
    let case = Case::deserialize(input)?;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let metadata = &case.addon.metadata;
    let addon: AddonName = serde_json::from_value(text(&metadata.name).into())?;
    let cluster: ClusterName = serde_json::from_value(text(&metadata.namespace).into())?;
    let config_hashes = annotation(case.addon.config_references());
    let layout = Layout {
        owner: &WorkOwner::addon(&addon),
        owner_uid: &text(&metadata.uid),
        cluster: &cluster,
        hosting: case.hosting(),
        rendered: &case.rendered(),
        config_hashes: config_hashes.as_deref(),
        template_configs: &case.user_manifest_configs,
        existing: &case.existing(&cluster),
        others: &[],
        budget: case.manifests_limit.saturating_mul(4) / 5,
        rules: Rules::COMPAT,
    };
    let mut answer = Map::from_iter([("deployWorks".to_owned(), json!([])), ("deleteWorks".to_owned(), json!([]))]);
    let mut tell = |member: &str, value: Value| {
        answer.insert(member.to_owned(), value);
    };
    // An add-on that is not hosted has nothing on any other cluster, but the locations in its manifests are read all
    // the same.
    let has_share = case.target != "hosting" || matches!(layout.hosting, Hosting::Hosting(_));
    match works(&layout) {
        Err(error @ Error::Location(_)) => tell("error", error.to_string().into()),
        Ok(_) | Err(_) if !has_share => {}
        Err(error) => tell("error", upstream_text(&error).into()),
        Ok(works) => {
            tell("deployWorks", works.apply.iter().map(|work| told(work, &case.placed_by_size(work))).collect());
            tell("deleteWorks", works.delete.into());
        }
    }
    match hook_work(&layout) {
        Err(error) => tell("hookError", error.to_string().into()),
        Ok(Some(work)) if has_share => tell("hookWork", told(&work, &[])),
        Ok(_) => {}
    }
    Ok(Value::Object(answer))
}

impl Case {
    fn hosting(&self) -> Hosting<'_> {
        let is_hosted = self.addon.metadata.annotations.iter().flatten().any(|(name, _)| name == key::HOSTING_CLUSTER);
        match (self.hosted_mode_enabled, is_hosted, self.target.as_str()) {
            (false, ..) => Hosting::Unsupported,
            (true, false, _) => Hosting::Off,
            (true, true, "hosting") => Hosting::Hosting(&self.work_namespace),
            (true, true, _) => Hosting::Managed,
        }
    }

    /// Returns the manifests as they are, with only those workloads that are probed.
    fn rendered(&self) -> Rendered {
        let mut rendered: Rendered = self.manifests.iter().cloned().collect();
        rendered.workloads.retain(|workload| match self.health_prober.as_str() {
            "WorkloadAvailability" => true,
            "DeploymentAvailability" => workload.resource == "deployments",
            _ => false,
        });
        rendered
    }

    /// Returns the existing works with the label by which upstream has found them.
    fn existing(&self, cluster: &ClusterName) -> BTreeMap<String, Arc<ManifestWork>> {
        let labelled = |mut work: ManifestWork| {
            let labels = work.metadata.labels.get_or_insert_default();
            labels.remove(key::ADDON_NAMESPACE);
            if matches!(self.hosting(), Hosting::Hosting(_)) {
                labels.insert(key::ADDON_NAMESPACE.to_owned(), cluster.to_string());
            }
            (work.metadata.name.clone().unwrap_or_default(), Arc::new(work))
        };
        self.existing_works.iter().cloned().map(labelled).collect()
    }

    /// Returns the sizes of the manifests that are in a work because of their size, and not because they were in it before.
    fn placed_by_size(&self, work: &Work) -> Vec<usize> {
        let old = self.existing_works.iter().filter_map(|work| work.spec.workload.as_ref());
        let old: BTreeSet<String> =
            old.flat_map(|workload| &workload.manifests).map(|old| identity(&old.value()).join("/")).collect();
        let is_placed = |manifest: &&Arc<Value>| !old.contains(&identity(manifest).join("/"));
        work.manifests.iter().filter(is_placed).map(|manifest| go_json(manifest).len()).collect()
    }
}

fn identity(manifest: &Value) -> [&str; 4] {
    ["/apiVersion", "/kind", "/metadata/namespace", "/metadata/name"]
        .map(|member| manifest.pointer(member).and_then(Value::as_str).unwrap_or_default())
}

/// Formats a work; `placed` are the sizes of the manifests that are ordered by size.
fn told(work: &Work, placed: &[usize]) -> Value {
    let members = |part: &str, names: &[&str]| -> Vec<(String, Value)> {
        let value = |name: &&str| Some(((*name).to_owned(), work.frame.get(part)?.get(*name)?.clone()));
        names.iter().filter_map(value).collect()
    };
    let mut told = members("metadata", &["name", "namespace", "labels", "annotations", "ownerReferences"]);
    told.extend(members("spec", &["manifestConfigs", "deleteOption"]));
    let mut manifests: Vec<&Value> = work.manifests.iter().map(Arc::as_ref).collect();
    // If sizes are equal, upstream's order is random.
    let has_order = placed.iter().collect::<BTreeSet<_>>().len() == placed.len();
    if has_order && !manifests.is_empty() {
        let order = manifests.iter().map(|manifest| Value::from(identity(manifest).join("/")));
        told.push(("manifestOrder".to_owned(), order.collect()));
    }
    manifests.sort_by_key(|manifest| identity(manifest));
    told.push(("manifests".to_owned(), manifests.into_iter().cloned().collect()));
    Value::Object(told.into_iter().collect())
}

/// Returns upstream's message for an error.
fn upstream_text(error: &Error) -> String {
    match error {
        Error::NoIdentity { object, .. } => {
            format!(
                "failed to generate required mapper.err got empty kind/version from object &{{{}}}",
                printed(object)
            )
        }
        Error::OddWork { object, .. } if identity(object)[1].is_empty() => {
            format!("Object 'Kind' is missing in '{}'", go_json(object))
        }
        Error::OddWork { object, .. } => format!("got empty kind/version from object &{{{}}}", printed(object)),
        error => error.to_string(),
    }
}

/// Prints a value as Go's `%v` does.
fn printed(value: &Value) -> String {
    let joined = |items: Vec<String>| items.join(" ");
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => go_json(value),
        Value::Array(items) => format!("[{}]", joined(items.iter().map(printed).collect())),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{name}:{}", printed(value)));
            format!("map[{}]", joined(members.collect()))
        }
    }
}
