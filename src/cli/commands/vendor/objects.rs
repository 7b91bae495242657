//! What helm and vela print: objects in YAML.

use tidegate_kustomize::yaml;

/// Output that does not consist of objects.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotObjects {
    #[error("line {line}: {message}")]
    Yaml { line: u32, message: String },
    #[error("document {0} has no kind, so it is not an object")]
    NoKind(usize),
}

impl From<yaml::Error> for NotObjects {
    fn from(error: yaml::Error) -> Self {
        Self::Yaml { line: error.place.line, message: error.message }
    }
}
