//! The names and the label of the works of applications.

use tidegate_model::digest::Digest;
use tidegate_model::name::ApplicationName;

/// Number of digits of the digest of an application in its label and in the names of its works.
const DIGITS: usize = 20;

/// Returns the value of label `tidegate.io/unit` on the works of an application: the first digits of a digest, because its name may be too
/// long for a label.
pub fn unit_label(name: &ApplicationName) -> String {
    let digest = Digest::of(name.as_str().as_bytes());
    digest.as_str().get(..DIGITS).unwrap_or_default().to_owned()
}

/// Returns the start of the names of the works of an application, which an index follows. Two applications of one name in different namespaces
/// have different works.
pub fn application_prefix(name: &ApplicationName) -> String {
    format!("app-{}-{}-", name.name(), unit_label(name))
}

/// Returns `true` for the name of a work of some application: `app-NAME-DIGEST-INDEX`.
pub fn is_of_application(name: &str) -> bool {
    let mut parts = name.strip_prefix("app-").unwrap_or_default().rsplit('-');
    let (index, digest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let is_index = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    is_index && digest.len() == DIGITS && digest.bytes().all(|byte| byte.is_ascii_hexdigit()) && parts.next().is_some()
}
