//! Names of images.
//!
//! # Source
//! `github.com/distribution/reference`: `ParseNormalizedNamed`, with which kubelets and container runtimes read them.

/// The longest tag.
const LONGEST_TAG: usize = 128;
/// The longest name without tag and digest.
const LONGEST_NAME: usize = 255;

/// The parts of the name of an image.
pub(super) struct Parts<'i> {
    name: &'i str,
    /// What follows the colon.
    pub(super) tag: Option<&'i str>,
    /// What follows the at sign.
    pub(super) digest: Option<&'i str>,
}

impl<'i> Parts<'i> {
    /// Splits the name of an image, which need not be a valid one.
    pub(super) fn of(image: &'i str) -> Self {
        let (named, digest) = image.split_once('@').map_or((image, None), |(named, digest)| (named, Some(digest)));
        // A colon before the last slash belongs to the registry.
        match named.rsplit_once(':') {
            Some((name, tag)) if !tag.contains('/') => Self { name, tag: Some(tag), digest },
            _ => Self { name: named, tag: None, digest },
        }
    }
}

/// Returns why a text is not the name of an image; `None` if it is one.
pub(super) fn mistake(image: &str) -> Option<String> {
    if let Some(odd) = image.chars().find(|c| c.is_whitespace() || c.is_control()) {
        return Some(if odd == ' ' { "it has a space".to_owned() } else { format!("it has the character {odd:?}") });
    }
    let Parts { name, tag, digest } = Parts::of(image);
    if let Some(digest) = digest.filter(|digest| !is_digest(digest)) {
        return Some(format!("{digest:?} is not a digest"));
    }
    if let Some(tag) = tag.filter(|tag| !is_tag(tag)) {
        return Some(format!("{tag:?} is not a tag"));
    }
    of_name(name)
}

/// Returns why a text is not the name of an image without tag and digest.
fn of_name(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some("it has no name".to_owned());
    }
    if name.len() > LONGEST_NAME {
        return Some(format!("its name has more than {LONGEST_NAME} characters"));
    }
    let is_registry = |first: &str| {
        first == "localhost" || first.contains(['.', ':']) || first.chars().any(|c| c.is_ascii_uppercase())
    };
    let (registry, path) = match name.split_once('/') {
        Some((first, rest)) if is_registry(first) => (Some(first), rest),
        _ => (None, name),
    };
    if let Some(registry) = registry.filter(|registry| !is_host(registry)) {
        return Some(format!("{registry:?} is not a registry"));
    }
    let odd = path.split('/').find(|part| !is_part(part))?;
    Some(match odd {
        "" => "it has an empty part".to_owned(),
        odd if odd.chars().any(|c| c.is_ascii_uppercase()) => format!("{odd:?} has upper-case letters"),
        odd => format!("{odd:?} is not part of a name"),
    })
}

/// Returns `true` for a host with an optional port.
fn is_host(text: &str) -> bool {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((address, port)) => return address.parse::<std::net::Ipv6Addr>().is_ok() && is_port(port),
            None => return false,
        },
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    let is_label = |label: &str| {
        let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '-';
        !label.is_empty() && label.chars().all(is_inner) && !label.starts_with('-') && !label.ends_with('-')
    };
    host.split('.').all(is_label) && is_port(port)
}

/// Returns `true` for nothing, and for a colon with a number.
fn is_port(text: &str) -> bool {
    text.is_empty()
        || text.strip_prefix(':').is_some_and(|port| !port.is_empty() && port.chars().all(|c| c.is_ascii_digit()))
}

/// Returns `true` for a part of a path: lower-case letters and digits, with single separators between them.
fn is_part(part: &str) -> bool {
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_separator = |text: &str| matches!(text, "." | "_" | "__") || text.chars().all(|c| c == '-');
    let mut separators = part.split(is_word).filter(|text| !text.is_empty());
    part.starts_with(is_word) && part.ends_with(is_word) && separators.all(is_separator)
}

fn is_tag(tag: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    tag.len() <= LONGEST_TAG && tag.starts_with(is_word) && tag.chars().all(|c| is_word(c) || c == '.' || c == '-')
}

/// Returns `true` for a digest: an algorithm, and at least 32 hexadecimal digits; those of SHA-256 and SHA-512 have 64 and 128.
pub(super) fn is_digest(text: &str) -> bool {
    let Some((algorithm, digits)) = text.split_once(':') else { return false };
    let is_algorithm = algorithm.split(['+', '.', '-', '_']).all(|part| {
        part.starts_with(|c: char| c.is_ascii_alphabetic()) && part.chars().all(|c| c.is_ascii_alphanumeric())
    });
    let is_long = match algorithm {
        "sha256" => digits.len() == 64,
        "sha512" => digits.len() == 128,
        _ => digits.len() >= 32,
    };
    is_algorithm && is_long && digits.chars().all(|c| c.is_ascii_hexdigit())
}
