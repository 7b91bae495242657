//! An application as text for `tidegate app show`.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::short;
use tidegate_model::line::one_line;
use tidegate_model::name::ClusterName;
use tidegate_model::plural::{counted, first_of};
use tidegate_repository::{Outline, OutlinedComponent, OutlinedPart};

/// Number of clusters of a step that are named; `-o json` names all.
const NAMED: usize = 8;

/// The clusters of one policy in a step.
pub(super) struct Step<'a> {
    pub(super) part: &'a OutlinedPart,
    pub(super) placement: String,
    pub(super) version: String,
    pub(super) objects: Vec<String>,
    /// How these objects are applied and kept, if a policy says so.
    pub(super) manners: BTreeMap<String, String>,
    /// From the journal.
    pub(super) clusters: Option<Vec<&'a ClusterName>>,
}

/// Lines, each with its own indentation.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, indent: usize, line: &str) {
        self.0.push_str(&" ".repeat(indent));
        self.0.push_str(&one_line(line));
        self.0.push('\n');
    }
}

/// Returns an application with its steps, and the objects of each version.
pub(super) fn text(outline: &Outline, steps: &[Step<'_>]) -> String {
    let mut lines = Lines::default();
    declared(&mut lines, outline);
    self::steps(&mut lines, outline, steps);
    let mut versions: BTreeMap<&str, BTreeMap<&str, Option<&String>>> = BTreeMap::new();
    for step in steps {
        let objects = step.objects.iter().map(|name| (name.as_str(), step.manners.get(name)));
        versions.entry(&step.version).or_default().extend(objects);
    }
    for (version, objects) in versions {
        lines.add(2, &format!("objects of version {version}"));
        for (object, manner) in objects {
            lines.add(4, &format!("{object}{}", manner.map(|manner| format!(" ({manner})")).unwrap_or_default()));
        }
    }
    lines.0
}

/// Returns an application that no cluster gets, with its objects.
pub(super) fn text_of_candidate(outline: &Outline, objects: &[String]) -> String {
    let mut lines = Lines::default();
    declared(&mut lines, outline);
    let short = short(outline.name.as_str());
    lines.add(
        2,
        &format!(
            "a candidate, which no cluster gets; publish it with `tidegate app publish {short}`, and assign the revision to clusters with an \
             AppDeployment"
        ),
    );
    if !objects.is_empty() {
        lines.add(2, "objects");
    }
    objects.iter().collect::<BTreeSet<_>>().into_iter().for_each(|object| lines.add(4, object));
    lines.0
}

/// Adds what an application declares, without its steps.
fn declared(lines: &mut Lines, outline: &Outline) {
    lines.add(0, &format!("{} {}  {}", outline.kind, short(outline.name.as_str()), outline.place));
    if !outline.requires.is_empty() {
        lines.add(2, &format!("requires {} on each cluster", outline.requires.join(", ")));
    }
    if !outline.components.is_empty() {
        lines.add(2, "components, with their traits");
    }
    outline.components.iter().for_each(|found| component(lines, found));
    if !outline.policies.is_empty() {
        lines.add(2, "policies");
    }
    for policy in &outline.policies {
        lines.add(4, &format!("{} ({})", policy.name, policy.type_));
        policy.rules.iter().for_each(|rule| lines.add(6, rule));
    }
}

fn component(lines: &mut Lines, component: &OutlinedComponent) {
    let listed = |before: &str, names: &[String]| match names.is_empty() {
        true => String::new(),
        false => format!("{before}{}", names.join(", ")),
    };
    let (after, traits) = (listed(", after ", &component.depends_on), listed(": ", &component.traits));
    lines.add(4, &format!("{} ({}){after}{traits}", component.name, component.type_));
    component.batches.iter().for_each(|batches| lines.add(6, batches));
}

/// Adds the steps, those that wait included.
fn steps(lines: &mut Lines, outline: &Outline, steps: &[Step<'_>]) {
    lines.add(2, "steps");
    let mut found: Vec<(usize, Vec<String>)> = Vec::new();
    for wait in &outline.waits {
        found.push((wait.step, vec![format!("{} {}: waits {}", wait.step, wait.name, wait.waits)]));
    }
    for Step { part, placement, version, clusters, .. } in steps {
        let changes =
            if part.overrides.is_empty() { String::new() } else { format!(", with {}", part.overrides.join(", ")) };
        let mut of_step = vec![format!(
            "{} {}: {}{changes}, Placement {placement}, version {version}",
            part.step, part.name, part.policy
        )];
        if let Some(clusters) = clusters {
            let names = first_of(clusters.iter().map(|name| name.as_str()), NAMED);
            let names = if names.is_empty() { String::new() } else { format!(": {names}") };
            of_step.push(format!("{}{names}", counted(clusters.len(), "cluster")));
        }
        found.push((part.step, of_step));
    }
    // Parts of one step keep their order.
    found.sort_by_key(|(step, _)| *step);
    for (indent, line) in found.iter().flat_map(|(_, lines)| lines.iter().enumerate()) {
        lines.add(if indent == 0 { 4 } else { 6 }, line);
    }
}
