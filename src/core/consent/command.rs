//! Commands in comments on pull requests.

use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;

/// A command that approves a rollout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The add-on.
    pub addon: UnitName,
    /// The decision group; `None` for the start of the rollout.
    pub group: Option<String>,
    /// The digest, as written.
    pub digest: String,
}

impl Command {
    /// Returns the comment that approves a digest; `None` if the name of the group cannot be written in a comment.
    pub fn line(addon: &UnitName, group: Option<&str>, digest: &Digest) -> Option<String> {
        let group = group.map(str::to_owned);
        let of = group.as_ref().map(|group| format!("{group} ")).unwrap_or_default();
        let line = format!("/tidegate approve {addon} {of}{digest}");
        let command = Self { addon: addon.clone(), group, digest: digest.to_string() };
        (Self::read(&line)? == command).then_some(line)
    }

    /// Reads a comment; `None` unless `/tidegate approve <add-on> [<group>] <digest>` is its only line.
    pub fn read(comment: &str) -> Option<Self> {
        let line = comment.trim_matches(['\n', '\r', ' ']);
        if line.contains(['\n', '\r']) {
            return None;
        }
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let (addon, group, digest) = match words.as_slice() {
            ["/tidegate", "approve", addon, digest] => (addon, None, digest),
            ["/tidegate", "approve", addon, group, digest] => (addon, Some((*group).to_owned()), digest),
            _ => return None,
        };
        Some(Self { addon: addon.parse().ok()?, group, digest: (*digest).to_owned() })
    }
}

/// Returns the command line that approves the current digest of an add-on, for a decision group or for the start of the rollout.
pub fn approve_command(addon: &UnitName, group: Option<&str>) -> String {
    let group = group.map(|group| format!(" --group {group}")).unwrap_or_default();
    format!("tidegate approve {addon}{group}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_comment_that_is_nothing_but_the_command_is_one() {
        let read =
            |text: &str| Command::read(text).map(|command| (command.addon.to_string(), command.group, command.digest));
        let digest = "9c1e0d2f6ab4".to_owned();
        assert_eq!(read("/tidegate approve istio 9c1e0d2f6ab4\r\n"), Some(("istio".to_owned(), None, digest.clone())));
        let of_group = Some(("istio".to_owned(), Some("rest".to_owned()), digest));
        assert_eq!(read("  /tidegate  approve istio rest 9c1e0d2f6ab4"), of_group);
        let digest = Digest::of(b"1");
        for (group, is_readable) in [(None, true), (Some("rest"), true), (Some("not rest"), false), (Some(""), false)] {
            let line = Command::line(&"istio".parse().unwrap(), group, &digest);
            assert_eq!(line.is_some(), is_readable, "{line:?}");
        }
        for other in [
            "",
            "/tidegate approve istio",
            "/tidegate approve istio rest 9c1e0d2f6ab4 please",
            "> /tidegate approve istio 9c1e0d2f6ab4",
            "I would never write\n/tidegate approve istio 9c1e0d2f6ab4",
            "`/tidegate approve istio 9c1e0d2f6ab4`",
            "/tidegate approve Istio! 9c1e0d2f6ab4",
            "/tidegate\u{a0}approve istio 9c1e0d2f6ab4",
        ] {
            assert_eq!(read(other), None, "{other:?}");
        }
    }
}
