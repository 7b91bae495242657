//! The first line of a comment, and the link to the full plan.

use std::fmt::Write as _;

use super::Options;

/// The most bytes of a repository or a URL, so that the rest of the comment has room.
const LONGEST: usize = 2_000;

/// Returns the first line of a comment, by which it is found again.
pub fn marker(options: &Options) -> String {
    let mut marker = "<!-- tidegate:plan v1".to_owned();
    if let Some(repository) = options.repository.as_deref().filter(|repository| repository.len() <= LONGEST) {
        // Two hyphens could end the comment.
        let repository = encoded(repository, "._/~-").replace("--", "-%2D");
        let _ = write!(marker, " repo={repository}");
    }
    if let Some(number) = options.pull_request {
        let _ = write!(marker, " pull={number}");
    }
    marker + " -->"
}

/// Returns the link to the full plan; nothing if there is no URL that a link can contain.
pub(super) fn link(options: &Options) -> Option<String> {
    let url = options.full_plan.as_deref().filter(|url| url.len() <= LONGEST)?;
    let is_web = ["https://", "http://"].iter().any(|scheme| url.starts_with(scheme));
    is_web.then(|| format!("[Full plan]({})", encoded(url, "._~-:/?#&=%+,@")))
}

/// Returns text in which all other characters are percent-encoded.
fn encoded(text: &str, allowed: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || allowed.contains(c) {
            encoded.push(c);
        } else {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}
