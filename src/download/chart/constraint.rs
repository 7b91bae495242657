//! Version ranges of charts, which differ from those of Cargo: `1.2.3` is exact, `1.2` is `~1.2`, a space is "and", `||` is "or".
//!
//! # Source
//! `github.com/Masterminds/semver/v3`, version 3.4, which helm uses.

use std::cmp::Ordering;
use std::str::FromStr;

use semver::Version;

/// The longest range that is parsed, in bytes.
const LONGEST: usize = 512;

/// A version range.
///
/// ```
/// use tidegate_download::Constraint;
///
/// let range: Constraint = "^1.2 || 3.x".parse()?;
/// assert!(range.allows("1.4.0") && range.allows("v3.0.1") && !range.allows("2.0.0") && !range.allows("1.3.0-rc.1"));
/// # Ok::<(), tidegate_download::InvalidConstraint>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constraint {
    /// One group must match, with all that it contains.
    groups: Vec<Vec<Comparison>>,
}

/// A string that is not a version range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidConstraint {
    /// It has too many bytes.
    #[error("it is too long")]
    Long,
    /// This part of it is neither a version nor a range.
    #[error("{0:?} is not a version or a range")]
    Malformed(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Comparison {
    operator: Operator,
    version: Version,
    /// Which part is the first that is missing, or a wildcard.
    open: Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equal,
    Different,
    Greater,
    Less,
    AtLeast,
    AtMost,
    Tilde,
    Caret,
}

/// The first missing part of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Open {
    Major,
    Minor,
    Patch,
    Nothing,
}

/// Parses the version of a chart: a `v` and missing parts are accepted. Returns `None` if it is not one.
pub(super) fn version(text: &str) -> Option<Version> {
    let comparison = comparison(text.trim(), Operator::Equal)?;
    (comparison.open > Open::Major).then_some(comparison.version)
}

impl FromStr for Constraint {
    type Err = InvalidConstraint;

    fn from_str(text: &str) -> Result<Self, InvalidConstraint> {
        if text.len() > LONGEST {
            return Err(InvalidConstraint::Long);
        }
        Ok(Self { groups: text.split("||").map(group).collect::<Result<_, _>>()? })
    }
}

impl Constraint {
    /// Returns `true` if the range contains a version. Prereleases are contained only if the range names one.
    pub fn allows(&self, text: &str) -> bool {
        version(text).is_some_and(|version| self.contains(&version))
    }

    pub(super) fn contains(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| {
            let with_prereleases = group.iter().any(|comparison| !comparison.version.pre.is_empty());
            (version.pre.is_empty() || with_prereleases) && group.iter().all(|comparison| comparison.allows(version))
        })
    }
}

/// Parses what is between two `||`: comparisons, separated by commas or spaces, or a range with a hyphen.
fn group(text: &str) -> Result<Vec<Comparison>, InvalidConstraint> {
    let invalid = || InvalidConstraint::Malformed(text.trim().to_owned());
    if let Some((low, high)) = text.split_once(" - ") {
        let ends = comparison(low.trim(), Operator::AtLeast).zip(comparison(high.trim(), Operator::AtMost));
        return ends.map(|(low, high)| vec![low, high]).ok_or_else(invalid);
    }
    let mut comparisons = Vec::new();
    let mut rest = text.trim_matches([' ', ',', '\t']);
    while !rest.is_empty() {
        let (operator, after) = operator(rest);
        let after = after.trim_start();
        let end = after.find([' ', ',', '\t', '<', '>', '=', '!', '~', '^']).unwrap_or(after.len());
        let (version, after) = after.split_at(end);
        comparisons.push(comparison(version, operator).ok_or_else(invalid)?);
        rest = after.trim_start_matches([' ', ',', '\t']);
    }
    if comparisons.is_empty() { Err(invalid()) } else { Ok(comparisons) }
}

fn operator(text: &str) -> (Operator, &str) {
    let operators = [
        (">=", Operator::AtLeast),
        ("=>", Operator::AtLeast),
        ("<=", Operator::AtMost),
        ("=<", Operator::AtMost),
        ("!=", Operator::Different),
        ("~>", Operator::Tilde),
        (">", Operator::Greater),
        ("<", Operator::Less),
        ("=", Operator::Equal),
        ("~", Operator::Tilde),
        ("^", Operator::Caret),
    ];
    let found = operators.into_iter().find_map(|(sign, operator)| Some((operator, text.strip_prefix(sign)?)));
    found.unwrap_or((Operator::Equal, text))
}

/// Parses a version in which parts may be missing, or wildcards.
fn comparison(text: &str, operator: Operator) -> Option<Comparison> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let (text, build) = text.split_once('+').map_or((text, ""), |(text, build)| (text, build));
    let (numbers, pre) = text.split_once('-').map_or((text, ""), |(numbers, pre)| (numbers, pre));
    if text.ends_with('-') {
        return None;
    }
    let (mut parts, mut open) = ([0_u64; 3], Open::Nothing);
    let names = [Open::Major, Open::Minor, Open::Patch];
    let written: Vec<&str> = numbers.split('.').collect();
    if written.len() > 3 {
        return None;
    }
    for (at, (part, name)) in parts.iter_mut().zip(names).enumerate() {
        match written.get(at) {
            None | Some(&("x" | "X" | "*")) => open = open.min(name),
            Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) && open == Open::Nothing => {
                *part = number.parse().ok()?;
            }
            // `1.x.3` is `1.x`.
            Some(number) if open < Open::Nothing && number.bytes().all(|byte| byte.is_ascii_digit()) => {}
            Some(_) => return None,
        }
    }
    let [major, minor, patch] = parts;
    let version = Version {
        major,
        minor,
        patch,
        pre: semver::Prerelease::new(pre).ok()?,
        build: semver::BuildMetadata::new(build).ok()?,
    };
    Some(Comparison { operator, version, open })
}

impl Comparison {
    fn allows(&self, version: &Version) -> bool {
        let (it, open) = (&self.version, self.open);
        let order = version.cmp_precedence(it);
        let is_same_major = version.major == it.major;
        let is_same_minor = is_same_major && version.minor == it.minor;
        match self.operator {
            Operator::Equal if open == Open::Nothing => order == Ordering::Equal,
            Operator::Equal | Operator::Tilde => match open {
                Open::Major => true,
                Open::Minor => order.is_ge() && is_same_major,
                Open::Patch | Open::Nothing => order.is_ge() && is_same_minor,
            },
            Operator::Different => match open {
                Open::Major => false,
                Open::Minor => !is_same_major,
                Open::Patch => !is_same_minor,
                Open::Nothing => order != Ordering::Equal,
            },
            Operator::Greater => match open {
                Open::Major => false,
                Open::Minor => version.major > it.major,
                Open::Patch => (version.major, version.minor) > (it.major, it.minor),
                Open::Nothing => order.is_gt(),
            },
            Operator::Less => order.is_lt(),
            Operator::AtLeast => order.is_ge(),
            Operator::AtMost => match open {
                Open::Major => true,
                Open::Minor => version.major <= it.major,
                Open::Patch => (version.major, version.minor) <= (it.major, it.minor),
                Open::Nothing => order.is_le(),
            },
            Operator::Caret => order.is_ge() && (open == Open::Major || self.is_compatible(version)),
        }
    }

    /// Returns `true` if the first part that is not zero is the same.
    fn is_compatible(&self, version: &Version) -> bool {
        let (it, open) = (&self.version, self.open);
        if it.major > 0 || open == Open::Minor {
            return version.major == it.major;
        }
        if it.minor > 0 || open == Open::Patch {
            return version.major == 0 && version.minor == it.minor;
        }
        (version.major, version.minor, version.patch) == (0, 0, it.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_contain_what_they_contain_for_helm() {
        for (range, inside, outside) in [
            ("1.2.3", "1.2.3 v1.2.3 1.2.3+b1", "1.2.4 1.2.2 1.2.3-rc.1"),
            ("v1.2.3", "1.2.3", "1.2.4"),
            ("1.2", "1.2.0 1.2.9", "1.3.0 1.1.9 1.2.0-rc.1"),
            ("1", "1.0.0 1.9.9", "2.0.0 0.9.0"),
            ("1.x", "1.0.0 1.9.9", "2.0.0"),
            ("*", "0.0.1 9.0.0", "9.0.0-rc.1 x 1.2.3.4"),
            ("^1.2.3", "1.2.3 1.9.0", "1.2.2 2.0.0 1.3.0-rc.1"),
            ("^0.2.3", "0.2.3 0.2.9", "0.3.0 0.2.2"),
            ("^0.0.3", "0.0.3", "0.0.4"),
            ("^0.0", "0.0.0 0.0.9", "0.1.0"),
            ("^0", "0.0.0 0.9.0", "1.0.0"),
            ("~1.2.3", "1.2.3 1.2.9", "1.3.0 1.2.2"),
            ("~>1", "1.0.0 1.9.0", "2.0.0"),
            (">=1.2 <2", "1.2.0 1.9.9", "2.0.0 1.1.0"),
            (">=1.2,<2", "1.2.0 1.9.9", "2.0.0 1.1.0"),
            (">= 1.2, < 2", "1.2.0", "2.0.0"),
            (">=1.2<2", "1.2.0", "2.0.0"),
            (">1", "2.0.0", "1.0.1 1.9.0"),
            (">1.2", "1.3.0", "1.2.9"),
            ("<=1", "1.9.9 0.1.0", "2.0.0"),
            ("<=1.2", "1.2.9", "1.3.0"),
            ("!=1.2.3", "1.2.4", "1.2.3"),
            ("!=1.2", "1.3.0", "1.2.9"),
            ("1.2 - 1.4.5", "1.2.0 1.4.5", "1.4.6"),
            ("^1 || ^3", "1.1.0 3.1.0", "2.0.0"),
            (">0.0.0-0", "1.0.0 1.0.0-rc.1", "0.0.0-0"),
            ("^1.0.0-0", "1.0.0-rc.1 1.5.0-rc.1", "2.0.0"),
            ("1.0.0-rc.1", "1.0.0-rc.1", "1.0.0 1.0.0-rc.2"),
        ] {
            let parsed: Constraint = range.parse().unwrap();
            for version in inside.split(' ') {
                assert!(parsed.allows(version), "{range} contains {version}");
            }
            for version in outside.split(' ') {
                assert!(!parsed.allows(version), "{range} does not contain {version}");
            }
        }
    }

    #[test]
    fn what_is_not_a_range_is_refused() {
        for text in
            ["", " ", "latest", "1.2.3.4", ">=", "^1 ||", "1..2", "a - b", "1.2.3-", "-1", "18446744073709551616"]
        {
            assert!(text.parse::<Constraint>().is_err(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[0-9vx.*^~<>=!, |+-]{0,24}", version in "[0-9v.+-]{0,12}") {
            if let Ok(range) = text.parse::<Constraint>() {
                range.allows(&version);
            }
        }
    }
}
