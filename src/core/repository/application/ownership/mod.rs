//! How the objects of an application are applied and kept on its clusters: the policies `apply-once`, `garbage-collect`, `read-only` and
//! `take-over`.

mod applying;
mod decide;
mod rules;
mod selector;
mod words;

pub(crate) use self::applying::{ALL_FIELDS, Applying, pointer};
pub(super) use self::decide::decide;
pub(crate) use self::decide::{appliers, selected, selected_once};
pub(crate) use self::rules::{APPLY_ONCE, GARBAGE_COLLECT, ON_STATE_KEEP, OWNERSHIP, READ_ONLY, REPLICAS, TAKE_OVER};
pub(super) use self::rules::{ApplyOnce, Keeping, Selecting};
pub(crate) use self::selector::{Selection, Unknown};
pub(super) use self::words::rules;
