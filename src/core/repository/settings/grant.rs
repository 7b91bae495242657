//! `[applications] granted`: what the work agents of clusters may do beyond every agent's rights.

use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use super::types::Grant;
use tidegate_model::near::remedy;

/// The keys of a rule.
const KEYS: [&str; 4] = ["groups", "resources", "verbs", "cluster_set"];
/// Most rules.
const MOST: usize = 200;
/// What to write, for the message about another value.
pub(super) const RIGHT: &str =
    "a list of rules, such as [{ groups = [\"argoproj.io\"], resources = [\"rollouts\"], verbs = [\"*\"] }]";

/// What is wrong with a rule, and where.
pub(super) type Wrong = (Range<usize>, String);

/// Reads the list of rules.
pub(super) fn grants(item: &Spanned<DeValue<'_>>) -> Result<Vec<Grant>, Wrong> {
    let items = item
        .get_ref()
        .as_array()
        .ok_or_else(|| (item.span(), format!("applications.granted is not a list; write {RIGHT}")))?;
    if items.len() > MOST {
        let message = format!("applications.granted has {} rules; at most {MOST} are read: merge some", items.len());
        return Err((item.span(), message));
    }
    items.iter().map(grant).collect()
}

fn grant(item: &Spanned<DeValue<'_>>) -> Result<Grant, Wrong> {
    let table = item.get_ref().as_table();
    let table =
        table.ok_or_else(|| (item.span(), format!("a rule of applications.granted is not a table; write {RIGHT}")))?;
    let mut grant = Grant::default();
    for (name, value) in table {
        let key = name.get_ref().as_ref();
        match key {
            "groups" => grant.groups = strings(key, value)?,
            "resources" => grant.resources = strings(key, value)?,
            "verbs" => grant.verbs = strings(key, value)?,
            "cluster_set" => grant.cluster_set = Some(string(key, value)?),
            other => {
                let remedy = remedy(other, KEYS);
                return Err((name.span(), format!("applications.granted: {other:?} is not known; {remedy}")));
            }
        }
    }
    for (name, list) in [("groups", &grant.groups), ("resources", &grant.resources), ("verbs", &grant.verbs)] {
        if list.is_empty() {
            let message = format!("applications.granted: {name} is missing; a rule without it allows nothing: add it");
            return Err((item.span(), message));
        }
    }
    Ok(grant)
}

fn strings(key: &str, item: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Wrong> {
    let message = || (item.span(), format!("applications.granted: {key} is not a list of strings; write [\"...\"]"));
    item.get_ref().as_array().ok_or_else(message)?.iter().map(|item| string(key, item)).collect()
}

fn string(key: &str, item: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
    let message =
        || (item.span(), format!("applications.granted: a value of {key} is not a string; write it in quotes"));
    item.get_ref().as_str().map(str::to_owned).ok_or_else(message)
}
