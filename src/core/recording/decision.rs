//! What a plan decides, in a form that can be compared.

use std::fmt::{self, Write};

use tidegate_go::canonical::sha256_hex;
use tidegate_plan::Plan;
use tidegate_plan::report::Report;

use crate::tracked::Tracked;

/// Returns the digest of what a plan decides: its writes, what it asks for, and what has changed in the report. Plans that decide the same
/// have the same digest, to the byte.
pub(crate) fn digest(plan: &Plan, before: &Report) -> String {
    let mut text = String::new();
    match describe(&mut text, plan, before) {
        Ok(()) => sha256_hex(text.as_bytes()),
        // A string takes all text.
        Err(fmt::Error) => String::new(),
    }
}

fn describe(text: &mut String, plan: &Plan, before: &Report) -> fmt::Result {
    write!(text, "{:?}", plan.lanes)?;
    write!(text, "{:?}", plan.report.change(Some(before)))?;
    write!(text, "{:?}", (&plan.requests, &plan.issues, &plan.suspects, plan.look_at))?;
    write!(text, "{:?}", (&plan.readings, &plan.distrusted, &plan.drifts))
}
