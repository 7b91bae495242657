//! Reads from the message of an API server which field manager has set the number of replicas of a workload.

/// Most bytes of a message that is read.
const LONGEST: usize = 2_000;
/// Most characters of the name of a field manager.
///
/// # Source
/// Kubernetes, `metav1.ApplyOptions`.
const LONGEST_NAME: usize = 128;

/// Returns the field manager that owns the number of replicas, if a message says that this alone is the conflict; `None` for any other message.
///
/// # Source
/// Kubernetes `sigs.k8s.io/structured-merge-diff`, `Conflicts.Error`, as `k8s.io/apiserver` words it: `Apply failed with 1 conflict: conflict with
/// "M" with subresource "S" using V: .spec.replicas`.
pub(crate) fn scaled_by(message: &str) -> Option<&str> {
    if message.len() > LONGEST || message.contains(char::is_control) {
        return None;
    }
    let (_, conflict) = message.split_once("Apply failed with 1 conflict: conflict with \"")?;
    let (manager, rest) = conflict.split_once('"')?;
    let is_name = |name: &str| {
        !name.is_empty()
            && name.chars().count() <= LONGEST_NAME
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:/".contains(c))
    };
    (is_name(manager) && rest.ends_with(": .spec.replicas")).then_some(manager)
}
