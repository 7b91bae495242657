//! Converts configuration objects to Go's types and back, as some of upstream's helpers do before they hash.
//!
//! Reading into a Go struct drops unknown fields, merges fields that are given twice, and refuses values of another type; writing
//! it out again leaves out empty fields, adds those that are always written, and normalizes quantities. The types are tables that
//! one pair of functions walks.

mod decode;
mod deployment_config;
mod encode;
mod held;
mod metadata;
mod shape;
mod template;

use serde_json::Value;

use self::decode::Decoder;
use self::encode::encoded;
use self::held::Held;
use self::shape::Type;
use tidegate_go::json::Json;

pub(super) use self::decode::kind;
pub(super) use self::deployment_config::ADD_ON_DEPLOYMENT_CONFIG;
pub(super) use self::template::ADD_ON_TEMPLATE;

/// Returns an object as it comes out of a Go type, except for its `metadata`.
///
/// # Errors
/// Go's error message for JSON that cannot be read as the type.
pub(super) fn through(json: &Json<'_>, of: &'static Type) -> Result<Value, String> {
    let mut held = Held::zero(of);
    Decoder::default().read(json, of, &mut held)?;
    encoded(&held, of)
}
