//! The waves as bars. The table below them has the same content, so that a screen reader skips them.

use super::inline::line;
use crate::presentation::page::{Bar, Timeline, percentage};

/// Returns the bars of a time line.
pub(super) fn timeline(timeline: &Timeline) -> String {
    let bars: String = timeline.bars.iter().map(bar).collect();
    let [start, end] = [&timeline.ends[0], &timeline.ends[1]].map(line);
    format!(
        "<div class=\"timeline\" aria-hidden=\"true\">\n{bars}<div class=\"wave axis\"><span></span><span class=\"ends\"><span>{start}</span>\
         <span>{end}</span></span></div>\n</div>\n<p class=\"note\">{}</p>\n",
        timeline.meaning
    )
}

fn bar(bar: &Bar) -> String {
    let [from, to] = bar.range;
    format!(
        "<div class=\"wave\"><span class=\"label\">{label}</span><span class=\"track\">{filled}{shaded}</span><span \
         class=\"count\">{text}</span></div>\n",
        label = line(&bar.label),
        filled = part("bar", from, to),
        shaded = if bar.late > to { part("late", to, bar.late) } else { String::new() },
        text = line(&bar.text),
    )
}

fn part(class: &'static str, from: u16, to: u16) -> String {
    let [left, width] = [from, to.saturating_sub(from)].map(percentage);
    format!("<span class=\"{class}\" style=\"left:{left};width:{width}\"></span>")
}
