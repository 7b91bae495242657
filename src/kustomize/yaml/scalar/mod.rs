//! Scalars: their kinds, and the rules by which go-yaml resolves the kind of a plain scalar.

mod kind;
mod number;
pub(crate) mod resolve;
pub(crate) mod timestamp;
pub(crate) mod value;

pub use self::kind::{Kind, Style};
pub use self::number::Number;
pub use self::resolve::{Schema, kind_of};
pub use self::value::{Scalar, Typed};
