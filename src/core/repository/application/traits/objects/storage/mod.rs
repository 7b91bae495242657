//! The trait `storage`.

mod made;
mod schema;
mod stored;
mod volumes;

pub(in crate::application::traits) use self::schema::schema;
pub(in crate::application::traits) use self::volumes::apply;
