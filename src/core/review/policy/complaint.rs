//! Broken policies as complaints about the declarations.

use std::sync::Arc;

use super::verdict::Verdict;
use crate::proposal::document::Applies;
use tidegate_api::object_key;
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::followed::BrokenPolicy;
use tidegate_model::name::UnitName;
use tidegate_repository::{Complaint, PolicySeverity, Repository, Rule};

/// Returns verdicts as the daemon records them.
pub fn records(verdicts: &[Verdict]) -> Vec<BrokenPolicy> {
    let record = |verdict: &Verdict| BrokenPolicy {
        policy: verdict.policy.clone(),
        is_error: verdict.severity == PolicySeverity::Error,
        addons: verdict.addons.iter().cloned().collect(),
        message: verdict.shown(Applies::Now).to_string(),
    };
    verdicts.iter().map(record).collect()
}

/// Returns one complaint for each add-on that breaks a policy, at the declaration of the add-on in the first of the repositories that has
/// it. One about no add-on, or about one that is declared nowhere, is about the directory of the policies.
pub fn complaints(broken: &[BrokenPolicy], repositories: &[&Repository]) -> Vec<Complaint> {
    let about = |broken: &BrokenPolicy, addon: Option<&UnitName>| {
        let place = addon.and_then(|addon| declared(addon, repositories));
        let place = place.unwrap_or_else(|| Place::start_of(tidegate_repository::POLICIES));
        let diagnostic = if broken.is_error { Diagnostic::error } else { Diagnostic::warning };
        Complaint {
            diagnostic: diagnostic(place, broken.message.clone()),
            object: None,
            addons: Arc::new(addon.into_iter().cloned().collect()),
            rule: Rule::Policy,
        }
    };
    let of_one = |broken: &BrokenPolicy| -> Vec<Complaint> {
        match broken.addons.is_empty() {
            true => vec![about(broken, None)],
            false => broken.addons.iter().map(|addon| about(broken, Some(addon))).collect(),
        }
    };
    broken.iter().flat_map(of_one).collect()
}

/// Returns where an add-on is declared.
fn declared(addon: &UnitName, repositories: &[&Repository]) -> Option<Place> {
    let key = object_key::addon(addon.as_str());
    repositories.iter().find_map(|repository| Some(repository.objects.get(&key)?.place.clone()))
}
