//! What a cluster would get of an add-on, whether or not it has the add-on yet.

use std::sync::Arc;

use crate::cluster::assumed::fresh;
use crate::cluster::rendering::{Undeliverable, rendering};
use crate::context::{Context, has_begun};
use crate::input::Input;
use crate::memo::Memo;
use crate::occupants::Occupants;
use crate::select;
use crate::unit::membership::Membership;
use crate::unit::placement;
use crate::upstream::copies::Copies;
use tidegate_delivery::Rendered;
use tidegate_delivery::WorkOwner;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_repository::Unit;

/// What a cluster would get of an add-on.
#[derive(Debug)]
pub struct Preview {
    /// The manifests.
    pub rendered: Arc<Rendered>,
    /// The placement that the cluster belongs to; `None` if it was chosen by hand.
    pub placement: Option<NamespacedName>,
}

/// Returns the manifests of an add-on that a cluster gets when it is its turn, as [`plan`](crate::plan) delivers them; `None` if
/// the cluster should not have the add-on.
///
/// A cluster without the add-on is treated as if it had just been installed there.
///
/// # Errors
/// [`Undeliverable`] if the add-on cannot be rendered for the cluster.
pub fn preview(
    input: &Input<'_>,
    name: &UnitName,
    addon: &Unit,
    cluster: &ClusterName,
) -> Result<Option<Preview>, Undeliverable> {
    let mut fleet = input.fleet.clone();
    let installed = fleet.cluster_addons.entry(name.clone()).or_default();
    installed.entry(cluster.clone()).or_insert_with(|| Arc::new(fresh(input.instance, name, cluster)));
    let input = Input { fleet: &fleet, ..*input };
    let selections = select::selections(&input, &addon.placements().collect());
    let rules = input.repository.settings.rules();
    let copies = Copies::default();
    let owner = &WorkOwner::of(name, input.instance.id.as_str());
    let (input, reported, copies, selections, occupants) =
        (&input, &fleet, &copies, &selections, &Occupants::new(&selections));
    let has_begun = has_begun(input, name, addon);
    let context =
        Context { input, reported, copies, rules, selections, occupants, name, unit: addon, owner, has_begun };
    let membership = Membership::of(&context);
    if !membership.requires(&context, cluster) {
        return Ok(None);
    }
    let nodes = placement::nodes(&context, &membership, &context.defaults());
    let found = nodes.iter().find_map(|node| Some((node, node.children.iter().find(|child| child.name == cluster)?)));
    let Some((node, child)) = found else { return Ok(None) };
    let rendered = rendering(&context, (cluster, child.cluster), &child.desired, &mut Memo::default())?;
    Ok(Some(Preview { rendered: rendered.into(), placement: node.placement.clone() }))
}
