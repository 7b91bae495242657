//! The plan of a change for reviewers.

mod budget;
mod example;
mod hostile;
mod html;
mod html_check;
mod markdown;
mod markdown_check;
mod rehearsal;
mod reviews;
mod sample;
