//! Reads annotated tags.

use gix::bstr::ByteSlice;
use gix::objs::{Kind, TagRef};
use gix::refs::FullName;

use super::log::person;
use crate::Error;
use crate::store::refs;
use tidegate_model::chain::{Person, Signed};

/// An annotated tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The name in the tag object. Anyone who may update refs can store the tag under another name.
    pub name: String,
    /// The message without the signature, with invalid UTF-8 replaced.
    pub message: String,
    /// Who created it and when; old tags lack this.
    pub tagger: Option<Person>,
    /// The signature, if it has one.
    pub signature: Option<Signed>,
}

/// Reads the tag object that a ref of the mirror points at; `None` if it points at something else.
pub(crate) fn read(repository: &gix::Repository, name: &FullName) -> Result<Option<Tag>, Error> {
    let failed = Error::local("read a tag");
    let Some(id) = refs::target(repository, name)? else { return Ok(None) };
    let object = repository.find_object(id).map_err(&failed)?;
    if object.kind != Kind::Tag {
        return Ok(None);
    }
    TagRef::from_bytes(&object.data, id.kind()).and_then(|tag| facts(&tag, &object.data)).map(Some).map_err(failed)
}

fn facts(tag: &TagRef<'_>, bytes: &[u8]) -> gix::Result<Tag> {
    // The signature is at the end of the object, and covers everything before it.
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
