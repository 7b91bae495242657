//! Markdown for a comment on a pull request, as GitHub, GitLab, Gitea and Forgejo show it.
//!
//! A forge acts on what a comment contains: it notifies people who are mentioned, links numbers, and GitLab executes a line that starts
//! with `/`. So names and values are in code, where forges do none of this.

mod ask;
mod blocks;
mod budget;
mod code;
mod inline;
mod link;
mod options;
mod progress;

pub use self::ask::ask;
pub use self::budget::markdown;
pub use self::link::marker;
pub use self::options::Options;
pub use self::progress::progress;
