//! What the command prints: the files with their objects, what was left out, and what to do next.

use std::path::Path;

use tidegate_api::key;
use tidegate_model::plural::counted;
use tidegate_repository::adopt::Adoption;

/// What no repository of this command contains.
const NEVER: [&str; 3] = [
    "ManagedClusters: clusters join by themselves and are not declared",
    "ManagedClusterAddOns without configurations of their own: the daemon finds them on the hub",
    "Secrets, Namespaces and other kinds: they are not read",
];

/// Returns the report.
pub(super) fn text(adoption: &Adoption, directory: &Path, dry_run: bool) -> String {
    let directory = directory.display().to_string();
    let mut sections = Vec::new();
    if !adoption.files.is_empty() {
        let verb = if dry_run { "would write" } else { "wrote" };
        sections.push(section(
            &format!("{verb} {} to {directory}", counted(adoption.files.len(), "file")),
            files(adoption),
        ));
    }
    if !adoption.left_out.is_empty() {
        sections.push(section("left out", adoption.left_out.iter().map(ToString::to_string)));
    }
    sections.push(section("never written", NEVER.map(str::to_owned)));
    if !adoption.warnings.is_empty() {
        sections.push(section("check before you commit", adoption.warnings.iter().cloned()));
    }
    if !adoption.losses.is_empty() {
        let title = "loses permissions on the hub when Tidegate delivers, and not OCM's add-on manager";
        sections.push(section(title, adoption.losses.iter().cloned()));
    }
    if !adoption.daemon_file.is_empty() {
        sections
            .push(section("add to the file of the daemon (--config)", adoption.daemon_file.lines().map(str::to_owned)));
    }
    if !adoption.files.is_empty() && !dry_run {
        sections.push(section("next", steps(adoption, &directory)));
    }
    sections.join("\n")
}

fn section(title: &str, lines: impl IntoIterator<Item = String>) -> String {
    let lines: String = lines.into_iter().map(|line| format!("  {line}\n")).collect();
    format!("{title}\n{lines}")
}

fn files(adoption: &Adoption) -> impl Iterator<Item = String> {
    adoption.files.keys().flat_map(|file| {
        let objects = adoption.objects.get(file).into_iter().flatten().map(|key| format!("  {key}"));
        std::iter::once(file.clone()).chain(objects)
    })
}

fn steps(adoption: &Adoption, directory: &str) -> Vec<String> {
    let mut steps = vec![
        format!("check the files: tidegate validate {directory}"),
        "commit and push them, and follow the repository: tidegate run --source <repository>".to_owned(),
    ];
    for addon in &adoption.driven {
        let (annotation, value) = (key::LIFECYCLE, key::LIFECYCLE_SELF);
        steps.push(format!(
            "if Tidegate delivers {addon} itself and not OCM's add-on manager, which drives it now, hand it over: kubectl annotate clustermanagementaddon {addon} {annotation}={value} --overwrite"
        ));
    }
    steps
}
