//! Bodies of answers, which may be large, slow, or never end.

use std::io::Read;
use std::time::Instant;

use reqwest::blocking::Response;
use tidegate_model::line::brief;

use crate::{Error, Limits};

/// Most bytes of the body of a refusal that are read.
const MESSAGE_BYTES: u64 = 4 << 10;

/// Most characters of a message of a server that are repeated.
const LONGEST: usize = 200;

/// Reads the body of an answer.
///
/// # Errors
/// [`Error::Content`] if it is larger than the limit, [`Error::TimedOut`] and [`Error::Unreachable`] if it is not complete.
pub(super) fn read(mut response: Response, shown: &str, limits: Limits, started: Instant) -> Result<Vec<u8>, Error> {
    let too_large = || Error::Content {
        what: shown.to_owned(),
        why: format!("it has more than {} MiB, which is the limit of a download", limits.bytes >> 20),
    };
    let announced = response.content_length();
    if announced.is_some_and(|length| length > limits.bytes) {
        return Err(too_large());
    }
    let mut body = Vec::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        if started.elapsed() >= limits.time {
            return Err(Error::TimedOut { address: shown.to_owned(), limit: limits.time });
        }
        let count = response.read(&mut buffer).map_err(|error| broken(shown, limits, started, &error.to_string()))?;
        if count == 0 {
            return Ok(body);
        }
        body.extend_from_slice(buffer.get(..count).unwrap_or_default());
        if u64::try_from(body.len()).map_or(true, |length| length > limits.bytes) {
            return Err(too_large());
        }
    }
}

fn broken(shown: &str, limits: Limits, started: Instant, why: &str) -> Error {
    if started.elapsed() >= limits.time {
        return Error::TimedOut { address: shown.to_owned(), limit: limits.time };
    }
    Error::Unreachable { address: shown.to_owned(), why: format!("the answer is incomplete: {why}") }
}

/// Returns the message of an answer that is not a success, on one line; empty if it has none in plain text or JSON.
pub(super) fn message(response: Response) -> String {
    let mut text = Vec::new();
    // The failure is reported without it, too.
    let _ = response.take(MESSAGE_BYTES).read_to_end(&mut text);
    if is_page(&text) { String::new() } else { brief(&String::from_utf8_lossy(&text), LONGEST) }
}

/// Returns `true` if a body is a page for people, such as a login page, and not a document.
pub(crate) fn is_page(body: &[u8]) -> bool {
    let start = body.get(..body.len().min(1024)).unwrap_or_default();
    let start = String::from_utf8_lossy(start).trim_start_matches('\u{feff}').trim_start().to_ascii_lowercase();
    let start = match start.strip_prefix("<?xml") {
        Some(rest) => rest.split_once("?>").map_or("", |(_, rest)| rest).trim_start().to_owned(),
        None => start,
    };
    ["<!doctype html", "<html", "<head", "<body", "<script"].iter().any(|tag| start.starts_with(tag))
}

#[cfg(test)]
mod tests {
    use super::is_page;

    #[test]
    fn pages_for_people_are_recognized() {
        for page in ["<!DOCTYPE html><p>", "\u{feff} \n<html lang=en>", "<?xml version='1.0'?>\n<html>", "<HEAD>"] {
            assert!(is_page(page.as_bytes()), "{page}");
        }
        for document in ["", "kind: x", "# <html>\nkind: x", "{\"html\": 1}", "<xml>"] {
            assert!(!is_page(document.as_bytes()), "{document}");
        }
    }
}
