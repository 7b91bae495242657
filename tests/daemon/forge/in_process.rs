//! A client of a stand-in that calls it in process: the clock of these tests would run away while they wait for a socket.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Request;
use reqwest::{Response, Url};
use tidegate_fake_forge::ForgeSandbox;
use tidegate_forge::{Auth, Forge, NoAnswer, Settings, Transport};
use tidegate_model::forge::ForgeKind;

use crate::daemon::world::now;

/// Returns the transport to a stand-in.
pub(crate) fn transport(forge: &ForgeSandbox) -> Transport {
    let forge = forge.clone();
    Transport::new(move |request: reqwest::Request| {
        let forge = forge.clone();
        async move {
            let body = request.body().and_then(reqwest::Body::as_bytes).unwrap_or_default().to_vec();
            let mut asked = Request::new(body);
            *asked.method_mut() = request.method().clone();
            *asked.uri_mut() = request.url().as_str().parse().unwrap();
            *asked.headers_mut() = request.headers().clone();
            let answered = forge.call(asked).await.map_err(|error| NoAnswer::Incomplete(error.into()))?;
            Ok(Response::from(answered))
        }
    })
}

/// Returns a client with the token of this file.
pub(super) fn client(kind: ForgeKind, forge: &ForgeSandbox, token_file: &std::path::Path) -> Forge {
    let settings = Settings {
        kind,
        url: Url::parse(&forge.url()).unwrap(),
        project: forge.project(),
        auth: Auth::TokenFile(token_file.to_owned()),
        budget: 100_000,
        write_gap: Duration::ZERO,
        clock: Arc::new(now),
    };
    Forge::over(settings, transport(forge)).unwrap()
}
