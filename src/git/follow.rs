//! Following a branch, a tag, or the highest version among tags.

use gix::refs::FullName;

use super::conversation::{Wish, list};
use super::fetch::History;
use super::selector::Reference;
use super::tag::{self, Tag};
use super::{Error, Mirror, id};
use crate::model::revision::CommitId;

const HEADS: &str = "refs/heads/";
const TAGS: &str = "refs/tags/";

/// What a followed reference is at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tip {
    /// The commit.
    pub commit: CommitId,
    /// The full name of the reference on the remote, such as `refs/tags/v1.4.2`.
    pub name: String,
    /// What the tag itself says, if it is an annotated one; the outermost one if it is a tag of a tag.
    pub tag: Option<Tag>,
}

impl Mirror {
    /// Fetches what a reference is at and returns it, `None` if the remote has nothing that matches. Blocks.
    ///
    /// Only what is chosen is fetched; how much history comes with it is as for [`fetch`](Mirror::fetch).
    ///
    /// # Errors
    /// [`Error::NoCommit`] if the tag points at something else than a commit; otherwise as for
    /// [`fetch`](Mirror::fetch).
    pub fn follow(&self, reference: &Reference) -> Result<Option<Tip>, Error> {
        let tip = self.tip(reference)?;
        self.tidy_up();
        Ok(tip)
    }

    fn tip(&self, reference: &Reference) -> Result<Option<Tip>, Error> {
        let Some(name) = self.chosen(reference)? else { return Ok(None) };
        let wish = Wish::new(name.clone());
        let kept_as = wish.kept_as.clone();
        let tips = self.bring(&[wish], History::SinceLast)?;
        // Between the look and the fetch it may have gone.
        let Some(tip) = tips.get(&name) else { return Ok(None) };
        let repository = self.repository();
        let name = name.as_bstr().to_string();
        let tag = tag::read(&repository, &kept_as)?;
        let header = repository.find_header(*tip).map_err(Error::local("read a reference"))?;
        if header.kind() != gix::objs::Kind::Commit {
            return Err(Error::NoCommit { name, kind: header.kind().to_string() });
        }
        Ok(Some(Tip { commit: id::commit_id(*tip), name, tag }))
    }

    /// Returns the full name of what is to be fetched.
    fn chosen(&self, reference: &Reference) -> Result<Option<FullName>, Error> {
        let full = |folder: &str, name: &str| id::full(&format!("{folder}{name}"), name);
        match reference {
            Reference::Branch(name) => full(HEADS, name).map(Some),
            Reference::Tag(name) => full(TAGS, name).map(Some),
            Reference::Named(name) => {
                let (branch, tag) = (full(HEADS, name)?, full(TAGS, name)?);
                let listed = self.listed(&[&branch.as_bstr().to_string(), &tag.as_bstr().to_string()])?;
                Ok([branch, tag].into_iter().find(|name| listed.iter().any(|listed| name.as_bstr() == listed)))
            }
            Reference::Range(range) => {
                let listed = self.listed(&["refs/tags/*"])?;
                let tags = listed.iter().filter_map(|name| name.strip_prefix(TAGS));
                range.highest(tags).map(|tag| full(TAGS, tag)).transpose()
            }
        }
    }

    fn listed(&self, patterns: &[&str]) -> Result<Vec<String>, Error> {
        let _talking = self.talk();
        let connection = self.connection_for(History::SinceLast)?;
        list(&self.repository(), &connection, patterns)
    }
}
