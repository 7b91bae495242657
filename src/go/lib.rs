//! Go's ways of reading and writing values, byte for byte.
//!
//! Kubernetes and Open Cluster Management are written in Go, and hashes, comparisons and messages depend on how Go prints a number,
//! quotes a string or decodes JSON. Each module here does one of these as Go's standard library or apimachinery does it. Pure.
//!
//! ```
//! use tidegate_go::canonical::go_json;
//! use tidegate_go::duration::{GoDuration, parse_go_duration};
//! use tidegate_go::quantity::Quantity;
//! use tidegate_go::quote::go_quoted;
//!
//! let duration = parse_go_duration("1.5h")?;
//! assert_eq!(GoDuration(duration).to_string(), "1h30m0s");
//!
//! assert_eq!(go_json(&serde_json::json!({ "b": "<", "a": 1e21 })), r#"{"a":1e+21,"b":"\u003c"}"#);
//! assert_eq!(go_quoted("a\u{7}"), r#""a\a""#);
//! assert_eq!(Quantity::canonical("1500m"), Some("1500m".to_owned()));
//! # Ok::<(), tidegate_go::duration::InvalidDuration>(())
//! ```

pub mod base64;
pub mod canonical;
pub mod duration;
pub mod float;
pub mod json;
pub mod json_length;
pub mod label;
pub mod label_selector;
pub mod quantity;
pub mod quote;
pub mod regexp;
