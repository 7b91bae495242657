//! The request that delivers a notification.

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `POST`.
    Post,
    /// `PUT`.
    Put,
}

/// A request. Its address and headers may contain secrets, so it cannot be printed.
#[derive(Clone)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The address.
    pub url: reqwest::Url,
    /// The headers, in addition to `Content-Type`.
    pub headers: Vec<(&'static str, String)>,
    /// The body, as JSON.
    pub body: Vec<u8>,
}
