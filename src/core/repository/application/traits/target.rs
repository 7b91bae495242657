//! What traits change, and why one cannot be applied.

use serde_json::Value;

use tidegate_api::schema::path::Path;

/// What a trait changes.
pub(super) struct Target<'a> {
    /// The namespace of the objects on the clusters.
    pub(super) namespace: &'a str,
    /// The name of the component.
    pub(super) component: &'a str,
    /// The objects of the component. The first one is its workload.
    pub(super) objects: &'a mut Vec<Value>,
}

/// Why a trait cannot be applied, at a path of its properties.
pub(super) struct Problem {
    pub(super) at: Path,
    /// What follows the path in a message.
    pub(super) why: String,
}

impl Problem {
    /// Returns a problem at a path of fields.
    pub(super) fn at(path: &[&str], why: impl Into<String>) -> Self {
        Self { at: path.iter().fold(Path::default(), |at, member| at.member(member)), why: why.into() }
    }

    /// Returns the problem with its path below another one.
    pub(super) fn within(self, at: &Path) -> Self {
        Self { at: Path(at.0.iter().cloned().chain(self.at.0).collect()), ..self }
    }
}
