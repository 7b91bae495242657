//! Judges a change by rules.

use std::fmt;

use serde_json::{Map, Value};

use super::rules::{Rule, Rules};
use super::variables::{AddonVariables, PlanVariables};
use super::verdict::Verdict;
use tidegate_cel::{Computed, Evaluator, Program, Trouble};
use tidegate_model::line::one_line;
use tidegate_model::name::UnitName;

/// The most characters of a message that an expression gives. Statuses and comments have limits.
const LONGEST: usize = 1_000;

/// Returns the policies that a change breaks, in the order of the rules, then of the add-ons.
///
/// A rule judges the add-ons that change and that it matches. One that does not read `addon` judges the change once, if it matches one
/// of them, or if it matches all add-ons and other objects change.
pub fn judge(rules: &Rules, plan: &PlanVariables) -> Vec<Verdict> {
    let changed: Vec<&AddonVariables> = plan.addons.iter().filter(|addon| plan.changed.contains(&addon.name)).collect();
    if rules.is_empty() || (changed.is_empty() && plan.objects.is_empty()) {
        return Vec::new();
    }
    // The variables consist of strings, numbers and lists.
    let mut values = Map::from_iter([("plan".to_owned(), serde_json::to_value(plan).unwrap_or_default())]);
    let mut verdicts = Vec::new();
    let mut evaluator = Evaluator::default();
    for rule in &rules.0 {
        let matching: Vec<&AddonVariables> =
            changed.iter().copied().filter(|addon| rule.matches(&addon.name)).collect();
        if rule.is_about_addons() {
            for addon in matching {
                values.insert("addon".to_owned(), serde_json::to_value(addon).unwrap_or_default());
                verdicts.extend(verdict(rule, &mut values, &mut evaluator, &[addon]));
            }
        } else if !matching.is_empty() || rule.policy.addons.is_empty() {
            verdicts.extend(verdict(rule, &mut values, &mut evaluator, &matching));
        }
    }
    verdicts
}

/// Returns why a rule is not true for values; `None` if it is true.
pub(super) fn broken(rule: &Rule, values: &mut Map<String, Value>, evaluator: &mut Evaluator) -> Option<Broken> {
    let program = match &rule.program {
        Ok(program) => program,
        Err(why) => return Some(Broken::Unusable(Unusable::Refused(why.to_string()))),
    };
    match compute(program, values, evaluator) {
        Ok(Computed::Bool(true)) => None,
        Ok(Computed::Bool(false)) => {
            let message = rule.message.as_ref().and_then(|message| match compute(message, values, evaluator) {
                Ok(Computed::String(text)) => Some(one_line(&text).chars().take(LONGEST).collect()),
                _ => None,
            });
            Some(Broken::Disobeyed(message.unwrap_or_else(|| rule.policy.message.clone())))
        }
        Ok(Computed::String(_)) => Some(Broken::Unusable(Unusable::NoBoolean("a string".to_owned()))),
        Ok(Computed::Other(type_)) => Some(Broken::Unusable(Unusable::NoBoolean(format!("a value of type {type_}")))),
        Err(trouble) => Some(Broken::Unusable(Unusable::Fails(trouble))),
    }
}

/// Why a rule is not true.
pub(super) enum Broken {
    /// It is false, with the message.
    Disobeyed(String),
    /// It has no value, with the reason.
    Unusable(Unusable),
}

/// Why a rule has no value. Displays as a part of a sentence, after the rule.
#[derive(Debug)]
pub(super) enum Unusable {
    /// It does not compile, with the reason.
    Refused(String),
    /// It gives something else, which is named.
    NoBoolean(String),
    /// It cannot be evaluated.
    Fails(Trouble),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) => write!(f, "does not compile: {why}"),
            Self::NoBoolean(found) => write!(f, "gives {found}, and not true or false"),
            Self::Fails(trouble) => trouble.fmt(f),
        }
    }
}

fn compute(program: &Program, values: &mut Map<String, Value>, evaluator: &mut Evaluator) -> Result<Computed, Trouble> {
    let all = Value::Object(std::mem::take(values));
    let computed = evaluator.compute(program, &all);
    if let Value::Object(all) = all {
        *values = all;
    }
    computed
}

fn verdict(
    rule: &Rule,
    values: &mut Map<String, Value>,
    evaluator: &mut Evaluator,
    addons: &[&AddonVariables],
) -> Option<Verdict> {
    let (message, remedy) = match broken(rule, values, evaluator)? {
        Broken::Disobeyed(message) => (message, rule.policy.remedy.clone()),
        Broken::Unusable(why) => (
            format!("the rule cannot be evaluated, and so counts as broken: it {why}"),
            Some("fix the rule; a test of it with these values shows the problem".to_owned()),
        ),
    };
    Some(Verdict {
        policy: rule.policy.name.clone(),
        severity: rule.policy.severity,
        addons: addons.iter().filter_map(|addon| addon.name.parse::<UnitName>().ok()).collect(),
        message,
        remedy,
        place: rule.policy.place.clone(),
    })
}
