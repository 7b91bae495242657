//! The page of a rehearsal.

use proptest::prelude::*;
use tidegate_review::presentation::rehearsal_html;
use tidegate_review::rehearsal::document::{AddonRehearsal, Alternative, Rehearsal, RehearsedWave, Summary};

use super::{hostile, html_check};

/// Returns a rehearsal with something in every field; `text` returns the strings.
fn rehearsal(text: &mut dyn FnMut() -> String) -> Rehearsal {
    let wave =
        |text: &mut dyn FnMut() -> String, (clusters, starts), [median_start, median_done, p90_done]: [i64; 3]| {
            RehearsedWave {
                placement: text(),
                step: text(),
                group: text(),
                clusters,
                starts,
                median_start,
                median_done,
                p90_done,
            }
        };
    let alternative = |text: &mut dyn FnMut() -> String, is_declared, result| Alternative {
        max_concurrency: Some(text()),
        soak: text(),
        runs: 50,
        is_declared,
        result,
    };
    let hours = |hours: i64| hours * 3_600;
    let declared = Summary {
        completes: 0.97,
        in_time: Some(0.5),
        stops: 0.025,
        stalls: 0.005,
        median_end: Some(hours(2)),
        p90_end: Some(hours(3)),
        median_stop: Some(1_500),
        median_exposed: Some(12),
        most_exposed: Some(1_030),
        median_failed: 4,
    };
    let faster = Summary { completes: 0.9999, in_time: Some(1.0), stops: 0.0001, ..declared.clone() };
    let addon = AddonRehearsal {
        name: "hello-template".parse().unwrap(),
        clusters: 1_100,
        result: declared.clone(),
        waves: vec![
            wave(text, (100, 1.0), [0, hours(1), 5_400]),
            wave(text, (1_000, 0.98), [hours(1), hours(2), hours(3)]),
        ],
        alternatives: vec![alternative(text, true, declared), alternative(text, false, faster)],
        advice: Some(text()),
    };
    Rehearsal { api_version: text(), kind: text(), scenario: text(), runs: 200, seed: 7, addons: vec![addon] }
}

/// Returns a rehearsal as the command makes it.
fn plain() -> Rehearsal {
    let mut rehearsal = rehearsal(&mut || String::new());
    "clusters take as long as in the last five rollouts; 1% fail".clone_into(&mut rehearsal.scenario);
    let addon = &mut rehearsal.addons[0];
    for (wave, group) in addon.waves.iter_mut().zip(["canary", "group 1"]) {
        "global".clone_into(&mut wave.placement);
        group.clone_into(&mut wave.group);
    }
    for (alternative, (count, soak)) in addon.alternatives.iter_mut().zip([("25%", "10m0s"), ("50", "0s")]) {
        alternative.max_concurrency = Some(count.to_owned());
        soak.clone_into(&mut alternative.soak);
    }
    addon.advice = Some("50 at once, soak time 0s".to_owned());
    rehearsal
}

fn body(rehearsal: &Rehearsal) -> String {
    let page = rehearsal_html(rehearsal);
    html_check::check(&page);
    page.split_once("<body>").map(|(_, body)| body.to_owned()).unwrap()
}

#[test]
fn a_rehearsal_as_html() {
    insta::assert_snapshot!(body(&plain()));
}

#[test]
fn the_worst_results_of_several_add_ons_are_first() {
    let mut rehearsal = plain();
    let mut other = rehearsal.addons[0].clone();
    (other.result.completes, other.result.p90_end) = (0.5, Some(86_400));
    rehearsal.addons.push(other);
    let page = body(&rehearsal);
    let facts = ["<b>2</b>", "<b>50%</b>", "<b>1 d</b>", "Tidegate rehearsal of 2 add-ons", "Completes in some runs"];
    assert!(facts.iter().all(|fact| page.contains(fact)), "{page}");
}

#[test]
fn the_page_says_so_if_nothing_is_rolled_out() {
    let page = body(&Rehearsal { addons: Vec::new(), ..plain() });
    assert!(page.contains("This change rolls nothing out") && !page.contains("<h2>"), "{page}");
}

#[test]
fn a_setting_that_is_never_in_time_is_not_advised() {
    let mut rehearsal = plain();
    rehearsal.addons[0].advice = None;
    assert!(body(&rehearsal).contains("No alternative is done in time in 99 of 100 runs."));
    rehearsal.addons[0].result.in_time = None;
    assert!(!body(&rehearsal).contains("No alternative"));
}

#[test]
fn only_a_risk_of_nothing_is_shown_as_0() {
    let page = body(&plain());
    assert!(page.contains("99.9%") && page.contains("0.1%"), "{page}");
}

#[test]
fn a_rehearsal_loads_nothing() {
    let page = rehearsal_html(&plain());
    assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'"), "{page}");
    assert!(["src=", "href=", "url(", "@import", "<link", "<script"].iter().all(|loading| !page.contains(loading)));
}

proptest! {
    #[test]
    fn no_value_of_a_rehearsal_becomes_an_element_or_an_attribute(
        strings in hostile::strings(),
        seconds in prop::array::uniform3(any::<i64>()),
        share in any::<f64>(),
    ) {
        let mut rehearsal = rehearsal(&mut hostile::source(strings));
        let addon = &mut rehearsal.addons[0];
        addon.result.completes = share;
        addon.result.median_end = Some(seconds[0]);
        let wave = &mut addon.waves[0];
        (wave.starts, wave.median_start, wave.median_done, wave.p90_done) = (share, seconds[0], seconds[1], seconds[2]);
        html_check::check(&rehearsal_html(&rehearsal));
    }
}
