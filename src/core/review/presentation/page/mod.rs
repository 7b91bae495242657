//! What both formats show: the blocks of a page, without any markup.

mod addon;
mod approval;
mod asked;
mod block;
mod change;
mod class;
mod detail;
mod finding;
mod line;
mod overview;
mod policy;
mod rehearsal;
mod rollout;
mod rules;
mod span;
mod summary;
mod timeline;
mod wave;

pub use self::asked::Asked;
pub(crate) use self::asked::asked;
pub(crate) use self::block::{Block, Column, Diff, Fact, Fold, Open, Page, Table, Tone};
pub(crate) use self::detail::{Detail, LADDER};
pub(crate) use self::line::{Line, Piece};
pub(super) use self::rehearsal::rehearsed;
pub use self::rollout::RolloutState;
pub(crate) use self::rollout::rollouts;
pub(crate) use self::span::{grouped, percentage, shown};
pub(crate) use self::timeline::{Bar, Timeline};

use crate::proposal::document::Plan;

/// Returns the page of a plan, with as much detail as asked for.
pub(super) fn page(plan: &Plan, detail: Detail) -> Page {
    let mut blocks = overview::blocks(plan, detail);
    if detail.has_folds() {
        blocks.extend(finding::complaints(plan));
        blocks.extend(policy::fold(plan));
        blocks.extend(rules::fold(plan));
        blocks.extend(approval::fold(plan));
        blocks.extend(addon::folds(plan, detail));
        blocks.extend(wave::fold(plan));
        blocks.extend(finding::others(plan));
    }
    Page {
        title: summary::title(plan),
        verdict: summary::verdict(plan),
        facts: summary::facts(plan),
        blocks,
        last: summary::last(plan),
        state: summary::state(plan),
    }
}
