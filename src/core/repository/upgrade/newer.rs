//! What a template has in an older version than the newest.

/// What a template has in an older version than the newest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Newer {
    /// An image.
    Image {
        /// Its name, without the tag.
        name: String,
        /// The tag in use.
        from: String,
        /// The newer one.
        to: String,
    },
    /// The chart that the template names.
    Chart {
        /// The version in use.
        from: String,
        /// The newer one.
        to: String,
    },
}

impl Newer {
    /// Returns the version in use, and the newer one.
    pub fn versions(&self) -> (&str, &str) {
        match self {
            Self::Image { from, to, .. } | Self::Chart { from, to } => (from, to),
        }
    }
}
