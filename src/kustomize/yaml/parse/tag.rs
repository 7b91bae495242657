//! Determines the type of a scalar from its style, tag and text.

use std::sync::Arc;

use super::raw_scalar::RawScalar;
use crate::yaml::scalar::resolve::{Schema, kind_of};
use crate::yaml::scalar::value::{Scalar, decode_base64};
use crate::yaml::scalar::{Kind, Style, timestamp};

const YAML_TAGS: &str = "tag:yaml.org,2002:";

/// A scalar that its tag does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unfit {
    #[error("{text:?} is not a valid value for the tag !!{tag}; remove the tag")]
    Value { text: Arc<str>, tag: String },
    #[error("the value of the tag !!binary is not base64; fix it, or remove the tag")]
    Binary,
}

/// Converts a scalar from the parser.
///
/// # Errors
/// [`Unfit`] if it has a tag that it does not fit.
///
/// # Source
/// go-yaml: unknown tags make the value a string, and the tag `!` has no effect.
pub(crate) fn scalar(raw: &RawScalar<'_>, schema: Schema) -> Result<Scalar, Unfit> {
    let text: Arc<str> = Arc::from(&*raw.text);
    let kind = |kind| Scalar::read(Arc::clone(&text), kind, raw.style);
    let Some(tag) = raw.tag.as_deref().filter(|tag| tag.original() != "!") else {
        return Ok(kind(if raw.style == Style::Plain { kind_of(&text, schema) } else { Kind::String }));
    };
    let name = tag.suffix_in_namespace(YAML_TAGS).unwrap_or_default();
    let found = kind_of(&text, schema);
    let wanted = match &*name {
        "null" => found == Kind::Null,
        "bool" => found == Kind::Bool,
        "int" => found == Kind::Integer,
        "float" if matches!(found, Kind::Integer | Kind::Float) => return Ok(kind(Kind::Float)),
        "timestamp" => timestamp::normal(&text).is_some(),
        "binary" => return binary(&text, schema, raw.style),
        _ => return Ok(kind(Kind::String)),
    };
    if wanted { Ok(kind(found)) } else { Err(Unfit::Value { text, tag: name.into_owned() }) }
}

/// Decodes base64. In resource files, transformers see the base64, and it is decoded at the end.
fn binary(text: &Arc<str>, schema: Schema, style: Style) -> Result<Scalar, Unfit> {
    match (decode_base64(text), schema) {
        (Some(_), Schema::Resource) => Ok(Scalar::binary(Arc::clone(text), style)),
        (Some(text), Schema::Kustomization) => Ok(Scalar::read(text.into(), Kind::String, style)),
        (None, _) => Err(Unfit::Binary),
    }
}

/// Returns `true` for the merge key.
pub(crate) fn is_merge(raw: &RawScalar<'_>) -> bool {
    let tag = raw.tag.as_deref().filter(|tag| tag.original() != "!");
    let is_tag = |tag: &granit_parser::Tag| tag.suffix_in_namespace(YAML_TAGS).as_deref() == Some("merge");
    &*raw.text == "<<" && tag.map_or(raw.style == Style::Plain, is_tag)
}
