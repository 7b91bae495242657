//! Reads all objects of a kind, page by page.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ListMeta;
use kube::api::ListParams;
use kube::core::Request;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::hub::answer::within;
use crate::hub::error::Error;
use crate::hub::kind::resource::Resource;
use crate::hub::kind::watched::Shape;
use crate::hub::known::observed::Observed;
use crate::hub::known::state::Listing;
use crate::hub::session::Session;
use tidegate_api::key::{ADDON_NAME, CLUSTER_NAME, OWNED_LABEL};

/// Number of objects in a page, the same as in client-go. A page of works then has a few megabytes.
const PAGE: u32 = 500;

#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    metadata: ListMeta,
    /// Null if the list is empty in Go. The objects are parsed one after the other: as values, a page needs ten times the memory.
    items: Option<Vec<Box<RawValue>>>,
}

/// Returns the label selector by which the objects of a kind are watched.
pub(in crate::hub) fn selector(resource: &Resource) -> Option<String> {
    match Shape::of(&resource.kind) {
        Shape::Work => Some(ADDON_NAME.to_owned()),
        Shape::Request => Some(format!("{ADDON_NAME},{CLUSTER_NAME}")),
        Shape::Declared => Some(format!("{OWNED_LABEL}=true")),
        _ => None,
    }
}

/// Lists a kind and returns it with the resource version from which to watch.
///
/// # Errors
/// The error of the hub. An incomplete list is never returned.
pub(in crate::hub) async fn list(session: &Session, resource: &Resource) -> Result<(Listing, String), Error> {
    let begun = session.read(|state| state.mark(&resource.kind));
    match pages(session, resource, Some(PAGE)).await {
        // Listing took longer than the hub keeps the pages, so all objects must be listed at once.
        Err(Error::Refused { code: 410, .. }) => pages(session, resource, None).await,
        result => result,
    }
    .map(|(objects, version)| (Listing { objects, version: version.parse().ok(), begun }, version))
}

async fn pages(session: &Session, resource: &Resource, limit: Option<u32>) -> Result<(Vec<Observed>, String), Error> {
    let what = || format!("listing {}", resource.kind);
    let request = Request::new(resource.path());
    let mut params = ListParams { label_selector: selector(resource), limit, ..ListParams::default() };
    let mut objects = Vec::new();
    loop {
        let page = request.list(&params).map_err(|source| Error::of(what(), kube::Error::BuildRequest(source)))?;
        session.metrics.reads.inc();
        let page: Page = within(what(), session.client.request(page)).await?;
        for object in page.items.into_iter().flatten() {
            let object = serde_json::from_str(object.get());
            let object = object.map_err(|source| Error::of(what(), kube::Error::SerdeError(source)))?;
            objects.extend(read(resource, object));
        }
        params.continue_token = page.metadata.continue_.filter(|token| !token.is_empty());
        if params.continue_token.is_none() {
            return Ok((objects, page.metadata.resource_version.unwrap_or_default()));
        }
    }
}

/// Reads an object of a list. Items of built-in kinds have no `apiVersion` and `kind`, so these are added.
fn read(resource: &Resource, mut object: Value) -> Option<Observed> {
    let members = object.as_object_mut()?;
    members.entry("apiVersion").or_insert_with(|| json!(resource.api_version()));
    members.entry("kind").or_insert_with(|| json!(resource.kind.kind));
    Observed::read(&resource.kind, object)
}
