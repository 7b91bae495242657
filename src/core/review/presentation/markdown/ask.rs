//! The description of a pull request with which the daemon asks for an approval.

use super::blocks::blocks;
use super::inline::{Place, line};
use crate::presentation::page::{Asked, RolloutState, asked, rollouts};

/// Returns the title and the description of a pull request that asks for an approval. `link` is the page of the add-on in the journal.
pub fn ask(question: &Asked, state: &RolloutState, link: Option<&str>) -> (String, String) {
    let mut parts = vec![format!("### {}", line(&question.heading(), Place::Text))];
    parts.extend(blocks(&asked(question)));
    parts.extend(blocks(&rollouts(std::slice::from_ref(state))));
    parts.extend(link.filter(|link| !link.contains([')', ' ', '\n'])).map(|link| format!("[Status]({link})")));
    (question.title(), parts.join("\n\n") + "\n")
}
