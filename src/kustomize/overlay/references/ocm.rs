//! Updates name references in the kinds of Open Cluster Management.
//!
//! kustomize does not know these references: the resource of a configuration is given next to its name, and the namespace that
//! counts is the one in the reference.

use std::collections::HashMap;
use std::sync::Arc;

use super::target::{Target, has_same_affixes};
use super::update::Renaming;
use crate::overlay::build::BuildContext;
use crate::overlay::model::{Id, Resource};
use crate::yaml::{Error, Node, Origin, Provenance, Scalar};
use tidegate_model::plural::plural;

const ADDONS: &str = "addon.open-cluster-management.io";
const CLUSTERS: &str = "cluster.open-cluster-management.io";
/// The cause that `blame` shows.
const CAUSE: &str = "render.ocm_references";

/// What a reference asks for: group, resource, namespace and name.
type Wanted = (String, String, String, Arc<str>);

/// Returns `true` if a resource is cluster-scoped.
fn is_cluster_scoped(group: &str, resource: &str) -> bool {
    matches!(
        (group, resource),
        (ADDONS, "addontemplates" | "clustermanagementaddons") | (CLUSTERS, "managedclustersets" | "managedclusters")
    )
}

fn wanted(group: &str, resource: &str, namespace: &str, name: &Arc<str>) -> Wanted {
    let namespace = match namespace {
        _ if is_cluster_scoped(group, resource) => "",
        "" => "default",
        namespace => namespace,
    };
    (group.to_owned(), resource.to_owned(), namespace.to_owned(), Arc::clone(name))
}

fn key(id: &Id) -> Wanted {
    wanted(id.group(), &plural(&id.kind), &id.namespace, &id.name)
}

/// Updates the references of add-ons, Placements and bindings.
///
/// # Errors
/// [`Error`] if a name is ambiguous, or the budget is exceeded.
pub(crate) fn follow(resources: &mut [Resource], context: &mut BuildContext<'_>) -> Result<(), Error> {
    if !resources.iter().any(|resource| fields(&resource.id()).is_some()) {
        return Ok(());
    }
    let targets = Targets::of(resources);
    for (at, resource) in resources.iter_mut().enumerate() {
        let (Some(fields), Some(from)) = (fields(&resource.id()), targets.all.get(at)) else { continue };
        let mut follower = Follower { targets: &targets, from, context };
        if let Some(spec) = resource.node.get_mut("spec") {
            fields(&mut follower, spec)?;
        }
    }
    Ok(())
}

type Fields = fn(&mut Follower<'_, '_, '_>, &mut Node) -> Result<(), Error>;

/// Returns the function that follows the references in the `spec` of an object.
fn fields(id: &Id) -> Option<Fields> {
    match (id.group(), &*id.kind) {
        (ADDONS, "ClusterManagementAddOn") => Some(|follower, spec| follower.addon(spec)),
        (ADDONS, "ManagedClusterAddOn") => Some(|follower, spec| follower.configs(spec.get_mut("configs"))),
        (CLUSTERS, "ManagedClusterSetBinding") => {
            Some(|follower, spec| spec.get_mut("clusterSet").map_or(Ok(()), |set| follower.set(set)))
        }
        (CLUSTERS, "Placement") => {
            Some(|follower, spec| items(spec.get_mut("clusterSets")).try_for_each(|set| follower.set(set)))
        }
        _ => None,
    }
}

fn items(list: Option<&mut Node>) -> impl Iterator<Item = &mut Node> {
    list.and_then(Node::as_sequence_mut).into_iter().flatten()
}

fn text(node: &Node, field: &str) -> Arc<str> {
    let scalar = node.get(field).filter(|node| !node.is_null()).and_then(Node::as_scalar);
    scalar.map_or_else(Arc::default, |scalar| Arc::clone(scalar.shared_text()))
}

/// All objects by their previous ids, or by their current id if they never changed.
struct Targets {
    all: Vec<Target>,
    before: HashMap<Wanted, Vec<usize>>,
    present: HashMap<Wanted, usize>,
}

impl Targets {
    fn of(resources: &[Resource]) -> Self {
        let all: Vec<_> = resources.iter().map(Target::of).collect();
        let mut before: HashMap<Wanted, Vec<usize>> = HashMap::new();
        let mut present = HashMap::new();
        for (at, target) in all.iter().enumerate() {
            let known = if target.previous.is_empty() { std::slice::from_ref(&target.id) } else { &*target.previous };
            for id in known {
                let places = before.entry(key(id)).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
            present.insert(key(&target.id), at);
        }
        Self { all, before, present }
    }
}

struct Follower<'f, 's, 't> {
    targets: &'f Targets,
    /// The object with the references.
    from: &'f Target,
    context: &'s mut BuildContext<'t>,
}

impl<'f> Follower<'f, '_, '_> {
    /// Follows the references of a ClusterManagementAddOn of either version.
    fn addon(&mut self, spec: &mut Node) -> Result<(), Error> {
        self.configs(spec.get_mut("defaultConfigs"))?;
        for config in items(spec.get_mut("supportedConfigs")) {
            let (group, resource) = (text(config, "group"), text(config, "resource"));
            if let Some(referent) = config.get_mut("defaultConfig") {
                self.referent(referent, &group, &resource)?;
            }
        }
        for placement in items(spec.get_mut("installStrategy").and_then(|strategy| strategy.get_mut("placements"))) {
            self.referent(placement, CLUSTERS, "placements")?;
            self.configs(placement.get_mut("configs"))?;
        }
        Ok(())
    }

    fn configs(&mut self, list: Option<&mut Node>) -> Result<(), Error> {
        for config in items(list) {
            let (group, resource) = (text(config, "group"), text(config, "resource"));
            self.referent(config, &group, &resource)?;
        }
        Ok(())
    }

    /// Updates `name` and `namespace` of a mapping.
    fn referent(&mut self, node: &mut Node, group: &str, resource: &str) -> Result<(), Error> {
        let name = text(node, "name");
        let wanted = wanted(group, resource, &text(node, "namespace"), &name);
        let Some(target) = self.select(&wanted, node.get("name"))? else { return Ok(()) };
        let provenance = &mut self.context.provenance;
        let because = |from| Renaming { cause: CAUSE, from };
        because(target.named_at).put(node, "name", Arc::clone(&target.id.name), provenance);
        if !target.id.namespace.is_empty() && !is_cluster_scoped(group, resource) {
            because(target.placed_at).put(node, "namespace", Arc::clone(&target.id.namespace), provenance);
        }
        Ok(())
    }

    /// Updates the name of a cluster set.
    fn set(&mut self, node: &mut Node) -> Result<(), Error> {
        let Some(old) = node.as_scalar() else { return Ok(()) };
        let wanted = wanted(CLUSTERS, "managedclustersets", "", old.shared_text());
        if let Some(target) = self.select(&wanted, Some(node))? {
            rename(node, target, &mut self.context.provenance);
        }
        Ok(())
    }

    /// Returns the object that a name refers to, by kustomize's rules for variants of one base.
    fn select(&mut self, wanted: &Wanted, at: Option<&Node>) -> Result<Option<&'f Target>, Error> {
        let targets = self.targets;
        if wanted.3.is_empty() || (self.from.previous.is_empty() && targets.present.contains_key(wanted)) {
            return Ok(None);
        }
        let origin = at.map_or(Origin::default(), |node| node.origin);
        let places = targets.before.get(wanted).map_or(&[] as &[usize], Vec::as_slice);
        self.context.budget.charge(places.len(), origin)?;
        let mut found: Vec<&Target> = places.iter().filter_map(|at| targets.all.get(*at)).collect();
        for may_be_empty in [true, false] {
            if found.len() > 1 {
                found.retain(|target| has_same_affixes(self.from, target, may_be_empty));
            }
        }
        let Some(first) = found.first().copied() else { return Ok(None) };
        if found.iter().all(|target| target.id.name == first.id.name && target.id.namespace == first.id.namespace) {
            return Ok(Some(first));
        }
        let ids: Vec<_> = found.iter().map(|target| target.id.to_string()).collect();
        let message = format!(
            "the name {:?} may refer to {}; give the objects different names before prefixes are added",
            wanted.3,
            ids.join(" or ")
        );
        Err(origin.error(message))
    }
}

fn rename(node: &mut Node, target: &Target, provenance: &mut Provenance) {
    let name = &target.id.name;
    let Some(old) = node.as_scalar().filter(|old| old.text() != &**name) else { return };
    let new: Scalar = crate::overlay::model::values::scalar(Arc::clone(name), Some(old));
    let renaming = Renaming { cause: CAUSE, from: target.named_at };
    *node = Node::scalar(new, renaming.origin(node.origin, provenance));
}
