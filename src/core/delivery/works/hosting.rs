//! Hosted add-ons, parts of which run on another cluster than the one they serve.

use std::sync::Arc;

use serde_json::Value;

use tidegate_api::key;
use tidegate_model::name::ClusterName;

use crate::error::Error;
use crate::go_object::unstructured::{annotation, label};

/// Whether an add-on is hosted, and for which of the two clusters its works are built.
///
/// # Source
/// OCM addon-framework, the manifest processors of its deploy controller. Template add-ons are [`Hosting::Unsupported`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Hosting<'a> {
    /// The add-on cannot be hosted: everything goes to its own cluster, and locations are ignored.
    #[default]
    Unsupported,
    /// It could be hosted but is not: everything goes to its own cluster, but locations must be valid.
    Off,
    /// It is hosted, and these are the works for its own cluster.
    Managed,
    /// It is hosted, and these are the works for the cluster that hosts it.
    Hosting(&'a ClusterName),
}

impl<'a> Hosting<'a> {
    /// Returns the cluster whose namespace holds the works. `served` is the cluster that the add-on serves.
    pub(super) fn target(self, served: &'a ClusterName) -> &'a ClusterName {
        match self {
            Self::Unsupported | Self::Off | Self::Managed => served,
            Self::Hosting(host) => host,
        }
    }

    /// Returns the objects that go to this side.
    ///
    /// # Errors
    /// [`Error::Location`] if an object names an unknown location.
    pub(super) fn share(self, objects: &[Arc<Value>]) -> Result<Vec<&Arc<Value>>, Error> {
        if self == Self::Unsupported {
            return Ok(objects.iter().collect());
        }
        let is_here = |location| match self {
            Self::Unsupported | Self::Off => true,
            Self::Managed => matches!(location, None | Some(Location::Managed)),
            Self::Hosting(_) => location == Some(Location::Hosting),
        };
        let located = objects.iter().map(|object| Ok((object, location(object)?)));
        let located: Vec<(&Arc<Value>, Option<Location>)> = located.collect::<Result<_, Error>>()?;
        Ok(located.into_iter().filter(|(_, location)| is_here(*location)).map(|(object, _)| object).collect())
    }
}

/// Where an object of a hosted add-on belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Location {
    /// On the cluster that the add-on serves.
    Managed,
    /// On the cluster that hosts it.
    Hosting,
    /// On neither.
    Nowhere,
}

fn location(object: &Value) -> Result<Option<Location>, Error> {
    let named = annotation(object, key::HOSTED_LOCATION).filter(|name| !name.is_empty());
    match named.or_else(|| label(object, key::HOSTED_LOCATION)).unwrap_or("") {
        "" => Ok(None),
        "managed" => Ok(Some(Location::Managed)),
        "hosting" => Ok(Some(Location::Hosting)),
        "none" => Ok(Some(Location::Nowhere)),
        other => Err(Error::Location(other.to_owned())),
    }
}
