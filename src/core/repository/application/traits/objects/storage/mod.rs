//! The trait `storage`.

mod made;
mod schema;
mod volumes;

pub(in crate::application::traits) use self::schema::schema;
pub(in crate::application::traits) use self::volumes::apply;
