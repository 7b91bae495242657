//! Which of several policies says what follows from too many failures.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::rollout_policy::PolicySet;
use tidegate_consent::{Approvals, Authors, Basis, GoodDigests, Reach, RulesVoucher, Vouched};
use tidegate_model::name::UnitName;
use tidegate_rollout::gate::Policies;

fn policy(name: &str, on_failure: &Value) -> PolicySet {
    let policy = json!({ "metadata": { "name": name }, "spec": { "onFailure": on_failure } });
    [(name.to_owned(), Arc::new(serde_json::from_value(policy).unwrap()))].into()
}

/// Returns the policy that says what follows from too many failures, if the one in force and the one before the change say this.
fn decides(current: &Value, earlier: &Value) -> String {
    let addon: UnitName = "istio".parse().unwrap();
    let reach = Reach::default();
    let addons = BTreeMap::from([(addon.clone(), reach.clone())]);
    let before = Basis { policies: policy("p", earlier), addons, ..Basis::default() };
    let before = Vouched::new(Arc::new(before), RulesVoucher::Base);
    let judges = Approvals::none().of_proposal(
        &addon,
        before,
        Some(&reach),
        (Authors::Known(Vec::new()), None),
        &GoodDigests::new(),
    );
    let (current, judges) = (policy("p", current), BTreeMap::from([(addon.clone(), judges)]));
    Policies::new(&current, &judges).reaction(&addon, None).unwrap().source
}

#[test]
fn a_policy_before_the_change_decides_only_if_it_is_stricter() {
    let action = |action: &str, max_concurrency: u32| json!({ "action": action, "maxConcurrency": max_concurrency });
    let earlier = "RolloutPolicy p as it was before the change";
    for (now, before, expected) in [
        ("Continue", "Rollback", earlier),
        ("Rollback", "Halt", earlier),
        ("Halt", "Rollback", "RolloutPolicy p"),
        ("Rollback", "Rollback", "RolloutPolicy p"),
    ] {
        assert_eq!(decides(&action(now, 1), &action(before, 2)), expected, "{now} after {before}");
    }
}
