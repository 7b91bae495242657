//! Digests that are not in force any more: an approval that was given before does not count when such a digest returns.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::time::{Rfc3339, Timestamp};

/// Maximum number of digests that are listed for one add-on.
const MAX_DIGESTS: usize = 32;

/// The digests of an add-on that others have replaced, and when.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Replaced {
    /// When each digest left force last.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<Digest, Rfc3339>")]
    digests: BTreeMap<Digest, Timestamp>,
    /// When the last of those left force that are not listed any more; absent if all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    earlier: Option<Timestamp>,
}

impl Replaced {
    /// Records that a digest has left force. If there are too many, the one that left first is no longer listed.
    pub fn record(&mut self, digest: Digest, at: Timestamp) {
        self.digests.insert(digest, at);
        if self.digests.len() > MAX_DIGESTS
            && let Some((first, at)) = self.digests.iter().min_by_key(|(_, at)| **at).map(|(d, at)| (d.clone(), *at))
        {
            self.digests.remove(&first);
            self.earlier = self.earlier.max(Some(at));
        }
    }

    /// Records that the add-on is gone, with all of its digests.
    pub fn remove_all(&mut self, at: Timestamp) {
        self.digests.clear();
        self.earlier = Some(at);
    }

    /// Returns when a digest left force last; `None` if it never did. A digest that is not listed may have left with the last of those.
    pub fn last(&self, digest: &Digest) -> Option<Timestamp> {
        self.digests.get(digest).copied().max(self.earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn digest(number: i64) -> Digest {
        Digest::of(&number.to_be_bytes())
    }

    #[test]
    fn a_digest_that_is_not_listed_any_more_still_voids_earlier_approvals() {
        let mut replaced = Replaced::default();
        assert_eq!(replaced.last(&digest(0)), None);
        for number in 0..40 {
            replaced.record(digest(number), at(number));
        }
        assert_eq!(replaced.digests.len(), MAX_DIGESTS);
        assert_eq!(replaced.last(&digest(39)), Some(at(39)));
        assert_eq!(replaced.last(&digest(0)), Some(at(7)));
        replaced.record(digest(20), at(50));
        assert_eq!(replaced.last(&digest(20)), Some(at(50)));
        replaced.remove_all(at(60));
        assert_eq!((replaced.digests.len(), replaced.last(&digest(20))), (0, Some(at(60))));
    }
}
