//! Pages of a journal for tests.

use serde_json::Value;

use super::scene::{NOW, Scene, at};
use tidegate_page::{Document, Facts, Links, Moment, Query, document, html};

impl Scene {
    /// Returns a page as a value.
    pub(crate) fn page(&self, path: &str, query: &[(&str, &str)]) -> Document {
        shown(&self.facts(), path, query)
    }

    /// Returns a page as JSON.
    pub(crate) fn json(&self, path: &str, query: &[(&str, &str)]) -> Value {
        serde_json::to_value(self.page(path, query)).unwrap()
    }

    /// Returns a page as HTML.
    pub(crate) fn html(&self, path: &str, query: &[(&str, &str)]) -> String {
        written(&self.page(path, query), path, Links::served(path, None))
    }
}

pub(crate) fn shown(facts: &Facts, path: &str, query: &[(&str, &str)]) -> Document {
    let query = Query(query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect());
    document(facts, path, &query, at(NOW)).unwrap()
}

pub(crate) fn written(document: &Document, path: &str, links: Links<'_>) -> String {
    let earlier = Moment { commit: "f".repeat(40).parse().unwrap(), at: at("2026-11-20T11:59:00Z"), ..Scene::moment() };
    let moments = [Scene::moment(), earlier];
    let frame = html::Frame {
        links,
        path,
        query: &Query::default(),
        moments: &moments,
        is_past: links.at().is_some(),
        now: at(NOW),
        instance: "hub-1",
        stale: None,
    };
    html::page(document, &frame)
}
