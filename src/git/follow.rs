//! Follows a branch, a tag, or the tag with the highest version.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::refs::FullName;

use super::conversation::{Wish, list};
use super::fetch::History;
use super::selector::Reference;
use super::shallow::Histories;
use super::tag::{self, Tag};
use super::{Error, Mirror, id, reference};
use tidegate_model::revision::CommitId;

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
        self.tidy_up();
        Ok(tip)
    }

    fn tip(&self, reference: &Reference) -> Result<Option<Tip>, Error> {
        let Some(chosen) = self.chosen(reference)? else { return Ok(None) };
        let name = chosen.name.clone();
        let wish = Wish::new(name.clone());
        let kept_as = wish.kept_as.clone();
        let there = chosen.id.map(|id| is_kept(&self.repository(), &wish, id)).transpose()?.unwrap_or(false);
        let tip = if there {
            reference::value(&self.repository(), &kept_as)?
        } else {
            self.bring(&[wish], History::SinceLast)?.remove(&name)
        };
        // It may have been deleted between listing and fetching.
        let Some(tip) = tip else { return Ok(None) };
        let repository = self.repository();
        let name = name.as_bstr().to_string();
        let tag = tag::read(&repository, &kept_as)?;
        let header = repository.find_header(tip).map_err(Error::local("read a reference"))?;
        if header.kind() != gix::objs::Kind::Commit {
            return Err(Error::NoCommit { name, kind: header.kind().to_string() });
        }
        Ok(Some(Tip { commit: id::commit_id(tip), name, tag }))
    }

    /// Determines which ref to fetch.
    fn chosen(&self, reference: &Reference) -> Result<Option<Chosen>, Error> {
        let full = |folder: &str, name: &str| id::full(&format!("{folder}{name}"), name);
        match reference {
            Reference::Branch(name) => Ok(Some(Chosen { name: full(HEADS, name)?, id: None })),
            Reference::Tag(name) => Ok(Some(Chosen { name: full(TAGS, name)?, id: None })),
            Reference::Named(name) => {
                let names = [full(HEADS, name)?, full(TAGS, name)?];
                let listed = self.listed(&names.each_ref().map(|name| name.as_bstr().to_string()))?;
                let found = names.into_iter().find_map(|name| {
                    let id = listed.get(&name.as_bstr().to_string()).copied()?;
                    Some(Chosen { name, id: Some(id) })
                });
                Ok(found)
            }
            Reference::Range(range) => {
                let listed = self.listed(&[format!("{TAGS}*")])?;
                let Some(tag) = range.highest(listed.keys().filter_map(|name| name.strip_prefix(TAGS))) else {
                    return Ok(None);
                };
                let name = full(TAGS, tag)?;
                let id = listed.get(&name.as_bstr().to_string()).copied();
                Ok(Some(Chosen { name, id }))
            }
        }
    }

    fn listed(&self, patterns: &[String]) -> Result<BTreeMap<String, ObjectId>, Error> {
        let _talking = self.talk();
        let connection = self.connection_for(History::SinceLast)?;
        list(&self.repository(), &connection, patterns)
    }
}

/// The ref to fetch, with the object that the remote just listed for it, if refs were listed.
struct Chosen {
    name: FullName,
    id: Option<ObjectId>,
}

/// Returns `true` if the local copy of a ref is up to date with the remote, so that no second conversation is needed.
fn is_kept(repository: &gix::Repository, wish: &Wish, id: ObjectId) -> Result<bool, Error> {
    let kept = reference::direct(repository, &wish.kept_as)? == Some(id);
    let has = || Histories::of(repository)?.has_peeled(id);
    Ok(kept && has().map_err(Error::local("look up a commit"))?)
}
