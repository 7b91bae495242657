//! Texts with names that are filled in.

/// Returns a text in which each `@NAME@` is replaced by its value.
pub(super) fn filled(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("@{name}@"), value))
}
