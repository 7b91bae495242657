//! Scripts of simulated agents: random draws, and files.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::json;
use tidegate_sandbox::agents::{Clusters, Delay, Outcome, Partition, Rule, Script};

use super::agents::rule;

#[test]
fn every_cluster_has_its_own_delay_within_the_range() {
    let (least, most) = (Duration::from_secs(5), Duration::from_secs(30));
    let script = Script { delay: Delay::Uniform(least, most), ..Script::default() };
    let delays: Vec<Duration> = (0..200).map(|number| script.delay_of(&format!("c{number}"))).collect();
    assert!(delays.iter().all(|delay| (least..=most).contains(delay)));
    assert!(delays.iter().collect::<BTreeSet<_>>().len() > 150);
    assert_eq!(script.delay_of("c7"), delays[7]);
    let other = Script { seed: 1, ..script.clone() };
    assert_ne!(delays, (0..200).map(|number| other.delay_of(&format!("c{number}"))).collect::<Vec<_>>());
    for (least, most) in [(Duration::ZERO, Duration::MAX), (most, least)] {
        assert!(Script { delay: Delay::Uniform(least, most), ..Script::default() }.delay_of("a") >= least);
    }
}

#[test]
fn a_share_includes_about_the_requested_percentage_of_clusters() {
    let script = Script::default();
    let count = |percent| (0..1000).filter(|n| script.includes(&Clusters::Share(percent), &format!("c{n}"))).count();
    assert_eq!((count(0.0), count(100.0)), (0, 1000));
    assert!((150..250).contains(&count(20.0)), "{}", count(20.0));
}

#[test]
fn a_star_in_a_pattern_matches_any_string() {
    let fits = |pattern: &str, name: &str| Script::default().includes(&Clusters::Named(vec![pattern.to_owned()]), name);
    for (pattern, name) in
        [("aws-001", "aws-001"), ("aws-*", "aws-001"), ("*", ""), ("*-00*", "gcp-001"), ("a*b*b", "abb")]
    {
        assert!(fits(pattern, name), "{pattern} {name}");
    }
    for (pattern, name) in [("aws-1", "aws-10"), ("*-2", "aws-21"), ("a*b*b", "ab"), ("", "a")] {
        assert!(!fits(pattern, name), "{pattern} {name}");
    }
}

#[test]
fn a_rate_is_drawn_separately_for_each_content() {
    let often = Rule { rate: Some(30.0), ..rule("*", None, Outcome::Unhealthy) };
    let script = Script { rules: vec![often], ..Script::default() };
    let fails = |content: &str| -> Vec<bool> {
        (0..500).map(|n| script.outcome(&format!("c{n}"), &json!([content])) == Outcome::Unhealthy).collect()
    };
    let (first, second) = (fails("1.0"), fails("2.0"));
    assert!((110..190).contains(&first.iter().filter(|fails| **fails).count()));
    assert_ne!(first, second);
    assert_eq!(first, fails("1.0"));
}

#[test]
fn delays_follow_their_distribution() {
    let of = |delay: Delay| -> Vec<f64> {
        let script = Script { delay, ..Script::default() };
        (0..2000).map(|n| script.delay_of(&format!("c{n}")).as_secs_f64()).collect()
    };
    let mean = |delays: &[f64]| delays.iter().sum::<f64>() / delays.len() as f64;
    let ten = Duration::from_secs(10);
    let exponential = of(Delay::Exponential { mean: ten, most: Duration::from_secs(40) });
    assert!((8.5..10.5).contains(&mean(&exponential)) && exponential.iter().all(|delay| *delay <= 40.0));
    let normal = of(Delay::Normal { mean: ten, deviation: Duration::from_secs(2) });
    let near = normal.iter().filter(|delay| (8.0..12.0).contains(*delay)).count();
    assert!((9.8..10.2).contains(&mean(&normal)) && (1250..1480).contains(&near), "{near}");
    assert_eq!(of(Delay::Normal { mean: Duration::ZERO, deviation: Duration::ZERO })[0], 0.0);
}

#[test]
fn a_script_is_parsed_from_a_file() {
    let text = r#"
        seed = 7
        delay = { distribution = "exponential", mean = "2s", max = "30s" }
        status_interval = "10s"
        [[rule]]
        clusters = ["aws-*"]
        containing = "img:2"
        rate = "2.5%"
        outcome = "flapping"
        well = "1m"
        unwell = "10s"
        [[rule]]
        clusters = "10%"
        outcome = "slow-start"
        warm_up = "90s"
        [[partition]]
        clusters = "5%"
        after = "1m"
        lasting = "30s"
        every = "5m"
    "#;
    let seconds = Duration::from_secs;
    let expected = Script {
        seed: 7,
        delay: Delay::Exponential { mean: seconds(2), most: seconds(30) },
        status_interval: seconds(10),
        rules: vec![
            Rule {
                rate: Some(2.5),
                ..rule("aws-*", Some("img:2"), Outcome::Flapping { well: seconds(60), unwell: seconds(10) })
            },
            Rule { clusters: Clusters::Share(10.0), ..rule("", None, Outcome::SlowStart { warm_up: seconds(90) }) },
        ],
        partitions: vec![Partition {
            clusters: Clusters::Share(5.0),
            after: seconds(60),
            lasting: seconds(30),
            every: Some(seconds(300)),
        }],
    };
    assert_eq!(Script::from_toml(text), Ok(expected));
    assert_eq!(Script::from_toml(""), Ok(Script::default()));
}

#[test]
fn errors_in_a_file_have_a_position() {
    let cases = [
        ("seed = ", "1:8: "),
        ("seeds = 1", "1:1: unknown field `seeds`"),
        ("delay = { distribution = \"even\" }", "1:26: unknown variant `even`"),
        ("\ndelay = { distribution = \"fixed\", at = \"soon\" }", "2:40: \"soon\" is not a duration"),
        ("\n[delay]\ndistribution = \"uniform\"\nmin = \"5s\"\nmax = \"1s\"", "4:7: min is longer than max"),
        ("\n[delay]\ndistribution = \"normal\"\nmean = \"5s\"", "3:16: this requires the fields mean and deviation"),
        ("[[rule]]\nclusters = 3\noutcome = \"silent\"", "2:12: expected a list of names"),
        ("[[rule]]\nclusters = \"120%\"\noutcome = \"silent\"", "2:12: expected a list of names"),
        ("[[rule]]\nclusters = [\"a\"]\noutcome = \"sick\"", "3:11: unknown variant `sick`"),
        ("[[rule]]\nclusters = [\"a\"]\noutcome = \"flapping\"", "3:11: \"flapping\" requires well and unwell"),
        (
            "[[rule]]\nclusters = [\"a\"]\noutcome = \"silent\"\nwell = \"1s\"",
            "4:8: warm_up is only for \"slow-start\"",
        ),
        (
            "\n[[partition]]\nclusters = [\"a\"]\nafter = \"0\"\nlasting = \"0s\"",
            "5:11: durations must be at least 10ms",
        ),
        (
            "[[partition]]\nclusters = [\"a\"]\nafter = \"0\"\nlasting = \"9s\"\nevery = \"5s\"",
            "5:9: every must be longer than",
        ),
    ];
    for (text, start) in cases {
        let told = Script::from_toml(text).unwrap_err().to_string();
        assert!(told.starts_with(start), "{text}: {told}");
    }
}
