//! Follows a branch, a tag, or the tag with the highest version.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::refs::FullName;

use crate::history::shallow::ShallowHistory;
use crate::history::tag;
use crate::history::tag::Tag;
use crate::request::{History, RefRequest};
use crate::selector::Reference;
use crate::store::refs;
use crate::{Error, Mirror, id};
use tidegate_model::revision::CommitId;

const HEAD: &str = "HEAD";
const HEADS: &str = "refs/heads/";
const TAGS: &str = "refs/tags/";

/// The current state of a followed ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tip {
    /// The commit.
    pub commit: CommitId,
    /// The full name of the ref on the remote, such as `refs/tags/v1.4.2`.
    pub name: String,
    /// The tag object, if it is an annotated tag; the outermost one if it is a tag of a tag.
    pub tag: Option<Tag>,
}

impl Mirror {
    /// Fetches the commit that a reference selects and returns it; `None` if nothing on the remote matches. Blocks.
    ///
    /// Only the selected ref is fetched, with as much history as for [`fetch`](Mirror::fetch).
    ///
    /// # Errors
    /// [`Error::NoCommit`] if the tag does not point at a commit; otherwise as for [`fetch`](Mirror::fetch).
    pub fn follow(&self, reference: &Reference) -> Result<Option<Tip>, Error> {
        let tip = self.tip(reference)?;
        self.repack_quietly();
        Ok(tip)
    }

    /// Fetches the commit that the remote's `HEAD` selects, which is the tip of its default branch, and returns it; `None` if that
    /// branch does not exist, as in an empty repository. Blocks.
    ///
    /// # Errors
    /// As for [`follow`](Mirror::follow).
    pub fn head(&self) -> Result<Option<Tip>, Error> {
        let tip =
            self.tip_of(ResolvedRef { name: FullName::try_from(HEAD).expect("HEAD is a valid name"), id: None })?;
        self.repack_quietly();
        Ok(tip)
    }

    fn tip(&self, reference: &Reference) -> Result<Option<Tip>, Error> {
        let Some(resolved) = self.resolve(reference)? else { return Ok(None) };
        self.tip_of(resolved)
    }

    fn tip_of(&self, resolved: ResolvedRef) -> Result<Option<Tip>, Error> {
        let name = resolved.name.clone();
        let request = RefRequest::new(name.clone());
        let local_name = request.local_name.clone();
        let there = resolved.id.map(|id| is_up_to_date(&self.repository(), &request, id)).transpose()?.unwrap_or(false);
        let tip = if there {
            refs::peeled(&self.repository(), &local_name)?
        } else {
            self.fetch_refs(&[request], History::SinceLast)?.remove(&name)
        };
        // It may have been deleted between listing and fetching.
        let Some(tip) = tip else { return Ok(None) };
        let repository = self.repository();
        let name = name.as_bstr().to_string();
        let tag = tag::read(&repository, &local_name)?;
        let header = repository.find_header(tip).map_err(Error::local("read a reference"))?;
        if header.kind() != gix::objs::Kind::Commit {
            return Err(Error::NoCommit { name, kind: header.kind().to_string() });
        }
        Ok(Some(Tip { commit: id::commit_id(tip), name, tag }))
    }

    /// Determines which ref to fetch.
    fn resolve(&self, reference: &Reference) -> Result<Option<ResolvedRef>, Error> {
        let full = |folder: &str, name: &str| id::full_name(&format!("{folder}{name}"), name);
        match reference {
            Reference::Branch(name) => Ok(Some(ResolvedRef { name: full(HEADS, name)?, id: None })),
            Reference::Tag(name) => Ok(Some(ResolvedRef { name: full(TAGS, name)?, id: None })),
            Reference::Named(name) => {
                let names = [full(HEADS, name)?, full(TAGS, name)?];
                let listed = self.list_refs(&names.each_ref().map(|name| name.as_bstr().to_string()))?;
                let found = names.into_iter().find_map(|name| {
                    let id = listed.get(&name.as_bstr().to_string()).copied()?;
                    Some(ResolvedRef { name, id: Some(id) })
                });
                Ok(found)
            }
            Reference::Range(range) => {
                let listed = self.list_refs(&[format!("{TAGS}*")])?;
                let Some(tag) = range.highest(listed.keys().filter_map(|name| name.strip_prefix(TAGS))) else {
                    return Ok(None);
                };
                let name = full(TAGS, tag)?;
                let id = listed.get(&name.as_bstr().to_string()).copied();
                Ok(Some(ResolvedRef { name, id }))
            }
        }
    }

    /// Lists the branches of the remote whose names start with a prefix, such as `releases/`, without fetching them. Blocks.
    ///
    /// # Errors
    /// As for [`fetch`](Mirror::fetch).
    pub fn list_branches(&self, prefix: &str) -> Result<BTreeMap<String, CommitId>, Error> {
        let listed = self.list_refs(&[format!("{HEADS}{prefix}*")])?;
        let named = listed.into_iter();
        Ok(named.filter_map(|(name, tip)| Some((name.strip_prefix(HEADS)?.to_owned(), id::commit_id(tip)))).collect())
    }

    fn list_refs(&self, patterns: &[String]) -> Result<BTreeMap<String, ObjectId>, Error> {
        let _transfer = self.lock_transfer();
        let exchange = self.exchange_for(History::SinceLast)?;
        exchange.list(&self.repository(), patterns)
    }
}

/// The ref to fetch, with the object that the remote just listed for it, if refs were listed.
struct ResolvedRef {
    name: FullName,
    id: Option<ObjectId>,
}

/// Returns `true` if the local copy of a ref is up to date with the remote, so that no second conversation is needed.
fn is_up_to_date(repository: &gix::Repository, request: &RefRequest, id: ObjectId) -> Result<bool, Error> {
    let is_current = refs::target(repository, &request.local_name)? == Some(id);
    let has = || ShallowHistory::of(repository)?.has_peeled(id);
    Ok(is_current && has().map_err(Error::local("look up a commit"))?)
}
