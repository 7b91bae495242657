//! Fetches a commit, and selects the files of a base.

use std::io::Write as _;

use tempfile::TempDir;
use tidegate_git::{Credentials, Mirror, Reference, Remote, Tip};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;

use super::closure::closure;
use crate::web::{Authorization, Reach, Web};
use crate::{Access, Error};

/// A directory of a Git repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitRequest {
    /// The address of the repository, without credentials: a URL with the scheme `https`, `http`, `ssh` or `file`, a path, or
    /// `git@host:path`.
    pub repository: String,
    /// A tag, a branch or a commit; `None` for the default branch.
    pub reference: Option<String>,
    /// The commit to use instead of the one that the reference selects now.
    pub pinned: Option<CommitId>,
    /// The directory of the base; empty for the root.
    pub path: String,
}

/// The files of a base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitTree {
    /// The commit.
    pub commit: CommitId,
    /// The commit that the reference names now, if it is a tag. Tags should not move.
    pub tag: Option<CommitId>,
    /// The files that the base needs, in the layout of the repository.
    pub tree: Tree,
}

/// Fetches a base.
pub(crate) fn tree(web: &Web, access: &Access, request: &GitRequest) -> Result<GitTree, Error> {
    fetch(web, access, request).map_err(|error| match error {
        // The options that the error of the edge names are those of the config repository.
        Error::Git(tidegate_git::Error::NoToken { url, .. }) => {
            let host = reqwest::Url::parse(&url).ok().and_then(|url| url.host_str().map(str::to_owned));
            let host = host.unwrap_or_else(|| "HOST".to_owned());
            let why = format!(
                "it does not exist, or needs credentials: add `machine {host} login USER password TOKEN` to a file, and name it with \
                 --credentials-file"
            );
            Error::Reference { repository: url, why }
        }
        Error::Git(
            error @ (tidegate_git::Error::Remote { .. } | tidegate_git::Error::Unauthorized { .. }),
        ) => Error::Reference {
            repository: request.repository.clone(),
            why: format!(
                "{}; check the address, and the credentials in the file of --credentials-file: some servers answer this way if you may \
                 not read the repository",
                ErrorChain(&error)
            ),
        },
        other => other,
    })
}

fn fetch(web: &Web, access: &Access, request: &GitRequest) -> Result<GitTree, Error> {
    let directory = TempDir::new()
        .map_err(|source| Error::Local { what: "a temporary directory cannot be created".to_owned(), source })?;
    let mirror = mirror(web, access, &request.repository, &directory)?;
    let Selected { commit, tag } = select(&mirror, request)?;
    let whole = mirror.tree(&commit, "")?;
    if whole.is_cut {
        let why = whole.skipped.values().find(|why| why.contains("left out")).cloned().unwrap_or_default();
        let why = format!("the repository is too large: {why}; move the base to a smaller one");
        return Err(Error::Reference { repository: request.repository.clone(), why });
    }
    let selected = closure(&whole, &request.path);
    let tree = selected.map_err(|why| Error::Reference {
        repository: request.repository.clone(),
        why: format!("at commit {}, {why}", commit.short()),
    })?;
    Ok(GitTree { commit, tag, tree })
}

/// Opens a mirror of a repository in a temporary directory.
pub(crate) fn mirror(web: &Web, access: &Access, repository: &str, directory: &TempDir) -> Result<Mirror, Error> {
    let remote = match access.reach {
        Reach::Declared => remote(access, repository, directory)?,
        Reach::Public => public(web, access, repository)?,
    };
    Ok(Mirror::open(directory.path().join("mirror"), remote)?)
}

/// Describes how a repository that only something fetched names is reached: over HTTP, without credentials, and at a public address.
/// Redirects are followed here, where each of them is checked.
fn public(web: &Web, access: &Access, repository: &str) -> Result<Remote, Error> {
    const QUESTION: &str = "/info/refs?service=git-upload-pack";
    let plain = Remote::new(repository, Credentials::None)?;
    let address = plain.address();
    if !address.starts_with("https://") && !address.starts_with("http://") {
        let why = "only something that was fetched names it, and over ssh or as a path it would be reached with the rights of this user; \
                   write an https address, or name a source on that host in a file of the repository";
        return Err(Error::Address { address, why: why.to_owned() });
    }
    let target = web.target(&format!("{}{QUESTION}", address.trim_end_matches('/')))?;
    let reply = web.get(&target, "*/*", Authorization::None)?;
    let found = reply.target.url.to_string();
    web.success(reply)?;
    let found = found.strip_suffix(QUESTION).ok_or_else(|| Error::Reference {
        repository: repository.to_owned(),
        why: "the server redirects to something that is not a Git repository; check the address".to_owned(),
    })?;
    let mut remote = Remote::new(found, Credentials::None)?.with_public_addresses_only();
    if let Some(authority) = &access.authority {
        remote = remote.with_authority(authority);
    }
    if let Some(proxies) = &access.proxies {
        remote = remote.with_proxies(proxies.clone());
    }
    Ok(remote)
}

/// Describes how the repository is reached. The password of its host is passed in a file of the temporary directory.
fn remote(access: &Access, repository: &str, directory: &TempDir) -> Result<Remote, Error> {
    let plain = Remote::new(repository, Credentials::None)?;
    let url = reqwest::Url::parse(&plain.address()).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let login = url.and_then(|url| access.credentials.of(url.host_str()?));
    let mut remote = match login {
        None => plain,
        Some(login) => {
            let path = directory.path().join("password");
            let written = private_file(&path).and_then(|mut file| file.write_all(login.password.as_bytes()));
            written.map_err(|source| Error::Local { what: "a temporary file cannot be written".to_owned(), source })?;
            let remote = Remote::new(repository, Credentials::TokenFile(path))?;
            if login.user.is_empty() { remote } else { remote.with_user(&login.user) }
        }
    };
    if let Some(authority) = &access.authority {
        remote = remote.with_authority(authority);
    }
    if let Some(proxies) = &access.proxies {
        remote = remote.with_proxies(proxies.clone());
    }
    Ok(remote)
}

/// Creates a file that only this user may read.
fn private_file(path: &std::path::Path) -> std::io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The commit that a request selects.
struct Selected {
    commit: CommitId,
    tag: Option<CommitId>,
}

impl From<Tip> for Selected {
    fn from(tip: Tip) -> Self {
        let tag = tip.name.starts_with("refs/tags/").then(|| tip.commit.clone());
        Self { commit: tip.commit, tag }
    }
}

/// Selects the commit, and fetches it.
///
/// # Source
/// kustomize runs `git fetch origin REF`: a tag takes precedence over a branch of the same name.
fn select(mirror: &Mirror, request: &GitRequest) -> Result<Selected, Error> {
    let missing = |why: String| Error::Reference { repository: request.repository.clone(), why };
    let name = request.reference.as_deref().filter(|name| !name.is_empty() && *name != "HEAD");
    if let Some(commit) = &request.pinned {
        let tip = name.map(|name| tip(mirror, name)).transpose()?.flatten().map(Selected::from);
        let tag = tip.as_ref().and_then(|tip| tip.tag.clone());
        // Some servers send only the tips of branches and tags.
        if tip.is_some_and(|tip| tip.commit == *commit) || mirror.obtain(commit)? {
            return Ok(Selected { commit: commit.clone(), tag });
        }
        return Err(missing(format!(
            "the locked commit {} is not there any more; if that is expected, run `tidegate vendor --update`",
            commit.short()
        )));
    }
    let Some(name) = name else {
        return mirror.head()?.map(Selected::from).ok_or_else(|| missing("the repository is empty".to_owned()));
    };
    if let Some(tip) = tip(mirror, name)? {
        return Ok(tip.into());
    }
    if let Ok(commit) = name.parse::<CommitId>()
        && mirror.obtain(&commit)?
    {
        return Ok(Selected { commit, tag: None });
    }
    let hint = if name.len() < 40 && name.len() >= 7 && name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        "; a commit must be written with all of its 40 digits"
    } else {
        ""
    };
    Err(missing(format!("there is no tag, branch or commit {name:?}; check `ref`{hint}")))
}

fn tip(mirror: &Mirror, name: &str) -> Result<Option<Tip>, Error> {
    let references = match (name.strip_prefix("refs/tags/"), name.strip_prefix("refs/heads/")) {
        (Some(tag), _) => vec![Reference::Tag(tag.to_owned())],
        (_, Some(branch)) => vec![Reference::Branch(branch.to_owned())],
        _ => vec![Reference::Tag(name.to_owned()), Reference::Branch(name.to_owned())],
    };
    for reference in references {
        match mirror.follow(&reference) {
            Ok(Some(tip)) => return Ok(Some(tip)),
            // A name that no branch can have may still be a commit.
            Ok(None) | Err(tidegate_git::Error::Branch { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}
