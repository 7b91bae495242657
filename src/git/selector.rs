//! Parses what to follow on a remote: a branch, a tag, or a version range.

use std::fmt;
use std::str::FromStr;

use semver::{Version, VersionReq};

use crate::id;

/// What to follow on a remote.
///
/// # Shape
/// As a string, `refs/heads/x` is a branch and `refs/tags/x` is a tag. A string with comparison operators, commas,
/// spaces or a wildcard, such as `>=1.2 <2`, `^1.4`, `~1.2` or `1.x`, is a version range. Anything else is a plain
/// name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// A branch, by its short name.
    Branch(String),
    /// A tag, by its short name.
    Tag(String),
    /// The tag with the highest version in a range.
    Range(VersionRange),
    /// The branch of this name, or else the tag of this name.
    Named(String),
}

/// A version range, and the string that it was parsed from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRange {
    text: String,
    requirement: VersionReq,
}

/// A string that is not a branch, a tag or a version range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} cannot be followed: {why}; write a branch (main, refs/heads/main), a tag (v1.4.2, refs/tags/v1.4.2) or a \
     version range (\">=1.2 <2\", ^1.4, ~1.2, 1.x)"
)]
pub struct InvalidReference {
    /// The refused string.
    pub text: String,
    /// The rule that it breaks.
    pub why: String,
}

impl InvalidReference {
    fn new(text: &str, why: impl Into<String>) -> Self {
        Self { text: text.to_owned(), why: why.into() }
    }
}

impl FromStr for Reference {
    type Err = InvalidReference;

    fn from_str(text: &str) -> Result<Self, InvalidReference> {
        let text = text.trim();
        if text.is_empty() {
            return Err(InvalidReference::new(text, "it is empty"));
        }
        if is_range(text) {
            let requirement = requirement(text)?;
            return Ok(Self::Range(VersionRange { text: text.to_owned(), requirement }));
        }
        let (name, make): (_, fn(String) -> Self) = if let Some(branch) = text.strip_prefix("refs/heads/") {
            (branch, Self::Branch)
        } else if let Some(tag) = text.strip_prefix("refs/tags/") {
            (tag, Self::Tag)
        } else if text.starts_with("refs/") {
            return Err(InvalidReference::new(text, "only refs below refs/heads/ and refs/tags/ can be followed"));
        } else {
            (text, Self::Named)
        };
        match id::branch(name) {
            Ok(_) => Ok(make(name.to_owned())),
            Err(_) => Err(InvalidReference::new(text, "it is not a valid Git ref name")),
        }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Branch(name) => write!(f, "refs/heads/{name}"),
            Self::Tag(name) => write!(f, "refs/tags/{name}"),
            Self::Range(range) => f.write_str(&range.text),
            Self::Named(name) => f.write_str(name),
        }
    }
}

impl Reference {
    /// Returns the name of the branch, if it may be one.
    pub fn branch(&self) -> Option<&str> {
        match self {
            Self::Branch(name) | Self::Named(name) => Some(name),
            Self::Tag(_) | Self::Range(_) => None,
        }
    }

    /// Describes it for people: `branch main`, or `branch or tag main` if both are possible.
    pub fn described(&self) -> String {
        match self {
            Self::Branch(name) => format!("branch {name}"),
            Self::Tag(name) => format!("tag {name}"),
            Self::Range(range) => format!("version tag in the range {:?}", range.text),
            Self::Named(name) => format!("branch or tag {name}"),
        }
    }
}

impl VersionRange {
    /// Returns the tag with the highest version in the range; among versions of equal precedence, the one without build
    /// metadata.
    ///
    /// A tag may have the prefix `v`. A pre-release matches only if the range names a pre-release of the same version.
    pub fn highest<'a>(&self, tags: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        let versions = tags.filter_map(|tag| Some((Version::parse(tag.strip_prefix('v').unwrap_or(tag)).ok()?, tag)));
        let matching = versions.filter(|(version, _)| self.requirement.matches(version));
        let best = matching.max_by(|(one, tag), (other, rival)| {
            one.cmp_precedence(other)
                .then_with(|| one.build.is_empty().cmp(&other.build.is_empty()))
                .then_with(|| one.build.cmp(&other.build))
                // `1.2.0` and `v1.2.0` are the same version: any choice is fine if it is always the same.
                .then_with(|| rival.cmp(tag))
        });
        best.map(|(_, tag)| tag)
    }
}

/// Returns `true` if a string is a version range. Most characters of a range are not allowed in a ref name.
fn is_range(text: &str) -> bool {
    text.contains(|c: char| "<>=^~*,|".contains(c) || c.is_whitespace()) || is_wildcard(text)
}

/// Returns `true` if a string is a version that ends in a wildcard, such as `1.x`.
fn is_wildcard(text: &str) -> bool {
    let numbers = text.strip_suffix(".x").or_else(|| text.strip_suffix(".X"));
    let numbers = numbers.map(|numbers| numbers.strip_prefix('v').unwrap_or(numbers));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    numbers.is_some_and(|numbers| numbers.split('.').take(3).all(is_number))
}

/// Parses a range whose comparators are separated by commas or spaces.
fn requirement(text: &str) -> Result<VersionReq, InvalidReference> {
    if text.contains("||") {
        return Err(InvalidReference::new(text, "alternatives (\"||\") are not supported"));
    }
    let mut comparators: Vec<String> = Vec::new();
    let mut operator = String::new();
    for token in text.split(|c: char| c == ',' || c.is_whitespace()).filter(|token| !token.is_empty()) {
        let version = token.trim_start_matches(|c: char| "<>=^~".contains(c));
        operator += token.strip_suffix(version).unwrap_or_default();
        if !version.is_empty() {
            comparators.push(format!("{}{}", std::mem::take(&mut operator), version.trim_start_matches('v')));
        }
    }
    if !operator.is_empty() {
        return Err(InvalidReference::new(text, format!("no version follows {operator:?}")));
    }
    VersionReq::parse(&comparators.join(", "))
        .map_err(|error| InvalidReference::new(text, format!("it is not a version range, {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_is_parsed_and_displayed_as_written() {
        let named = |name: &str| Reference::Named(name.to_owned());
        for (text, expected) in [
            ("refs/heads/release/1", Reference::Branch("release/1".to_owned())),
            ("refs/tags/v1", Reference::Tag("v1".to_owned())),
            ("main", named("main")),
            ("v1.4.2", named("v1.4.2")),
            ("release-1.x", named("release-1.x")),
            ("heads/x", named("heads/x")),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for text in ["main", "refs/heads/a/b", "refs/tags/v1", ">=1.2 <2", ">= 1.2, < 2", "^1.4", "~1.2", "1.x", "*"] {
            assert_eq!(text.parse::<Reference>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn error_shows_the_valid_forms() {
        for text in
            ["", "  ", "refs/remotes/x", "refs/heads/", "a..b", "x.lock", "^", ">=1.2 <", "1 || 2", "^one", "<>1"]
        {
            let error = text.parse::<Reference>().expect_err(text).to_string();
            assert!(error.contains("cannot be followed: ") && error.contains("refs/heads/main"), "{text}: {error}");
        }
    }

    #[test]
    fn highest_version_in_the_range_is_chosen() {
        let tags =
            ["v1.2.0", "1.4.2", "v1.10.0", "v2.0.0", "v2.0.0-rc.1", "v1.11.0-rc.1", "v1.10.0+b1", "latest", "v9"];
        for (range, expected) in [
            (">=1.2 <2", Some("v1.10.0")),
            (">=v1.2, <v1.10", Some("1.4.2")),
            ("^1.4", Some("v1.10.0")),
            ("~1.2", Some("v1.2.0")),
            ("1.x", Some("v1.10.0")),
            ("*", Some("v2.0.0")),
            ("=1.4.2", Some("1.4.2")),
            ("^1.11.0-rc.0", Some("v1.11.0-rc.1")),
            (">=3", None),
        ] {
            let Ok(Reference::Range(parsed)) = range.parse() else { panic!("{range} is a range") };
            assert_eq!(parsed.highest(tags.into_iter()), expected, "{range}");
            assert_eq!(parsed.highest(tags.into_iter().rev()), expected, "{range}, in reverse order");
        }
    }

    #[test]
    fn one_version_under_several_names_is_chosen_consistently() {
        let Ok(Reference::Range(range)) = "1.x".parse() else { panic!("a range") };
        for tags in [["1.0.0", "v1.0.0", "v1.0.0+a"], ["v1.0.0+a", "v1.0.0", "1.0.0"]] {
            assert_eq!(range.highest(tags.into_iter()), Some("1.0.0"));
        }
        assert_eq!(range.highest(["1.0.0+a", "1.0.0+b"].into_iter()), Some("1.0.0+b"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[a-z0-9v.*^~<>=, |/-]{0,20}") {
            if let Ok(reference) = text.parse::<Reference>() {
                proptest::prop_assert_eq!(reference.to_string(), text.trim());
            }
        }
    }
}
