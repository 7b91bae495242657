//! The format of a journal: which builds may continue it.

use serde::Deserialize;

/// The format of the journals that this build writes. It reads this one and all earlier ones.
///
/// Raise it together with a record that an earlier build would lose when it writes the journal again, if a decision depends on that record:
/// an earlier build then refuses the journal. A record that only people read does not need it.
pub const FORMAT: u32 = 1;

/// `sync.yaml`, as far as every build can read it.
#[derive(Deserialize)]
struct Sync {
    #[serde(default = "first")]
    format: u32,
}

/// Returns the format of a journal that has none in its documents.
pub(crate) fn first() -> u32 {
    1
}

/// Returns `true` if a document does not need to name its format.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(crate) fn is_first(format: &u32) -> bool {
    *format == first()
}

/// Returns the format of a journal, from its `sync.yaml`, if it is later than [`FORMAT`]. The rest of the document need not be readable.
pub fn newer(sync: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(sync).ok()?;
    let sync: Sync = serde_saphyr::from_str(text).ok()?;
    (sync.format > FORMAT).then_some(sync.format)
}
