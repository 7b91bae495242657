//! The page in a real browser. `.ci/run` runs these tests where chromedriver is installed.

mod driver;

use std::sync::Arc;

use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::driver::Browser;
use crate::page_journal::{Journal, Shared};
use crate::page_scene::{NOW, Scene};
use tidegate_daemon::monitor::page::{Access, Pages, router};
use tidegate_daemon::monitor::{Limits, serve};
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_page::site;

/// Serves the page of a journal, and returns its address.
async fn served(journal: &Arc<Journal>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let now = NOW.parse().unwrap();
    let router = router(Pages::new(Shared(journal.clone())), Access::Loopback, Clock::new(move || now));
    tokio::spawn(serve(listener, router, Limits::page(), CancellationToken::new()));
    format!("http://{address}/")
}

async fn scene(scene: &Scene) -> (Arc<Journal>, String) {
    let journal = Arc::new(Journal::default());
    journal.write('a', NOW, scene.files());
    let address = served(&journal).await;
    (journal, address)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver; .ci/run runs it where that is installed"]
async fn browser_each_view_fits_at_each_size_without_errors() {
    let browser = Browser::start().await;
    let long = [["a".repeat(60)].as_slice(); 4].concat().join(".");
    let mut named = Scene::new();
    let list = named.0.get_mut("addons/hello/clusters.yaml").unwrap();
    list["clusters"][&long] = list["clusters"]["gcp-1"].clone();
    for scene_of_size in [named, Scene::large(2, 300), Scene::large(10, 10_000)] {
        let mut paths = site::paths(&scene_of_size.facts());
        paths.retain(|path| !path.starts_with("clusters/") || path.ends_with("aws-1") || path.ends_with(&long));
        let (_journal, address) = scene(&scene_of_size).await;
        for path in paths {
            browser.open(&format!("{address}{path}")).await;
            for width in [320, 1_280, 3_840] {
                browser.resize(width, 900).await;
                let overflow = browser.value("document.documentElement.scrollWidth - window.innerWidth").await;
                assert_eq!(overflow, json!(0), "{path} is wider than {width}");
            }
            assert_eq!(browser.errors().await, [] as [String; 0], "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver; .ci/run runs it where that is installed"]
async fn browser_a_new_entry_appears_without_a_reload_and_keeps_the_focus() {
    let browser = Browser::start().await;
    let (journal, address) = scene(&Scene::new()).await;
    browser.open(&address).await;
    browser.value("window.kept = 1, document.querySelector('article a').focus()").await;
    let mut next = Scene::new();
    next.0.get_mut("sync.yaml").unwrap()["complaints"] = json!([]);
    journal.write('b', NOW, next.files());
    browser.until(&format!("document.getElementById('moment').dataset.state === '{}'", "b".repeat(40))).await;
    assert_eq!(browser.value("window.kept").await, 1);
    assert_eq!(browser.value("document.activeElement.textContent").await, "hello");
    assert_eq!(browser.value("document.body.textContent.includes('has 1 complaint')").await, false);
    browser.until("document.getElementById('live').textContent === 'The page has changed.'").await;
    assert_eq!(browser.errors().await, [] as [String; 0]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver; .ci/run runs it where that is installed"]
async fn browser_keys_open_pages_help_and_the_filter() {
    let browser = Browser::start().await;
    let (_journal, address) = scene(&Scene::new()).await;
    browser.open(&address).await;
    browser.press("?").await;
    browser.until("document.querySelector('dialog').open").await;
    browser.press("\u{e00c}").await;
    browser.until("!document.querySelector('dialog').open").await;
    browser.press("3").await;
    browser.until("location.pathname === '/clusters' && document.body.classList.contains('scripted')").await;
    browser.press("/").await;
    browser.until("document.activeElement.id === 'filter'").await;
    browser.press("addon=quiet\u{e007}").await;
    browser
        .until("location.search === '?filter=addon%3Dquiet' && document.querySelectorAll('tbody tr').length === 1")
        .await;
    assert_eq!(browser.errors().await, [] as [String; 0]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver; .ci/run runs it where that is installed"]
async fn browser_the_page_is_dark_or_light_as_the_reader_likes() {
    let browser = Browser::start().await;
    let (_journal, address) = scene(&Scene::new()).await;
    browser.open(&address).await;
    let mut colors = Vec::new();
    for theme in ["light", "dark"] {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
        browser.devtools("Emulation.setEmulatedMedia", &features).await;
        colors.push(browser.value("getComputedStyle(document.body).backgroundColor").await);
    }
    assert_eq!(colors, [json!("rgb(245, 246, 249)"), json!("rgb(16, 20, 27)")]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver; .ci/run runs it where that is installed"]
async fn browser_the_page_works_without_script() {
    let browser = Browser::start().await;
    let (_journal, address) = scene(&Scene::new()).await;
    browser.devtools("Emulation.setScriptExecutionDisabled", &json!({"value": true})).await;
    browser.open(&format!("{address}clusters?filter=addon%3Dquiet")).await;
    assert_eq!(browser.value("document.querySelectorAll('tbody tr').length").await, 1);
    assert_eq!(browser.value("document.body.classList.contains('scripted')").await, false);
    // The form is sent by the browser itself.
    browser
        .value("document.getElementById('filter').value = 'aws', document.querySelector('main button').click()")
        .await;
    browser.until("location.search === '?filter=aws' && document.querySelectorAll('tbody tr').length === 3").await;
}

/// Makes the pictures of the documentation: `TIDEGATE_UPDATE=1 cargo test --test edges -- --ignored browser_pictures`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver; .ci/run runs it where that is installed"]
async fn browser_pictures_of_the_documentation_can_be_made() {
    let browser = Browser::start().await;
    let (_journal, address) = scene(&Scene::new()).await;
    for (name, path, height) in [("start", "", 760), ("rollout", "rollouts/hello", 1_000)] {
        browser.resize(1_200, height).await;
        browser.open(&format!("{address}{path}")).await;
        let picture = browser.screenshot().await;
        assert!(picture.len() > 20_000, "{name}");
        if std::env::var_os("TIDEGATE_UPDATE").is_some() {
            let path = crate::root::path(&format!("docs/images/{name}.png"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, picture).unwrap();
        }
    }
}
