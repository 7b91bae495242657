//! The certificates of add-on agents: which CertificateSigningRequests the hub approves, and which certificates it issues itself.
//!
//! The agent of a cluster asks for the certificates of the add-ons on its cluster. [`decide`] compares such a request with the
//! [`Evidence`] of the hub. A request for the signer of the hub's API server is only approved; kube-controller-manager signs it.
//! A request for the custom signer of a template is signed by the [`Authority`] that the template names.
//!
//! [`approved`] and [`issued`] return the object to write, to the subresource `approval` or `status`, with [`replaced`].
//!
//! The tests are stricter than upstream's, which let the agent of one cluster obtain certificates of another one. Each
//! difference is documented at its function. A request that fails a test is left alone, never denied: it may be meant for
//! another approver.

mod authority;
mod certificate;
mod decide;
mod outcome;
mod possession;
mod reason;
mod request;
mod requester;
mod subject;

pub use self::authority::{Authority, Unusable};
pub use self::certificate::{Serial, VALIDITY, certificate};
pub use self::decide::{Decision, Evidence, closed, decide};
pub use self::outcome::{approved, issued, key_of, replaced};
pub use self::reason::Reason;
pub use self::request::{Malformed, Request};
