//! Decides whether enough people have approved a change: rules, approvals as facts, and the verdict.
//!
//! ```text
//! rule, people, approvals, subject, now --judge--> Verdict: who counts, what does not count and why, and what is missing
//! ```
//!
//! Nothing here reads Git, checks a signature or asks a forge: a [`Fact`] already has the commit that added it and the verdict on its
//! signature, and a [`PullRecord`] has the digests of the trees that people reviewed. Evidence that is not complete in every respect counts
//! for nothing, and the verdict gives the reason.

pub mod approval;
mod authorship;
mod basis;
mod change;
mod command;
mod commanded;
mod continuity;
mod entry;
mod fact;
pub mod file;
mod identity;
mod judge;
mod judges;
mod judging;
mod ledger;
mod pending;
mod people;
mod problem;
mod pull;
mod relevant;
mod review;
mod rule;
mod rule_change;
mod rules;
mod rules_proposal;
mod subject;
mod verdict;
mod vouched;
mod voucher;
mod why;

pub use basis::{Basis, Reach, lacks_marks};
pub use change::{Approvals, Change, GoodDigests, Operator, RULES};
pub use command::{Command, approve_command};
pub use fact::{Addition, Fact, Signature, Signer, Written};
pub use identity::{ROLES, misnamed};
pub use judge::judge;
pub use judges::{Judges, RulesInForce};
pub use ledger::{Arrival, Ledger, MAX_CHANGES};
pub use people::People;
pub use problem::Problem;
pub use pull::{Commanded, GateRequest, KnownMembership, PullRecord, Pulls, Reviewed, SeenOpinion, Standing};
pub use relevant::keep_relevant;
pub use rule::{After, Rule};
pub use rules::{RulesDecision, RulesState, RulesSubject, WaitingRules, rules_in_force};
pub use rules_proposal::{RulesApproval, RulesProposal};
pub use subject::{Author, Authors, Subject, Voucher};
pub use verdict::{Missing, Refusal, ReviewRef, Seat, State, Verdict, Void};
pub use vouched::vouched_authors;
pub use voucher::{RulesVoucher, Vouched};
pub use why::Why;
