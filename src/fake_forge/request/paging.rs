//! Pages of lists, and the links between them.

use serde_json::Value;

use super::call::{Answer, Call};

/// A page of a list.
pub(crate) struct Page {
    pub(crate) items: Vec<Value>,
    pub(crate) number: usize,
    pub(crate) size: usize,
    /// How many items the whole list has.
    pub(crate) total: usize,
}

/// The name and the limits of the parameter for the size of a page.
pub(crate) struct Sizes {
    pub(crate) parameter: &'static str,
    pub(crate) default: usize,
    pub(crate) max: usize,
}

impl Page {
    /// Returns the page that a request asks for.
    pub(crate) fn of(call: &Call, all: Vec<Value>, sizes: &Sizes) -> Self {
        let size = call.number(sizes.parameter).filter(|size| *size > 0).unwrap_or(sizes.default).min(sizes.max);
        let number = call.number("page").unwrap_or(1).max(1);
        let total = all.len();
        let items = all.into_iter().skip((number - 1).saturating_mul(size)).take(size).collect();
        Self { items, number, size, total }
    }

    /// Returns the number of the last page.
    pub(crate) fn last(&self) -> usize {
        self.total.div_ceil(self.size).max(1)
    }

    /// Returns the `Link` header, or `None` if there is only one page. `address` is that of the list, without a query.
    pub(crate) fn link(&self, call: &Call, address: &str) -> Option<String> {
        let last = self.last();
        let mut links = Vec::new();
        let mut add = |number: usize, relation: &str| {
            links.push(format!("<{address}?{}>; rel=\"{relation}\"", query(call, number)));
        };
        if self.number > 1 {
            add(self.number - 1, "prev");
        }
        if self.number < last {
            add(self.number + 1, "next");
            add(last, "last");
        }
        if self.number > 1 {
            add(1, "first");
        }
        (!links.is_empty()).then(|| links.join(", "))
    }

    /// Returns the items as an answer.
    pub(crate) fn answer(self) -> Answer {
        Answer::json(200, &Value::Array(self.items))
    }
}

fn query(call: &Call, page: usize) -> String {
    let kept = call.query.iter().filter(|(name, _)| name != "page");
    let mut parts: Vec<String> = kept.map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    parts.push(format!("page={page}"));
    parts.join("&")
}

/// Returns a string in the form that it has in a URL.
pub(crate) fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// Returns a string from a URL without its escapes. An incomplete escape stays as it is.
pub(crate) fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = |at: usize| rest.get(at).and_then(|digit| char::from(*digit).to_digit(16));
        match (first, hex(1), hex(2)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(u8::try_from(high * 16 + low).unwrap_or_default());
                rest = &rest[3..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
