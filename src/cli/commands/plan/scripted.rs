//! Clusters that behave as a file of the sandbox says.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::cli::failure::Failure;
use tidegate_model::name::ClusterName;
use tidegate_model::time::SignedDuration;
use tidegate_plan::Outlook;
use tidegate_rollout::Status;
use tidegate_rollout::forecast::{Behavior, Report};
use tidegate_sandbox::agents::{Outcome, Script};

/// After this many changes, a cluster that alternates between ready and not ready stays as it is.
const TURNS: u32 = 100;

/// Reads a file of behavior.
pub(super) fn read(path: &Path) -> Result<Script, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("--agents {}: {error}", path.display())))?;
    Script::from_toml(&text).map_err(|error| Failure::Usage(format!("{}:{error}", path.display())))
}

/// The clusters of an add-on that behave as a script says.
pub(super) struct Scripted<'a> {
    pub(super) script: Script,
    /// The manifests of each cluster.
    pub(super) manifests: &'a BTreeMap<ClusterName, Value>,
}

/// Returns the manifests of each cluster, with variables: rules of a script look for text such as the tag of an image.
pub(super) fn manifests(outlook: &Outlook) -> BTreeMap<ClusterName, Value> {
    let targets = outlook.placements.iter().flat_map(|placement| &placement.targets);
    let manifests =
        |template: &Value| template.pointer("/spec/agentSpec/workload/manifests").cloned().unwrap_or_default();
    targets
        .map(|(cluster, target)| (cluster.clone(), target.template.as_deref().map_or(json!([]), manifests)))
        .collect()
}

impl Behavior for Scripted<'_> {
    fn reports(&mut self, cluster: &str) -> Vec<Report> {
        let manifests = self.manifests.get(cluster);
        let delay = self.script.delay_of(cluster);
        let report = |after: Duration, status| {
            let after = SignedDuration::try_from(after).unwrap_or(SignedDuration::MAX);
            Report { after, status }
        };
        match self.script.outcome(cluster, manifests.unwrap_or(&Value::Null)) {
            Outcome::Healthy => vec![report(delay, Status::Succeeded)],
            Outcome::NotApplied => vec![report(delay, Status::Failed)],
            // It is under way until its deadline.
            Outcome::Unhealthy | Outcome::Silent => Vec::new(),
            Outcome::SlowStart { warm_up } => vec![report(delay.saturating_add(warm_up), Status::Succeeded)],
            Outcome::Flapping { well, unwell } => {
                let turn = |number: u32| {
                    let begin = delay.saturating_add(well.saturating_add(unwell).saturating_mul(number));
                    [report(begin, Status::Succeeded), report(begin.saturating_add(well), Status::Progressing)]
                };
                (0..TURNS).flat_map(turn).collect()
            }
        }
    }
}
