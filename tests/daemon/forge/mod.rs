//! Changes that are reviewed on a forge: a daemon, a hub and a forge with a real repository.
//!
//! Each scenario runs on one forge, and all of them run on each one of the three together: `contract` shows that the same story gives the
//! same facts on every forge. The daemon calls the forge in process and reads the repository by its path, except in `end_to_end` and
//! in the outage of both.
//!
//! Which test shows that a known mistake of other tools is not made. Names without a path are tests in this folder.
//!
//! | mistake | tests |
//! | --- | --- |
//! | an approval is of a branch, and not of its contents | `contents::a_push_after_the_approval_voids_it_*` |
//! | a squash, a rebase, a merge or a merge queue loses the approval | `end_to_end`, `contents::the_entry_of_a_merge_queue_*` |
//! | any approval that was ever given counts | `opinions::the_last_opinion_*`, `opinions::an_approval_that_*` |
//! | a missing field is consent | `people`, `tests/forge/shapes.rs`, `tests/core/consent/review_properties.rs` |
//! | GitLab refuses the same status again | `tests/forge/gitlab.rs` |
//! | fields of newer versions of GitHub are needed | `tests/forge/github/facts.rs` |
//! | the body of a webhook is believed | `tests/edges/monitor/webhook.rs`, `tests/edges/monitor/gitlab.rs` |
//! | GitLab executes a line of a comment | `tests/forge/comments.rs`; each test here ends with `assert_clean` |
//! | a merge queue waits forever | `contents::the_entry_of_a_merge_queue_*` |
//! | a limit of requests turns a status red | `outages::answers_that_are_lost_*`, `tests/forge/limits.rs` |
//! | hundreds of pull requests use the limit up | `volume::many_open_pull_requests_*` |
//! | webhooks are spoofed, replayed or sent in floods | `volume::a_flood_*`, `tests/edges/monitor` |
//! | the comment of an impostor is edited, or comments pile up | `volume::the_own_comment_*`, `outages::answers_that_are_lost_*` |
//! | names of branches and titles are executed or hide the plan | `tests/core/review/presentation` |
//! | a token is sent to another server, or is in a message | `tests/forge/hostile.rs` |
//! | two pull requests change one add-on | `contents::two_pull_requests_*` |
//! | a force push exchanges what was approved | `contents::what_was_approved_counts_again_*` |
//! | what was said between the last look and the merge is not seen | `opinions::the_last_opinion_*` |
//! | authors, co-authors and bots approve | `opinions::a_merge_request_*`, `opinions::a_pull_request_*`, `requests::the_author_*` |
//! | someone left the team, or the team cannot be read | `people::the_approval_of_someone_*` |
//! | another account gets a login | `people::an_account_*`, `tests/forge/github/facts.rs` |
//! | accounts, commits and forks are gone | `people::the_approval_of_a_removed_*`, `people::a_review_*`, `people::a_pull_request_*` |
//! | a direct push is rolled out, or held without a way out | `contents::a_direct_push_*` |
//! | a change is judged by its own rules | `contents::a_pull_request_does_not_change_*` |
//! | approvals of other pull requests count | `contents::approvals_of_other_*` |
//! | the clock of a forge is compared with the own one | the tests in `src/daemon/reconciler/forge/record.rs` |
//! | a required check waits for a rollout that waits for the merge | `tests/doctor` |
//! | a status that anyone can write opens a gate | `contents::a_status_*` |
//! | a request is opened twice, or approved by changing its branch | `requests` |
//! | a fork or a small file takes the memory of the daemon | `strangers` |
//! | an outage of the forge stops rollouts or opens gates | `outages` |

mod contents;
mod contract;
mod deployments;
mod end_to_end;
mod in_process;
mod opinions;
mod outages;
mod people;
mod plans;
mod red;
mod requests;
mod secrets;
mod stage;
mod strangers;
mod trial;
mod volume;

pub(crate) use in_process::transport;
pub(in crate::daemon) use stage::{hosted, reporting};
