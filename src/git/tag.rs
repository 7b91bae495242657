//! What annotated tags say.

use gix::bstr::ByteSlice;
use gix::objs::{Kind, TagRef};
use gix::refs::FullName;

use super::log::person;
use super::{Error, reference};
use tidegate_model::chain::{Person, Signed};

/// An annotated tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The name that it bears itself. Whoever may move references can put it under another one.
    pub name: String,
    /// The message, without a signature; what is not UTF-8 in it is replaced.
    pub message: String,
    /// Who made it and when; old tags say nothing of it.
    pub tagger: Option<Person>,
    /// The signature, if it has one.
    pub signature: Option<Signed>,
}

/// Reads the tag object that a reference of the mirror points at; `None` if it points at something else.
pub(super) fn read(repository: &gix::Repository, name: &FullName) -> Result<Option<Tag>, Error> {
    let failed = Error::local("read a tag");
    let Some(id) = reference::direct(repository, name)? else { return Ok(None) };
    let object = repository.find_object(id).map_err(&failed)?;
    if object.kind != Kind::Tag {
        return Ok(None);
    }
    TagRef::from_bytes(&object.data, id.kind()).and_then(|tag| facts(&tag, &object.data)).map(Some).map_err(failed)
}

fn facts(tag: &TagRef<'_>, bytes: &[u8]) -> gix::Result<Tag> {
    // The signature is the end of the object, and everything before it is what was signed.
    let signature = tag.signature.and_then(|signature| {
        let payload = bytes.get(..bytes.len().checked_sub(signature.len())?)?;
        Some(Signed { payload: payload.to_vec(), signature: signature.to_str_lossy().into_owned() })
    });
    Ok(Tag {
        name: tag.name.to_str_lossy().into_owned(),
        message: tag.message.to_str_lossy().into_owned(),
        tagger: tag.tagger()?.map(person),
        signature,
    })
}
