//! Reads all objects of a kind, page by page.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ListMeta;
use kube::api::ListParams;
use kube::core::Request;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::hub::answer::within;
use crate::hub::error::Error;
use crate::hub::kind::resource::{Resource, checked};
use crate::hub::kind::watched::Shape;
use crate::hub::known::observed::Observed;
use crate::hub::known::state::Listing;
use crate::hub::session::Session;
use tidegate_api::key::{ADDON_NAME, CLUSTER_NAME, OWNED_LABEL};
use tidegate_model::name::NamespacedName;

/// Number of objects in a page, the same as in client-go. A page of works then has a few megabytes.
const PAGE: u32 = 500;

#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    metadata: ListMeta,
    /// Null if the list is empty in Go. The objects are parsed one after the other: as values, a page needs ten times the memory.
    items: Option<Vec<Box<RawValue>>>,
}

impl Page {
    /// Returns the objects. One without a name is left out.
    fn objects(self, resource: &Resource) -> Result<Vec<Observed>, serde_json::Error> {
        let items = self.items.into_iter().flatten();
        let objects = items.map(|object| Ok(read(resource, serde_json::from_str(object.get())?)));
        objects.filter_map(Result::transpose).collect()
    }
}

/// Returns the label selector by which the objects of a kind are watched. One label selector cannot select objects with one of two labels, so
/// works of applications are found among all works.
pub(in crate::hub) fn selector(session: &Session, resource: &Resource) -> Option<String> {
    match Shape::of(&resource.kind) {
        Shape::Work if session.watches_all_works() => None,
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

/// Reads one object of a kind, with the permission to list it; `None` if the hub does not have it.
///
/// # Errors
/// The error of the hub.
pub(super) async fn find(
    session: &Session,
    resource: &Resource,
    name: &NamespacedName,
) -> Result<Option<Observed>, Error> {
    let what = || format!("reading {} {name}", resource.kind.kind);
    let request = Request::new(resource.path_in(&resource.version, &name.namespace)?);
    let field_selector = Some(format!("metadata.name={}", checked(&name.name)?));
    let request = request.list(&ListParams { field_selector, ..ListParams::default() });
    let request = request.map_err(|source| Error::of(what(), kube::Error::BuildRequest(source)))?;
    session.metrics.reads.inc();
    let page: Page = within(what(), session.client.request(request)).await?;
    let mut found = page.objects(resource).map_err(|source| Error::of(what(), kube::Error::SerdeError(source)))?;
    // A server that does not know the selector would answer with all objects.
    found.retain(|object| object.name == *name);
    Ok(found.pop())
}

async fn pages(session: &Session, resource: &Resource, limit: Option<u32>) -> Result<(Vec<Observed>, String), Error> {
    let what = || format!("listing {}", resource.kind);
    let request = Request::new(resource.path());
    let mut params = ListParams { label_selector: selector(session, resource), limit, ..ListParams::default() };
    let mut objects = Vec::new();
    loop {
        let page = request.list(&params).map_err(|source| Error::of(what(), kube::Error::BuildRequest(source)))?;
        session.metrics.reads.inc();
        let page: Page = within(what(), session.client.request(page)).await?;
        let of_list = page.metadata.clone();
        objects.extend(page.objects(resource).map_err(|source| Error::of(what(), kube::Error::SerdeError(source)))?);
        params.continue_token = of_list.continue_.filter(|token| !token.is_empty());
        if params.continue_token.is_none() {
            return Ok((objects, of_list.resource_version.unwrap_or_default()));
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
