//! The schema of an AppDeployment.

use serde_json::{Value, json};

use crate::application::schema::{at_least, label, object, text_map};
use crate::read::document::{any, document};

/// Maximum revisions of an AppDeployment, and maximum entries of a revision.
const MAX_ENTRIES: usize = 100;

/// Returns the schema.
///
/// # Source
/// KubeVela 1.1, `core.oam.dev/v1beta1 AppDeployment`; `rolloutStrategy` is that of Open Cluster Management.
pub(in crate::application) fn schema() -> Value {
    let list = |items: Value| json!({ "type": "array", "minItems": 1, "maxItems": MAX_ENTRIES, "items": items });
    let selector = json!({ "name": { "type": "string", "minLength": 1 }, "labels": text_map() });
    let entry = json!({
        "clusterSelector": object(&[], selector),
        "distribution": object(&[], json!({ "replicas": at_least(0) })),
    });
    let revision = json!({ "revisionName": label(63), "placement": list(object(&[], entry)) });
    let spec = json!({
        "appRevisions": list(object(&["revisionName", "placement"], revision)),
        "rolloutStrategy": any(),
        // Known, and refused.
        "traffic": any(),
    });
    document(&["appRevisions"], &spec)
}
