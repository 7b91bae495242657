//! Checks that the people exist whose approvals a RolloutPolicy asks for.

use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::rollout_policy::RolloutPolicySpec;
use tidegate_consent::People;
use tidegate_model::near::nearest;

/// Adds a warning for each approver that is not known. It is no error, because the operator's file can define people as well.
pub(super) fn check(notes: &mut Notes<'_>, spec: &RolloutPolicySpec, people: &People) {
    let approvals = path(&["spec", "approvals"]);
    let rules = spec.approvals.iter().enumerate().map(|(at, rule)| (approvals.item(at), rule));
    let rules = rules.chain(spec.break_glass.iter().map(|rule| (path(&["spec", "breakGlass"]), rule)));
    for (at, rule) in rules {
        for (number, name) in rule.of.iter().enumerate().filter(|(_, name)| !people.knows(name)) {
            let at = at.member("of").item(number);
            let remedy = match nearest(name, people.members_by_alias().keys().map(String::as_str)) {
                Some(near) => format!("did you mean {near:?}?"),
                None => "define it there, or write an address".to_owned(),
            };
            let message = format!(
                "{at} is {name:?}, which [people] in tidegate.toml does not define: unless the file of the daemon does, no one can give this \
                 approval; {remedy}"
            );
            notes.warning(notes.object.value_origin(&at), message);
        }
    }
}
