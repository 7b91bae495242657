//! The waves as bars. The table below them has the same content, so that a screen reader skips them.

use super::inline::line;
use crate::presentation::page::{Bar, Timeline};

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
    let width = to.saturating_sub(from);
    format!(
        "<div class=\"wave\"><span class=\"label\">{label}</span><span class=\"track\"><span class=\"bar\" \
         style=\"left:{from}%;width:{width}%\"></span></span><span class=\"count\">{text}</span></div>\n",
        label = line(&bar.label),
        from = percentage(from),
        width = percentage(width),
        text = line(&bar.text),
    )
}

fn percentage(thousandths: u16) -> String {
    format!("{}.{}", thousandths / 10, thousandths % 10)
}
