//! The page: what needs people, each rollout, the fleet, each cluster and the past.
//!
//! Pure: one moment of a journal and a path give a [`Document`], which is written as HTML or as JSON. The server reads the journal.
//!
//! ```text
//! files of a journal --Facts::read--> Facts --site::document(path, query)--> Document --html::page--> HTML
//!                                                                            Document --serde-------> JSON
//! ```

mod facts;
mod filter;
mod forecast;
pub mod html;
mod links;
pub mod site;
pub mod view;

pub use facts::{Facts, Moment};
pub use filter::{Filter, InvalidFilter};
pub use links::Links;
pub use site::{Document, NotFound, Query, document, moment};
