//! Determines the type of a scalar from its style, tag and text.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::compose::Word;
use super::resolve::{Schema, kind_of};
use super::scalar::{Kind, Scalar, Style};
use super::timestamp;

const YAML_TAGS: &str = "tag:yaml.org,2002:";

/// Converts a scalar from the parser.
///
/// # Errors
/// An error in its tag.
///
/// # Source
/// go-yaml: unknown tags make the value a string, and the tag `!` has no effect.
pub(super) fn scalar(word: &Word<'_>, schema: Schema) -> Result<Scalar, String> {
    let text: Arc<str> = Arc::from(&*word.text);
    let kind = |kind| Scalar::read(Arc::clone(&text), kind, word.style);
    let Some(tag) = word.tag.as_deref().filter(|tag| tag.original() != "!") else {
        return Ok(kind(if word.style == Style::Plain { kind_of(&text, schema) } else { Kind::String }));
    };
    let name = tag.suffix_in_namespace(YAML_TAGS).unwrap_or_default();
    let found = kind_of(&text, schema);
    let wanted = match &*name {
        "null" => found == Kind::Null,
        "bool" => found == Kind::Bool,
        "int" => found == Kind::Integer,
        "float" if matches!(found, Kind::Integer | Kind::Float) => return Ok(kind(Kind::Float)),
        "timestamp" => timestamp::normal(&text).is_some(),
        "binary" => return binary(&text, schema, word.style),
        _ => return Ok(kind(Kind::String)),
    };
    if wanted {
        Ok(kind(found))
    } else {
        Err(format!("{text:?} is not a valid value for the tag !!{name}; remove the tag"))
    }
}

/// Decodes base64. In resource files, transformers see the base64, and it is decoded at the end.
fn binary(text: &Arc<str>, schema: Schema, style: Style) -> Result<Scalar, String> {
    match (decoded(text), schema) {
        (Some(_), Schema::Resource) => Ok(Scalar::binary(Arc::clone(text), style)),
        (Some(text), Schema::Kustomization) => Ok(Scalar::read(text.into(), Kind::String, style)),
        (None, _) => Err("the value of the tag !!binary is not base64; fix it, or remove the tag".to_owned()),
    }
}

/// Decodes base64. Bytes that are not UTF-8 are lost, as in Go's JSON.
pub(super) fn decoded(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
    Some(String::from_utf8_lossy(&STANDARD.decode(text).ok()?).into_owned())
}

/// Returns `true` for the merge key.
pub(super) fn is_merge(word: &Word<'_>) -> bool {
    let tag = word.tag.as_deref().filter(|tag| tag.original() != "!");
    let is_tag = |tag: &granit_parser::Tag| tag.suffix_in_namespace(YAML_TAGS).as_deref() == Some("merge");
    &*word.text == "<<" && tag.map_or(word.style == Style::Plain, is_tag)
}
