//! Values that only the edge to forges has. Accounts, pull requests and opinions are in `tidegate_model::forge`.

mod check;
mod comment;
mod deployment;
mod person;
mod place;
mod status;

pub use check::{Annotation, CheckRun, Level};
pub use comment::Comment;
pub use deployment::{Deployment, FoundDeployment, NewPull};
pub use person::{CommitAuthor, ListedCommit, ListedCommits, Role};
pub use place::{Access, Answer, Known, Limits, Protection};
pub use status::{CommitStatus, State};
