//! What each page shows.

use serde_json::{Value, json};

use super::scene::{NOW, Scene, at, merged};
use super::shown::{shown, written};
use tidegate_page::{Links, Query, document, site};

#[test]
fn the_start_shows_what_needs_people_first() {
    let start = Scene::new().json("", &[]);
    let what: Vec<&str> =
        start["needs"].as_array().unwrap().iter().map(|need| need["what"].as_str().unwrap()).collect();
    assert_eq!(
        what,
        [
            "1 cluster failed",
            "group rest waits for approval \"leads\" of RolloutPolicy production",
            "revision aaaaaaaaaaaa has 1 complaint",
            "a notice"
        ]
    );
    let approval = &start["needs"][1];
    assert_eq!(approval["urls"], json!(["https://git.example.com/fleet/pulls/7"]));
    let opens = "1 more person must approve, of grace, linus: `tidegate approve hello --group rest`, or a review";
    assert_eq!(approval["opens"], opens);
    assert_eq!(start["active"][0]["position"], json!([1, 2]));
    assert_eq!(start["active"][0]["wave"], "canary");
    assert_eq!(start["quiet"][0]["addon"], "quiet");
}

#[test]
fn the_end_of_a_rollout_is_expected_from_earlier_rollouts() {
    let rollout = Scene::new().json("rollouts/hello", &[]);
    assert_eq!((&rollout["number"], &rollout["forecastFrom"]), (&json!(3), &json!(2)));
    let [canary, rest] = [&rollout["waves"][0], &rollout["waves"][1]];
    // The canaries took ten minutes before, and the rest took thirty.
    assert_eq!(canary["expected"], json!({"p50": "2026-11-20T12:05:00Z", "p90": "2026-11-20T12:05:00Z"}));
    assert_eq!(rest["begins"]["p50"], "2026-11-20T12:05:00Z");
    assert_eq!(rest["expected"]["p90"], "2026-11-20T12:35:00Z");
    assert_eq!(
        rest["gates"][0]["opens"],
        "it is approved (tidegate approve): 1 more person must approve, of grace, linus"
    );
}

#[test]
fn the_end_is_not_promised_while_a_person_must_act_or_the_rollout_is_stopped() {
    // The gate of the rest waits for an approval.
    assert!(Scene::new().json("", &[])["active"][0].get("end").is_none());
    let mut timed = Scene::new();
    let gate = &mut timed.0.get_mut("addons/hello/status.yaml").unwrap()["gates"][0];
    gate["lookAt"] = "2026-11-20T14:00:00Z".into();
    assert_eq!(timed.json("", &[])["active"][0]["end"]["p50"], "2026-11-20T14:30:00Z", "the window opens at two");
    let mut stopped = Scene::new();
    stopped.0.get_mut("addons/hello/status.yaml").unwrap()["phase"] = "Stopped".into();
    let waves = stopped.json("rollouts/hello", &[])["waves"].clone();
    assert!(waves.as_array().unwrap().iter().all(|wave| wave.get("expected").is_none()), "{waves}");
}

#[test]
fn nothing_is_expected_without_earlier_rollouts() {
    let mut scene = Scene::new();
    scene.0.retain(|path, _| !path.contains("/rollouts/"));
    let rollout = scene.json("rollouts/hello", &[]);
    assert_eq!(rollout["forecastFrom"], 0);
    assert!(rollout["waves"].as_array().unwrap().iter().all(|wave| wave.get("expected").is_none()), "{rollout}");
    assert!(scene.json("", &[])["active"][0].get("end").is_none());
}

#[test]
fn a_rollout_says_why_clusters_wait_and_what_opens_it() {
    let rollout = Scene::new().json("rollouts/hello", &[]);
    let waiting = rollout["waiting"].as_array().unwrap();
    let reasons: Vec<(&Value, &Value)> =
        waiting.iter().map(|waiting| (&waiting["reason"], &waiting["clusters"])).collect();
    assert_eq!(
        reasons,
        [
            (&json!("ImagePullBackOff"), &json!(1)),
            (&json!("waits for approval \"leads\" before group 1 (\"rest\") (RolloutPolicy production)"), &json!(2))
        ]
    );
    let html = Scene::new().html("rollouts/hello/2", &[]);
    assert!(html.contains("signed by grace@example.com with <code>SHA256:abc</code>"), "{html}");
}

#[test]
fn a_table_is_filtered_and_has_pages() {
    let scene = Scene::new();
    let total = |filter: &str| scene.json("clusters", &[("filter", filter)])["total"].clone();
    for (filter, count) in [
        ("", 5),
        ("aws", 3),
        ("addon=hello name:aws*", 2),
        ("set=prod", 2),
        ("label.region=us", 1),
        ("-state=Waiting", 3),
        ("version!=2.0.0", 2),
        ("group=rest", 2),
        ("state=done", 2),
        ("state=failed", 1),
        ("reason:*pullbackoff", 1),
    ] {
        assert_eq!(total(filter), count, "{filter}");
    }
    let large = Scene::large(1, 250).facts();
    let page = serde_json::to_value(shown(&large, "clusters", &[("filter", "addon=addon-00"), ("page", "3")])).unwrap();
    assert_eq!((&page["pages"], &page["rows"].as_array().unwrap().len()), (&json!(3), &50));
    let wrong = scene.json("clusters", &[("filter", "vesion=1")]);
    assert_eq!(wrong["problem"], "a filter has no field \"vesion\"; did you mean \"version\"?");
}

#[test]
fn a_cluster_shows_its_life_and_how_it_differs() {
    let cluster = Scene::new().json("clusters/aws-2", &[]);
    assert_eq!(cluster["addons"][0]["rollout"], 3);
    let life: Vec<&Value> = cluster["life"].as_array().unwrap().iter().map(|event| &event["number"]).collect();
    assert_eq!(life, [&json!(3), &json!(2), &json!(1)]);
    let mut scene = Scene::new();
    let list = scene.0.get_mut("addons/hello/clusters.yaml").unwrap();
    for (name, version) in [("a", "1.1.0"), ("b", "1.1.0"), ("gcp-1", "1.0.0")] {
        list["clusters"][name] = merged(&list["clusters"]["gcp-1"], &json!({"version": version}));
    }
    assert_eq!(scene.json("clusters/gcp-1", &[])["addons"][0]["others"], "1.1.0");
}

#[test]
fn the_history_is_searched_and_measured() {
    let scene = Scene::new();
    let numbers = |query: &[(&str, &str)]| -> Vec<u64> {
        let history = scene.json("history", query);
        history["rollouts"].as_array().unwrap().iter().map(|entry| entry["number"].as_u64().unwrap()).collect()
    };
    assert_eq!(numbers(&[]), [3, 2, 1]);
    assert_eq!(numbers(&[("cluster", "gcp-2")]), [3]);
    assert_eq!(numbers(&[("person", "GRACE"), ("until", "2026-11-19T09:00:00Z")]), [1]);
    assert_eq!(numbers(&[("addon", "other")]), [] as [u64; 0]);
    let figures = &scene.json("history", &[])["figures"];
    assert_eq!((&figures["completed"], &figures["ended"], &figures["failed"]), (&json!(2), &json!(2), &json!(0)));
    let mut reverted = scene;
    reverted.0.get_mut("addons/hello/rollouts/2.yaml").unwrap()["reverts"] = json!(1);
    let figures = reverted.json("history", &[])["figures"].clone();
    assert_eq!((&figures["failed"], &figures["restoreSeconds"]), (&json!(1), &json!(9_600)));
}

#[test]
fn what_is_not_there_is_not_found() {
    let facts = Scene::new().facts();
    for path in [
        "rollouts",
        "rollouts/nope",
        "rollouts/hello/9",
        "rollouts/hello/x",
        "clusters/nope",
        "changes/8",
        "a/../b",
        "..",
    ] {
        let error = document(&facts, path, &Query::default(), at(NOW)).unwrap_err();
        assert!(!error.to_string().is_empty(), "{path}");
    }
}

#[test]
fn every_link_leads_to_a_page() {
    let facts = Scene::new().facts();
    let paths = site::paths(&facts);
    for path in &paths {
        let page = written(&shown(&facts, path, &[]), path, Links::files(path));
        let folder: Vec<&str> = path.rsplit_once('/').map_or(vec![], |(folder, _)| folder.split('/').collect());
        for link in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            if link.starts_with('#') || link.starts_with("http") || link.starts_with("data:") || link.ends_with(".css")
            {
                continue;
            }
            let ups = link.matches("../").count();
            let rest = link.trim_start_matches("../").strip_suffix(".html").unwrap_or_else(|| panic!("{path}: {link}"));
            let target: Vec<&str> = folder[..folder.len() - ups].iter().copied().chain(rest.split('/')).collect();
            let target = target.join("/").replace("index", "");
            assert!(paths.contains(&target), "{path} links to {link}, which is {target}");
        }
    }
}

#[test]
fn what_a_person_must_know_is_not_called_quiet() {
    let needs = |scene: &Scene| -> Vec<String> {
        let start = scene.json("", &[]);
        let needs = start["needs"].as_array().unwrap();
        needs
            .iter()
            .map(|need| format!("{}: {}", need["urgency"].as_str().unwrap(), need["what"].as_str().unwrap()))
            .collect()
    };
    // A revision that is not applied is worse than one with warnings.
    let mut broken = Scene::new();
    broken.0.get_mut("sync.yaml").unwrap()["applied"] = json!("f".repeat(40));
    assert_eq!(needs(&broken)[0], "Failed: revision aaaaaaaaaaaa has 1 complaint");
    // A completed rollback still waits for a new version.
    let mut rejected = Scene::new();
    let quiet = rejected.0.get_mut("addons/quiet/status.yaml").unwrap();
    quiet["problem"] = json!("rolled back by RolloutPolicy production; a commit with another version continues");
    quiet["rejected"] =
        json!({"digest": "e".repeat(64), "at": NOW, "reason": "a check failed", "policy": "RolloutPolicy production"});
    assert!(needs(&rejected).contains(&"Failed: its version was rejected".to_owned()), "{:?}", needs(&rejected));
    // An approval is asked for as soon as its gate is closed, and not any more when no cluster waits.
    let mut early = Scene::new();
    let status = early.0.get_mut("addons/hello/status.yaml").unwrap();
    status["approvals"][0].as_object_mut().unwrap().remove("reached");
    assert_eq!(needs(&early), needs(&Scene::new()));
    early.0.get_mut("addons/hello/status.yaml").unwrap()["gates"] = json!([]);
    assert!(!needs(&early).iter().any(|need| need.contains("approval")));
    // A gate without a time that no approval opens is named by itself.
    let mut check = Scene::new();
    check.0.get_mut("addons/hello/status.yaml").unwrap()["gates"][0]["gate"] = json!("the check errors failed");
    assert!(needs(&check).contains(&"Decide: 2 clusters: the check errors failed".to_owned()));
}

#[test]
fn a_removal_is_under_way_until_the_last_cluster_has_lost_the_addon() {
    let mut scene = Scene::new();
    let status = scene.0.get_mut("addons/hello/status.yaml").unwrap();
    status["phase"] = json!("Removing");
    status["gates"] = json!([]);
    status["clusters"] = json!({"total": 0, "succeeded": 0, "progressing": 0, "failed": 0, "waiting": 0, "leaving": 2});
    let list = scene.0.get_mut("addons/hello/clusters.yaml").unwrap();
    for (name, state) in [("aws-1", "Removed"), ("aws-2", "Removed"), ("gcp-1", "Removing"), ("gcp-2", "Leaving")] {
        list["clusters"][name]["state"] = json!(state);
    }
    let rollout = scene.json("rollouts/hello", &[]);
    let [canary, rest] = [&rollout["waves"][0], &rollout["waves"][1]];
    assert!(rest.get("done").is_none() && rest.get("unchanged").is_none(), "{rest}");
    assert!(canary.get("expected").is_none(), "{canary}");
    assert!(scene.html("rollouts/hello", &[]).contains("2 leaving"));
    assert_eq!(scene.json("versions", &[])["addons"][0]["versions"][0]["clusters"], 2);
    assert_eq!(scene.json("clusters", &[("filter", "addon=hello")])["total"], 2);
    assert_eq!(scene.json("fleet", &[])["clusters"], 3);
}

#[test]
fn clusters_that_are_left_out_and_lateness_promise_no_end() {
    let mut scene = Scene::new();
    scene.0.get_mut("addons/hello/clusters.yaml").unwrap()["clusters"]["aws-2"]["leftOut"] =
        json!("it is in quarantine");
    scene.0.get_mut("addons/hello/status.yaml").unwrap()["gates"] = json!([]);
    let start = scene.json("", &[]);
    assert_eq!((&start["active"][0]["wave"], &start["active"][0]["position"]), (&json!("rest"), &json!([2, 2])));
    let mut late = Scene::new();
    let list = late.0.get_mut("addons/hello/clusters.yaml").unwrap();
    list["clusters"]["aws-1"]["started"] = json!("2026-11-20T10:00:00Z");
    list["clusters"]["aws-2"]["started"] = json!("2026-11-20T10:00:00Z");
    late.0.get_mut("addons/hello/status.yaml").unwrap()["rollout"]["started"] = json!("2026-11-20T10:00:00Z");
    let waves = late.json("rollouts/hello", &[])["waves"].clone();
    assert!(waves.as_array().unwrap().iter().all(|wave| wave.get("expected").is_none()), "{waves}");
}

#[test]
fn a_search_that_cannot_be_made_says_so_and_a_day_is_whole() {
    let scene = Scene::new();
    let wrong = scene.page("history", &[("since", "yesterday")]);
    assert!(wrong.problem().unwrap().starts_with("\"yesterday\" is not a time: write a day such as"));
    assert_eq!(scene.json("history", &[("since", "yesterday")])["total"], 0);
    let total = |until: &str| scene.json("history", &[("until", until)])["total"].clone();
    assert_eq!((total("2026-11-19"), total("2026-11-19 09:00"), total("2026-11-18")), (json!(2), json!(1), json!(0)));
}

#[test]
fn the_figures_are_about_rollouts_of_configurations() {
    let mut scene = Scene::new();
    scene.0.get_mut("addons/hello/rollouts/2.yaml").unwrap()["cause"] = json!("Membership");
    let figures = scene.json("history", &[])["figures"].clone();
    assert_eq!((&figures["completed"], &figures["ended"]), (&json!(1), &json!(1)));
    assert_eq!(scene.json("rollouts/hello", &[])["forecastFrom"], 1);
}

#[test]
fn links_of_the_past_lead_to_the_past() {
    let scene = Scene::new();
    let commit = "e".repeat(40);
    for path in ["", "clusters", "history", "rollouts/hello", "clusters/aws-1", "fleet"] {
        let page = written(&scene.page(path, &[]), path, Links::served(path, Some(&commit)));
        for link in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let leaves =
                ["#", "data:", "http"].iter().any(|start| link.starts_with(start)) || link.ends_with("style.css");
            assert!(
                leaves || link.contains("at=") || page.contains(&format!("<a href=\"{link}\">now</a>")),
                "{path}: {link}"
            );
        }
        assert_eq!(page.matches("<form").count(), page.matches("name=\"at\"").count(), "{path}");
    }
}
