//! Charts whose objects a policy would put into another namespace than the one for which they are rendered.

use super::component::{HELM, NAMESPACE};
use crate::application::deployment::deployments;
use crate::application::parsed::Parsed;
use crate::application::variant;
use crate::read::object::path;
use tidegate_api::schema::path::Path;

/// Returns the components with a chart for which a topology sets another namespace, each with its path and what is wrong. The templates of a
/// chart contain the namespace of the release, so it is not changed afterwards.
pub(crate) fn elsewhere(parsed: &Parsed, own: &str) -> Vec<(Path, String)> {
    let mut found = Vec::new();
    for deployment in deployments(parsed) {
        let Some(namespace) = deployment.namespace().filter(|namespace| *namespace != own) else { continue };
        let components = variant::of_deployment(&parsed.components, &deployment);
        for component in components.iter().filter(|it| it.type_ == HELM && !it.properties.contains_key(NAMESPACE)) {
            let index = parsed.components.iter().position(|known| known.name == component.written());
            let of_component = index.map(|index| path(&["spec", "components"]).item(index));
            let Some(at) = parsed.place_of(&deployment, component).or(of_component) else { continue };
            let message = format!(
                "{at} is a chart that is rendered for the namespace {own}, but the policy {} sets the namespace {namespace}; write {NAMESPACE}: \
                 {namespace}, in an override if other clusters have another one",
                deployment.policy.name
            );
            found.push((at, message));
        }
    }
    found.dedup();
    found
}
