//! Windows between two cron expressions.

use tidegate_api::rollout_policy::Window;

const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// A time of day on some days of the week.
#[derive(Debug, PartialEq, Eq)]
struct Moment {
    hour: u32,
    minute: u32,
    /// One entry for each day, from Sunday.
    days: [bool; 7],
}

/// Returns the window between two cron expressions; `None` if it is not one that begins at a time of day on days of the week, and ends less
/// than a day later.
pub(crate) fn window(name: &str, from: &str, to: &str) -> Option<Window> {
    let (from, to) = (moment(from)?, moment(to)?);
    let start = (from.hour, from.minute);
    let end = (to.hour, to.minute);
    // If it does not end later on the same day, it ends on the next one.
    let next = usize::from(end <= start);
    let is_closed = |day: usize| to.days[(day + next) % 7];
    if (0..7).any(|day| from.days[day] && !is_closed(day)) {
        return None;
    }
    let days = if from.days.iter().all(|day| *day) {
        Vec::new()
    } else {
        (0..7).filter(|day| from.days[*day]).map(|day| DAYS[day].to_owned()).collect()
    };
    let text = |(hour, minute): (u32, u32)| format!("{hour:02}:{minute:02}");
    Some(Window { name: name.to_owned(), time_zone: None, days, from: text(start), to: text(end) })
}

/// Reads a cron expression with one time of day, any day of the month and any month.
fn moment(text: &str) -> Option<Moment> {
    let [minute, hour, "*", "*", days] = text.split_whitespace().collect::<Vec<_>>()[..] else { return None };
    let minute = minute.parse().ok().filter(|minute| *minute < 60)?;
    let hour = hour.parse().ok().filter(|hour| *hour < 24)?;
    Some(Moment { hour, minute, days: days_of(days)? })
}

/// Reads days of the week: `*`, or days and ranges separated by commas. 0 and 7 are Sunday.
fn days_of(text: &str) -> Option<[bool; 7]> {
    if text == "*" || text == "?" {
        return Some([true; 7]);
    }
    let mut days = [false; 7];
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (day(first)?, day(last)?);
        // `5-7` is Friday to Sunday.
        if first > last {
            return None;
        }
        (first..=last).for_each(|day| days[day % 7] = true);
    }
    Some(days)
}

fn day(text: &str) -> Option<usize> {
    let by_name = DAYS.iter().position(|day| day.eq_ignore_ascii_case(text));
    by_name.or_else(|| text.parse().ok()).filter(|day| *day <= 7)
}
