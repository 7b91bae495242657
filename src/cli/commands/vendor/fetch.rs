//! Fetches what a need names.

use std::cell::OnceCell;

use super::charts;
use super::fetcher::{Fetched, Fetcher, NotFetched};
use crate::cli::args::VendorArgs;
use crate::cli::downloads::downloads;
use crate::cli::failure::Failure;
use tidegate_download::{Downloads, Error, GitRequest, Helm, HelmLimits, Reach, Vela};
use tidegate_kustomize::vendor::{Entry, Need, RemoteDirectory, VendoredDirectory, VendoredFile, Wanted, What};
use tidegate_kustomize::yaml::{self, Input, Node, SourceId};
use tidegate_model::tree::Tree;

impl<'a> Fetcher<'a> {
    /// Prepares downloads.
    pub(super) fn new(args: &'a VendorArgs) -> Result<Self, Failure> {
        let (own, public) = (downloads(&args.download, Reach::Declared)?, downloads(&args.download, Reach::Public)?);
        Ok(Self { own, public, args, helm: OnceCell::new(), vela: OnceCell::new() })
    }

    /// Returns helm, which is looked for when the first chart needs it.
    pub(super) fn helm(&self) -> Result<&Helm, Error> {
        if let Some(helm) = self.helm.get() {
            return Ok(helm);
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let helm = Helm::find(&self.args.helm, path, HelmLimits::default())?;
        Ok(self.helm.get_or_init(|| helm))
    }

    /// Returns vela, which is looked for when the first application needs it.
    pub(super) fn vela(&self) -> Result<&Vela, Error> {
        if let Some(vela) = self.vela.get() {
            return Ok(vela);
        }
        let vela = Vela::find(&self.args.vela, std::env::var_os("PATH").unwrap_or_default())?;
        Ok(self.vela.get_or_init(|| vela))
    }

    /// Fetches what a need names. `locked` is the entry whose commit or version is used; without it, the newest is.
    pub(super) fn fetch(
        &self,
        (need, reach): (&Need, Reach),
        locked: Option<&Entry>,
        tree: &Tree,
    ) -> Result<Fetched, NotFetched> {
        let downloads = match reach {
            Reach::Declared => &self.own,
            Reach::Public => &self.public,
        };
        match &need.wanted {
            Wanted::Directory(remote) => Self::directory(downloads, remote, locked),
            Wanted::File(url) => Self::file(downloads, url, locked),
            Wanted::FileOrDirectory(remote) => match locked.map(|entry| &entry.what) {
                Some(What::Git(_)) => Self::directory(downloads, remote, locked),
                Some(What::File(_)) => Self::file(downloads, &remote.source, locked),
                _ => Self::file_or_directory(downloads, remote),
            },
            Wanted::Chart(chart) => charts::rendered((self, downloads), chart, locked, tree),
        }
    }

    fn directory(
        downloads: &Downloads,
        remote: &RemoteDirectory,
        locked: Option<&Entry>,
    ) -> Result<Fetched, NotFetched> {
        let locked = locked.and_then(|entry| match &entry.what {
            What::Git(git) if git.repository == remote.repository && git.reference == remote.reference => Some(git),
            _ => None,
        });
        let request = GitRequest {
            repository: remote.repository.clone(),
            reference: remote.reference.clone(),
            pinned: locked.and_then(|git| git.commit.parse().ok()),
            path: remote.path.clone(),
        };
        let found = downloads.tree(&request)?;
        let name = remote.reference.as_deref().unwrap_or_default();
        let moved = found.tag.as_ref().filter(|tag| **tag != found.commit).map(|tag| {
            format!(
                "the tag {name} of {} was moved: it is commit {} now, and the locked commit is {}",
                remote.repository,
                tag.short(),
                found.commit.short()
            )
        });
        let what = What::Git(VendoredDirectory {
            source: remote.source.clone(),
            repository: remote.repository.clone(),
            reference: remote.reference.clone(),
            commit: found.commit.as_str().to_owned(),
            path: remote.path.clone(),
        });
        Ok(Fetched { what, files: found.tree, warning: moved, is_tag: found.tag.is_some() })
    }

    fn file(downloads: &Downloads, url: &str, locked: Option<&Entry>) -> Result<Fetched, NotFetched> {
        let bytes = downloads.file(url)?;
        Ok(Self::of_file(url, bytes, locked))
    }

    fn of_file(url: &str, bytes: Vec<u8>, locked: Option<&Entry>) -> Fetched {
        let locked = locked.and_then(|entry| match &entry.what {
            What::File(file) => Some(file.name.clone()),
            _ => None,
        });
        let name = locked.unwrap_or_else(|| file_name(url));
        let files = Tree { files: [(name.clone(), bytes)].into(), ..Tree::default() };
        Fetched { what: What::File(VendoredFile { source: url.to_owned(), name }), files, warning: None, is_tag: false }
    }

    /// Fetches what may be a file or a directory, in the order of kustomize.
    fn file_or_directory(downloads: &Downloads, remote: &RemoteDirectory) -> Result<Fetched, NotFetched> {
        let file = downloads.file(&remote.source);
        match file {
            Ok(bytes) if has_objects(&bytes) => Ok(Self::of_file(&remote.source, bytes, None)),
            Err(error) if error.is_transient() => Err(error.into()),
            file => Self::directory(downloads, remote, None).map_err(|error| {
                let file = file.err().map_or_else(|| "it has no objects".to_owned(), |error| error.to_string());
                NotFetched { message: format!("{}; as a file: {file}", error.message), ..error }
            }),
        }
    }
}

/// Returns the name of the file that a URL names, with safe characters only.
fn file_name(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once("://").map_or(path, |(_, path)| path);
    let name = path.split_once('/').and_then(|(_, path)| path.rsplit('/').next()).unwrap_or_default();
    let safe: String =
        name.chars().take(80).map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' }).collect();
    match safe.trim_start_matches(['.', '-']) {
        "" => "file.yaml".to_owned(),
        name => name.to_owned(),
    }
}

/// Returns `true` if bytes are YAML with objects.
fn has_objects(bytes: &[u8]) -> bool {
    let nodes = yaml::resources(Input::of_file(SourceId::default(), bytes)).unwrap_or_default();
    !nodes.is_empty() && nodes.iter().all(|node| node.get("kind").and_then(Node::as_str).is_some())
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn the_name_of_a_file_is_safe() {
        for (url, name) in [
            ("https://example.com/a/crd.yaml?x=/y", "crd.yaml"),
            ("https://example.com", "file.yaml"),
            ("https://example.com/a/", "file.yaml"),
            ("https://example.com/..", "file.yaml"),
            ("https://example.com/.git", "git"),
            ("https://example.com/a b%2f.yaml", "a-b-2f.yaml"),
        ] {
            assert_eq!(file_name(url), name, "{url}");
        }
    }
}
