//! Applies the traits of a component, and finds those that contradict each other or change what they must not.

use std::collections::BTreeMap;

use serde_json::Value;

use super::beside::beside;
use super::changes::{Change, Field, changes};
use super::defined;
use super::kinds::{apply, lack};
use super::target::Target;
use crate::application::parsed::Component;
use crate::application::setting::Setting;
use tidegate_api::key;
use tidegate_api::schema::path::Path;

/// What is wrong with a component or a trait that its schema does not show.
pub(crate) enum Mistake {
    /// The component itself, with what follows its path in a message.
    Component(String),
    /// Something at a path of the trait.
    At {
        /// The index of the trait.
        index: usize,
        /// The path below the trait.
        at: Path,
        /// What follows the path in a message.
        why: String,
    },
    /// A field that a trait before it sets to another value.
    Conflict {
        /// The index of the trait.
        index: usize,
        /// The index of the trait before it.
        earlier: usize,
        /// The field of the workload.
        field: String,
    },
}

/// Applies the traits of a component to its objects. A trait with a mistake changes nothing. `makers` gets the type of the trait of each object
/// that is added.
pub(in crate::application) fn apply_all(
    setting: Setting<'_>,
    component: &Component,
    objects: &mut Vec<Value>,
    makers: &mut Vec<String>,
) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    let mut set_by: BTreeMap<Field, usize> = BTreeMap::new();
    for (index, of_component) in component.traits.iter().enumerate() {
        let Some(before) = objects.first().cloned() else { break };
        let type_ = of_component.type_.as_str();
        let defined = defined::find(setting, type_);
        let unfit = match defined {
            Some(defined) => defined::unfit(setting, defined, index, component, &before),
            None => beside(component, index).or_else(|| {
                let lack = lack(type_, &before)?;
                Some(format!(
                    "is {type_}, which needs {lack} as the first object of its component; move it to such a component"
                ))
            }),
        };
        if let Some(why) = unfit {
            mistakes.push(Mistake::At { index, at: Path::default().member("type"), why });
            continue;
        }
        let count = objects.len();
        let mut target = Target { namespace: setting.namespace, component: &component.name, objects };
        let applied = match defined {
            Some(defined) => defined::apply(setting, defined, component, &of_component.properties, &mut target),
            None => apply(type_, &of_component.properties, &mut target)
                .map_err(|problem| problem.within(&Path::default().member("properties"))),
        };
        let mut found = Vec::new();
        if let Err(problem) = applied {
            found.push(Mistake::At { index, at: problem.at, why: problem.why });
        }
        let changes = objects.first().map(|after| changes(&before, after)).unwrap_or_default();
        if found.is_empty() {
            found.extend(wrong(index, &before, &changes, &set_by));
        }
        if found.is_empty() {
            set_by.extend(changes.into_iter().map(|change| (change.field, index)));
            makers.resize(makers.len() + objects.len().saturating_sub(count), type_.to_owned());
            continue;
        }
        objects.truncate(count);
        if let Some(workload) = objects.first_mut() {
            *workload = before;
        }
        mistakes.append(&mut found);
    }
    mistakes
}

/// Returns what is wrong with the changes of a trait: the first field that it must not change, or the first that an earlier one sets.
fn wrong(index: usize, before: &Value, changes: &[Change], set_by: &BTreeMap<Field, usize>) -> Vec<Mistake> {
    let at = Path::default().member("properties");
    if let Some((field, why)) = changes.iter().find_map(|change| Some((&change.field, refused(before, &change.field)?)))
    {
        return vec![Mistake::At { index, at, why: format!("changes {field} of the workload, {why}") }];
    }
    let conflict = |change: &Change| {
        // A field contains those that follow it and start with its path.
        let (field, earlier) = set_by.range(&change.field..).next().filter(|_| !change.adds)?;
        let is_in = field.0.starts_with(&change.field.0);
        is_in.then(|| Mistake::Conflict { index, earlier: *earlier, field: change.field.to_string() })
    };
    changes.iter().find_map(conflict).into_iter().collect()
}

/// Returns why a trait must not change a field of a workload.
fn refused(workload: &Value, field: &Field) -> Option<&'static str> {
    let steps: Vec<&str> = field.0.iter().map(String::as_str).collect();
    let has_pods = workload.pointer("/spec/template").is_some();
    let selected = workload.pointer("/spec/selector/matchLabels");
    match steps.as_slice() {
        [] | ["apiVersion" | "kind"] | ["metadata", "name" | "namespace"] => {
            Some("but a trait must not change which object it is; leave this out")
        }
        ["spec", "selector", ..] if has_pods => {
            Some("but clusters refuse a change of the selector of a workload; leave this out")
        }
        ["spec", "template", "metadata", "labels", label]
            if selected.is_some_and(|labels| labels.get(label).is_some()) =>
        {
            Some("but the selector of the workload needs this label as it is; choose another label")
        }
        ["metadata", "labels" | "annotations", name] if *name == key::PRE_DELETE => {
            Some("which marks a pre-delete hook, and applications have no hooks; leave this out")
        }
        ["metadata", "annotations", name] if *name == key::READY_WHEN => {
            Some("which has the conditions of its definition; leave this out")
        }
        ["metadata", "annotations", name] if *name == key::BATCHES => {
            Some("which has the batches of the trait rollout; leave this out")
        }
        _ => None,
    }
}
