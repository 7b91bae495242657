//! Which answers mean that the forge wants fewer requests, and until when.

use reqwest::header::HeaderMap;
use tidegate_model::forge::ForgeKind;
use tidegate_model::time::{SignedDuration, Timestamp};

/// The shortest pause if the forge does not give one.
///
/// # Source
/// GitHub, "Rate limits for the REST API": wait at least one minute, and longer each time.
const SHORTEST: i64 = 60;

/// The longest pause. A forge that asks for more is asked again after this time.
const LONGEST: i64 = 24 * 3600;

/// Returns until when no request may be sent, if an answer asks for that. `strikes` is the number of such answers in a row.
pub(crate) fn pause(
    kind: ForgeKind,
    status: u16,
    headers: &HeaderMap,
    body: &[u8],
    now: Timestamp,
    strikes: u32,
) -> Option<Timestamp> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<i64>().ok();
    let seconds = |seconds: i64| later(now, seconds);
    let is_used_up = number("x-ratelimit-remaining") == Some(0) || number("ratelimit-remaining") == Some(0);
    let reset = number("x-ratelimit-reset").or_else(|| number("ratelimit-reset"));
    let reset = reset.map(|at| seconds(at.saturating_sub(now.as_second())));
    let growing = || seconds(SHORTEST << strikes.min(6));
    match status {
        // The request was answered, and it was the last one.
        200..=399 if is_used_up && kind != ForgeKind::Gitea => reset,
        403 | 429 => match number("retry-after") {
            Some(told) => Some(seconds(told)),
            None if is_used_up => Some(reset.unwrap_or_else(growing)),
            None if status == 429 => Some(reset.unwrap_or_else(growing)),
            None if kind == ForgeKind::GitHub && is_secondary(body) => Some(growing()),
            None => None,
        },
        _ => None,
    }
}

/// Returns `true` for GitHub's message about its secondary limits, which may come without a header.
fn is_secondary(body: &[u8]) -> bool {
    let start = String::from_utf8_lossy(body.get(..1000).unwrap_or(body)).to_lowercase();
    start.contains("secondary rate limit") || start.contains("api rate limit exceeded")
}

fn later(now: Timestamp, seconds: i64) -> Timestamp {
    now.checked_add(SignedDuration::from_secs(seconds.clamp(1, LONGEST))).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    const NOW: i64 = 1_800_000_000;

    fn told(kind: ForgeKind, status: u16, headers: &[(&str, &str)], body: &str, strikes: u32) -> Option<i64> {
        let header = |(name, value): &(&str, &str)| {
            (HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap())
        };
        let headers = headers.iter().map(header).collect();
        let now = Timestamp::from_second(NOW).unwrap();
        pause(kind, status, &headers, body.as_bytes(), now, strikes).map(|until| until.as_second() - NOW)
    }

    #[test]
    fn the_moment_that_the_forge_gives_is_kept() {
        let github = ForgeKind::GitHub;
        assert_eq!(told(github, 403, &[("retry-after", "30")], "", 0), Some(30));
        assert_eq!(told(github, 429, &[("retry-after", "30"), ("x-ratelimit-remaining", "0")], "", 5), Some(30));
        let used_up = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1800000600")];
        assert_eq!(told(github, 403, &used_up, "", 0), Some(600));
        assert_eq!(told(github, 200, &used_up, "", 0), Some(600));
        assert_eq!(told(ForgeKind::GitLab, 429, &[("RateLimit-Reset", "1800000045")], "Retry later", 0), Some(45));
    }

    #[test]
    fn a_pause_without_a_moment_grows() {
        let growing: Vec<_> = (0..8).map(|strikes| told(ForgeKind::GitHub, 429, &[], "", strikes)).collect();
        assert_eq!(growing, [60, 120, 240, 480, 960, 1920, 3840, 3840].map(Some));
        let message = "{\"message\":\"You have exceeded a secondary rate limit.\"}";
        assert_eq!(told(ForgeKind::GitHub, 403, &[], message, 0), Some(60));
    }

    #[test]
    fn a_refusal_is_not_a_limit() {
        let remaining = [("x-ratelimit-remaining", "4999"), ("x-ratelimit-reset", "1800000600")];
        assert_eq!(told(ForgeKind::GitHub, 403, &remaining, "{\"message\":\"Forbidden\"}", 0), None);
        assert_eq!(told(ForgeKind::GitLab, 403, &[], "{\"message\":\"secondary rate limit\"}", 0), None);
        assert_eq!(told(ForgeKind::GitHub, 200, &remaining, "", 0), None);
        assert_eq!(told(ForgeKind::GitHub, 500, &[("retry-after", "30")], "", 0), None);
    }

    #[test]
    fn wrong_numbers_neither_overflow_nor_stop_forever() {
        for number in ["-5", "0", "9223372036854775807", "-9223372036854775808"] {
            let paused = told(ForgeKind::GitHub, 429, &[("retry-after", number)], "", u32::MAX);
            assert!(paused.is_some_and(|seconds| (1..=LONGEST).contains(&seconds)), "{number}: {paused:?}");
        }
        assert_eq!(told(ForgeKind::GitHub, 429, &[("retry-after", "Wed, 21 Oct 2026")], "", 0), Some(60));
    }
}
