//! The `format` keyword for strings.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use regex::Regex;

/// The string formats that are checked; all others are ignored.
const CHECKED: [&str; 20] = [
    "bsonobjectid",
    "uri",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "byte",
    "hexcolor",
    "rgbcolor",
    "date",
    "duration",
    "datetime",
    "k8sshortname",
    "k8slongname",
];

/// Returns the format if it is checked for values of this type, or else an empty string.
pub(super) fn checked<'f>(type_: &str, format: &'f str) -> &'f str {
    let is_checked = match type_ {
        "" | "string" => CHECKED.contains(&format.replace('-', "").as_str()),
        "integer" => matches!(format, "int32" | "int64"),
        "number" => matches!(format, "float" | "double"),
        _ => false,
    };
    if is_checked { format } else { "" }
}

macro_rules! patterns {
    ($($name:ident = $pattern:expr;)*) => {
        $(static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($pattern).expect("a constant"));)*
    };
}

patterns! {
    TIME = r"^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$";
    BYTES = r"^(?:[A-Za-z0-9+\/]{4})*(?:[A-Za-z0-9+\/]{2}==|[A-Za-z0-9+\/]{3}=|[A-Za-z0-9+\/]{4})$";
    UUID = r"(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?([0-9a-f])[0-9a-f]{3}-?([0-9a-f])[0-9a-f]{3}-?[0-9a-f]{12}$";
    HOST = r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$";
    EMAIL = r"^([^<>]*<)?[^@\s<>]+@[^@\s<>]+>?$";
    COLOR = r"^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$";
    RGB = r"^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$";
    MAC = r"(?i)^([0-9a-f]{2}([:-][0-9a-f]{2}){5}|[0-9a-f]{2}([:-][0-9a-f]{2}){7}|([0-9a-f]{4}\.){2,3}[0-9a-f]{4})$";
    OBJECT_ID = r"^[0-9a-fA-F]{24}$";
    SPAN = r"^[+-]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$";
    LONG_SPAN = r"(?i)[0-9]+\s*(ns|nano|us|µs|micro|ms|milli|s|m|h|d|w)";
    SHORT_NAME = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
    LONG_NAME = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
}

/// Returns `true` if a string matches a format.
///
/// # Source
/// `k8s.io/kube-openapi/pkg/validation/strfmt`.
pub fn fits(format: &str, text: &str) -> bool {
    match format.replace('-', "").as_str() {
        "datetime" => is_time(text),
        "date" => text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok(),
        "duration" => SPAN.is_match(text) || LONG_SPAN.is_match(text),
        "byte" => BYTES.is_match(text),
        "ipv4" => text.parse::<Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok(),
        "cidr" => is_cidr(text),
        "mac" => MAC.is_match(text),
        "uri" => text.starts_with('/') || text.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme)),
        "email" => EMAIL.is_match(text),
        "hostname" => HOST.is_match(text) && text.len() <= 255 && text.split('.').all(|part| part.len() <= 63),
        "hexcolor" => COLOR.is_match(text),
        "rgbcolor" => RGB.is_match(text),
        "bsonobjectid" => OBJECT_ID.is_match(text),
        "k8sshortname" => text.len() <= 63 && SHORT_NAME.is_match(text),
        "k8slongname" => text.len() <= 253 && LONG_NAME.is_match(text),
        uuid => uuid.strip_prefix("uuid").is_none_or(|version| is_uuid(version, text)),
    }
}

fn is_time(text: &str) -> bool {
    let text = text.to_lowercase();
    let Some((date, rest)) = text.split_once('t') else { return false };
    let time = rest.split('t').next().unwrap_or_default();
    let Some(found) = TIME.captures(time) else { return false };
    let below = |group: usize, limit: &str| found.get(group).is_some_and(|part| part.as_str() <= limit);
    date.len() == 10 && date.parse::<jiff::civil::Date>().is_ok() && below(1, "23") && below(2, "59") && below(3, "59")
}

fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else { return false };
    let most = match address.parse::<IpAddr>() {
        Ok(IpAddr::V4(_)) => 32,
        Ok(IpAddr::V6(_)) => 128,
        Err(_) => return false,
    };
    bits.bytes().all(|byte| byte.is_ascii_digit()) && bits.parse::<u8>().is_ok_and(|bits| bits <= most)
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

fn is_uuid(version: &str, text: &str) -> bool {
    let Some(found) = UUID.captures(text) else { return false };
    let digit = |group: usize| found.get(group).map_or("", |part| part.as_str()).to_lowercase();
    let is_variant = version.is_empty() || version == "3" || matches!(digit(2).as_str(), "8" | "9" | "a" | "b");
    (version.is_empty() || digit(1) == version) && is_variant
}
