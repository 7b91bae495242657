//! Reads an application.

use serde::Deserialize as _;
use serde_json::Value;

use super::dispatch::{COMP_REV, TRAITS};
use super::parsed::{Dispatch, Dispatched, Parsed, Policy, PolicyKind, Step};

impl Parsed {
    /// Reads an application that has passed its checks.
    ///
    /// # Errors
    /// A value that the schema allows and the types do not.
    pub(crate) fn read(application: &Value) -> Result<Self, serde_json::Error> {
        let mut parsed = Self::deserialize(application.get("spec").unwrap_or(&Value::Null))?;
        let made = dispatched(&mut parsed.workflow.steps);
        parsed.policies.extend(made);
        Ok(parsed)
    }
}

/// Returns a policy for each cluster that steps dispatch to, with what all of them dispatch. The first of these steps names the policy, and
/// the others name none: a cluster belongs to one step.
fn dispatched(steps: &mut [Step]) -> Vec<Policy> {
    let mut made: Vec<Policy> = Vec::new();
    for step in steps.iter_mut().flat_map(|step| match step.sub_steps.is_empty() {
        true => std::slice::from_mut(step).iter_mut(),
        false => step.sub_steps.iter_mut(),
    }) {
        let Some((cluster, what)) = dispatch(step) else { continue };
        // No policy that people write has such a name.
        let name = format!("cluster {cluster}");
        let known = made.iter_mut().find(|policy| policy.name == name).map(|policy| &mut policy.kind);
        match known {
            Some(PolicyKind::Dispatched(dispatched)) => dispatched.what.push(what),
            _ => {
                step.properties.policies = vec![name.clone()];
                made.push(Policy { name, kind: PolicyKind::Dispatched(Dispatched { cluster, what: vec![what] }) });
            }
        }
    }
    made
}

/// Returns what a step dispatches, with its cluster; `None` for a step of another type.
fn dispatch(step: &Step) -> Option<(String, Dispatch)> {
    let properties = &step.properties;
    let what = match step.type_.as_str() {
        COMP_REV => Dispatch::Revision(properties.comp_rev.clone()?),
        TRAITS => Dispatch::Traits(properties.component.clone()?),
        _ => return None,
    };
    Some((properties.cluster.clone()?, what))
}
