//! Broken policies as complaints about the declarations.

use std::sync::Arc;

use super::verdict::Verdict;
use crate::proposal::document::Applies;
use crate::repository::{Complaint, PolicySeverity, Repository, Rule};
use tidegate_api::key;
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::name::AddonName;
use tidegate_model::object::ObjectKey;

/// Returns one complaint for each add-on that breaks a policy, at the declaration of the add-on in the first of the repositories that has
/// it. A verdict about no add-on has the place of its rule.
pub fn complaints(verdicts: &[Verdict], repositories: &[&Repository]) -> Vec<Complaint> {
    let of_one = |verdict: &Verdict| -> Vec<Complaint> {
        let message = verdict.shown(Applies::Now).to_string();
        let about = |place: Place, addon: Option<&AddonName>| {
            let diagnostic = match verdict.severity {
                PolicySeverity::Error => Diagnostic::error(place, message.clone()),
                PolicySeverity::Warning => Diagnostic::warning(place, message.clone()),
            };
            Complaint {
                diagnostic,
                object: None,
                addons: Arc::new(addon.into_iter().cloned().collect()),
                rule: Rule::Policy,
            }
        };
        if verdict.addons.is_empty() {
            return vec![about(verdict.place.clone(), None)];
        }
        let place = |addon| declared(addon, repositories).unwrap_or_else(|| verdict.place.clone());
        verdict.addons.iter().map(|addon| about(place(addon), Some(addon))).collect()
    };
    verdicts.iter().flat_map(of_one).collect()
}

/// Returns where an add-on is declared.
fn declared(addon: &AddonName, repositories: &[&Repository]) -> Option<Place> {
    let key = ObjectKey::new(key::ADDON_GROUP, "ClusterManagementAddOn", "", addon.as_str());
    repositories.iter().find_map(|repository| Some(repository.objects.get(&key)?.place.clone()))
}
