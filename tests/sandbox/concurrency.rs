//! Concurrent writes: none is lost, and all watchers see the same order.

use serde_json::{Value, json};
use tidegate_sandbox::Sandbox;

use super::support::*;

const WRITERS: usize = 6;
const WRITES: usize = 40;
const OBJECTS: usize = 3;

/// Returns the resourceVersions of the next `count` events after `from`.
async fn seen(hub: &Sandbox, from: &str, count: usize) -> Vec<u64> {
    let mut watch = watch(hub, &format!("{CLUSTERS}?watch=true&resourceVersion={from}")).await;
    let mut revisions = Vec::new();
    while revisions.len() < count {
        let event = watch.next().await.unwrap();
        revisions.push(event["object"]["metadata"]["resourceVersion"].as_str().unwrap().parse().unwrap());
    }
    revisions
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_concurrent_write_is_lost_and_each_has_its_own_revision() {
    let hub = hub();
    for object in 0..OBJECTS {
        ask(&hub, "POST", CLUSTERS, cluster(&format!("c{object}"))).await;
    }
    let began = get(&hub, CLUSTERS).await.body["metadata"]["resourceVersion"].as_str().unwrap().to_owned();
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let hub = hub.clone();
            tokio::spawn(async move {
                let mut revisions = Vec::new();
                for write in 0..WRITES {
                    let path = format!("{CLUSTERS}/c{}", (writer + write) % OBJECTS);
                    let label = json!({ "metadata": { "labels": { format!("w{writer}-{write}"): "x" } } });
                    let patched = ask(&hub, "PATCH merge", &path, label).await;
                    assert_eq!(patched.code, 200);
                    let revision = patched.body["metadata"]["resourceVersion"].as_str().unwrap();
                    revisions.push(revision.parse::<u64>().unwrap());
                }
                revisions
            })
        })
        .collect();
    let mut answered = Vec::new();
    for writer in writers {
        answered.extend(writer.await.unwrap());
    }
    answered.sort_unstable();
    let revisions = seen(&hub, &began, answered.len()).await;
    assert_eq!(revisions, answered, "each response has the revision of its own change, and a watch shows all in order");
    assert_eq!(answered.len(), WRITERS * WRITES);
    let list = get(&hub, CLUSTERS).await.body;
    let labels = |object: &Value| {
        let labels = object["metadata"]["labels"].as_object().into_iter().flatten();
        labels.filter(|(name, _)| name.starts_with('w')).count()
    };
    let all: usize = list["items"].as_array().unwrap().iter().map(labels).sum();
    assert_eq!(all, WRITERS * WRITES);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_several_concurrent_creates_of_a_name_succeeds() {
    let hub = hub();
    for round in 0..20 {
        let creators: Vec<_> = (0..WRITERS)
            .map(|_| {
                let (hub, object) = (hub.clone(), cluster(&format!("c{round}")));
                tokio::spawn(async move { ask(&hub, "POST", CLUSTERS, object).await.code })
            })
            .collect();
        let mut codes = Vec::new();
        for creator in creators {
            codes.push(creator.await.unwrap());
        }
        codes.sort_unstable();
        assert_eq!(codes, [201, 409, 409, 409, 409, 409]);
    }
}

#[tokio::test]
async fn a_revision_in_the_data_of_an_object_is_not_replaced() {
    let hub = hub();
    let next = |list: &Value| list["metadata"]["resourceVersion"].as_str().unwrap().parse::<u64>().unwrap() + 1;
    for round in 0..3 {
        // The data contains the resourceVersion that the object itself will get.
        let revision = next(&get(&hub, "/api/v1/namespaces/default/configmaps").await.body);
        let map = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": format!("m{round}") },
            "data": { "resourceVersion": revision.to_string() },
        });
        let created = ask(&hub, "POST", "/api/v1/namespaces/default/configmaps", map).await;
        assert_eq!(created.body["metadata"]["resourceVersion"], json!(revision.to_string()));
        let read = get(&hub, &format!("/api/v1/namespaces/default/configmaps/m{round}")).await.body;
        assert_eq!(read, created.body);
    }
}
