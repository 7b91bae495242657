//! The rules of policies about objects, in words.

use super::applying::ALL_FIELDS;
use super::rules::{Fate, ON_STATE_KEEP, Once};
use crate::application::parsed::PolicyKind;

/// Returns the rules of a policy that says how objects are applied and kept, in words; nothing for another policy.
pub(in crate::application) fn rules(kind: &PolicyKind) -> Vec<String> {
    match kind {
        PolicyKind::ApplyOnce(policy) => match &policy.rules {
            Some(rules) => rules.iter().map(|rule| format!("{}: {}", rule.selector, once(&rule.strategy))).collect(),
            None => vec![format!("all objects: {WHEN_CHANGED}")],
        },
        PolicyKind::GarbageCollect(policy) => {
            policy.rules.iter().map(|rule| format!("{}: {}", rule.selector, fate(rule.strategy))).collect()
        }
        PolicyKind::ReadOnly(policy) | PolicyKind::TakeOver(policy) => {
            policy.rules.iter().map(|rule| rule.selector.to_string()).collect()
        }
        _ => Vec::new(),
    }
}

const WHEN_CHANGED: &str = "applied when they change, not corrected in between";

fn once(strategy: &Once) -> &'static str {
    let is_all = strategy.path.iter().any(|path| path == ALL_FIELDS);
    match (strategy.affect == ON_STATE_KEEP, is_all) {
        (true, _) => WHEN_CHANGED,
        (false, true) => "created if they are missing, never changed",
        (false, false) => "replicas are left to what scales them",
    }
}

fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Never => "stay on clusters when they are removed",
        Fate::OnAppUpdate => "are deleted when they are removed",
    }
}
