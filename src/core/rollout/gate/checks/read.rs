//! Checks in the form in which they are evaluated, and what is wrong with their declarations.

use super::expression::{OF_CLUSTER, OF_CLUSTERS};
use super::http::BODY;
use super::prometheus;
use super::request::{Ask, Kind as Asked};
use super::threshold::Threshold;
use crate::gate::problem::{Problem, duration};
use tidegate_api::rollout_policy::{CheckSpec, Compare, HttpCheck, PrometheusCheck, When, WhenUnreachable};
use tidegate_api::schema::path::Path;
use tidegate_cel::{CompileError, Program};
use tidegate_model::digest::Digest;
use tidegate_model::time::{SignedDuration, parse_go_duration};

/// How long one request may take by default.
const TIMEOUT: SignedDuration = SignedDuration::from_secs(10);
/// How long one request may take at most.
const LONGEST_TIMEOUT: SignedDuration = SignedDuration::from_mins(1);
/// Time between two measurements by default.
const INTERVAL: SignedDuration = SignedDuration::from_secs(30);
/// Minimum time between two measurements.
const SHORTEST_INTERVAL: SignedDuration = SignedDuration::from_secs(1);

/// One check.
#[derive(Debug)]
pub(in crate::gate) struct Check {
    pub(super) name: String,
    /// The groups after which it must pass; empty for every group.
    pub(super) groups: Vec<String>,
    pub(super) when: When,
    pub(super) what: What,
    pub(super) timeout: SignedDuration,
    pub(super) interval: SignedDuration,
    pub(super) failures: u32,
    pub(super) unreachable: WhenUnreachable,
    /// The digest of its declaration.
    pub(super) declared: Digest,
}

/// What is checked.
#[derive(Debug)]
pub(super) enum What {
    /// An expression over the clusters of the group.
    Cel(Program),
    /// A comparison with the waiting clusters.
    Compare { value: Program, difference: Threshold },
    /// The answer of a server.
    Ask(Ask),
}

impl Check {
    /// Reads a check, and adds its problems; `None` if it cannot be evaluated.
    pub(in crate::gate) fn read(at: &Path, spec: &CheckSpec, found: &mut Vec<Problem>) -> Option<Self> {
        let known = found.len();
        let what = what(at, spec, found);
        duration(&at.member("timeout"), spec.timeout.as_deref(), found);
        duration(&at.member("interval"), spec.interval.as_deref(), found);
        let span =
            |given: Option<&str>, default| given.and_then(|text| parse_go_duration(text).ok()).unwrap_or(default);
        let timeout = span(spec.timeout.as_deref(), TIMEOUT);
        if timeout > LONGEST_TIMEOUT {
            let at = at.member("timeout");
            found.push((at.clone(), format!("{at} is longer than a minute; write at most \"1m\"")));
        }
        let interval = span(spec.interval.as_deref(), INTERVAL);
        if interval.is_positive() && interval < SHORTEST_INTERVAL {
            let at = at.member("interval");
            found.push((at.clone(), format!("{at} is shorter than a second; write at least \"1s\"")));
        }
        let what = what.filter(|_| found.len() == known)?;
        Some(Self {
            name: spec.name.clone(),
            groups: spec.groups.clone(),
            when: spec.when,
            what,
            timeout,
            interval,
            failures: spec.failures.max(1),
            unreachable: spec.unreachable,
            declared: Digest::of(serde_json::to_string(spec).unwrap_or_default().as_bytes()),
        })
    }
}

fn what(at: &Path, spec: &CheckSpec, found: &mut Vec<Problem>) -> Option<What> {
    let given = [spec.cel.is_some(), spec.http.is_some(), spec.prometheus.is_some(), spec.compare.is_some()];
    let kinds = "one of cel, http, prometheus and compare";
    match given.iter().filter(|is_given| **is_given).count() {
        0 => found.push((at.clone(), format!("{at} checks nothing; write {kinds}"))),
        1 => {}
        _ => found
            .push((at.clone(), format!("{at} has several kinds of checks; write {kinds}, and a check for each other"))),
    }
    let CheckSpec { cel, http, prometheus, compare, .. } = spec;
    let of_cel = cel.as_ref().map(|cel| {
        let at = at.member("cel").member("expression");
        compiled(&at, Program::about_values(&cel.expression, OF_CLUSTERS), true, found).map(What::Cel)
    });
    let of_http = http.as_ref().map(|http| of_http(&at.member("http"), http, found));
    let of_prometheus = prometheus.as_ref().map(|spec| of_prometheus(&at.member("prometheus"), spec, found));
    let of_compare = compare.as_ref().map(|compare| of_compare(&at.member("compare"), compare, found));
    of_cel.or(of_http).or(of_prometheus).or(of_compare).flatten()
}

fn of_http(at: &Path, http: &HttpCheck, found: &mut Vec<Problem>) -> Option<What> {
    let HttpCheck { url, status, expression } = http;
    let is_address = is_address(&at.member("url"), url, found);
    let is_program = expression.as_ref().is_none_or(|expression| {
        compiled(&at.member("expression"), Program::about_values(expression, BODY), true, found).is_some()
    });
    let status = status.map_or(Ok(200), u16::try_from).ok().filter(|status| (100..600).contains(status));
    if status.is_none() {
        let at = at.member("status");
        found.push((at.clone(), format!("{at} is not the status of an HTTP answer; write a number such as 200")));
    }
    let asked = Asked::Http { url: url.clone(), status: status?, expression: expression.clone() };
    (is_address && is_program).then_some(What::Ask(Ask(asked)))
}

fn of_prometheus(at: &Path, spec: &PrometheusCheck, found: &mut Vec<Problem>) -> Option<What> {
    let PrometheusCheck { url, query, threshold } = spec;
    let is_address = is_address(&at.member("url"), url, found);
    if url.contains(['?', '#']) {
        let at = at.member("url");
        found.push((
            at.clone(),
            format!("{at} has a query; write only the address of the server, and the query in query"),
        ));
        return None;
    }
    let threshold = self::threshold(&at.member("threshold"), threshold, found)?;
    let address = prometheus::address(url, query);
    is_address.then_some(What::Ask(Ask(Asked::Prometheus { address, threshold })))
}

fn of_compare(at: &Path, compare: &Compare, found: &mut Vec<Problem>) -> Option<What> {
    let value = Program::about_values(&compare.value, OF_CLUSTER);
    let value = compiled(&at.member("value"), value, false, found);
    let difference = threshold(&at.member("difference"), &compare.difference, found);
    let (value, difference) = value.zip(difference)?;
    Some(What::Compare { value, difference })
}

/// Returns a compiled expression. One that can never be true is a mistake if it has to be.
fn compiled(
    at: &Path,
    program: Result<Program, CompileError>,
    is_condition: bool,
    found: &mut Vec<Problem>,
) -> Option<Program> {
    let message = match program {
        Ok(program) if program.may_hold() || !is_condition => return Some(program),
        Ok(_) => format!("{at} is not a boolean expression, so it is never true; write a comparison"),
        Err(refusal) => {
            let place = refusal.place.map(|(line, column)| format!(", at {line}:{column} of the expression"));
            format!("{at} is not a valid expression: {}{}; fix it", refusal.summary, place.unwrap_or_default())
        }
    };
    found.push((at.clone(), message));
    None
}

fn threshold(at: &Path, text: &str, found: &mut Vec<Problem>) -> Option<Threshold> {
    let threshold = Threshold::parse(text);
    if threshold.is_none() {
        found.push((at.clone(), format!("{at} is {text:?}; write a comparison such as \"< 0.01\"")));
    }
    threshold
}

/// Returns `true` for an address that may be requested: the repository is no place for passwords.
fn is_address(at: &Path, url: &str, found: &mut Vec<Problem>) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let authority = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    let message = if authority.is_empty() || url.chars().any(|c| c.is_whitespace() || c.is_control() || c == '\\') {
        format!("{at} is not the address of an HTTP server; write one such as https://metrics.example.com")
    } else if authority.contains('@') {
        format!("{at} has a user name or password, which everyone who reads the repository can see; remove them")
    } else {
        return true;
    };
    found.push((at.clone(), message));
    false
}
