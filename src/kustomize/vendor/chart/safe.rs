//! Refuses values that Helm would read as something else, since they come from files that others wrote.

/// Maximum length of the name of a release.
///
/// # Source
/// Helm `chartutil.ValidateReleaseName`.
const MAX_RELEASE: usize = 53;

/// Checks the name of a chart: names with `/` between them.
pub(super) fn chart_name(name: &str) -> Result<(), String> {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    };
    if name.len() <= 250 && name.split('/').all(is_part) {
        return Ok(());
    }
    Err(format!(
        "{name:?} is not the name of a chart; use letters, digits, '.', '_' and '-', and start with a letter or digit"
    ))
}

/// Checks the name of a release.
pub(super) fn release(name: &str) -> Result<(), String> {
    if name.len() <= MAX_RELEASE && name.split('.').all(is_label) {
        return Ok(());
    }
    Err(format!(
        "{name:?} is not the name of a release; use at most {MAX_RELEASE} lowercase letters, digits, '-' and '.', and start and end with a \
         letter or digit"
    ))
}

/// Checks a namespace.
pub(super) fn namespace(name: Option<&str>) -> Result<(), String> {
    match name.filter(|name| name.len() > 63 || !is_label(name)) {
        Some(name) => Err(format!("{name:?} is not the name of a namespace; use lowercase letters, digits and '-'")),
        None => Ok(()),
    }
}

/// Checks the value of an option.
pub(super) fn argument(text: &str) -> Result<(), String> {
    if text.starts_with('-') || text.len() > 250 || text.contains(char::is_control) {
        return Err(format!("{text:?} is not a version; remove what does not belong to it"));
    }
    Ok(())
}

/// Checks the template of a release name. Templates of names may read environment variables, which are secrets of the machine.
pub(super) fn name_template(template: &str) -> Result<(), String> {
    argument(template)?;
    if template.contains("env") {
        return Err("a nameTemplate may not read environment variables; write a releaseName".to_owned());
    }
    Ok(())
}

/// Checks the URL of a chart repository or registry, and returns it without a trailing `/`.
pub(super) fn repository(url: &str) -> Result<String, String> {
    let server = ["oci://", "https://", "http://"].into_iter().find_map(|scheme| url.strip_prefix(scheme));
    let Some(server) = server.filter(|server| server.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '['))
    else {
        return Err(format!("{url:?} is not the URL of a chart repository; write https:// or oci://"));
    };
    if server.contains('@') {
        return Err("the URL contains credentials; remove them, and configure them for Helm".to_owned());
    }
    if url.contains(|c: char| c.is_control() || c.is_whitespace()) || url.split('/').any(|part| part == "..") {
        return Err(format!("{url:?} is not a URL; remove spaces and `..`"));
    }
    Ok(url.trim_end_matches('/').to_owned())
}

fn is_label(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}
