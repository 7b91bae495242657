//! Named formats of strings.
//!
//! # Source
//! `k8s.io/apiserver` pkg/cel/library/format.go, `k8s.io/apimachinery` pkg/util/validation, `k8s.io/kube-openapi` strfmt.

use super::declare::Row;
use super::url::Url;
use crate::run::{Context, Fault};
use crate::time::Moment;
use crate::value::Value;
use tidegate_go::label;

pub(super) const ROWS: &[Row] = &[
    Row("validate", "format-validate", "format.(string) -> optional(list(string))", Some(validate)),
    Row("format.named", "format-named", "(string) -> optional(format)", Some(named)),
    Row("format.dns1123Label", "format.dns1123Label", "() -> format", Some(|_, _| constant("dns1123Label"))),
    Row(
        "format.dns1123Subdomain",
        "format.dns1123Subdomain",
        "() -> format",
        Some(|_, _| constant("dns1123Subdomain")),
    ),
    Row("format.dns1035Label", "format.dns1035Label", "() -> format", Some(|_, _| constant("dns1035Label"))),
    Row("format.qualifiedName", "format.qualifiedName", "() -> format", Some(|_, _| constant("qualifiedName"))),
    Row(
        "format.dns1123LabelPrefix",
        "format.dns1123LabelPrefix",
        "() -> format",
        Some(|_, _| constant("dns1123LabelPrefix")),
    ),
    Row(
        "format.dns1123SubdomainPrefix",
        "format.dns1123SubdomainPrefix",
        "() -> format",
        Some(|_, _| constant("dns1123SubdomainPrefix")),
    ),
    Row(
        "format.dns1035LabelPrefix",
        "format.dns1035LabelPrefix",
        "() -> format",
        Some(|_, _| constant("dns1035LabelPrefix")),
    ),
    Row("format.labelValue", "format.labelValue", "() -> format", Some(|_, _| constant("labelValue"))),
    Row("format.uri", "format.uri", "() -> format", Some(|_, _| constant("uri"))),
    Row("format.uuid", "format.uuid", "() -> format", Some(|_, _| constant("uuid"))),
    Row("format.byte", "format.byte", "() -> format", Some(|_, _| constant("byte"))),
    Row("format.date", "format.date", "() -> format", Some(|_, _| constant("date"))),
    Row("format.datetime", "format.datetime", "() -> format", Some(|_, _| constant("datetime"))),
];

/// A format.
#[derive(Debug)]
pub(crate) struct Format {
    pub(crate) name: &'static str,
    faults: fn(&str) -> Vec<String>,
}

static FORMATS: [Format; 13] = [
    Format { name: "dns1123Label", faults: label::dns_label_faults },
    Format { name: "dns1123Subdomain", faults: label::subdomain_faults },
    Format { name: "dns1035Label", faults: label::old_dns_label_faults },
    Format { name: "qualifiedName", faults: label::key_faults },
    Format { name: "dns1123LabelPrefix", faults: |text| label::dns_label_faults(&prefix(text)) },
    Format { name: "dns1123SubdomainPrefix", faults: |text| label::subdomain_faults(&prefix(text)) },
    Format { name: "dns1035LabelPrefix", faults: |text| label::old_dns_label_faults(&prefix(text)) },
    Format { name: "labelValue", faults: label::value_faults },
    Format { name: "uri", faults: |text| fault(Url::is_request(text), "invalid URI for request") },
    Format { name: "uuid", faults: |text| fault(is_uuid(text), "does not match the UUID format") },
    Format { name: "byte", faults: |text| fault(is_base64(text), "invalid base64") },
    Format { name: "date", faults: |text| fault(is_date(text), "invalid date") },
    Format { name: "datetime", faults: |text| fault(is_date_time(text), "invalid datetime") },
];

fn fault(fits: bool, otherwise: &str) -> Vec<String> {
    if fits { Vec::new() } else { vec![otherwise.to_owned()] }
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
    text.len() == 10 && Moment::parse(&format!("{text}T00:00:00Z")).is_some()
        // The year 0 has valid dates, although it is out of the range of instants.
        || text.strip_prefix("0000").is_some_and(|rest| Moment::parse(&format!("0004{rest}T00:00:00Z")).is_some())
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

fn find<'a>(name: &str) -> Option<Value<'a>> {
    FORMATS.iter().find(|format| format.name == name).map(Value::Format)
}

fn constant<'a>(name: &str) -> Result<Value<'a>, Fault> {
    FORMATS.iter().find(|format| format.name == name).map(Value::Format).ok_or(Fault::Failed)
}

fn named<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    match args {
        [Value::Text(name)] => Ok(find(name).map_or(Value::NONE, Value::some)),
        _ => Err(Fault::Failed),
    }
}

fn validate<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    let [Value::Format(format), Value::Text(text)] = args else { return Err(Fault::Failed) };
    let faults = (format.faults)(text);
    if faults.is_empty() {
        return Ok(Value::NONE);
    }
    Ok(Value::some(Value::list(faults.into_iter().map(Value::text).collect())))
}
