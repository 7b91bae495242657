//! Lists, whole or in pages.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::sandbox::refusal::Refusal;
use crate::sandbox::request::{ListOptions, Target};
use crate::sandbox::store::{Key, Store};

const EXPIRED: &str = "The provided continue parameter is too old to display a consistent list result. You can start a new \
     list without the continue parameter.";

/// A list, or a page of one.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    /// The objects, sorted by key, in the version that is spoken.
    pub(crate) items: Vec<Arc<Value>>,
    /// The revision at which the list is true.
    pub(crate) revision: u64,
    /// How to go on; empty at the end.
    pub(crate) token: String,
    /// How many objects are left, where that is known without looking at them.
    pub(crate) remaining: Option<usize>,
}

/// Lists the objects of a target. All pages show the state at which the first was read.
///
/// # Errors
/// If the token is none, or so old that the state is forgotten.
pub(crate) fn list(store: &Store, target: &Target, options: &ListOptions) -> Result<Page, Refusal> {
    let (revision, after) = match options.token.as_str() {
        "" => (store.revision(), None),
        token => position(token).map(|(revision, key)| (revision, Some(key)))?,
    };
    let (kind, namespace) = (target.kind.index, target.namespace.as_str());
    let matching: Vec<(Key, Arc<Value>)> = if revision == store.revision() {
        let objects = store.objects(kind, namespace);
        let meant = objects.filter(|(key, _)| after.as_ref().is_none_or(|after| *key > after));
        meant.filter(|(_, o)| options.selector.matches(o)).map(|(k, o)| (k.clone(), Arc::clone(o))).collect()
    } else {
        let objects = store.objects_at(kind, namespace, revision).map_err(|_| Refusal::expired(EXPIRED))?;
        let meant = objects.into_iter().filter(|(key, _)| after.as_ref().is_none_or(|after| key > after));
        meant.filter(|(_, object)| options.selector.matches(object)).collect()
    };
    let limit = if options.limit == 0 { matching.len() } else { options.limit.min(matching.len()) };
    let (page, rest) = matching.split_at(limit);
    let last = page.last().filter(|_| !rest.is_empty());
    Ok(Page {
        items: page.iter().map(|(_, object)| target.kind.present(object, &target.version)).collect(),
        revision,
        token: last.map(|(key, _)| token(revision, key)).unwrap_or_default(),
        remaining: (!rest.is_empty() && options.selector.is_everything()).then_some(rest.len()),
    })
}

/// Writes where a page ended. Hexadecimal, so that nobody is tempted to read it.
fn token(revision: u64, key: &Key) -> String {
    json!([revision, key.as_str()]).to_string().bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn position(token: &str) -> Result<(u64, Key), Refusal> {
    let digits: Vec<char> = token.chars().collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).ok();
    let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
    let read = bytes.and_then(|bytes| serde_json::from_slice::<(u64, String)>(&bytes).ok());
    let invalid = || Refusal::bad_request("invalid continue token: continue key is not valid");
    read.map(|(revision, key)| (revision, Key::from_text(key))).ok_or_else(invalid)
}
