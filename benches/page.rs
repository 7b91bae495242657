//! Measures the page of a fleet with ten add-ons: reading the journal, making views, and answering from memory.
//!
//! Run `cargo bench --bench page` on one core. The argument of a row is the number of clusters, or the path of the page at 10,000 clusters.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

#[path = "../tests/support/page_journal.rs"]
#[expect(dead_code, reason = "tests use the rest")]
mod page_journal;
#[path = "../tests/core/page/scene.rs"]
mod scene;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use divan::{Bencher, black_box};
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

use page_journal::{Journal, Shared};
use scene::{NOW, Scene, at};
use tidegate_daemon::monitor::page::{Access, Pages, router};
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_page::{Facts, Links, Query, document, html};

const ADDONS: usize = 10;
const PATHS: [&str; 4] = ["", "fleet", "clusters", "rollouts/addon-00"];

fn main() {
    divan::main();
}

#[divan::bench(args = [100, 1_000, 10_000])]
fn read(bencher: Bencher<'_, '_>, clusters: usize) {
    let files = Scene::large(ADDONS, clusters).files();
    bencher
        .with_inputs(|| files.clone())
        .bench_local_values(|files| black_box(Facts::read(Scene::moment(), files, None)));
}

#[divan::bench(args = PATHS)]
fn render(bencher: Bencher<'_, '_>, path: &str) {
    let facts = Scene::large(ADDONS, 10_000).facts();
    bencher.bench_local(|| {
        let page = document(&facts, path, &Query::default(), at(NOW)).unwrap();
        let query = Query::default();
        let frame = html::Frame {
            links: Links::served(path, None),
            path,
            query: &query,
            moments: &[],
            is_past: false,
            now: at(NOW),
            instance: "",
            stale: None,
        };
        black_box(html::page(&page, &frame))
    });
}

#[divan::bench]
fn filter(bencher: Bencher<'_, '_>) {
    let facts = Scene::large(ADDONS, 10_000).facts();
    let query = Query(vec![("filter".to_owned(), "version!=0.4.1 state=waiting -name:edge*".to_owned())]);
    bencher.bench_local(|| black_box(document(&facts, "clusters", &query, at(NOW)).unwrap()));
}

/// Returns the routes of a page that was asked for once.
async fn warm(path: &str) -> Router {
    let journal = Arc::new(Journal::default());
    journal.write('a', NOW, Scene::large(ADDONS, 10_000).files());
    let now = at(NOW);
    let site = router(Pages::new(Shared(journal)), Access::Loopback, Clock::new(move || now));
    ask(&site, path).await;
    site
}

async fn ask(site: &Router, path: &str) -> usize {
    let request = Request::get(format!("/{path}")).header(header::HOST, "localhost");
    let request = request.header(header::ACCEPT_ENCODING, "gzip").body(Body::empty()).unwrap();
    let answer = site.clone().oneshot(request).await.unwrap();
    axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap().len()
}

#[divan::bench(args = PATHS)]
fn answer_from_memory(bencher: Bencher<'_, '_>, path: &str) {
    let runtime = Runtime::new().unwrap();
    let site = runtime.block_on(warm(path));
    bencher.bench_local(|| runtime.block_on(ask(&site, path)));
}

#[divan::bench]
fn answer_a_thousand_readers(bencher: Bencher<'_, '_>) {
    let runtime = Runtime::new().unwrap();
    let site = runtime.block_on(warm("fleet"));
    bencher.bench_local(|| {
        let readers = (0..1_000).map(|_| ask(&site, "fleet"));
        runtime.block_on(futures::future::join_all(readers))
    });
}
