//! Refuses values that Helm would read as something else, since they come from files that others wrote.

/// A value that is not given to Helm.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unsafe {
    #[error(
        "{0:?} is not the name of a chart; use letters, digits, '.', '_' and '-', and start with a letter or digit"
    )]
    ChartName(String),
    #[error(
        "{0:?} is not the name of a release; use at most {MAX_RELEASE} lowercase letters, digits, '-' and '.', and start and end with a \
         letter or digit"
    )]
    Release(String),
    #[error("{0:?} is not the name of a namespace; use lowercase letters, digits and '-'")]
    Namespace(String),
    #[error("{0:?} is not a version; remove what does not belong to it")]
    Argument(String),
    #[error("a nameTemplate may not read environment variables; write a releaseName")]
    Environment,
    #[error("{0:?} is not the URL of a chart repository; write https:// or oci://")]
    Scheme(String),
    #[error("the URL contains credentials; remove them, and configure them for Helm")]
    Credentials,
    #[error("{0:?} is not a URL; remove spaces and `..`")]
    Url(String),
}

/// Maximum length of the name of a release.
///
/// # Source
/// Helm `chartutil.ValidateReleaseName`.
const MAX_RELEASE: usize = 53;

/// Checks the name of a chart: names with `/` between them.
pub(super) fn chart_name(name: &str) -> Result<(), Unsafe> {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    };
    if name.len() <= 250 && name.split('/').all(is_part) {
        return Ok(());
    }
    Err(Unsafe::ChartName(name.to_owned()))
}

/// Checks the name of a release.
pub(super) fn release(name: &str) -> Result<(), Unsafe> {
    if name.len() <= MAX_RELEASE && name.split('.').all(is_label) {
        return Ok(());
    }
    Err(Unsafe::Release(name.to_owned()))
}

/// Checks a namespace.
pub(super) fn namespace(name: Option<&str>) -> Result<(), Unsafe> {
    match name.filter(|name| name.len() > 63 || !is_label(name)) {
        Some(name) => Err(Unsafe::Namespace(name.to_owned())),
        None => Ok(()),
    }
}

/// Checks the value of an option.
pub(super) fn argument(text: &str) -> Result<(), Unsafe> {
    if text.starts_with('-') || text.len() > 250 || text.contains(char::is_control) {
        return Err(Unsafe::Argument(text.to_owned()));
    }
    Ok(())
}

/// Checks the template of a release name. Templates of names may read environment variables, which are secrets of the machine.
pub(super) fn name_template(template: &str) -> Result<(), Unsafe> {
    argument(template)?;
    if template.contains("env") {
        return Err(Unsafe::Environment);
    }
    Ok(())
}

/// Checks the URL of a chart repository or registry, and returns it without a trailing `/`.
pub(super) fn repository(url: &str) -> Result<String, Unsafe> {
    let server = ["oci://", "https://", "http://"].into_iter().find_map(|scheme| url.strip_prefix(scheme));
    let Some(server) = server.filter(|server| server.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '['))
    else {
        return Err(Unsafe::Scheme(url.to_owned()));
    };
    if server.contains('@') {
        return Err(Unsafe::Credentials);
    }
    if url.contains(|c: char| c.is_control() || c.is_whitespace()) || url.split('/').any(|part| part == "..") {
        return Err(Unsafe::Url(url.to_owned()));
    }
    Ok(url.trim_end_matches('/').to_owned())
}

fn is_label(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}
