//! What the command prints: the files with their objects, what was left out, and what to do next.

use std::path::Path;

use tidegate_api::key;
use tidegate_core::adopt::Adoption;
use tidegate_model::plural::counted;

/// What is left out of every repository.
const NEVER: &str = "\
never read or written
  ManagedClusters: they join by themselves and are not declared
  ManagedClusterAddOns without configurations of their own: they follow from the placements
  Secrets, Namespaces and other kinds: they stay on the hub as they are
";

/// Returns the report.
pub(super) fn text(adoption: &Adoption, directory: &Path, dry_run: bool) -> String {
    let mut lines = Vec::new();
    if !adoption.files.is_empty() {
        let verb = if dry_run { "would write" } else { "wrote" };
        lines.push(format!("{verb} {} to {}", counted(adoption.files.len(), "file"), directory.display()));
    }
    for file in adoption.files.keys() {
        lines.push(format!("  {file}"));
        let objects = adoption.objects.get(file).into_iter().flatten();
        lines.extend(objects.map(|key| format!("    {key}")));
    }
    if !adoption.left_out.is_empty() {
        lines.push(String::new());
        lines.push("left out".to_owned());
        lines.extend(adoption.left_out.iter().map(|left_out| format!("  {left_out}")));
    }
    lines.push(String::new());
    lines.extend(NEVER.lines().map(str::to_owned));
    if !adoption.files.is_empty() {
        lines.push(String::new());
        lines.push("next".to_owned());
        lines.push(format!("  tidegate validate {}", directory.display()));
        lines
            .push("  commit the files, push them, and start the daemon: tidegate run --source <repository>".to_owned());
    }
    for addon in &adoption.driven {
        lines.push(format!(
            "  upstream's add-on manager drives {addon} until you hand it over: kubectl annotate clustermanagementaddon {addon} {}={} --overwrite",
            key::LIFECYCLE,
            key::LIFECYCLE_SELF
        ));
    }
    lines.join("\n") + "\n"
}
