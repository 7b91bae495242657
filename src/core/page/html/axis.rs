//! The groups of a rollout on a time axis. The table below it has the same content.

use maud::{Markup, html};

use super::parts::exact;
use crate::forecast::Band;
use crate::view::rollout::RolloutView;
use crate::view::waves::Wave;
use tidegate_model::plural::counted;
use tidegate_model::time::Timestamp;

/// The width of the drawing.
const WIDTH: i64 = 1_000;

/// The part of time that is drawn.
struct Axis {
    from: i64,
    to: i64,
}

impl Axis {
    fn x(&self, at: Timestamp) -> i64 {
        ((at.as_second() - self.from) * WIDTH / (self.to - self.from)).clamp(0, WIDTH)
    }
}

/// Returns the drawing.
pub(super) fn axis(view: &RolloutView, now: Timestamp) -> Markup {
    let moments = view.waves.iter().flat_map(|wave| {
        let bands = [wave.begins, wave.expected].into_iter().flatten().flat_map(|Band { p50, p90 }| [p50, p90]);
        [wave.started, wave.done].into_iter().flatten().chain(bands)
    });
    let end = view.ended.unwrap_or(now);
    let last = moments.chain([end]).max().unwrap_or(end);
    let axis = Axis { from: view.started.as_second(), to: last.as_second().max(view.started.as_second() + 1) };
    let current = view.ended.is_none().then(|| axis.x(now));
    html! {
        div.timeline aria-hidden="true" {
            @for wave in &view.waves { (row(wave, &axis, current, end)) }
            div.wave.axis { span {} span.ends { (exact(view.started)) (exact(last)) } span {} }
        }
        @if view.ended.is_none() { p.legend { (meaning(view)) } }
    }
}

/// Returns what the drawing means.
fn meaning(view: &RolloutView) -> Markup {
    let is_expected = view.waves.iter().any(|wave| wave.expected.is_some());
    let swatch = |class: &str| html! { svg.swatch viewBox="0 0 20 20" aria-hidden="true" { rect class=(class) width="20" height="20" {} } };
    html! {
        span { (swatch("bar")) "what has happened" }
        @if is_expected {
            span { (swatch("likely")) "what is expected, as in half of " (counted(view.forecast_from, "earlier rollout")) }
            span { (swatch("late")) "as in nine of ten" }
            @if view.waves.iter().any(Wave::is_stuck) { span { "A gate that does not open by time is drawn as if it opened now." } }
        } @else if view.forecast_from == 0 { span { "No earlier rollout completed, so nothing is expected yet." } }
        @else { span { "Nothing is expected: no cluster may start, or a group is later than in nine of ten earlier rollouts." } }
    }
}

fn row(wave: &Wave, axis: &Axis, current: Option<i64>, end: Timestamp) -> Markup {
    let started = wave.started.map(|at| axis.x(at));
    let until = axis.x(wave.done.unwrap_or(end));
    let begins = started.map(|_| until).or_else(|| wave.begins.map(|band| axis.x(band.p50)));
    let expected = begins.zip(wave.expected).map(|(from, band)| (from, axis.x(band.p50), axis.x(band.p90)));
    let class = if wave.counts.failed > 0 { "bar failed" } else { "bar" };
    html! {
        div.wave {
            span.label { (wave.name) }
            svg.track viewBox="0 0 1000 20" preserveAspectRatio="none" {
                @if let Some(from) = started { rect class=(class) x=(from) y="0" width=((until - from).max(4)) height="20" {} }
                @if let Some((from, half, most)) = expected {
                    rect.likely x=(from) y="0" width=((half - from).max(2)) height="20" {}
                    rect.late x=(half.max(from)) y="0" width=((most - half).max(0)) height="20" {}
                }
                @if let Some(x) = current { line.now x1=(x) x2=(x) y1="0" y2="20" {} }
            }
            span.count { (wave.counts.succeeded) " of " (wave.counts.total) }
        }
    }
}
