//! Pattern lists of OpenSSH.

/// A list of patterns. It matches if at least one pattern matches and no negated one does.
///
/// # Shape
/// Separated by commas. `*` matches any characters, `?` matches one, and a leading `!` negates.
///
/// # Source
/// ssh_config(5), PATTERNS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Patterns(Vec<Pattern>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern {
    negated: bool,
    text: String,
}

impl Patterns {
    pub(crate) fn read(list: &str) -> Self {
        let patterns = list.split(',').map(str::trim).filter(|text| !text.is_empty()).map(|text| {
            let positive = text.strip_prefix('!');
            Pattern { negated: positive.is_some(), text: positive.unwrap_or(text).to_owned() }
        });
        Self(patterns.collect())
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        let any = |negated: bool| self.0.iter().any(|p| p.negated == negated && is_like(&p.text, name));
        any(false) && !any(true)
    }

    /// Returns the first pattern that is not negated, used as the name of the signer.
    pub(crate) fn first(&self) -> Option<&str> {
        self.0.iter().find(|pattern| !pattern.negated).map(|pattern| pattern.text.as_str())
    }
}

/// Returns `true` if a pattern matches. Backtracks only to the last `*`, so no pattern takes long.
fn is_like(pattern: &str, name: &str) -> bool {
    let (mut pattern, mut name) = (pattern.chars(), name.chars());
    let mut star = None;
    loop {
        let ahead = name.clone();
        match (pattern.next(), name.next()) {
            (None, None) => return true,
            (Some('*'), _) => {
                star = Some((pattern.clone(), ahead.clone()));
                name = ahead;
            }
            (Some(wanted), Some(found)) if wanted == '?' || wanted == found => {}
            _ => {
                // Let the last `*` match one more character.
                let Some((behind, from)) = &mut star else { return false };
                if from.next().is_none() {
                    return false;
                }
                pattern = behind.clone();
                name = from.clone();
            }
        }
    }
}
