//! How thresholds, deadlines and soak times are read.

use std::error::Error as _;

use serde_json::{Value, json};
use tidegate_api::ocm::placement::Placement;
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_model::semantics::{Rules, Semantics, SoakDip};
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_rollout::{ClusterStatus, Status, finished_since, with_default_concurrency};

use super::scene::{Scene, one};

fn scene(settings: &Value, existing: &str) -> Scene {
    Scene::new(one(), json!({ "type": "Progressive", "progressive": settings }), existing)
}

/// Returns how many of six clusters start at once.
fn concurrency(value: &Value, semantics: Semantics) -> usize {
    scene(&json!({ "maxConcurrency": value }), "").decide(semantics).unwrap().rollout.len()
}

/// Returns how many of six clusters may fail.
fn failures(value: &Value, semantics: Semantics) -> usize {
    let given = |failed: usize| (1..=failed).map(|n| format!("c{n}T ")).collect::<String>();
    let is_breach = |failed| scene(&json!({ "maxFailures": value }), &given(failed)).decide(semantics).unwrap().breach;
    (0..=6).take_while(|failed| !is_breach(*failed)).count() - 1
}

#[test]
fn thresholds_are_read_as_go_reads_them() {
    let rows = [
        // value, maxConcurrency, maxFailures of compat, maxFailures of strict
        (json!(2), 2, 2, 2),
        (json!(6), 6, 6, 6),
        (json!(10), 6, 0, 6),
        (json!("200%"), 6, 0, 6),
        (json!("+Infinity%"), 6, 0, 6),
        (json!("1e308%"), 6, 0, 6),
        (json!("0.0001%"), 1, 1, 1),
        (json!("10%"), 1, 1, 1),
        (json!("33%"), 2, 2, 2),
        (json!("34%"), 3, 3, 3),
        (json!("5.e1%"), 3, 3, 3),
        (json!("5_0%"), 3, 3, 3),
        (json!("0x1p5%"), 2, 2, 2),
        (json!("0x_6.4p3%"), 3, 3, 3),
        (json!("0x64P-1%"), 3, 3, 3),
        (json!("100%"), 6, 6, 6),
    ];
    for (value, concurrent, compat, strict) in rows {
        assert_eq!(concurrency(&value, Semantics::Compat), concurrent, "maxConcurrency {value}");
        assert_eq!(concurrency(&value, Semantics::Strict), concurrent, "maxConcurrency {value}");
        assert_eq!(failures(&value, Semantics::Compat), compat, "maxFailures {value}");
        assert_eq!(failures(&value, Semantics::Strict), strict, "maxFailures {value}");
    }
}

#[test]
fn a_max_concurrency_of_zero_starts_no_cluster() {
    for value in [json!(0), json!(-3), json!("0%"), json!("-5%"), json!("NaN%"), json!("-inf%")] {
        assert_eq!(concurrency(&value, Semantics::Compat), 6, "maxConcurrency {value}");
        assert_eq!(concurrency(&value, Semantics::Strict), 0, "maxConcurrency {value}");
        assert_eq!(failures(&value, Semantics::Compat), 0, "maxFailures {value}");
        assert_eq!(failures(&value, Semantics::Strict), 0, "maxFailures {value}");
    }
    let scene = scene(&json!({ "maxConcurrency": 0 }), "c1P c2S");
    assert_eq!(scene.strict(), "c1P / - / no / -");
    assert_eq!(scene.reason("c3"), "blocked: maxConcurrency allows no cluster to start");
}

/// Returns the `maxConcurrency` that takes effect for a strategy, given a placement with groups of this size.
fn with_groups_of(size: &Value, given: &Value, semantics: Semantics) -> Value {
    let strategy = json!({ "type": "Progressive", "progressive": { "maxConcurrency": given } });
    let placement = json!({
        "metadata": {}, "spec": { "decisionStrategy": { "groupStrategy": { "clustersPerDecisionGroup": size } } },
    });
    let placement: Placement = serde_json::from_value(placement).unwrap();
    let rules = Rules::of(semantics, SoakDip::default());
    let strategy = with_default_concurrency(&serde_json::from_value(strategy).unwrap(), Some(&placement), &rules);
    serde_json::to_value(strategy).unwrap()["progressive"]["maxConcurrency"].clone()
}

#[test]
fn the_group_size_replaces_only_a_missing_max_concurrency() {
    let none = || Value::Null;
    // group size, maxConcurrency, in compat, in strict
    let rows = [
        (json!(2), none(), json!(2), json!(2)),
        (json!("10%"), none(), json!("10%"), json!("10%")),
        (json!(2), json!(0), json!(2), json!(0)),
        (json!(2), json!("0%"), json!("0%"), json!("0%")),
        (json!(2), json!(3), json!(3), json!(3)),
        // Groups of size 0 are one group of all clusters.
        (json!(0), none(), json!(0), none()),
        (json!("0%"), none(), json!("0%"), none()),
        (none(), none(), none(), none()),
        (none(), json!(0), none(), json!(0)),
    ];
    for (size, given, compat, strict) in rows {
        assert_eq!(with_groups_of(&size, &given, Semantics::Compat), compat, "{given} in groups of {size}");
        assert_eq!(with_groups_of(&size, &given, Semantics::Strict), strict, "{given} in groups of {size}");
    }
}

/// Returns the chain of the error as upstream prints it, which must be the same from both engines.
fn complaint(strategy: Value) -> String {
    let scene = Scene::new(one(), strategy, "");
    let [strict, compat] = [Semantics::Strict, Semantics::Compat].map(|it| scene.decide(it).unwrap_err());
    assert_eq!(strict, compat);
    strict.source().map_or(strict.to_string(), |source| format!("{strict}: {source}"))
}

#[test]
fn an_invalid_threshold_is_refused_with_upstreams_message() {
    let not_a_percentage = "is an invalid maximum threshold value: string is not a percentage";
    let number = |text: &str| format!("strconv.ParseFloat: parsing \"{text}\": invalid syntax");
    let rows = [
        ("3", format!("'3' {not_a_percentage}")),
        ("", format!("'' {not_a_percentage}")),
        ("%3", format!("'%3' {not_a_percentage}")),
        ("%", number("")),
        ("abc%", number("abc")),
        (" 5%", number(" 5")),
        ("5 %", number("5 ")),
        ("1e%", number("1e")),
        ("+nan%", number("+nan")),
        ("++1%", number("++1")),
        ("0x10%", number("0x10")),
        ("0xp1%", number("0xp1")),
        ("0b1%", number("0b1")),
        ("_1%", number("_1")),
        ("1__0%", number("1__0")),
        ("1_%", number("1_")),
        ("1e999%", "strconv.ParseFloat: parsing \"1e999\": value out of range".to_owned()),
        ("-0x1p9999%", "strconv.ParseFloat: parsing \"-0x1p9999\": value out of range".to_owned()),
    ];
    for (text, expected) in rows {
        for member in ["maxConcurrency", "maxFailures"] {
            let strategy = json!({ "type": "Progressive", "progressive": { member: text } });
            assert_eq!(complaint(strategy), format!("failed to parse the provided {member}: {expected}"), "{text:?}");
        }
    }
}

#[test]
fn deadlines_are_read_as_upstream_reads_them() {
    let rows = [
        ("", "c1P / - / no / -"),
        ("None", "c1P / - / no / -"),
        ("2562047h47m16.854775807s", "c1P / - / no / -"),
        ("5m", "c1P / - / no / 4m0s"),
        ("1h30m", "c1P / - / no / 1h29m0s"),
        ("00005m", "c1P / - / no / 4m0s"),
        ("1m", "- / c1 / no / -"),
        ("0s", "- / c1 / no / -"),
    ];
    for (text, expected) in rows {
        let settings = json!({ "progressDeadline": text, "maxConcurrency": 1, "maxFailures": 1 });
        for semantics in [Semantics::Strict, Semantics::Compat] {
            let mut scene = scene(&settings, "c1P@1m");
            scene.groups[0].clusters.truncate(1);
            assert_eq!(super::scene::shown(&scene.decide(semantics).unwrap()), expected, "{text:?}");
        }
    }
}

#[test]
fn an_invalid_deadline_is_refused_with_upstreams_message() {
    let format = "invalid timeout format";
    let rows = [
        ("5", format),
        ("-5m", format),
        ("1.5h", format),
        ("10d", format),
        ("NoneX", format),
        ("none", format),
        ("None\n", format),
        ("5ms\u{e9}", "time: unknown unit \"ms\\xc3\\xa9\" in duration \"5ms\\xc3\\xa9\""),
        ("5mXYZ", "time: unknown unit \"mXYZ\" in duration \"5mXYZ\""),
        ("5|", "time: unknown unit \"|\" in duration \"5|\""),
        ("5m3", "time: missing unit in duration \"5m3\""),
        ("xNone", "time: invalid duration \"xNone\""),
        ("-5None", "time: unknown unit \"None\" in duration \"-5None\""),
        ("8s.", "time: invalid duration \"8s.\""),
        ("9999999999999h", "time: invalid duration \"9999999999999h\""),
    ];
    for (text, expected) in rows {
        for (kind, member) in
            [("All", "all"), ("Progressive", "progressive"), ("ProgressivePerGroup", "progressivePerGroup")]
        {
            let strategy = json!({ "type": kind, member: { "progressDeadline": text } });
            assert_eq!(complaint(strategy), expected, "{text:?}");
        }
    }
}

#[test]
fn an_unknown_type_is_refused() {
    for kind in ["", "all", "RollingUpdate"] {
        assert_eq!(complaint(json!({ "type": kind })), format!("incorrect rollout strategy type {kind}"));
    }
}

#[test]
fn a_soak_time_that_is_not_a_duration_is_refused() {
    let strategy = json!({ "type": "Progressive", "progressive": { "minSuccessTime": "soon" } });
    assert!(complaint(strategy).starts_with("failed to parse the provided minSuccessTime: "));
}

#[test]
fn an_endless_soak_time_counts_as_none() {
    let settings = json!({ "minSuccessTime": "2562047h47m16.854775807s", "maxConcurrency": 1 });
    assert_eq!(scene(&settings, "c1S@1m").strict(), "c2A / - / no / -");
    assert_eq!(scene(&settings, "c1S@1m").compat(), "c2A / - / no / -");
}

#[test]
fn settings_of_another_type_are_ignored() {
    let strategy = json!({ "type": "All", "progressive": { "progressDeadline": "xNone" } });
    assert_eq!(Scene::new(one(), strategy, "c1S").strict(), "c2A c3A c4A c5A c6A / - / no / -");
}

#[test]
fn nothing_more_is_expected_of_a_cluster_that_failed_is_late_or_has_soaked() {
    let strategy = json!({
        "type": "Progressive", "progressive": { "progressDeadline": "10m", "minSuccessTime": "5m" },
    });
    let strategy: RolloutStrategy = serde_json::from_value(strategy).unwrap();
    let since = |status, minutes| {
        let at = |minutes: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes);
        let given = ClusterStatus { last_transition: Some(at(0)), ..ClusterStatus::new("c1", status) };
        let since = finished_since(&strategy, &given, at(minutes)).unwrap();
        since.map(|since| since.as_second() / 60)
    };
    assert_eq!(since(Status::ToApply, 60), None);
    assert_eq!((since(Status::Progressing, 9), since(Status::Progressing, 10)), (None, Some(10)));
    assert_eq!((since(Status::Failed, 1), since(Status::Failed, 11)), (Some(0), Some(10)));
    assert_eq!((since(Status::Succeeded, 4), since(Status::Succeeded, 5)), (None, Some(5)));
    assert_eq!(since(Status::TimeOut, 1), Some(0));
}
