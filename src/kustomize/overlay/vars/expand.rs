//! Replaces `$(NAME)` in a string.

use std::borrow::Cow;

/// A piece of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// Text that stays. `$$` has become `$`.
    Text(Cow<'t, str>),
    /// The name in `$(NAME)`.
    Reference(&'t str),
}

/// Splits a string into text and references. `$$` is an escaped `$`, so that `$$(NAME)` is no reference. A `$(` without its end is
/// text.
///
/// # Source
/// kustomize `refvar.DoReplacements`.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        let mut push = |text: &'static str| {
            if !before.is_empty() {
                pieces.push(Piece::Text(before.into()));
            }
            if !text.is_empty() {
                pieces.push(Piece::Text(text.into()));
            }
        };
        match after.strip_prefix('(').map(|inside| inside.split_once(')')) {
            Some(Some((name, behind))) => {
                push("");
                pieces.push(Piece::Reference(name));
                rest = behind;
            }
            // No parenthesis closes later, either.
            Some(None) => {
                push("$(");
                rest = after.strip_prefix('(').unwrap_or_default();
            }
            None => {
                push("$");
                // Of `$$`, one remains. The character after a lone `$` is not the start of a reference.
                rest = after.strip_prefix('$').unwrap_or(after);
            }
        }
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.into()));
    }
    pieces
}
