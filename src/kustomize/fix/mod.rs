//! Replacements in place of vars, which kustomize has deprecated.
//!
//! Pure. The result is checked: each overlay of the tree must render to the same bytes as before. Otherwise, the vars stay, with a reason.

mod occurrence;
mod text;
mod vars;

pub use self::vars::{Refused, vars_to_replacements};
