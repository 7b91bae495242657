//! Texts that must fit into a limit.

/// The last line of a text that was cut.
const REST: &str = "\n\n(The rest does not fit here.)";

/// Returns a text of several lines with at most so many characters. The rest is left out, with a note.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(REST.len())).collect();
    kept + REST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(shortened(&"ä".repeat(100), 100), "ä".repeat(100));
        let cut = shortened(&"ä".repeat(101), 100);
        assert_eq!((cut.chars().count(), cut.ends_with("not fit here.)")), (100, true));
    }
}
