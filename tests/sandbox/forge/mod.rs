//! Forges, compared with the answers that their documentation and their code show.

mod gitea;
mod support;
