//! The named formats of strings, and how a string is checked against them.
//!
//! # Source
//! `k8s.io/apimachinery` pkg/util/validation, `k8s.io/kube-openapi` strfmt.

use super::url::Url;
use crate::time::Timestamp;
use tidegate_go::label;

/// A format.
#[derive(Debug)]
pub(crate) struct NamedFormat {
    pub(crate) name: &'static str,
    errors: fn(&str) -> Vec<String>,
}

impl NamedFormat {
    /// Returns the format of a name, if there is one.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Returns the reasons why a string does not have the format.
    pub(crate) fn errors(&self, text: &str) -> Vec<String> {
        (self.errors)(text)
    }
}

static FORMATS: [NamedFormat; 13] = [
    NamedFormat { name: "dns1123Label", errors: label::dns_label_faults },
    NamedFormat { name: "dns1123Subdomain", errors: label::subdomain_faults },
    NamedFormat { name: "dns1035Label", errors: label::old_dns_label_faults },
    NamedFormat { name: "qualifiedName", errors: label::key_faults },
    NamedFormat { name: "dns1123LabelPrefix", errors: |text| label::dns_label_faults(&prefix(text)) },
    NamedFormat { name: "dns1123SubdomainPrefix", errors: |text| label::subdomain_faults(&prefix(text)) },
    NamedFormat { name: "dns1035LabelPrefix", errors: |text| label::old_dns_label_faults(&prefix(text)) },
    NamedFormat { name: "labelValue", errors: label::value_faults },
    NamedFormat { name: "uri", errors: |text| error_unless(Url::is_request(text), "invalid URI for request") },
    NamedFormat { name: "uuid", errors: |text| error_unless(is_uuid(text), "does not match the UUID format") },
    NamedFormat { name: "byte", errors: |text| error_unless(is_base64(text), "invalid base64") },
    NamedFormat { name: "date", errors: |text| error_unless(is_date(text), "invalid date") },
    NamedFormat { name: "datetime", errors: |text| error_unless(is_date_time(text), "invalid datetime") },
];

fn error_unless(fits: bool, error: &str) -> Vec<String> {
    if fits { Vec::new() } else { vec![error.to_owned()] }
}

/// Replaces a trailing dash and the character before it with a letter: a prefix may end with a dash.
fn prefix(text: &str) -> String {
    match text.strip_suffix('-') {
        Some(rest) if !rest.is_empty() => {
            let mut masked = rest.to_owned();
            masked.pop();
            masked.push('a');
            masked
        }
        _ => text.to_owned(),
    }
}

fn is_uuid(text: &str) -> bool {
    let mut rest = text.as_bytes();
    for (at, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if at > 0 {
            rest = rest.strip_prefix(b"-").unwrap_or(rest);
        }
        match rest.split_at_checked(length) {
            Some((digits, behind)) if digits.iter().all(u8::is_ascii_hexdigit) => rest = behind,
            _ => return false,
        }
    }
    rest.is_empty()
}

fn is_base64(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = text.trim_end_matches('=').as_bytes();
    let padding = bytes.len() - digits.len();
    !bytes.is_empty()
        && bytes.len().is_multiple_of(4)
        && padding <= 2
        && digits.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

fn is_date(text: &str) -> bool {
    text.len() == 10 && Timestamp::parse(&format!("{text}T00:00:00Z")).is_some()
        // The year 0 has valid dates, although it is out of the range of instants.
        || text.strip_prefix("0000").is_some_and(|rest| Timestamp::parse(&format!("0004{rest}T00:00:00Z")).is_some())
            && text.len() == 10
}

/// Checks a date and a time of day, both as loosely as upstream does.
fn is_date_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    if !is_date(date) {
        return false;
    }
    let digits = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let (Some(clock), Some(rest)) = (time.get(..8), time.get(8..)) else { return false };
    let fields: Vec<&str> = clock.split(':').collect();
    let [hours, minutes, seconds] = fields.as_slice() else { return false };
    let in_bounds = digits(hours) && digits(minutes) && digits(seconds) && *hours <= "23" && *minutes <= "59";
    in_bounds && *seconds <= "59" && is_zone(skip_fraction(rest)).unwrap_or(false)
}

/// Skips a fraction after any separator. Returns the possible zones: the text without and with the fraction skipped.
fn skip_fraction(text: &str) -> [Option<&str>; 2] {
    let mut chars = text.chars();
    chars.next();
    let behind = chars.as_str();
    let zone = behind.trim_start_matches(|c: char| c.is_ascii_digit());
    [Some(text), (zone.len() < behind.len()).then_some(zone)]
}

fn is_zone(candidates: [Option<&str>; 2]) -> Option<bool> {
    let fits = |text: &str| {
        let offset = text.strip_prefix(['+', '-']).and_then(|rest| rest.split_once(':'));
        let two = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text == "z" || offset.is_some_and(|(hours, minutes)| two(hours) && two(minutes))
    };
    candidates.into_iter().flatten().map(fits).reduce(|a, b| a || b)
}
