//! Requests of the daemon: the file that a pull request adds, so that people can approve it.

use serde::Serialize;

use super::path::path;
use crate::pull::GateRequest;
use tidegate_model::document::API_VERSION;

/// The end of the paths of requests. Files with other endings than those of YAML are not read as approvals.
const SUFFIX: &str = ".request";

/// The document in the file of a request. It approves nothing.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'r> {
    api_version: &'r str,
    kind: &'r str,
    addon: &'r str,
    digest: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'r str>,
    instance: String,
    since: String,
}

/// Returns the path and the content of the file of a request. They depend only on what is asked for.
pub fn request(request: &GateRequest) -> (String, String) {
    let GateRequest { addon, digest, group, instance, since, .. } = request;
    let path = path(addon, digest.as_str(), group.as_deref());
    let path = format!("{}{SUFFIX}", path.strip_suffix(".yaml").unwrap_or(&path));
    let document = Document {
        api_version: API_VERSION,
        kind: "ApprovalRequest",
        addon: addon.as_str(),
        digest: digest.as_str(),
        group: group.as_deref(),
        instance: instance.to_string(),
        since: since.to_string(),
    };
    // Strings can always be written.
    let text = serde_saphyr::to_string(&document).unwrap_or_default();
    (path, text)
}
