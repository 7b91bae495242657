//! Tests of approvals: which ones count, and when they are enough.

mod builder;
mod files;
mod people;
mod properties;
mod relevant;
mod review_properties;
mod reviews;
mod rules;
mod trail;
mod void;
mod vouching;
