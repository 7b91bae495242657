//! The printer columns of the core kinds.
//!
//! # Source
//! `pkg/printers/internalversion` of `k8s.io/kubernetes`.

use super::{CellFormat, Column};

const CREATED: &str = "CreationTimestamp is a timestamp representing the server time when this object was created. It is not \
     guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is \
     represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: \
     https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";
const DATA: &str = "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. \
     Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the \
     keys in the BinaryData field, this is enforced during validation process.";
const SECRET_DATA: &str = "Data contains the secret data. Each key must consist of alphanumeric characters, '-', '_' or '.'. \
     The serialized form of the secret data is a base64 encoded string, representing the arbitrary (possibly non-string) \
     data value here. Described in https://tools.ietf.org/html/rfc4648#section-4";
const SECRET_TYPE: &str = "Used to facilitate programmatic handling of secret data. More info: \
     https://kubernetes.io/docs/concepts/configuration/secret/#secret-types";
const HOLDER: &str = "holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader Election \
     is used, the holder identity must be equal to the elected LeaseCandidate.metadata.name field.";
const SECRETS: &str = "Secrets is a list of the secrets in the same namespace that pods running using this ServiceAccount are \
     allowed to use. Pods are only limited to this list if this service account has a \
     \"kubernetes.io/enforce-mountable-secrets\" annotation set to \"true\". The \"kubernetes.io/enforce-mountable-secrets\" \
     annotation is deprecated since v1.32. Prefer separate namespaces to isolate access to mounted secrets. This field \
     should not be used to find auto-generated service account token secrets for use outside of pods. Instead, tokens can \
     be requested directly using the TokenRequest API, or service account token secrets can be manually created. More info: \
     https://kubernetes.io/docs/concepts/configuration/secret";

/// Returns the printer columns of a core kind, after the name.
pub(super) fn columns(kind: &str) -> Vec<Column> {
    let age = || column("Age", ".metadata.creationTimestamp", CREATED, CellFormat::Age);
    match kind {
        "Namespace" => vec![column("Status", ".status.phase", "The status of the namespace", CellFormat::Text), age()],
        "ConfigMap" => vec![column("Data", ".data|.binaryData", DATA, CellFormat::Count), age()],
        "Secret" => vec![
            column("Type", ".type", SECRET_TYPE, CellFormat::Text),
            column("Data", ".data", SECRET_DATA, CellFormat::Count),
            age(),
        ],
        "ServiceAccount" => vec![column("Secrets", ".secrets", SECRETS, CellFormat::Count), age()],
        "Lease" => vec![column("Holder", ".spec.holderIdentity", HOLDER, CellFormat::Text), age()],
        "Role" | "ClusterRole" => {
            let created = column("Created At", ".metadata.creationTimestamp", CREATED, CellFormat::Text);
            vec![Column { type_: "date".to_owned(), ..created }]
        }
        _ => vec![age()],
    }
}

fn column(name: &str, path: &str, description: &str, cell_format: CellFormat) -> Column {
    Column {
        name: name.to_owned(),
        type_: "string".to_owned(),
        format: String::new(),
        description: description.to_owned(),
        priority: 0,
        path: path.to_owned(),
        cell_format,
    }
}
