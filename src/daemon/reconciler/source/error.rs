//! Why the repository could not be polled.

/// Why the repository could not be polled. The revision in force stays in force.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The remote could not be reached, or the mirror could not be read.
    #[error("the config repository cannot be read")]
    Git(#[source] tidegate_git::Error),
    /// The reference does not exist. The operator has to push it or name another one.
    #[error("the config repository has no {reference}; push it, or name another branch, tag or range with --ref")]
    Nothing {
        /// The reference to follow.
        reference: String,
    },
    /// The revision names another branch for a signed journal. The operator has to decide.
    #[error(
        "tidegate.toml names the branch {named:?} for the journal, but a revision cannot choose where a signed journal is: write \
         branch = {named:?} in section [journal] of the daemon's file, or remove it from tidegate.toml"
    )]
    JournalBranch {
        /// The branch.
        named: String,
    },
}
