//! The `tidegate.toml` of an adopted repository.

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

const UNMARKED: &str = "
# The objects have no owner yet. Declaring them takes them over, so [adopt] needs no setting.
";

const UNIDENTIFIED: &str = "
[adopt]
# Some objects have the mark of version 0.1.0, which does not name its instance. Remove this setting after the first start.
unidentified = true

[prune]
# Objects with that mark that are not declared here would be removed. Turn this on again when nothing that you need is missing.
enabled = false
";

/// Returns the text of the file.
pub(super) fn text(unidentified: bool) -> String {
    format!("{HEAD}{}", if unidentified { UNIDENTIFIED } else { UNMARKED })
}
