//! Answers that a forge need not send again.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use reqwest::Url;
use reqwest::header::HeaderValue;

/// The most bytes of bodies that are kept: the open pull requests of a large project have about 10 MiB.
const MOST: usize = 32 << 20;

/// An answer, and the tag by which the forge recognizes it, if it gave one.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) etag: Option<HeaderValue>,
    pub(crate) body: Vec<u8>,
    /// The address of the next page, if there is one.
    pub(crate) next: Option<Url>,
}

/// Answers by address. The oldest ones are dropped if there are too many bytes.
#[derive(Debug, Default)]
pub(crate) struct Etags {
    answers: HashMap<String, Arc<Kept>>,
    order: VecDeque<String>,
    bytes: usize,
}

impl Etags {
    pub(crate) fn get(&self, url: &Url) -> Option<Arc<Kept>> {
        self.answers.get(url.as_str()).cloned()
    }

    pub(crate) fn put(&mut self, url: &Url, kept: Arc<Kept>) {
        self.remove(url.as_str());
        if kept.etag.is_none() {
            return;
        }
        self.bytes += kept.body.len();
        self.answers.insert(url.as_str().to_owned(), kept);
        self.order.push_back(url.as_str().to_owned());
        while self.bytes > MOST {
            let Some(oldest) = self.order.front().cloned() else { break };
            self.remove(&oldest);
        }
    }

    fn remove(&mut self, url: &str) {
        if let Some(old) = self.answers.remove(url) {
            self.bytes -= old.body.len();
            self.order.retain(|other| other != url);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_answers_are_dropped() {
        let url = |n: usize| Url::parse(&format!("https://forge.example.com/{n}")).unwrap();
        let mut etags = Etags::default();
        for n in 0..5 {
            for _ in 0..2 {
                let kept =
                    Arc::new(Kept { etag: Some(HeaderValue::from_static("a")), body: vec![0; MOST / 4], next: None });
                etags.put(&url(n), kept);
            }
        }
        let kept: Vec<_> = (0..5).filter(|n| etags.get(&url(*n)).is_some()).collect();
        assert_eq!((kept, etags.order.len(), etags.bytes), (vec![1, 2, 3, 4], 4, MOST));
    }
}
