//! The `tidegate.toml` of an adopted repository, and what the file of the daemon needs.

use crate::OperatorRules;

/// The directory of the declarations.
pub(super) const PATH: &str = "fleet";

const HEAD: &str = r#"# How Tidegate reads this repository, as `tidegate adopt` wrote it. docs/settings.md describes every setting.

[repository]
# The directory with the declarations: plain YAML, of which every file is read.
path = "fleet"

[journal]
# The branch to which Tidegate commits the progress of every rollout. Protect it from forced pushes, and let only Tidegate write to it.
branch = "tidegate/journal"
"#;

const UNIDENTIFIED: &str = "
[prune]
# Some objects have the mark of version 0.1.0, which does not name its instance. Those that are not declared here would be removed. Turn this
# on again when nothing that you need is missing.
enabled = false
";

/// Returns the text of the file.
pub(super) fn text(unidentified: bool) -> String {
    format!("{HEAD}{}", if unidentified { UNIDENTIFIED } else { "" })
}

/// Returns the sections of the daemon's file that the takeover needs; empty if it needs none.
pub(super) fn daemon_text(operator: &OperatorRules) -> String {
    let OperatorRules { kinds, adopt } = operator;
    let list = |name: &str, entries: Vec<String>| {
        let entries: String = entries.iter().map(|entry| format!("  {entry},\n")).collect();
        if entries.is_empty() { String::new() } else { format!("{name} = [\n{entries}]\n") }
    };
    let section = |name: &str, text: String| if text.is_empty() { text } else { format!("[{name}]\n{text}") };
    let unidentified = if adopt.unidentified { "unidentified = true\n" } else { "" };
    let objects = list("objects", adopt.objects.iter().map(ToString::to_string).collect());
    let hub = section("hub", list("kinds", kinds.iter().map(ToString::to_string).collect()));
    format!("{hub}{}", section("adopt", format!("{unidentified}{objects}")))
}
