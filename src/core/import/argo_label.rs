//! Labels that the template of an ApplicationSet gives to Applications.

/// Where the value of a label comes from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LabelSource<'t> {
    /// A label of the cluster.
    ClusterLabel(&'t str),
    /// The name of the cluster.
    ClusterName,
    /// The same string for all Applications.
    Constant,
    /// An expression that is not understood.
    Unknown,
}

/// Returns where a value comes from: `{{metadata.labels.KEY}}`, `{{.metadata.labels.KEY}}`, `{{index .metadata.labels "KEY"}}`, `{{name}}`
/// or `{{.name}}`. A value with anything before or after it is not understood.
///
/// # Source
/// Argo CD, parameters of the cluster generator.
pub(crate) fn label_source(value: &str) -> LabelSource<'_> {
    if !value.contains("{{") {
        return LabelSource::Constant;
    }
    let inner = value.trim().strip_prefix("{{").and_then(|value| value.strip_suffix("}}"));
    let Some(inner) = inner.map(|inner| inner.trim().trim_start_matches('-').trim_end_matches('-').trim()) else {
        return LabelSource::Unknown;
    };
    if let Some(quoted) = inner.strip_prefix("index .metadata.labels ") {
        let key = quoted.trim().strip_prefix('"').and_then(|key| key.strip_suffix('"'));
        return key.filter(|key| is_key(key)).map_or(LabelSource::Unknown, LabelSource::ClusterLabel);
    }
    match inner.strip_prefix('.').unwrap_or(inner) {
        "name" => LabelSource::ClusterName,
        path => match path.strip_prefix("metadata.labels.") {
            Some(key) if is_key(key) => LabelSource::ClusterLabel(key),
            _ => LabelSource::Unknown,
        },
    }
}

fn is_key(key: &str) -> bool {
    tidegate_go::label::label_key_faults(key).is_empty()
}
