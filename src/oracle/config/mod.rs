//! Recorded cases of the add-on configuration controller: one pass, or a whole rollout with all controllers around it.
//!
//! A [`pass`] plans for a case; [`pipeline`] repeats it while the clusters follow their scripts.

mod case;
mod declared;
mod observed;
mod pass;
mod pipeline;
mod refusal;
mod script;
pub(super) mod tell;
mod view;

use serde_json::Value;

use self::case::Case;
pub(super) use self::case::{object, objects};

/// Answers a case; one with a number of ticks is a whole rollout.
pub(super) fn answer(input: &Value) -> Result<Value, serde_json::Error> {
    if input.get("ticks").is_some() {
        return pipeline::answer(input);
    }
    let case: Case = serde::Deserialize::deserialize(input)?;
    Ok(pass::answer(&case))
}
