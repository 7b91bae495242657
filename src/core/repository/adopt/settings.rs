//! The `tidegate.toml` of an adopted repository, and what the file of the daemon needs.

use crate::OperatorRules;

/// The directory of the declarations.
pub(super) const PATH: &str = "fleet";

/// The text of the file.
pub(super) const TEXT: &str = r#"# How Tidegate reads this repository, as `tidegate adopt` wrote it. docs/settings.md describes every setting.

[repository]
# The directory with the declarations: plain YAML, of which every file is read.
path = "fleet"

[journal]
# The branch to which Tidegate commits the progress of every rollout. Protect it from forced pushes, and let only Tidegate write to it.
branch = "tidegate/journal"
"#;

/// Returns the sections of the daemon's file that the takeover needs; empty if it needs none.
pub(super) fn daemon_text(operator: &OperatorRules) -> String {
    let OperatorRules { kinds, adopt, people: _ } = operator;
    let list = |name: &str, entries: Vec<String>| {
        let entries: String = entries.iter().map(|entry| format!("  {entry},\n")).collect();
        if entries.is_empty() { String::new() } else { format!("{name} = [\n{entries}]\n") }
    };
    let section = |name: &str, text: String| if text.is_empty() { text } else { format!("[{name}]\n{text}") };
    let objects = list("objects", adopt.objects.iter().map(ToString::to_string).collect());
    let hub = section("hub", list("kinds", kinds.iter().map(ToString::to_string).collect()));
    format!("{hub}{}", section("adopt", objects))
}
