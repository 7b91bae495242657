//! The API of GitLab.
use super::access::BadToken;
use super::call::Answer;
use super::exchange::Exchange;

pub(crate) fn answer(_: &mut Exchange<'_>) -> Answer {
    Answer::text(404, "404 Not Found").unknown()
}

pub(crate) fn bad_token(_: &BadToken) -> Answer {
    Answer::text(401, "401 Unauthorized")
}
