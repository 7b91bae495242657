//! Judges declarations on their own, without a change.

use std::collections::BTreeMap;

use super::judge::judge;
use super::rules::Rules;
use super::variables::{Circumstances, variables};
use super::verdict::Verdict;
use crate::proposal::document::Revision;
use crate::proposal::{Request, Side, assumed, propose};
use tidegate_api::fleet::Fleet;
use tidegate_model::instance::Instance;
use tidegate_model::time::Timestamp;
use tidegate_plan::Input;
use tidegate_repository::Loaded;

/// Returns the policies of a revision that its own add-ons break, as they are declared and on the clusters that it declares. Only rules
/// that read `addon` and not `plan` are evaluated, because nothing changes: no cluster, and no version.
pub fn standing(loaded: &Loaded) -> Vec<Verdict> {
    let policies = loaded.repository.plan_policies.iter().flatten();
    let rules = Rules::new(policies).about_addons_alone();
    if rules.is_empty() {
        return Vec::new();
    }
    let repository = &loaded.repository;
    let instance = Instance::unknown();
    let now = Timestamp::UNIX_EPOCH;
    let fleet = assumed(&Input::offline(repository, &Fleet::default(), &instance));
    let side = || Side { revision: Revision { name: String::new(), commit: None }, loaded, repository };
    let plan = propose(&Request {
        base: side(),
        head: side(),
        fleet: &fleet,
        source: "the repository",
        as_of: None,
        instance: &instance,
        latencies: &BTreeMap::new(),
        now,
        only: None,
    });
    let mut variables = variables(&plan, &Circumstances { now, base: None, head: None });
    // Every add-on is judged, and not only those that change.
    variables.changed = variables.addons.iter().map(|addon| addon.name.clone()).collect();
    judge(&rules, &variables)
}
