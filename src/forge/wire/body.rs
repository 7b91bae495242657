//! Bodies of answers, which may be large or never end.

use reqwest::Response;
use tidegate_model::error_chain::ErrorChain;

/// Most bytes of a body. A page of 100 pull requests of GitHub has about 2 MiB, because each one contains two repositories.
const LARGEST: usize = 8 << 20;

/// Reads the body of an answer.
///
/// # Errors
/// Why it is not complete.
pub(super) async fn read(response: &mut Response) -> Result<Vec<u8>, String> {
    let too_large = || format!("the answer has more than {} MiB", LARGEST >> 20);
    if response.content_length().is_some_and(|length| usize::try_from(length).map_or(true, |length| length > LARGEST)) {
        return Err(too_large());
    }
    let mut body = Vec::new();
    loop {
        let chunk = response.chunk().await.map_err(broken)?;
        let Some(chunk) = chunk else { return Ok(body) };
        if body.len() + chunk.len() > LARGEST {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
}

/// Describes why there is no complete answer. It names no address, because a query may contain what is private.
pub(super) fn broken(error: reqwest::Error) -> String {
    let what = if error.is_connect() { "cannot connect" } else { "the answer is incomplete" };
    format!("{what}: {}", ErrorChain(&error.without_url()))
}
