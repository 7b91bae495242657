//! The same story on each forge gives the same facts: what the client makes of the answers of GitHub, GitLab and Gitea, as plain values.
//!
//! The other tests of this folder run on one forge each, because the daemon knows only these values. Each story here is played on all
//! three, and its facts are compared with one list. What a forge does not report, or reports in another way, is part of the test: a
//! difference that is not listed fails, and so does a listed one that does not exist.

mod opinions;
mod people;
mod place;
mod pulls;
mod writes;
