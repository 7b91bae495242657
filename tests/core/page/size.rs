//! How much is sent.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::scene::Scene;
use super::shown::{shown, written};
use tidegate_page::Links;

fn compressed(text: &str) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap().len()
}

#[test]
fn pages_of_ten_thousand_clusters_are_small() {
    let facts = Scene::large(10, 10_000).facts();
    let size = |path: &str| compressed(&written(&shown(&facts, path, &[]), path, Links::served(path, None)));
    let (start, fleet, table) = (size(""), size("fleet"), size("clusters"));
    assert!(start < 60_000, "{start}");
    assert!(fleet < 150_000, "{fleet}");
    assert!(table < 60_000, "{table}");
}
