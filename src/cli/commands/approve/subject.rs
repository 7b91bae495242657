//! What is approved: the digest of an add-on at the tip of the followed branch.

use std::collections::BTreeSet;

use crate::cli::failure::Failure;
use crate::cli::own_git::Place;
use tidegate_consent::RULES;
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::near::remedy;
use tidegate_model::tree::Tree;
use tidegate_repository::{Loaded, Repository, SETTINGS_FILE, basis, load_with};

/// What is approved.
#[derive(Debug)]
pub(super) struct Approved {
    pub(super) digest: Digest,
    /// The repository at the tip.
    pub(super) repository: Repository,
}

/// Returns what an approval of an add-on is about.
///
/// # Errors
/// [`Failure::Usage`] if the add-on or the decision group does not exist, or the add-on is blocked by errors.
pub(super) fn approved(tree: &Tree, place: &Place, addon: &UnitName, group: Option<&str>) -> Result<Approved, Failure> {
    let Loaded { repository, .. } = load_with(tree, &place.path, &place.operator);
    if repository.unreadable_files.contains(SETTINGS_FILE) {
        return Err(Failure::Usage(format!(
            "{SETTINGS_FILE} of the newest revision cannot be read, so it is not known what would be approved; fix it (`tidegate validate` shows \
             why)"
        )));
    }
    if addon.as_str() == RULES {
        return match group {
            None => Ok(Approved { digest: basis(&repository).rules, repository }),
            Some(_) => Err(Failure::Usage("the rules have no decision groups; leave out --group".to_owned())),
        };
    }
    if repository.blocked.contains_key(addon) {
        return Err(Failure::Usage(format!(
            "the newest revision has errors that block {addon}, so there is nothing to approve; fix them (`tidegate validate` shows them)"
        )));
    }
    let Some(digest) = repository.digest(addon).cloned() else {
        let remedy = remedy(addon.as_str(), repository.addons.keys().map(UnitName::as_str));
        return Err(Failure::Usage(format!("the repository has no add-on {:?}; {remedy}", addon.as_str())));
    };
    let groups = groups(&repository, addon);
    if let Some(group) =
        group.filter(|group| !groups.is_empty() && !groups.contains(group) && group.parse::<u32>().is_err())
    {
        let remedy = remedy(group, groups.iter().copied());
        return Err(Failure::Usage(format!("no placement of {addon} has a decision group {group:?}; {remedy}")));
    }
    Ok(Approved { digest, repository })
}

/// Returns a warning if no policy asks for an approval before a decision group.
pub(super) fn unwanted(repository: &Repository, group: Option<&str>) -> Option<String> {
    let group = group?;
    let rules =
        repository.policies.values().flat_map(|policy| policy.spec.approvals.iter().chain(&policy.spec.break_glass));
    let is_wanted = rules.flat_map(|rule| &rule.before).any(|before| before == group);
    (!is_wanted).then(|| {
        format!(
            "warning: no RolloutPolicy has an approval before group {group}, so this one counts for nothing; an approval without --group is for \
             the start of the rollout"
        )
    })
}

/// Returns the names of the decision groups that the placements of an add-on form. A placement may be on the hub only; then none is known. A group without
/// a name is called by its index.
fn groups<'a>(repository: &'a Repository, addon: &UnitName) -> BTreeSet<&'a str> {
    let Some(declared) = repository.addons.get(addon) else { return BTreeSet::new() };
    let placements = declared.placements().collect::<Vec<_>>();
    let formed = repository
        .placements
        .iter()
        .filter(|(name, _)| placements.contains(name))
        .filter_map(|(_, placement)| placement.spec.decision_strategy.as_ref()?.group_strategy.as_ref())
        .flat_map(|strategy| &strategy.decision_groups)
        .map(|group| group.group_name.as_str());
    formed.collect()
}
