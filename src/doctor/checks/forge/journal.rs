//! Can anyone but Tidegate push the branch of the journal?

use super::followed::by_hand;
use super::{fine, warn};
use crate::doctor::facts::{Answers, Branch};
use crate::doctor::line::{Line, few};

const CHECK: &str = "journal branch";

/// Judges the protection of the branch of the journal.
pub(super) fn lines(branch: &Branch, answers: &Answers) -> Vec<Line> {
    let name = &branch.name;
    let login = answers.account.as_ref().map(|account| account.login.as_str()).unwrap_or_default();
    let fix = format!("protect {name}, and allow only the account with which Tidegate pushes ({login}) to push to it");
    let line = match (&branch.is_protected, &branch.pushers) {
        (Err(why), _) => warn(CHECK, &format!("{name}: not visible: {why}"), &by_hand(branch)),
        (Ok(false), _) => {
            let why = "is not protected: everyone with write access can change which approvals it records";
            warn(CHECK, &format!("{name} {why}"), &fix)
        }
        (Ok(true), Err(why)) => {
            let why = format!("{name} is protected; who may push is not visible: {why}");
            warn(CHECK, &why, &by_hand(branch))
        }
        (Ok(true), Ok(pushers)) => {
            let others: Vec<&str> =
                pushers.iter().map(String::as_str).filter(|pusher| !is_own(pusher, login)).collect();
            if others.is_empty() {
                fine(CHECK, &format!("{name} is protected; no one else may push to it"))
            } else {
                warn(CHECK, &format!("others may push to {name}: {}", few(others)), &fix)
            }
        }
    };
    vec![line]
}

/// Returns `true` if a pusher is the own account. The account of a GitHub App has a suffix that rules do not contain.
fn is_own(pusher: &str, login: &str) -> bool {
    let plain = |name: &str| name.trim_end_matches("[bot]").to_lowercase();
    !login.is_empty() && plain(pusher) == plain(login)
}
