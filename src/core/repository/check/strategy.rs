//! Checks of rollout strategies for values that the schema allows but no engine can use.

use std::sync::LazyLock;

use serde_json::Value;

use super::values::{is_zero, items, threshold};
use crate::application;
use crate::read::kinds;
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::key;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Path;
use tidegate_model::agent::LAG;
use tidegate_model::name::NamespacedName;
use tidegate_model::semantics::Rules;
use tidegate_model::time::{SignedDuration, parse_go_duration};

/// The rollout types, each with the field that holds its settings.
const TYPES: [(&str, &str); 3] =
    [("All", "all"), ("Progressive", "progressive"), ("ProgressivePerGroup", "progressivePerGroup")];

/// Settings of one rollout type of one placement of an add-on.
pub(crate) struct Strategy<'a> {
    /// The Placement.
    pub(crate) placement: NamespacedName,
    /// `true` if these settings are for the type of the strategy.
    pub(crate) in_force: bool,
    /// `true` if the strategy has another, known type.
    is_idle: bool,
    /// The type of the strategy.
    type_: &'a str,
    /// The type that the settings are for.
    meant: &'static str,
    pub(crate) path: Path,
    pub(crate) settings: &'a Value,
}

/// The schema of a rollout strategy.
pub(crate) static STRATEGY_SCHEMA: LazyLock<Option<&'static Schema>> = LazyLock::new(|| {
    let of_addon = kinds::schema(key::ADDON_GROUP, "ClusterManagementAddOn", "v1beta1")?;
    let strategy = of_addon.properties.get("spec")?.properties.get("installStrategy")?;
    strategy.properties.get("placements")?.items.as_ref()?.properties.get("rolloutStrategy")
});

/// Returns the rollout settings of a ClusterManagementAddOn or of an Application, in the order of its placements.
pub(crate) fn strategies(unit: &Value) -> Vec<Strategy<'_>> {
    let placements = unit.pointer("/spec/installStrategy/placements").and_then(Value::as_array);
    let text =
        |placement: &Value, member: &str| placement.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
    let of_addon = placements.into_iter().flatten().enumerate().map(|(index, placement)| {
        let at = path(&["spec", "installStrategy", "placements"]).item(index);
        (at, NamespacedName::new(text(placement, "namespace"), text(placement, "name")), placement)
    });
    of_addon
        .chain(application::placements(unit))
        .filter_map(|(at, name, placement)| {
            Some((at.member("rolloutStrategy"), name, placement.get("rolloutStrategy")?))
        })
        .flat_map(|(at, placement, strategy)| {
            let type_ = strategy.get("type").and_then(Value::as_str).unwrap_or("All");
            let is_known = TYPES.iter().any(|(name, _)| *name == type_);
            TYPES.into_iter().filter_map(move |(name, member)| {
                let settings = strategy.get(member)?;
                Some(Strategy {
                    placement: placement.clone(),
                    in_force: type_ == name,
                    is_idle: is_known && type_ != name,
                    type_,
                    meant: name,
                    path: at.member(member),
                    settings,
                })
            })
        })
        .collect()
}

/// Adds the problems of the rollout strategies of a ClusterManagementAddOn or of an Application.
pub(super) fn check(notes: &mut Notes<'_>, rules: &Rules) {
    let object = notes.object;
    for strategy in strategies(&object.value) {
        let text = |member: &str| strategy.settings.get(member).and_then(Value::as_str);
        for member in ["minSuccessTime", "progressDeadline"] {
            let at = strategy.path.member(member);
            let Some(written) = text(member).filter(|text| member != "progressDeadline" || !is_endless(text)) else {
                continue;
            };
            let origin = object.value_origin(&at);
            match parse_go_duration(written) {
                Err(_) => {
                    notes.error(origin, format!("{at} is {written:?}; write a duration such as \"5m\" or \"1h30m\""))
                }
                Ok(span) if span.is_negative() => {
                    notes.error(origin, format!("{at} is {written:?}; write a duration that is not negative"));
                }
                Ok(_) => {}
            }
        }
        for member in ["maxConcurrency", "maxFailures"] {
            threshold(notes, &strategy.path.member(member), strategy.settings.get(member));
        }
        mandatory(notes, &strategy);
        if strategy.in_force {
            no_concurrency(notes, &strategy, rules);
            deadline(notes, &strategy);
            short_deadline(notes, &strategy, rules);
        } else {
            idle(notes, &strategy);
        }
    }
}

/// Adds a complaint about settings for a type other than that of the strategy: their soak time, budget and groups would
/// have no effect.
fn idle(notes: &mut Notes<'_>, strategy: &Strategy<'_>) {
    if strategy.is_idle && strategy.settings.as_object().is_some_and(|settings| !settings.is_empty()) {
        let Strategy { type_, path, meant, .. } = strategy;
        let message = format!(
            "{path} has no effect, since the rolloutStrategy is of type {type_}; write type: {meant}, or remove the \
             block"
        );
        notes.error(notes.object.key_origin(path), message);
    }
}

/// Adds a complaint about a `maxConcurrency` of 0: an error in strict, a warning in compat, where it has upstream's
/// meaning.
fn no_concurrency(notes: &mut Notes<'_>, strategy: &Strategy<'_>, rules: &Rules) {
    let given = strategy.settings.get("maxConcurrency").filter(|given| is_zero(given));
    let Some(given) = given.filter(|_| strategy.meant == "Progressive") else { return };
    let at = strategy.path.member("maxConcurrency");
    let origin = notes.object.value_origin(&at);
    let remedy = "remove it to use clustersPerDecisionGroup of the Placement, or write how many clusters may be in \
                  progress at once, 1 or more, or \"100%\" for all of them";
    if rules.refuses_zero_concurrency {
        notes.error(origin, format!("{at} is {given}, so no cluster could ever start; {remedy}"));
    } else {
        notes.warning(
            origin,
            format!("{at} is {given}, which upstream treats as a missing or unlimited value; {remedy}"),
        );
    }
}

/// Adds the problems of the mandatory groups.
fn mandatory(notes: &mut Notes<'_>, strategy: &Strategy<'_>) {
    for (position, group) in items(strategy.settings.get("mandatoryDecisionGroups")) {
        let at = strategy.path.member("mandatoryDecisionGroups").item(position);
        let index = group.get("groupIndex").and_then(Value::as_i64);
        if let Some(index) = index.filter(|index| *index < 0) {
            let at = at.member("groupIndex");
            let origin = notes.object.value_origin(&at);
            notes.error(origin, format!("{at} is {index}; decision groups are numbered from 0, so write 0 or more"));
        }
        // Without a name the index counts, which defaults to 0.
        if index.is_none() && group.get("groupName").and_then(Value::as_str) == Some("") {
            let at = at.member("groupName");
            let origin = notes.object.value_origin(&at);
            notes.error(origin, format!("{at} is empty; write the name of a decision group, or its groupIndex"));
        }
    }
}

/// Adds a warning about `maxFailures` without `progressDeadline`.
fn deadline(notes: &mut Notes<'_>, strategy: &Strategy<'_>) {
    let allows_failures = match strategy.settings.get("maxFailures") {
        Some(Value::Number(number)) => number.as_i64() != Some(0),
        Some(Value::String(text)) => text != "0%" && text != "0",
        _ => false,
    };
    let is_endless = match strategy.settings.get("progressDeadline") {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => is_endless(text),
        // A deadline of a wrong type is reported as that, and was not forgotten.
        Some(_) => false,
    };
    if allows_failures && is_endless {
        let origin = notes.object.key_origin(&strategy.path.member("maxFailures"));
        let message = format!(
            "{} has maxFailures without progressDeadline, so a cluster that never answers is never counted as failed; \
             add one, such as progressDeadline: 10m",
            strategy.path
        );
        notes.warning(origin, message);
    }
}

/// Adds a warning about a deadline that a healthy cluster may miss. Strict only: upstream does not wait for health.
fn short_deadline(notes: &mut Notes<'_>, strategy: &Strategy<'_>, rules: &Rules) {
    let written = strategy.settings.get("progressDeadline").and_then(Value::as_str).unwrap_or_default();
    let is_short = |span: SignedDuration| !span.is_negative() && span <= LAG;
    if rules.checks_health && !is_endless(written) && parse_go_duration(written).is_ok_and(is_short) {
        let at = strategy.path.member("progressDeadline");
        let message = format!(
            "{at} is {written:?}, but the agent of a cluster may need {} s to report that what it applied is healthy, so \
             a healthy cluster may count as failed; write 1m or more",
            LAG.as_secs()
        );
        notes.warning(notes.object.value_origin(&at), message);
    }
}

fn is_endless(deadline: &str) -> bool {
    matches!(deadline, "" | "None")
}
