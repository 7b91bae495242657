//! Paths in the repository.

/// Resolves a path relative to a directory. The result has no leading `/`, and the root is the empty path. Returns `None` if the
/// path leaves the root.
pub(crate) fn join(directory: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns `true` if a path is the directory or is below it.
pub(crate) fn is_within(path: &str, directory: &str) -> bool {
    directory.is_empty() || path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the directory of a path.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Returns a directory as shown in messages.
pub(crate) fn shown(directory: &str) -> &str {
    if directory.is_empty() { "the root of the repository" } else { directory }
}

/// Returns a path relative to a directory.
pub(crate) fn relative(path: &str, directory: &str) -> String {
    let parts = |path: &str| path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (path, directory) = (parts(path), parts(directory));
    let common = path.iter().zip(&directory).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", directory.len() - common);
    up.chain(path.iter().skip(common).map(String::as_str)).collect::<Vec<_>>().join("/")
}

/// Returns `true` if a path is the URL of a remote file.
pub(crate) fn is_remote_file(path: &str) -> bool {
    let scheme = path.split_once(':').map_or("", |(scheme, _)| scheme);
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}
