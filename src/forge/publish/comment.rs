//! Which comment is the own one, and which texts may be comments.

use tidegate_model::forge::ForgeKind;
use tidegate_model::line::cut;

use crate::error::{Error, Result};
use crate::values::Limits;

/// A comment that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) id: u64,
    /// The ID of its author; `None` if the account is gone.
    pub(crate) author: Option<u64>,
    pub(crate) body: String,
}

/// Returns the own comment: the oldest one by the account that contains the marker. A marker in a comment of another account
/// means nothing.
pub(crate) fn mine(found: impl IntoIterator<Item = Found>, marker: &str, me: u64) -> Option<Found> {
    let is_own = |comment: &Found| comment.author == Some(me) && comment.body.contains(marker);
    found.into_iter().filter(is_own).min_by_key(|comment| comment.id)
}

/// Checks the text of a comment.
///
/// # Errors
/// [`Error::Invalid`] if the comment could not be found by its marker, is too long, or contains a command.
pub(crate) fn check_body(kind: ForgeKind, limits: Limits, marker: &str, body: &str) -> Result<()> {
    let refused = |why: String| Err(Error::Invalid { what: "cannot write a comment".to_owned(), why });
    if marker.trim().is_empty() || !body.contains(marker) {
        return refused("it does not contain its marker, so that it could not be found again".to_owned());
    }
    let length = body.chars().count();
    if length > limits.comment {
        return refused(format!("it has {length} characters, and the forge allows {}", limits.comment));
    }
    check_commands(kind, "cannot write a comment", body)
}

/// Checks that a text contains no command. GitLab carries out a line such as `/merge`, also if a program writes it.
///
/// # Errors
/// [`Error::Invalid`] with the line.
///
/// # Source
/// GitLab, "Quick actions".
pub(crate) fn check_commands(kind: ForgeKind, what: &str, text: &str) -> Result<()> {
    let command = text.split(['\n', '\r']).find(|line| line.trim_start().starts_with('/'));
    match command {
        Some(line) if kind == ForgeKind::GitLab => {
            let why = format!("its line {:?} starts with a slash, and GitLab would carry it out", cut(line.trim(), 40));
            Err(Error::Invalid { what: what.to_owned(), why })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(id: u64, author: Option<u64>, body: &str) -> Found {
        Found { id, author, body: body.to_owned() }
    }

    #[test]
    fn a_marker_in_the_comment_of_another_account_means_nothing() {
        let found = || {
            [
                comment(1, Some(7), "<!-- m --> fake"),
                comment(4, Some(9), "<!-- m --> second"),
                comment(2, Some(9), "without"),
                comment(3, Some(9), "x <!-- m --> first"),
                comment(0, None, "<!-- m -->"),
            ]
        };
        assert_eq!(mine(found(), "<!-- m -->", 9), Some(comment(3, Some(9), "x <!-- m --> first")));
        assert_eq!(mine(found(), "<!-- m -->", 8), None);
    }

    #[test]
    fn a_text_that_must_not_be_a_comment_is_refused() {
        let limits = Limits { comment: 20, status_text: 9 };
        let check = |kind, body: &str| check_body(kind, limits, "<m>", body).map_err(|error| error.to_string());
        assert_eq!(check(ForgeKind::GitLab, "<m>\na/b\n"), Ok(()));
        assert_eq!(check(ForgeKind::GitHub, "<m>\n/merge"), Ok(()));
        for body in ["<m>\n/merge", "/approve <m>", "<m>\r\n \t/close", "<m>\n/"] {
            assert!(check(ForgeKind::GitLab, body).is_err_and(|why| why.contains("slash")), "{body}");
        }
        assert!(check(ForgeKind::Gitea, "no marker").is_err_and(|why| why.contains("marker")));
        assert!(check(ForgeKind::Gitea, "<m>äöüäöüäöüäöüäöüäöü").is_err_and(|why| why.contains("21")));
        assert_eq!(check(ForgeKind::Gitea, "<m>äöüäöüäöüäöüäöüäö"), Ok(()));
    }
}
