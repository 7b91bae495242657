//! What was rendered for an entry, so that a thousand readers cost one rendering.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::body::Content;

/// The most memory that rendered pages take, in bytes.
const MOST: usize = 32 << 20;

/// The pages that were rendered for one state.
#[derive(Debug, Default)]
pub(super) struct Rendered(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: String,
    pages: HashMap<String, Arc<Content>>,
    size: usize,
}

impl Rendered {
    /// Returns a page of a state, which is rendered if it is not there. Pages of other states are dropped.
    pub(super) fn get(&self, state: &str, key: &str, render: impl FnOnce() -> Content) -> Arc<Content> {
        {
            let mut inner = self.lock();
            if inner.state != state {
                *inner = Inner { state: state.to_owned(), ..Inner::default() };
            }
            if let Some(page) = inner.pages.get(key) {
                return page.clone();
            }
        }
        let page = Arc::new(render());
        let mut inner = self.lock();
        if inner.state == state {
            if inner.size + page.size() > MOST {
                inner.pages.clear();
                inner.size = 0;
            }
            inner.size += page.size();
            inner.pages.insert(key.to_owned(), page.clone());
        }
        page
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
