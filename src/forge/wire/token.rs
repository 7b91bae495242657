//! A secret that is sent with requests.

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

    /// Removes the secret from a string: a server may repeat what it received.
    pub(crate) fn redact(&self, text: &str) -> String {
        // A token this short is not a secret, and removing it would make the string unreadable.
        if self.0.len() < 4 { text.to_owned() } else { text.replace(&self.0, "***") }
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(***)")
    }
}
