//! `tidegate app status`: what became of an application, from the journal, and on one cluster from the hub.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::chain::{self, Chain};
use super::declared::{Declared, short};
use super::recorded::{self, Recorded, is_in};
use crate::cli::args::AppStatusArgs;
use crate::cli::commands::explain;
use crate::cli::failure::Failure;
use crate::cli::journal::reader;
use crate::cli::output::document::printed;
use crate::cli::output::status_table::Row;
use crate::cli::output::{cluster_table, status_table, timeline};
use crate::cli::process::Process;
use tidegate_journal::history::{History, Wanted};
use tidegate_journal::record::{AddonStatus, ClusterReport};
use tidegate_model::line::one_line;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::near::remedy;
use tidegate_model::plural::counted;
use tidegate_repository::Outline;

/// Number of rollouts that are shown.
const ROLLOUTS: usize = 5;

/// Prints the state of an application.
pub(super) async fn run(process: &Process, args: &AppStatusArgs) -> Result<(), Failure> {
    let declared = Declared::read(process, &args.source)?;
    let recorded = recorded::read(&args.source, &declared.root).await?;
    let status = reader::addon(&recorded.journal, args.application.as_str())?;
    let outline = declared.applications.iter().find(|outline| outline.name.as_str() == status.addon.as_str());
    let view = View { outline, status, recorded: &recorded };
    match &args.cluster {
        Some(cluster) => view.on_cluster(process, args, cluster).await,
        None => match args.output {
            Some(output) => process.say_line(printed(output, &view.document())?.trim_end()),
            None => process.say(&view.text()),
        },
    }
}

/// What is known of an application.
struct View<'a> {
    /// What it declares; `None` if it left the repository.
    outline: Option<&'a Outline>,
    status: &'a AddonStatus,
    recorded: &'a Recorded,
}

impl View<'_> {
    fn name(&self) -> &UnitName {
        &self.status.addon
    }

    /// Returns its last rollouts.
    fn history(&self) -> History {
        let wanted = Wanted { addon: Some(self.name().clone()), cluster: None, since: None };
        let all = History::of(&self.recorded.journal, &self.recorded.files, Vec::new()).only(&wanted);
        let skipped = all.rollouts.len().saturating_sub(ROLLOUTS);
        History { rollouts: all.rollouts.into_iter().skip(skipped).collect(), ..all }
    }

    fn document(&self) -> Value {
        json!({
            "application": self.name(),
            "declared": self.outline,
            "status": self.status,
            "clusters": self.recorded.journal.clusters(self.name()),
            "rollouts": self.history().rollouts,
        })
    }

    /// Returns what it declares, in a line.
    fn description(&self) -> String {
        let Some(outline) = self.outline else { return "it has left the repository".to_owned() };
        let components = outline.components.iter().map(|component| format!("{} ({})", component.name, component.type_));
        let components: Vec<String> = components.collect();
        let parts = counted(outline.parts.len(), "part");
        one_line(&format!("{}, {parts}: {}", counted(components.len(), "component"), components.join(", ")))
    }

    fn text(&self) -> String {
        let row = Row::of_journal(self.status, self.recorded.journal.sync.as_ref());
        let mut text = status_table::table(std::iter::once(row));
        // Writing into a String cannot fail.
        let _ = writeln!(text, "  {}", self.description());
        text.push_str(&cluster_table::table(&self.recorded.journal.clusters(self.name())));
        text + "\n" + &timeline::table(&self.history())
    }

    /// Prints the chain from the application to its objects on a cluster.
    async fn on_cluster(&self, process: &Process, args: &AppStatusArgs, name: &str) -> Result<(), Failure> {
        let clusters = self.recorded.journal.clusters(self.name());
        let (cluster, report) = clusters.get_key_value(name).ok_or_else(|| {
            let remedy = remedy(name, clusters.keys().map(ClusterName::as_str).take(10));
            Failure::Usage(format!(
                "--cluster {name}: {} is not on this cluster; {remedy}",
                short(self.name().as_str())
            ))
        })?;
        let names_hub = args.hub.kubeconfig.is_some() || args.hub.context.is_some();
        let chain = if names_hub { Some(chain::read(&args.hub, self.name(), cluster).await?) } else { None };
        if let Some(output) = args.output {
            let document = json!({
                "application": self.name(), "cluster": cluster, "step": self.step(report), "report": report, "chain": chain,
            });
            return process.say_line(printed(output, &document)?.trim_end());
        }
        process.say(&self.tree(cluster, report, chain.as_ref()))?;
        process.say(&format!("\n{}", explain::of_cluster(self.status, cluster, &clusters)))?;
        if chain.is_none() {
            process.warn_line("the works are not shown; name the hub with --kubeconfig or --context");
        }
        Ok(())
    }

    /// Returns the step and the policy that select a cluster.
    fn step(&self, report: &ClusterReport) -> Option<String> {
        let placements = &self.status.placements;
        let at = placements.iter().position(|placement| is_in(report, &placement.placement, placements.len()))?;
        let part = self.outline?.parts.get(at)?;
        let placement = placements.get(at).map(|placement| placement.placement.as_str()).unwrap_or_default();
        Some(format!("step {} {}, policy {}, Placement {placement}", part.step, part.name, part.policy))
    }

    fn tree(&self, cluster: &ClusterName, report: &ClusterReport, chain: Option<&Chain>) -> String {
        let AddonStatus { version, phase, .. } = self.status;
        let step = self.step(report).unwrap_or_else(|| "no step".to_owned());
        let version_there = if report.version.is_empty() { "nothing yet" } else { &report.version };
        let lines = [
            format!("{} {version}: {phase}", short(self.name().as_str())),
            format!("  {step}"),
            format!("    {cluster}: {}, has {version_there}", report.state),
        ];
        let mut text: String = lines.iter().map(|line| one_line(line) + "\n").collect();
        if let Some(chain) = chain {
            text.push_str(&chain.tree(self.name()));
        }
        text
    }
}
