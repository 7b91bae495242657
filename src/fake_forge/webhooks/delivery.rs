//! Messages of the webhook, and what became of them.

/// A message to the webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryRecord {
    /// Its id, which a repeated message has, too.
    pub id: String,
    /// The name of the event.
    pub event: String,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte as it was signed.
    pub body: String,
    /// The status of the answer; `None` if there was none.
    pub status: Option<u16>,
}

/// What an event says, in the words of a forge.
#[derive(Debug)]
pub(crate) struct Payload {
    /// The name of the event, as in the header.
    pub(crate) event: &'static str,
    /// The finer name that Gitea has.
    pub(crate) event_type: &'static str,
    pub(crate) body: serde_json::Value,
}
