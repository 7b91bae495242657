//! What a team has beside its declarations: the pipeline, the owners of the files, and the settings of editors.

use std::collections::BTreeMap;

use super::files;
use super::text::filled;
use crate::cli::args::ForgeName;

/// Returns the pipeline of a forge, with its path.
pub(super) fn pipeline(forge: ForgeName) -> (String, String) {
    let (path, text) = match forge {
        ForgeName::Github => {
            (".github/workflows/tidegate.yaml", include_str!("../../../../docs/pipelines/github-actions.yaml"))
        }
        ForgeName::Gitlab => (".gitlab-ci.yml", include_str!("../../../../docs/pipelines/gitlab-ci.yml")),
        ForgeName::Gitea => {
            (".gitea/workflows/tidegate.yaml", include_str!("../../../../docs/pipelines/gitea-actions.yaml"))
        }
        ForgeName::Forgejo => {
            (".forgejo/workflows/tidegate.yaml", include_str!("../../../../docs/pipelines/gitea-actions.yaml"))
        }
    };
    (path.to_owned(), text.to_owned())
}

/// Returns the file that names who has to review changes, with its path.
pub(super) fn owners(forge: Option<ForgeName>, owners: &[String]) -> (String, String) {
    let path = match forge {
        Some(ForgeName::Github) => ".github/CODEOWNERS",
        Some(ForgeName::Gitlab) => ".gitlab/CODEOWNERS",
        Some(ForgeName::Gitea | ForgeName::Forgejo) | None => "CODEOWNERS",
    };
    let pattern = match forge {
        // There, a pattern is a regular expression.
        Some(ForgeName::Gitea | ForgeName::Forgejo) => ".*",
        _ => "*",
    };
    let text =
        format!("# Who has to review a change, if branch protection requires it.\n{pattern} {}\n", owners.join(" "));
    (path.to_owned(), text)
}

/// Returns the settings of editors. `declarations` is a pattern for the files with declarations.
pub(super) fn editors(declarations: &str) -> BTreeMap<String, String> {
    let code = filled(files::VSCODE, &[("DECLARATIONS", declarations)]);
    BTreeMap::from([
        (".editorconfig".to_owned(), files::EDITORCONFIG.to_owned()),
        (".vscode/settings.json".to_owned(), code),
    ])
}
