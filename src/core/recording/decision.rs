//! What a plan decides, in a form that can be compared.

use tidegate_go::canonical::sha256_hex;
use tidegate_plan::Plan;
use tidegate_plan::report::Report;

use crate::tracked::Tracked;

/// Returns the digest of what a plan decides: its writes, what it asks for, and what has changed in the report. Plans that decide the same
/// have the same digest.
pub(crate) fn digest(plan: &Plan, before: &Report) -> String {
    // One after the other, because a plan can have tens of thousands of lanes.
    let lanes = plan.lanes.iter().map(|lane| sha256_hex(format!("{lane:?}").as_bytes()));
    let mut parts: Vec<String> = lanes.collect();
    parts.push(format!("{:?}", plan.report.change(Some(before))));
    parts.push(format!("{:?}", (&plan.requests, &plan.issues, &plan.suspects, plan.look_at)));
    parts.push(format!("{:?}", (&plan.readings, &plan.distrusted, &plan.drifts)));
    sha256_hex(parts.join("\n").as_bytes())
}
