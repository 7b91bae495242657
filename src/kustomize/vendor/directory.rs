//! The directories of new entries.

use std::collections::BTreeSet;

use super::DIRECTORY;
use super::lock::What;
use super::path::parent;
use tidegate_model::digest::Digest;

/// Maximum length of a part of a path, so that every file system can store it.
const MAX_PART: usize = 80;

/// Returns the directory of a new entry: a readable path that follows from what the entry is for. Only its last part contains `@`, so that
/// no directory is inside of another. `taken` are the directories of the other entries; on a file system that ignores case, too, the new
/// one is different from them.
pub fn directory<'a>(what: &What, taken: impl IntoIterator<Item = &'a str>) -> String {
    let taken: BTreeSet<String> = taken.into_iter().map(str::to_lowercase).collect();
    let (kind, key) = what.key();
    let key = Digest::of(format!("{kind} {key:?}").as_bytes());
    let hash = key.as_str().get(..8).unwrap_or_default();
    let (path, version) = match what {
        What::Git(git) => {
            let (host, repository) = host_and_path(&git.repository);
            let path = format!("{host}/{}/{}", repository.trim_end_matches(".git"), git.path);
            (path, git.reference.clone().unwrap_or_else(|| "HEAD".to_owned()))
        }
        What::File(file) => {
            let (host, path) = host_and_path(&file.source);
            (format!("files/{host}/{}", path.split('?').next().unwrap_or_default()), hash.to_owned())
        }
        What::Chart(chart) => {
            let namespace = chart.namespace.as_ref().map(|namespace| format!("-{namespace}")).unwrap_or_default();
            let directory = parent(&chart.used_by);
            let directory = directory.strip_prefix("vendor/").unwrap_or(directory);
            (format!("charts/{directory}/{}", chart.name), format!("{}{namespace}", chart.release))
        }
    };
    let parts = path.split('/').filter(|part| !part.is_empty()).map(safe);
    let path = format!("{DIRECTORY}/{}@{}", parts.collect::<Vec<_>>().join("/"), safe(&version));
    let others = std::iter::once(format!("{path}-{hash}")).chain((2_u64..).map(|n| format!("{path}-{hash}-{n}")));
    let mut candidates = std::iter::once(path.clone()).chain(others);
    candidates.find(|path| !taken.contains(&path.to_lowercase())).unwrap_or(path)
}

/// Splits the host of a URL, or of `user@host:path`, from the path.
fn host_and_path(address: &str) -> (String, &str) {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split_once('@').filter(|(user, _)| !user.contains('/')).map_or(rest, |(_, rest)| rest);
    let (host, path) = rest.split_once(['/', ':']).unwrap_or((rest, ""));
    (host.to_ascii_lowercase(), path)
}

/// Returns a part of a path with other characters than letters, digits, `.`, `_` and `-` replaced.
fn safe(part: &str) -> String {
    let replaced =
        part.chars().take(MAX_PART).map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' });
    let replaced: String = replaced.collect();
    match replaced.trim_start_matches(['.', '-']) {
        "" if part.is_empty() => String::new(),
        "" => "x".to_owned(),
        safe => safe.to_owned(),
    }
}
