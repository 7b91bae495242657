//! How many bytes a manifest takes in a work.

use serde_json::Value;
use tidegate_go::json_length::json_length;

/// Returns the size of a manifest in a work: its protobuf encoding, which holds the JSON text and a line feed.
pub(super) fn size(manifest: &Value) -> usize {
    let length = json_length(manifest) + 1;
    let digits_of_length = (usize::BITS - length.leading_zeros()).div_ceil(7) as usize;
    1 + digits_of_length + length
}
