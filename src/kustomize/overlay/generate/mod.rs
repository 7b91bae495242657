//! Generated ConfigMaps and Secrets.

mod absorb;
pub(super) mod hash;
mod make;
mod pairs;

pub(super) use self::absorb::absorb;
pub(super) use self::make::{Kind, Place, make};
