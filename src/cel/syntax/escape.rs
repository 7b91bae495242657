//! Names of fields that are not identifiers.

use super::primary::RESERVED;

/// Returns the name by which a rule of a CRD refers to a field.
///
/// # Source
/// `k8s.io/apiserver` pkg/cel/escaping.go.
pub fn escaped(name: &str) -> String {
    if RESERVED.contains(&name) {
        return format!("__{name}__");
    }
    let name = name.replace("__", "__underscores__");
    name.replace('.', "__dot__").replace('-', "__dash__").replace('/', "__slash__")
}
