//! `tidegate app show`: what an application declares, and the clusters of each step.

use serde_json::{Value, json};

use super::declared::{Declared, Found};
use super::recorded::{self, is_in};
use super::shown::{Step, text, text_of_candidate};
use crate::cli::args::AppNameArgs;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use tidegate_journal::Journal;
use tidegate_model::name::version_of;
use tidegate_model::object::ObjectKey;
use tidegate_repository::{Outline, OutlinedPart};

/// Prints an application.
pub(super) async fn run(process: &Process, args: &AppNameArgs) -> Result<(), Failure> {
    let declared = Declared::read(process, &args.source)?;
    declared.warn(process);
    let outline = declared.outline(&args.application)?;
    if declared.is_candidate(outline) {
        return candidate(process, args, &declared, outline);
    }
    let found = declared.find(&args.application)?;
    let recorded = recorded::if_any(process, &args.source, &declared.root).await?;
    let steps = steps(&found, recorded.as_ref().map(|recorded| &recorded.journal));
    match args.output {
        Some(output) => process.say_line(printed(output, &document(&found, &steps))?.trim_end()),
        None => process.say(&text(found.outline, &steps)),
    }
}

/// Prints an application that no cluster gets.
fn candidate(process: &Process, args: &AppNameArgs, declared: &Declared, outline: &Outline) -> Result<(), Failure> {
    let objects = declared.objects(&args.application);
    if let Some(output) = args.output {
        let mut document = described(outline);
        document["objects"] = json!(names(&objects));
        return process.say_line(printed(output, &document)?.trim_end());
    }
    process.say(&text_of_candidate(outline, &names(&objects)))
}

fn names(objects: &[Value]) -> Vec<String> {
    objects.iter().filter_map(ObjectKey::of).map(|key| key.to_string()).collect()
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
        let objects = names(content.map_or(&[][..], |(_, objects)| objects));
        let manners = found.manners(strategy).into_iter().map(|(key, manner)| (key.to_string(), manner)).collect();
        let version = content.map(|(name, _)| version_of(found.name, name)).unwrap_or_default();
        Step { part, placement, version, objects, manners, clusters }
    };
    found.parts(None).into_iter().map(step).collect()
}

fn document(found: &Found<'_>, steps: &[Step<'_>]) -> Value {
    let steps = steps.iter().map(|step| {
        let mut of_step = json!(step.part);
        of_step["placement"] = json!(step.placement);
        of_step["version"] = json!(step.version);
        of_step["objects"] = json!(step.objects);
        if !step.manners.is_empty() {
            of_step["manners"] = json!(step.manners);
        }
        if let Some(clusters) = &step.clusters {
            of_step["clusters"] = json!(clusters);
        }
        of_step
    });
    let mut document = described(found.outline);
    document["digest"] = json!(found.unit.digest);
    document["steps"] = steps.collect();
    document
}

/// Returns what an application declares, without its steps that deliver something.
fn described(outline: &Outline) -> Value {
    json!({
        "application": outline.name,
        "kind": outline.kind,
        "place": outline.place,
        "revisionOnly": outline.is_candidate,
        "requires": outline.requires,
        "components": outline.components,
        "policies": outline.policies,
        "waits": outline.waits,
    })
}
