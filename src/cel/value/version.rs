//! Semantic versions.

use std::cmp::Ordering;

/// A version.
#[derive(Debug)]
pub(crate) struct Version(semver::Version);

impl Version {
    /// Parses a version; `None` if it is invalid.
    ///
    /// # Source
    /// `github.com/blang/semver` v4: unlike in the crate, a number in the pre-release has at most 64 bits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let version = semver::Version::parse(text).ok()?;
        let fits = |part: &str| {
            part.parse::<u64>().is_ok() || !part.bytes().all(|byte| byte.is_ascii_digit()) || part.is_empty()
        };
        version.pre.split('.').all(fits).then_some(Self(version))
    }

    /// Returns the major, minor and patch number.
    pub(crate) fn numbers(&self) -> [u64; 3] {
        [self.0.major, self.0.minor, self.0.patch]
    }

    /// Compares two versions by precedence; build metadata is ignored.
    pub(crate) fn precedence(&self, other: &Self) -> Ordering {
        self.0.cmp_precedence(&other.0)
    }
}
