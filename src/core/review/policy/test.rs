//! Runs the tests that stand next to the rules.

use serde::Deserialize as _;
use serde_json::{Map, Value};

use super::judge::{Broken, Unusable, broken};
use super::rules::Rules;
use super::variables::{
    AddonVariables, ClassVariables, GroupVariables, ObjectVariables, PlacementVariables, PlanVariables, WaveVariables,
};
use crate::proposal::document::StrategyPlan;
use tidegate_cel::{Evaluator, Trouble};
use tidegate_repository::{PlanPolicy, PolicyTest};

/// The result of a test.
#[derive(Debug, Clone, PartialEq)]
pub struct TestResult<'a> {
    /// The test.
    pub test: &'a PolicyTest,
    /// What is wrong; `None` if the result is as expected.
    pub problem: Option<String>,
}

/// Why a test has no variables.
#[derive(Debug, thiserror::Error)]
enum Unfit {
    #[error("addon does not fit the documented variable: {0}")]
    Addon(serde_json::Error),
    #[error("plan does not fit the documented variable: {0}")]
    Plan(serde_json::Error),
    #[error(transparent)]
    Unwritten(serde_json::Error),
}

/// Runs the tests of a policy.
pub fn test(policy: &PlanPolicy) -> Vec<TestResult<'_>> {
    let rules = Rules::new([policy]);
    let mut evaluator = Evaluator::default();
    let run = |test| TestResult { test, problem: problem(&rules, test, &mut evaluator) };
    policy.tests.iter().map(run).collect()
}

/// Returns why the rule of a policy can never be evaluated: it reads a variable that does not exist, or is no boolean expression. It is
/// evaluated for an add-on with one of everything, so another reason may be due to these values, and does not count.
pub fn unusable(policy: &PlanPolicy) -> Option<String> {
    let placement = PlacementVariables {
        strategy: StrategyPlan { progress_deadline_seconds: Some(0), ..StrategyPlan::default() },
        groups: vec![GroupVariables::default()],
        ..PlacementVariables::default()
    };
    let object = ObjectVariables::default();
    let addon = AddonVariables {
        placements: vec![placement],
        classes: vec![ClassVariables { objects: vec![object.clone()], ..ClassVariables::default() }],
        waves: vec![WaveVariables::default()],
        earliest_seconds: Some(0),
        expected_seconds: Some(0),
        ..AddonVariables::default()
    };
    let plan = PlanVariables { addons: vec![addon.clone()], objects: vec![object], ..PlanVariables::default() };
    let (rules, mut values) = (Rules::new([policy]), of_example(&addon, &plan).ok()?);
    match broken(rules.0.first()?, &mut values, &mut Evaluator::default())? {
        Broken::Unusable(why @ (Unusable::NoBoolean(_) | Unusable::Fails(Trouble::Failed { missing: Some(_) }))) => {
            Some(why.to_string())
        }
        Broken::Disobeyed(_) | Broken::Unusable(_) => None,
    }
}

fn problem(rules: &Rules, test: &PolicyTest, evaluator: &mut Evaluator) -> Option<String> {
    let rule = rules.0.first()?;
    let mut values = match values(test) {
        Ok(values) => values,
        Err(why) => return Some(why.to_string()),
    };
    match (broken(rule, &mut values, evaluator), test.passes) {
        (None, true) | (Some(Broken::Disobeyed(_)), false) => None,
        (None, false) => Some("the rule is true, but should be false".to_owned()),
        (Some(Broken::Disobeyed(message)), true) => Some(format!("the rule is false, but should be true: {message}")),
        (Some(Broken::Unusable(why)), _) => Some(format!("the rule cannot be evaluated: it {why}")),
    }
}

/// Returns the variables of a test, completed with neutral values. The add-on is the one of the plan if the plan has none.
fn values(test: &PolicyTest) -> Result<Map<String, Value>, Unfit> {
    let addon = AddonVariables::deserialize(&test.addon).map_err(Unfit::Addon)?;
    let mut plan = PlanVariables::deserialize(&test.plan).map_err(Unfit::Plan)?;
    if plan.addons.is_empty() && test.addon.as_object().is_some_and(|fields| !fields.is_empty()) {
        if plan.changed.is_empty() {
            plan.changed.push(addon.name.clone());
        }
        plan.addons.push(addon.clone());
    }
    of_example(&addon, &plan).map_err(Unfit::Unwritten)
}

fn of_example(addon: &AddonVariables, plan: &PlanVariables) -> serde_json::Result<Map<String, Value>> {
    Ok(Map::from_iter([
        ("addon".to_owned(), serde_json::to_value(addon)?),
        ("plan".to_owned(), serde_json::to_value(plan)?),
    ]))
}
