//! The user who sends a request.

use axum::http::{HeaderMap, HeaderValue};

/// The user who sends a request, as a server records it in the objects that name their creator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Requester {
    /// The name of the user.
    pub(crate) user: String,
    /// The groups of the user.
    pub(crate) groups: Vec<String>,
}

impl Default for Requester {
    /// Returns the administrator of a new server, who may impersonate every user.
    fn default() -> Self {
        Self { user: "system:admin".to_owned(), groups: vec!["system:masters".to_owned(), AUTHENTICATED.to_owned()] }
    }
}

const AUTHENTICATED: &str = "system:authenticated";

impl Requester {
    /// Reads the headers by which the administrator acts as another user.
    ///
    /// # Source
    /// `WithImpersonation` of `k8s.io/apiserver/pkg/endpoints/filters`.
    pub(crate) fn read(headers: &HeaderMap) -> Self {
        let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
        let Some(user) = headers.get("impersonate-user").map(text).filter(|user| !user.is_empty()) else {
            return Self::default();
        };
        let mut groups: Vec<String> = headers.get_all("impersonate-group").iter().map(text).collect();
        if !groups.iter().any(|group| group == AUTHENTICATED) {
            groups.push(AUTHENTICATED.to_owned());
        }
        Self { user, groups }
    }
}
