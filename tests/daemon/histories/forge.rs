//! A forge with the repository of a history, and what people do on it.

use tidegate_daemon::reconciler::forge::ForgeConfig;
use tidegate_fake_forge::{ForgeSandbox, Method, PullRecord, PullStatus};
use tidegate_model::forge::ForgeKind;

use super::super::forge::{hosted, reporting};
use super::super::world::World;
use super::play::Stage;
use super::step::{Rule, Step};

/// The forge of all histories that have one.
const KIND: ForgeKind = ForgeKind::Gitea;

/// Moves the repository to a forge if a history needs one: with it, every look costs more.
pub(super) async fn needed(world: &World, steps: &[Step]) -> Option<ForgeSandbox> {
    let needs = |step: &Step| matches!(step, Step::Merge | Step::Team(_) | Step::Forge(_) | Step::Rule(Rule::Team, _));
    if !steps.iter().any(needs) {
        return None;
    }
    let forge = hosted(world, KIND, |_| {}).await;
    forge.add_team("leads", &["bob", "cy"]);
    Some(forge)
}

impl Stage {
    /// Returns what a daemon needs to use the forge.
    pub(super) fn forge_config(&self) -> Option<ForgeConfig> {
        self.forge.as_ref().map(|forge| reporting(&self.world, forge, KIND))
    }

    /// Bob merges all requests for approvals.
    pub(super) fn merge(&self) {
        let Some(forge) = self.forge.as_ref().filter(|_| self.world.repository().exists()) else { return };
        let is_request =
            |pull: &PullRecord| pull.state == PullStatus::Open && pull.head_branch.starts_with("tidegate/gate/");
        for request in forge.pulls().into_iter().filter(is_request) {
            // It conflicts if the journal or a person was faster.
            drop(forge.merge("bob", request.number, Method::Merge));
        }
        self.world.look();
    }

    /// Bob is in the team, or not.
    pub(super) fn team(&self, is_in: bool) {
        if let Some(forge) = &self.forge {
            forge.set_team("leads", if is_in { &["bob", "cy"] } else { &["cy"] });
        }
    }

    /// The forge answers, or not.
    pub(super) fn forge(&self, answers: bool) {
        if let Some(forge) = &self.forge {
            forge.down(!answers);
            self.world.look();
        }
    }
}
