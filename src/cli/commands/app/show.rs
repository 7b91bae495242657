//! `tidegate app show`: what an application declares, and the clusters of each step.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::declared::{Declared, Found, short};
use super::recorded::{self, is_in};
use crate::cli::args::AppNameArgs;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use tidegate_journal::Journal;
use tidegate_model::line::one_line;
use tidegate_model::name::{ClusterName, version_of};
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::{counted, first_of};
use tidegate_repository::OutlinedPart;

/// Number of clusters of a step that are named; `-o json` names all.
const NAMED: usize = 8;

/// Prints an application.
pub(super) async fn run(process: &Process, args: &AppNameArgs) -> Result<(), Failure> {
    let declared = Declared::read(process, &args.source)?;
    declared.warn(process);
    let found = declared.find(&args.application)?;
    let recorded = recorded::if_any(process, &args.source, &declared.root).await?;
    let steps = steps(&found, recorded.as_ref().map(|recorded| &recorded.journal));
    match args.output {
        Some(output) => process.say_line(printed(output, &document(&found, &steps))?.trim_end()),
        None => process.say(&text(&found, &steps)),
    }
}

/// The clusters of one policy in a step.
struct Step<'a> {
    part: &'a OutlinedPart,
    placement: String,
    version: String,
    objects: Vec<String>,
    /// From the journal.
    clusters: Option<Vec<&'a ClusterName>>,
}

fn steps<'a>(found: &Found<'a>, journal: Option<&'a Journal>) -> Vec<Step<'a>> {
    let lists = journal.and_then(|journal| journal.lists.get(found.name));
    let count = found.unit.parts().len();
    let step = |(part, strategy): (&'a OutlinedPart, _)| {
        let content = found.content(strategy);
        let placement = strategy.reference().to_string();
        let clusters = lists.map(|clusters| {
            let of = clusters.iter().filter(|(_, report)| is_in(report, &placement, count));
            of.map(|(name, _)| name).collect()
        });
        let objects = content.map_or(&[][..], |(_, objects)| objects);
        let objects = objects.iter().filter_map(ObjectKey::of).map(|key| key.to_string()).collect();
        let version = content.map(|(name, _)| version_of(found.name, name)).unwrap_or_default();
        Step { part, placement, version, objects, clusters }
    };
    found.parts(None).into_iter().map(step).collect()
}

fn document(found: &Found<'_>, steps: &[Step<'_>]) -> Value {
    let steps = steps.iter().map(|step| {
        let mut of_step = json!(step.part);
        of_step["placement"] = json!(step.placement);
        of_step["version"] = json!(step.version);
        of_step["objects"] = json!(step.objects);
        if let Some(clusters) = &step.clusters {
            of_step["clusters"] = json!(clusters);
        }
        of_step
    });
    json!({
        "application": found.name,
        "kind": found.outline.kind,
        "place": found.outline.place,
        "digest": found.unit.digest,
        "components": found.outline.components,
        "policies": found.outline.policies,
        "steps": steps.collect::<Vec<_>>(),
    })
}

fn text(found: &Found<'_>, steps: &[Step<'_>]) -> String {
    let outline = found.outline;
    let mut text = format!("{} {}  {}\n", outline.kind, short(found.name.as_str()), outline.place);
    let mut line = |indent: usize, line: &str| {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "{}{}", " ".repeat(indent), one_line(line));
    };
    if !outline.components.is_empty() {
        line(2, "components, with their traits");
    }
    for component in &outline.components {
        let traits =
            if component.traits.is_empty() { String::new() } else { format!(": {}", component.traits.join(", ")) };
        let after = if component.depends_on.is_empty() {
            String::new()
        } else {
            format!(", after {}", component.depends_on.join(", "))
        };
        line(4, &format!("{} ({}){after}{traits}", component.name, component.type_));
        component.batches.iter().for_each(|batches| line(6, batches));
    }
    if !outline.policies.is_empty() {
        line(2, "policies");
    }
    outline.policies.iter().for_each(|policy| line(4, &format!("{} ({})", policy.name, policy.type_)));
    line(2, "steps");
    for Step { part, placement, version, clusters, .. } in steps {
        let changes =
            if part.overrides.is_empty() { String::new() } else { format!(", with {}", part.overrides.join(", ")) };
        line(
            4,
            &format!("{} {}: {}{changes}, Placement {placement}, version {version}", part.step, part.name, part.policy),
        );
        if let Some(clusters) = clusters {
            let names = first_of(clusters.iter().map(|name| name.as_str()), NAMED);
            let names = if names.is_empty() { String::new() } else { format!(": {names}") };
            line(6, &format!("{}{names}", counted(clusters.len(), "cluster")));
        }
    }
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for step in steps {
        versions.entry(&step.version).or_default().extend(step.objects.iter().map(String::as_str));
    }
    for (version, objects) in versions {
        line(2, &format!("objects of version {version}"));
        objects.iter().for_each(|object| line(4, object));
    }
    text
}
