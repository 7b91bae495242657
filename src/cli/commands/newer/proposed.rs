//! What a pull request changes: the template for the next version of an add-on, or the version of a base.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::symlink;

use super::check::Found;
use crate::cli::args::{UpgradeArgs, VendorArgs};
use crate::cli::commands::vendor;
use crate::cli::failure::Failure;
use crate::cli::new_files;
use crate::cli::own_git::Place;
use crate::cli::process::Process;
use crate::cli::repository::directory;
use tidegate_download::Versioned;
use tidegate_kustomize::overlay::is_kustomization;
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::tree::Tree;
use tidegate_repository::upgrade::{Newer, NextRequest, next, switched};

/// What one pull request is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Topic {
    /// An add-on, with what its template has in an older version.
    Addon { addon: UnitName, newer: Vec<Newer> },
    /// A base that kustomizations name.
    Base { name: String, sources: BTreeSet<String>, from: String, to: String },
}

impl Topic {
    /// Returns what pull requests can be about: each add-on once, and each base. What is in neither is returned as well.
    pub(super) fn of(found: Vec<Found>) -> (Vec<Self>, Vec<Found>) {
        let (mut addons, mut topics, mut rest) = (BTreeMap::<UnitName, Vec<Newer>>::new(), Vec::new(), Vec::new());
        for found in found {
            let (from, to) = (found.from.clone(), found.to.clone());
            let newer = match &found.what {
                Versioned::Image(name) => Newer::Image { name: name.clone(), from, to },
                Versioned::Chart { .. } => Newer::Chart { from, to },
                Versioned::Git(_) => {
                    topics.push(Self::Base { name: found.name, sources: found.sources, from, to });
                    continue;
                }
            };
            let units: Vec<UnitName> = found.addons.iter().filter_map(|addon| addon.parse().ok()).collect();
            if units.is_empty() {
                rest.push(found);
            }
            for unit in units {
                addons.entry(unit).or_default().push(newer.clone());
            }
        }
        topics.extend(addons.into_iter().map(|(addon, newer)| Self::Addon { addon, newer }));
        topics.sort();
        (topics, rest)
    }

    /// Returns the name for people.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Addon { addon, .. } => addon.to_string(),
            Self::Base { name, .. } => name.clone(),
        }
    }

    /// Returns the branch of the pull request. It is the same for the same versions before and after, so that what was proposed is not proposed
    /// again. Only letters, digits and hyphens are in it: versions and addresses may contain what git refuses.
    pub(super) fn branch(&self) -> String {
        let name = self.name();
        let name = name.rsplit('/').next().unwrap_or_default();
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(40).collect();
        let digest = Digest::of(self.lines().join("\n").as_bytes()).to_string();
        let hash: String = digest.rsplit(':').next().unwrap_or_default().chars().take(8).collect();
        format!("tidegate/newer/{}-{hash}", name.trim_matches('-'))
    }

    /// Returns the versions, a line for each.
    pub(super) fn lines(&self) -> Vec<String> {
        let line = |newer: &Newer| match newer {
            Newer::Image { name, from, to } => format!("image {name}: {from} to {to}"),
            Newer::Chart { from, to } => format!("chart: {from} to {to}"),
        };
        match self {
            Self::Addon { newer, .. } => newer.iter().map(line).collect(),
            Self::Base { name, from, to, .. } => vec![format!("{name}: {from} to {to}")],
        }
    }
}

/// The change of a pull request.
pub(super) struct Proposed {
    pub(super) subject: String,
    /// The changed files, by path: the new content, or `None` to remove the file.
    pub(super) files: BTreeMap<String, Option<Vec<u8>>>,
}

/// Makes the change on the files of a revision. What is vendored is fetched.
///
/// # Errors
/// A text with the reason if the change has to be made by hand.
pub(super) fn proposed(
    process: &Process,
    args: &UpgradeArgs,
    place: &Place,
    tip: &Tree,
    topic: &Topic,
) -> Result<Proposed, Failure> {
    let proposed = match topic {
        Topic::Addon { addon, newer } => {
            let request = NextRequest { tip, path: &place.path, operator: &place.operator, addon, newer };
            let refused = |refusal: tidegate_repository::upgrade::Refusal| Failure::Unfinished(refusal.to_string());
            let next = next(&request).map_err(refused)?;
            let mut tree = tip.clone();
            tree.files.extend(next.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())));
            if newer.iter().any(|newer| matches!(newer, Newer::Chart { .. })) {
                tree = vendored(process, args, &tree)?;
            }
            let change = switched(&request, &tree, &next).map_err(refused)?;
            tree.files.insert(change.file, change.text.into_bytes());
            let subject = format!("{addon}: {} to {}", change.from, change.to);
            Proposed { subject, files: difference(tip, &tree) }
        }
        Topic::Base { sources, from, to, .. } => {
            let mut tree = tip.clone();
            for source in sources {
                let renamed = source.replace(&format!("ref={from}"), &format!("ref={to}"));
                if renamed == *source {
                    let why = format!("{source} does not name its version as ref={from}; change it by hand");
                    return Err(Failure::Unfinished(why));
                }
                for (_, bytes) in tree.files.iter_mut().filter(|(path, _)| is_own_kustomization(path)) {
                    if let Ok(text) = std::str::from_utf8(bytes) {
                        *bytes = with_source(text, source, &renamed).into_bytes();
                    }
                }
            }
            let tree = vendored(process, args, &tree)?;
            let subject = format!("{}: {from} to {to}", topic.name());
            Proposed { subject, files: difference(tip, &tree) }
        }
    };
    if proposed.files.is_empty() {
        let why = "no kustomization of the repository itself names it; update what names it";
        return Err(Failure::Unfinished(why.to_owned()));
    }
    Ok(proposed)
}

/// Returns `true` if a file is a kustomization of the repository itself.
fn is_own_kustomization(path: &str) -> bool {
    !vendor::is_vendored(path) && is_kustomization(path)
}

/// Returns a kustomization that names another source. What only starts with the source is another one: `?ref=v1.0.1` is not in `?ref=v1.0.10`.
fn with_source(text: &str, source: &str, renamed: &str) -> String {
    let mut parts = text.split(source).peekable();
    let mut result = String::new();
    while let Some(part) = parts.next() {
        result.push_str(part);
        let Some(rest) = parts.peek() else { break };
        let ends = rest.chars().next().is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ']' | '}'));
        result.push_str(if ends { renamed } else { source });
    }
    result
}

/// Returns the files of a repository after `tidegate vendor`, which runs in a temporary directory.
fn vendored(process: &Process, args: &UpgradeArgs, tree: &Tree) -> Result<Tree, Failure> {
    let directory = tempfile::Builder::new().prefix("tidegate-").tempdir();
    let directory =
        directory.map_err(|error| Failure::Internal(format!("a temporary directory cannot be created: {error}")))?;
    new_files::write(directory.path(), &tree.files)?;
    for (path, target) in &tree.links {
        let link = directory.path().join(path);
        let made = link.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| symlink(target, &link));
        made.map_err(|error| Failure::Internal(format!("{} cannot be created: {error}", link.display())))?;
    }
    let vendor = VendorArgs {
        path: directory.path().to_owned(),
        check: false,
        update: None,
        output: None,
        download: args.download.clone(),
        helm: args.helm.clone(),
        vela: "vela".into(),
    };
    // A server that cannot be reached holds up this pull request only.
    vendor::run(process, &vendor).map_err(|failure| match failure {
        Failure::Unreachable { message, .. } => Failure::Unfinished(message),
        failure => failure,
    })?;
    directory::tree(directory.path())
}

/// Returns the files that are different.
fn difference(before: &Tree, after: &Tree) -> BTreeMap<String, Option<Vec<u8>>> {
    let paths: BTreeSet<&String> = before.files.keys().chain(after.files.keys()).collect();
    let is_different = |path: &&String| before.files.get(*path) != after.files.get(*path);
    paths.into_iter().filter(is_different).map(|path| (path.clone(), after.files.get(path).cloned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_source_is_renamed() {
        let text = "- x//a?ref=v1.0.1\n- x//a?ref=v1.0.10 # v1.0.1\n- 'x//a?ref=v1.0.1'\n- x//a?ref=v1.0.1";
        let expected = "- x//a?ref=v2\n- x//a?ref=v1.0.10 # v1.0.1\n- 'x//a?ref=v2'\n- x//a?ref=v2";
        assert_eq!(with_source(text, "x//a?ref=v1.0.1", "x//a?ref=v2"), expected);
    }

    #[test]
    fn a_branch_has_a_name_that_git_takes_and_depends_on_the_versions() {
        let image = |from: &str, to: &str| Newer::Image { name: "web".into(), from: from.into(), to: to.into() };
        let topic = |newer| Topic::Addon { addon: "web".parse().unwrap(), newer: vec![newer] };
        let branch = topic(image("1.0.0", "1.1.0+a.lock")).branch();
        assert!(
            branch.starts_with("tidegate/newer/web-") && branch.len() == "tidegate/newer/web-".len() + 8,
            "{branch}"
        );
        assert_ne!(branch, topic(image("1.0.5", "1.1.0+a.lock")).branch());
        let source = "https://x/a..b.lock//c?ref=v1".to_owned();
        let name = "base https://x/a..b.lock".to_owned();
        let base = Topic::Base { name, sources: [source].into(), from: "v1".into(), to: "v2".into() };
        assert!(base.branch().starts_with("tidegate/newer/a--b-lock-"), "{}", base.branch());
    }
}
