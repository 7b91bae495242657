//! Which servers a need may contact: what only a vendored file names reaches no private network, and gets no credentials.

use std::collections::BTreeSet;

use tidegate_download::Reach;
use tidegate_kustomize::vendor::{DIRECTORY, Need, Wanted};

/// The hosts that the files of the repository itself name.
pub(super) struct OwnHosts(BTreeSet<String>);

impl OwnHosts {
    /// Collects the hosts of all needs that are not named in vendored files.
    pub(super) fn of(needs: &[Need]) -> Self {
        let own = needs.iter().filter(|need| !is_vendored(&need.place.file));
        Self(own.filter_map(|need| host(source(&need.wanted))).collect())
    }

    /// Returns which servers may be contacted for a need. A vendored file may name the hosts that the repository names itself.
    pub(super) fn reach(&self, need: &Need) -> Reach {
        let is_own = || host(source(&need.wanted)).is_some_and(|host| self.0.contains(&host));
        if !is_vendored(&need.place.file) || is_own() { Reach::Declared } else { Reach::Public }
    }
}

/// Returns `true` for a path below the directory of vendored files.
pub(in crate::cli::commands) fn is_vendored(path: &str) -> bool {
    path.split('/').next() == Some(DIRECTORY)
}

fn source(wanted: &Wanted) -> &str {
    match wanted {
        Wanted::Directory(remote) | Wanted::FileOrDirectory(remote) => &remote.repository,
        Wanted::File(url) => url,
        Wanted::Chart(chart) => chart.source.repository(),
    }
}

/// Returns the host of a URL, or of `git@host:path`.
fn host(source: &str) -> Option<String> {
    let authority = match source.split_once("://") {
        Some((_, rest)) => rest.split(['/', '?', '#']).next()?,
        None => source.split_once(':')?.0,
    };
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?,
        None => authority.split(':').next()?,
    };
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn the_host_of_a_source_is_found_in_every_form() {
        for (source, expected) in [
            ("https://Git.example.com/a/b.git?ref=v1", Some("git.example.com")),
            ("https://git.example.com:8443/a", Some("git.example.com")),
            ("ssh://git@git.example.com/a", Some("git.example.com")),
            ("git@git.example.com:a/b", Some("git.example.com")),
            ("oci://registry.example.com/charts", Some("registry.example.com")),
            ("http://[::1]:80/x", Some("::1")),
            ("https://a.test@evil.test/x", Some("evil.test")),
            ("file:///srv/base", None),
            ("../base", None),
        ] {
            assert_eq!(host(source).as_deref(), expected, "{source}");
        }
    }
}
