//! JSON patches (RFC 6902): their operations, their paths, and how they are applied.

mod apply;
pub(crate) mod operation;
mod pointer;

pub(crate) use self::apply::apply;
