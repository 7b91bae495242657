//! A secret that is sent with requests.

use tidegate_model::line::CUT;

/// What is shown instead of a secret.
const HIDDEN: &str = "***";

/// The least length of what is a secret.
const SHORTEST: usize = 4;

/// A token. Printing it does not show it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token(String);

impl Token {
    /// Checks a token: one line of visible ASCII characters.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn new(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.is_empty() {
            return Err("it is empty");
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("it is not one line of visible characters");
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns the secret.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Removes the secret from a string: a server may repeat what it received. If the string was cut within the secret, its start
    /// is removed, too.
    pub(crate) fn redact(&self, text: &str) -> String {
        // A token this short is not a secret, and removing it would make the string unreadable.
        if self.0.len() < SHORTEST {
            return text.to_owned();
        }
        let text = text.replace(&self.0, HIDDEN);
        let end = text.trim_end_matches(CUT);
        let starts = (SHORTEST..self.0.len()).rev().filter_map(|length| self.0.get(..length));
        match starts.into_iter().find_map(|start| end.strip_suffix(start)) {
            Some(rest) => format!("{rest}{HIDDEN}"),
            None => text,
        }
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_removed_also_if_it_was_cut() {
        let token = Token::new("secret-1\n").unwrap();
        assert_eq!(token.redact("a secret-1 b secret-1"), "a *** b ***");
        assert_eq!(token.redact("a secret…"), "a ***");
        assert_eq!(token.redact("a secr"), "a ***");
        assert_eq!(token.redact("a sec"), "a sec");
        assert_eq!(format!("{token:?}"), "Token(***)");
        assert_eq!(Token::new("abc").unwrap().redact("abc"), "abc");
    }

    #[test]
    fn only_one_line_of_visible_characters_is_a_token() {
        for wrong in ["", " \n", "a b", "a\nb", "ä", "a\u{0}"] {
            assert!(Token::new(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(Token::new(&"x".repeat(5000)).unwrap().reveal().len(), 5000);
    }
}
