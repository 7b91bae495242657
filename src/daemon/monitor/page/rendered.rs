//! What was rendered for a state of the journal, so that a thousand readers cost one rendering.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::body::Content;

/// The most memory that rendered pages take, in bytes.
const MOST: usize = 32 << 20;

/// The pages that were rendered for one state.
#[derive(Debug, Default)]
pub(super) struct Rendered(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: String,
    pages: HashMap<String, Page>,
    size: usize,
}

/// A page, or a place for it while the first reader renders it.
type Page = Arc<OnceLock<Arc<Content>>>;

impl Rendered {
    /// Returns a page of a state if it was rendered.
    pub(super) fn known(&self, state: &str, key: &str) -> Option<Arc<Content>> {
        let inner = self.0.lock();
        inner.pages.get(key).filter(|_| inner.state == state)?.get().cloned()
    }

    /// Returns a page of a state, which is rendered if it is not there; others that want it wait. Pages of other states are dropped.
    pub(super) fn get(&self, state: &str, key: &str, render: impl FnOnce() -> Content) -> Arc<Content> {
        let page: Page = {
            let mut inner = self.0.lock();
            if inner.state != state {
                *inner = Inner { state: state.to_owned(), ..Inner::default() };
            }
            inner.pages.entry(key.to_owned()).or_default().clone()
        };
        let mut is_new = false;
        let content = page.get_or_init(|| {
            is_new = true;
            Arc::new(render())
        });
        if is_new {
            self.count(state, key, content);
        }
        content.clone()
    }

    /// Counts a new page. Answers to mistakes are not kept, and everything is dropped if it is too much.
    fn count(&self, state: &str, key: &str, content: &Content) {
        let mut inner = self.0.lock();
        if inner.state != state {
            return;
        }
        if !content.is_found() {
            inner.pages.remove(key);
            return;
        }
        inner.size += content.size() + key.len();
        if inner.size > MOST {
            let page = inner.pages.remove(key);
            inner.pages.clear();
            inner.size = content.size() + key.len();
            inner.pages.extend(page.map(|page| (key.to_owned(), page)));
        }
    }
}
