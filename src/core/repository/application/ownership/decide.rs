//! Decides how each object is applied, and whether it stays.

use serde_json::{Value, json};

use super::applying::{ALL_FIELDS, Applying};
use super::rules::{Fate, ON_STATE_KEEP, Once, Selecting, Selector};
use super::selector::Selection;
use crate::application::parsed::{Policy, PolicyKind, set};
use crate::application::rendered::Rendered;
use tidegate_api::key;
use tidegate_delivery::is_kept;
use tidegate_model::object::ObjectKey;

/// Returns the selectors of a policy, in the order of its rules.
fn selectors(kind: &PolicyKind) -> Vec<&Selector> {
    match kind {
        PolicyKind::ApplyOnce(policy) => policy.rules.iter().flatten().map(|rule| &rule.selector).collect(),
        PolicyKind::GarbageCollect(policy) => policy.rules.iter().map(|rule| &rule.selector).collect(),
        PolicyKind::ReadOnly(policy) | PolicyKind::TakeOver(policy) => {
            policy.rules.iter().map(|rule| &rule.selector).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns how a policy applies an object; `None` if it does not say so.
fn applying(kind: &PolicyKind, rendered: &Rendered) -> Option<Applying> {
    match kind {
        PolicyKind::ApplyOnce(policy) if policy.enable => match &policy.rules {
            None => Some(Applying::WhenChanged(Vec::new())),
            Some(rules) => rules.iter().find(|rule| rule.selector.selects(rendered)).map(|rule| once(&rule.strategy)),
        },
        PolicyKind::ReadOnly(policy) => policy.selects(rendered).then_some(Applying::ReadOnly),
        PolicyKind::TakeOver(policy) => policy.selects(rendered).then_some(Applying::TakeOver),
        _ => None,
    }
}

impl Selecting {
    fn selects(&self, rendered: &Rendered) -> bool {
        self.rules.iter().any(|rule| rule.selector.selects(rendered))
    }
}

fn once(strategy: &Once) -> Applying {
    let is = |path: &str| strategy.path.iter().any(|given| given == path);
    if strategy.affect == ON_STATE_KEEP {
        return Applying::WhenChanged(strategy.path.clone());
    }
    if is(ALL_FIELDS) { Applying::Once } else { Applying::WithoutReplicas }
}

/// Returns the fate of an object that a rule names; `None` if none does. A kind that is kept by default is deleted only if the rule names it.
fn fate(policies: &[Policy], rendered: &Rendered) -> Option<Fate> {
    let kind = rendered.object.get("kind").and_then(Value::as_str).unwrap_or_default();
    policies.iter().find_map(|policy| {
        let PolicyKind::GarbageCollect(policy) = &policy.kind else { return None };
        let rule = policy.rules.iter().find(|rule| rule.selector.selects(rendered))?;
        let names_kind = rule.selector.resource_types.iter().any(|type_| type_ == kind);
        (rule.strategy == Fate::Never || names_kind).then_some(rule.strategy)
    })
}

/// Decides how objects are applied and kept.
pub(in crate::application) fn decide(policies: &[Policy], objects: &mut [Rendered]) {
    for rendered in objects {
        let how = policies.iter().find_map(|policy| applying(&policy.kind, rendered));
        rendered.applying = how.unwrap_or_default();
        match fate(policies, rendered) {
            Some(Fate::Never) => {
                set(&mut rendered.object, &["metadata", "annotations", key::DELETION_ORPHAN], json!(""))
            }
            Some(Fate::OnAppUpdate) => release(&mut rendered.object),
            None => {}
        }
    }
}

/// Removes the mark of an object that stays. One of a kind that stays by default gets a mark instead, so that a work that has lost its marks
/// is not mistaken for one whose objects may be deleted.
fn release(object: &mut Value) {
    let is_kept = ObjectKey::of(object).is_some_and(|key| is_kept(&key.group, &key.kind));
    unmark(object);
    if is_kept {
        set(object, &["metadata", "annotations", key::DELETE_WITH_UNIT], json!("true"));
    }
}

fn unmark(object: &mut Value) {
    let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    let annotations = metadata.get_mut("annotations").and_then(Value::as_object_mut);
    let is_empty = annotations.is_some_and(|annotations| {
        annotations.remove(key::DELETION_ORPHAN);
        annotations.is_empty()
    });
    if is_empty {
        metadata.remove("annotations");
    }
}

/// Returns what each rule of a policy selects among objects, in the order of the rules.
pub(crate) fn selected(policy: &Policy, objects: &[&Rendered]) -> Vec<Selection> {
    selectors(&policy.kind).into_iter().map(|selector| selector.among(objects)).collect()
}

/// Returns the objects that a rule of an `apply-once` selects.
pub(crate) fn selected_once<'o>(policy: &Policy, rule: usize, objects: &[&'o Rendered]) -> Vec<&'o Rendered> {
    let PolicyKind::ApplyOnce(policy) = &policy.kind else { return Vec::new() };
    let Some(rule) = policy.rules.iter().flatten().nth(rule) else { return Vec::new() };
    objects.iter().copied().filter(|rendered| rule.selector.selects(rendered)).collect()
}

/// Returns the indexes of the policies that say how an object is applied.
pub(crate) fn appliers(policies: &[Policy], rendered: &Rendered) -> Vec<usize> {
    let says = |(index, policy): (usize, &Policy)| applying(&policy.kind, rendered).map(|_| index);
    policies.iter().enumerate().filter_map(says).collect()
}
