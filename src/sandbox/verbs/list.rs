//! Lists, complete or in pages.

use serde_json::json;

use crate::api_error::ApiError;
use crate::request::{ListOptions, Target};
use crate::store::{Key, Store, Stored};
use tidegate_go::quote::go_quoted;

const EXPIRED: &str = "The provided continue parameter is too old to display a consistent list result. You can start a new \
     list without the continue parameter.";

/// A list, or a page of one.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    /// The objects, sorted by key, in the storage version.
    pub(crate) items: Vec<Stored>,
    /// The revision whose state the list shows.
    pub(crate) revision: u64,
    /// The `continue` token of the next page; empty on the last page.
    pub(crate) token: String,
    /// The number of remaining objects; only known without a selector.
    pub(crate) remaining: Option<usize>,
}

/// Lists the objects of a target. All pages show the state of the first page.
///
/// # Errors
/// If the token or the resourceVersion is invalid, newer than the current one, or expired.
pub(crate) fn list(store: &Store, target: &Target, options: &ListOptions) -> Result<Page, ApiError> {
    let given = read_revision(&options.resource_version);
    let (revision, after) = match options.token.as_str() {
        "" => (given.map(|given| requested_revision(store, options, given))??, None),
        token => {
            let (revision, key) = position(token)?;
            if !matches!(options.resource_version.as_str(), "" | "0") {
                let why = "specifying resource version is not allowed when using continue";
                return Err(ApiError::bad_request(why));
            }
            (revision, Some(key))
        }
    };
    let (kind, namespace) = (target.kind.index, target.namespace.as_str());
    let is_left = |key: &Key| after.as_ref().is_none_or(|after| key > after);
    if revision == store.revision() {
        let objects = store.objects(kind, namespace).filter(|(key, _)| is_left(key));
        return Ok(page(objects, revision, options));
    }
    let objects = store.objects_at(kind, namespace, revision).map_err(|_| ApiError::expired(EXPIRED))?;
    Ok(page(objects.iter().filter(|(key, _)| is_left(key)), revision, options))
}

/// Returns the revision that a list without a token shows.
fn requested_revision(store: &Store, options: &ListOptions, given: u64) -> Result<u64, ApiError> {
    if given > store.revision() {
        return Err(ApiError::too_new(given, store.revision()));
    }
    let is_exact = options.exact || (options.limit > 0 && given > 0 && !options.not_older);
    Ok(if is_exact { given } else { store.revision() })
}

/// Parses a resourceVersion; 0 means any.
///
/// # Errors
/// Bad request, if it is not a number.
pub(crate) fn read_revision(text: &str) -> Result<u64, ApiError> {
    if text.is_empty() {
        return Ok(0);
    }
    text.parse().map_err(|_| {
        let text = go_quoted(text);
        let why = format!("resourceVersion: Invalid value: {text}: strconv.ParseUint: parsing {text}: invalid syntax");
        ApiError::bad_request(format!("invalid resource version: {why}"))
    })
}

/// Takes a page from the remaining objects. The page has a token if any objects remain, even if none of them matches the selector.
fn page<'a>(objects: impl Iterator<Item = (&'a Key, &'a Stored)>, revision: u64, options: &ListOptions) -> Page {
    // A real server answers resourceVersion 0 from its watch cache, which ignores the limit.
    let limit = if options.resource_version == "0" { 0 } else { options.limit };
    let mut objects = objects.peekable();
    let (mut items, mut last) = (Vec::new(), None);
    while objects.peek().is_some() && (limit == 0 || items.len() < limit) {
        let Some((key, object)) = objects.next() else { break };
        last = Some(key);
        if options.selector.matches(object) {
            items.push(object.clone());
        }
    }
    let has_more = objects.peek().is_some();
    let remaining = (has_more && options.selector.is_everything()).then(|| objects.count());
    let token = last.filter(|_| has_more).map(|key| token(revision, key)).unwrap_or_default();
    Page { items, revision, token, remaining }
}

/// Encodes the end of a page as a `continue` token. It is hexadecimal so that clients treat it as opaque.
fn token(revision: u64, key: &Key) -> String {
    json!([revision, key.as_str()]).to_string().bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn position(token: &str) -> Result<(u64, Key), ApiError> {
    let digits: Vec<char> = token.chars().collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).ok();
    let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
    let read = bytes.and_then(|bytes| serde_json::from_slice::<(u64, String)>(&bytes).ok());
    let invalid = || ApiError::bad_request("invalid continue token: continue key is not valid");
    read.map(|(revision, key)| (revision, Key::from_text(key))).ok_or_else(invalid)
}
