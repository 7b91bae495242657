//! Generated ConfigMaps and Secrets.

pub(crate) mod hash;
mod make;
mod merge;
mod pairs;

pub(crate) use self::make::{Kind, Place, make};
pub(crate) use self::merge::absorb;
