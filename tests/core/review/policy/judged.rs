//! What policies judge.

use super::{good, policy};
use tidegate_review::policy::{AddonVariables, ObjectVariables, PlanVariables, Rules, judge};

fn plan(addons: &[(&str, usize)]) -> PlanVariables {
    let addon = |(name, changed): &(&str, usize)| AddonVariables {
        name: (*name).to_owned(),
        change: if *changed > 0 { "Changed" } else { "Unchanged" }.to_owned(),
        changed: *changed,
        ..AddonVariables::default()
    };
    let changed = addons.iter().filter(|(_, changed)| *changed > 0).map(|(name, _)| (*name).to_owned());
    PlanVariables { addons: addons.iter().map(addon).collect(), changed: changed.collect(), ..PlanVariables::default() }
}

fn judged(text: &str, plan: &PlanVariables) -> Vec<String> {
    let verdicts = judge(&Rules::new(&good(text)), plan);
    let names = |addons: &[tidegate_model::name::UnitName]| {
        addons.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    verdicts
        .iter()
        .map(|verdict| format!("{} [{}]: {}", verdict.policy, names(&verdict.addons), verdict.message))
        .collect()
}

#[test]
fn a_rule_judges_each_add_on_that_changes() {
    let plan = plan(&[("istio", 3), ("otel", 30), ("otel-agent", 40), ("vault", 0)]);
    assert_eq!(
        judged(&policy("few", "addon.changed < 10"), &plan),
        ["few [otel]: refused", "few [otel-agent]: refused"]
    );
    let matched = policy("few", "addon.changed < 10").replace("spec:", "spec:\n  match: {addons: ['*-agent', istio]}");
    assert_eq!(judged(&matched, &plan), ["few [otel-agent]: refused"]);
    assert_eq!(judged(&policy("named", "addon.name != 'vault'"), &plan), [""; 0], "it does not change");
}

#[test]
fn a_rule_that_reads_only_the_plan_judges_the_change_once() {
    let plan = plan(&[("istio", 3), ("otel", 30)]);
    assert_eq!(judged(&policy("one", "plan.changed.size() < 2"), &plan), ["one [istio otel]: refused"]);
    let matched = policy("one", "plan.changed.size() < 2").replace("spec:", "spec:\n  match: {addons: [vault]}");
    assert_eq!(judged(&matched, &plan), [""; 0]);
}

#[test]
fn other_objects_are_judged_by_rules_about_the_plan() {
    let object = ObjectVariables { object: "ManagedCluster a".to_owned(), ..ObjectVariables::default() };
    let plan = PlanVariables { objects: vec![object], ..PlanVariables::default() };
    assert_eq!(judged(&policy("none", "plan.objects.size() == 0"), &plan), ["none []: refused"]);
    assert_eq!(judged(&policy("none", "false"), &PlanVariables::default()), [""; 0], "nothing changes");
}

#[test]
fn a_message_may_be_computed() {
    let plan = plan(&[("istio", 30)]);
    let computed = |expression: &str| {
        policy("few", "addon.changed < 10")
            .replace("message: refused", &format!("message: refused\n  messageExpression: \"{expression}\""))
    };
    assert_eq!(
        judged(&computed("addon.name + ' changes ' + string(addon.changed)"), &plan),
        ["few [istio]: istio changes 30"]
    );
    assert_eq!(
        judged(&computed("addon.nam"), &plan),
        ["few [istio]: refused"],
        "the fixed message is the second choice"
    );
}

#[test]
fn a_rule_without_a_value_counts_as_broken() {
    let plan = plan(&[("istio", 30)]);
    let why = |rule: &str| judged(&policy("x", rule), &plan).join("");
    let broken = "x [istio]: the rule cannot be evaluated, and so counts as broken: it ";
    assert_eq!(why("addon.chnged < 10"), format!("{broken}reads \"chnged\", which does not exist"));
    assert_eq!(why("addon.name"), format!("{broken}gives a string, and not true or false"));
    assert_eq!(why("addon.changed"), format!("{broken}gives a value of type int, and not true or false"));
    let list = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33]";
    let costly = format!("{list}.all(a, {list}.all(b, {list}.all(c, {list}.all(d, a + b + c + d < 1000))))");
    assert_eq!(why(&costly), format!("{broken}takes more work than an expression may").replace("[istio]", "[istio]"));
}
