//! Why an approval does not count.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};

/// Why an approval does not count. Displays as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Why {
    /// The same person has another approval that counts.
    #[error("{person} has a seat already, by commit {}", commit.short())]
    Duplicate {
        /// The person.
        person: String,
        /// The commit with the approval that counts.
        commit: CommitId,
    },
    /// It was removed, even if it was added again.
    #[error("commit {} withdrew it; a withdrawn approval must be given again, with the current time", commit.short())]
    Withdrawn {
        /// The commit that removed it.
        commit: CommitId,
    },
    /// It is older than the rule allows.
    #[error("it counted only until {until}")]
    TooOld {
        /// When it stopped to count.
        #[schemars(with = "Rfc3339")]
        until: Timestamp,
    },
    /// It was given before another digest took the place of this one.
    #[error(
        "it was given before {at}, when this digest was no longer in force; now that it is again, it must be approved again"
    )]
    Replaced {
        /// When the digest left force.
        #[schemars(with = "Rfc3339")]
        at: Timestamp,
    },
    /// The request asks for an earlier rollout of the digest.
    #[error(
        "request {pull} asks for an earlier rollout of this digest; approve the newest request, or run `tidegate approve`"
    )]
    EarlierRequest {
        /// The number of the request.
        pull: u64,
    },
    /// It was given before it was the turn of the group.
    #[error("it was given before the turn of the group, which came at {reached}")]
    BeforeReached {
        /// When it was the turn of the group.
        #[schemars(with = "Rfc3339")]
        reached: Timestamp,
    },
    /// It is not the turn of the group yet.
    #[error("it was given before the turn of the group, which has not come yet")]
    NotReached,
    /// It does not break the glass, and the rule requires that.
    #[error("it does not break the glass: `breakGlass: true` is missing")]
    NotBreakGlass,
    /// Its time, or that of its commit, is in the future.
    #[error("it is dated {at}, which is in the future")]
    Future {
        /// The time.
        #[schemars(with = "Rfc3339")]
        at: Timestamp,
    },
    /// Its time does not fit the time of the commit that added it.
    #[error("it is dated {at}, but was added by commit {} of {committed}; the two must be close", commit.short())]
    DatedApart {
        /// The time in the entry.
        #[schemars(with = "Rfc3339")]
        at: Timestamp,
        /// The commit that added it.
        commit: CommitId,
        /// The time of the committer.
        #[schemars(with = "Rfc3339")]
        committed: Timestamp,
    },
    /// The rule does not list the person.
    #[error("{person} is not among those who may approve by this rule")]
    NotListed {
        /// The person.
        person: String,
    },
    /// The person is an author, committer, co-author or signer of the change.
    #[error("{person} took part in the change, and the rule wants someone else")]
    Author {
        /// The person.
        person: String,
    },
    /// It is not known who made the change.
    #[error("it is not known who made the change, so the approver may be an author: {why}")]
    AuthorsUnknown {
        /// Why it is not known.
        why: String,
    },
    /// The entry names no one person.
    #[error("{by:?} is not one person: write an alias of one person, an address or a key")]
    NotOnePerson {
        /// The name in the entry.
        by: String,
    },
    /// Another person signed the commit that added it.
    #[error("it names {by}, but {signer} signed commit {}, which added it", commit.short())]
    OtherSigner {
        /// The name in the entry.
        by: String,
        /// The signer.
        signer: String,
        /// The commit that added it.
        commit: CommitId,
    },
    /// Someone else wrote the commit that added it.
    #[error("{signer} signed commit {}, which added it, but {author} wrote it; approve with a commit of your own", commit.short())]
    OtherAuthor {
        /// The address of the author.
        author: String,
        /// The signer.
        signer: String,
        /// The commit that added it.
        commit: CommitId,
    },
    /// The commit that added it changes other files, too.
    #[error("commit {}, which added it, is a merge or changes more than approvals; approve with a commit of its own", commit.short())]
    OtherFiles {
        /// The commit that added it.
        commit: CommitId,
    },
    /// The commit that added it was made again after it was written.
    #[error("commit {}, which added it, was made again after it was written, as by a rebase; approve again", commit.short())]
    MadeAgain {
        /// The commit that added it.
        commit: CommitId,
    },
    /// The key and its owner are listed for different people, or the key has no owner.
    #[error("the key {key} of {principal} does not belong to one person; list the key under one alias in [people]")]
    Ambiguous {
        /// The key.
        key: String,
        /// Its owner, according to the list of trusted keys.
        principal: String,
    },
    /// The commit that added it is not signed.
    #[error("commit {}, which added it, is not signed", commit.short())]
    Unsigned {
        /// The commit.
        commit: CommitId,
    },
    /// The signature is malformed, does not match the commit, or is of a kind that is not accepted.
    #[error("commit {}, which added it: {why}", commit.short())]
    BadSignature {
        /// The commit.
        commit: CommitId,
        /// What is wrong with it.
        why: String,
    },
    /// The key is not trusted.
    #[error("commit {}, which added it: {why}", commit.short())]
    UntrustedKey {
        /// The commit.
        commit: CommitId,
        /// Which key it is.
        why: String,
    },
    /// The key was revoked.
    #[error("commit {}, which added it: {why}", commit.short())]
    RevokedKey {
        /// The commit.
        commit: CommitId,
        /// Which key it is.
        why: String,
    },
    /// The key was not valid when the commit was made.
    #[error("commit {}, which added it: {why}", commit.short())]
    ExpiredKey {
        /// The commit.
        commit: CommitId,
        /// Which key it is.
        why: String,
    },
    /// The commit that added it is not known.
    #[error("the commit that added it is not known; the history may be incomplete")]
    UnknownCommit,
    /// It was given for another instance.
    #[error("it was given for instance {instance}, and may come from another repository or branch")]
    OtherInstance {
        /// The instance in the entry.
        instance: String,
    },
    /// It was given for another group.
    #[error("it was given for {}", group.as_ref().map_or("the start of the rollout".to_owned(), |group| format!("group {group}")))]
    OtherGroup {
        /// The group in the entry; `None` for the start of the rollout.
        group: Option<String>,
    },
    /// Its digest does not have all digits.
    #[error(
        "{digest:?} is not a whole digest; write all 64 digits: copy the line that the plan or the request shows, or run `tidegate approve`"
    )]
    ShortDigest {
        /// The digest in the entry.
        digest: String,
    },
    /// It was given for another digest.
    #[error("it was given for digest {digest}")]
    OtherDigest {
        /// The digest in the entry.
        digest: String,
    },
    /// The account is gone.
    #[error("the forge does not tell who wrote it; the account may be deleted")]
    NoAccount,
    /// A program wrote it.
    #[error("{login} is a bot")]
    Bot {
        /// The login.
        login: String,
    },
    /// The number and the login of an account are listed for different people.
    #[error("[people] lists the number and the login of the account {login} for different people")]
    AmbiguousAccount {
        /// The login.
        login: String,
    },
    /// Its comment was changed.
    #[error("the comment was changed after it was written; write a new one")]
    Edited,
    /// Someone dismissed it.
    #[error("it was dismissed; the person must approve again")]
    Dismissed,
    /// The forge does not tell which commit was reviewed.
    #[error("the forge does not tell which commit was reviewed")]
    NoCommit,
    /// The commit that was reviewed is not available.
    #[error("commit {} was reviewed, which is not available any more", commit.short())]
    CommitGone {
        /// The commit.
        commit: CommitId,
    },
    /// The pull request is not merged.
    #[error("pull request {pull} is not merged")]
    NotMerged {
        /// The pull request.
        pull: u64,
    },
    /// The forge does not link the pull request to the change.
    #[error(
        "the forge does not link pull request {pull} to the change; approve the one that brought it, or run `tidegate approve`"
    )]
    NotLinked {
        /// The pull request.
        pull: u64,
    },
    /// Someone changed the branch of a request of the daemon.
    #[error("commit {} was reviewed, which is not the request of the daemon", commit.short())]
    OtherCommit {
        /// The commit.
        commit: CommitId,
    },
    /// The forge does not tell whether the account belongs to a team or has a role.
    #[error("it is not known whether {login} belongs to {of}: {why}")]
    MembershipUnknown {
        /// The login.
        login: String,
        /// The team or role.
        of: String,
        /// Why it is not known.
        why: String,
    },
}
