//! The pages: every link leads somewhere, the book has all of them, and the tutorial works.

mod links;
mod pages;
mod tutorial;
