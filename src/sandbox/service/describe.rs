//! Discovery, OpenAPI, health and access review responses.

use axum::body::Body;
use axum::http::request::Parts;
use axum::response::Response;
use serde_json::json;

use super::answer;
use crate::kind::{Catalog, Document};

/// An empty OpenAPI v2 document in protobuf: kubectl reads it for kinds that are not in v3.
const NO_SCHEMAS: &[u8] = b"\x0a\x032.0\x12\x15\x0a\x0aKubernetes\x12\x07v1.36.0\x42\x00";

/// Answers a SelfSubjectAccessReview: everything is allowed. Returns `None` for any other request.
pub(super) fn review(parts: &Parts) -> Option<Response> {
    let asks = parts.method == "POST" && parts.uri.path() == "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    asks.then(|| {
        let review = json!({
            "kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1", "metadata": {}, "spec": {},
            "status": { "allowed": true, "reason": "the embedded hub does not authenticate users and allows everything" },
        });
        answer::json(201, &review)
    })
}

/// Returns a document in the format that the client prefers.
pub(super) fn describe(catalog: &Catalog, document: &Document, accept: &str) -> Response {
    let is_core = match document {
        Document::CoreVersions => Some(true),
        Document::Groups => Some(false),
        Document::OpenApiV2 if accept.contains("protobuf") => {
            let media_type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
            return answer::typed(200, media_type, Body::from(NO_SCHEMAS));
        }
        Document::Health => return answer::typed(200, "text/plain; charset=utf-8", Body::from("ok")),
        _ => None,
    };
    if let Some((is_core, (form, media_type))) = is_core.zip(aggregated(accept)) {
        let body = catalog.aggregated(is_core, form).to_string();
        return answer::typed(200, media_type, Body::from(body));
    }
    catalog.document(document).map_or_else(answer::page_not_found, |document| answer::json(200, &document))
}

/// Returns the version of aggregated discovery that the client accepts, with the media type of the response.
fn aggregated(accept: &str) -> Option<(&'static str, &'static str)> {
    accept.split(',').find_map(|range| {
        let has = |part: &str| range.split(';').any(|given| given.trim() == part);
        let wanted = has("application/json") && has("g=apidiscovery.k8s.io") && has("as=APIGroupDiscoveryList");
        match range {
            _ if wanted && has("v=v2") => {
                Some(("v2", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"))
            }
            _ if wanted && has("v=v2beta1") => {
                Some(("v2beta1", "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList"))
            }
            _ => None,
        }
    })
}
