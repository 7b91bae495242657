//! What a team has beside its declarations: the pipeline, the owners of the files, and the settings of editors.

use std::collections::BTreeMap;

use super::files;
use super::text::filled;
use crate::cli::args::ForgeName;

/// The branch of the journal in a repository without overlays, and of the first overlay.
const JOURNAL: &str = "tidegate/journal";

/// Returns the hubs of a repository as pipelines name them: the overlay and the branch of the journal of each one.
pub(super) fn hubs(overlays: &[String]) -> String {
    let hub = |(index, name): (usize, &String)| match index {
        0 => format!("overlays/{name}={JOURNAL}"),
        _ => format!("overlays/{name}=tidegate/{name}"),
    };
    let hubs: Vec<String> = overlays.iter().enumerate().map(hub).collect();
    if hubs.is_empty() { JOURNAL.to_owned() } else { hubs.join(" ") }
}

/// Returns the pipelines of a forge by their paths: the one for pull requests, and with `newer` the one that looks for newer versions.
pub(super) fn pipelines(forge: ForgeName, hubs: &str, newer: bool) -> BTreeMap<String, String> {
    const GITHUB: [&str; 2] = [
        include_str!("../../../../docs/pipelines/github-actions.yaml"),
        include_str!("../../../../docs/pipelines/github-newer.yaml"),
    ];
    const GITLAB: [&str; 2] = [
        include_str!("../../../../docs/pipelines/gitlab-ci.yml"),
        include_str!("../../../../docs/pipelines/gitlab-newer.yml"),
    ];
    const GITEA: [&str; 2] = [
        include_str!("../../../../docs/pipelines/gitea-actions.yaml"),
        include_str!("../../../../docs/pipelines/gitea-newer.yaml"),
    ];
    let (directory, [plan, more]) = match forge {
        ForgeName::Github => (".github", GITHUB),
        ForgeName::Gitea => (".gitea", GITEA),
        ForgeName::Forgejo => (".forgejo", GITEA),
        ForgeName::Gitlab => {
            let plan = plan_of(GITLAB[0], hubs);
            let all = if newer { format!("{plan}\n{}", GITLAB[1]) } else { plan };
            return BTreeMap::from([(".gitlab-ci.yml".to_owned(), all)]);
        }
    };
    let mut files = BTreeMap::from([(format!("{directory}/workflows/tidegate.yaml"), plan_of(plan, hubs))]);
    if newer {
        files.insert(format!("{directory}/workflows/tidegate-newer.yaml"), more.to_owned());
    }
    files
}

/// Returns the pipeline for pull requests, with the hubs.
fn plan_of(pipeline: &str, hubs: &str) -> String {
    pipeline.replace(&format!("TIDEGATE_HUBS: {JOURNAL}\n"), &format!("TIDEGATE_HUBS: {hubs}\n"))
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
