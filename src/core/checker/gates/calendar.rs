//! Windows and freezes, calculated from the offsets of time zones.
//!
//! A local time that occurs twice, or never because clocks are set forward, has two readings. A window has the shorter one, and a
//! freeze the longer one.

use jiff::civil::Date;
use jiff::tz::{TimeZone, TimeZoneDatabase};

use super::bar::Bar;
use super::policies::Policy;
use tidegate_api::rollout_policy::{Freeze, Window};
use tidegate_model::time::{SignedDuration, Timestamp};

/// From, inclusive, and to, exclusive.
type Period = (Timestamp, Timestamp);

/// In longer intervals, some window was open.
const LONGEST: SignedDuration = SignedDuration::from_hours(24 * 8);
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Which of two readings of a local time counts.
#[derive(Clone, Copy)]
enum Reading {
    Earlier,
    Later,
}

/// Returns the bar if no cluster was allowed to start at any moment from `first` to `last`. What cannot be read forbids nothing.
pub(super) fn closed(policy: &Policy, first: Timestamp, last: Timestamp) -> Option<Bar> {
    if first.duration_until(last) > LONGEST {
        return None;
    }
    let windows = &policy.spec().windows;
    let freezes = policy.spec().freezes.iter();
    let freezes: Vec<(&str, Period)> =
        freezes.map(|freeze| Some((freeze.name.as_str(), frozen(freeze)?))).collect::<Option<_>>()?;
    let open: Vec<Vec<Period>> = windows.iter().map(|window| periods(window, first, last)).collect::<Option<_>>()?;
    let has = |(from, to): Period, at: Timestamp| from <= at && at < to;
    let is_open = |at: Timestamp| {
        let is_in_window = windows.is_empty() || open.iter().flatten().any(|period| has(*period, at));
        is_in_window && !freezes.iter().any(|(_, period)| has(*period, at))
    };
    // Time opens something only where a window starts or a freeze ends.
    let changes = open.iter().flatten().map(|(from, _)| *from).chain(freezes.iter().map(|(_, (_, to))| *to));
    let mut moments = changes.filter(|at| first < *at && *at <= last).chain([first]);
    if moments.any(is_open) {
        return None;
    }
    let policy = policy.title.clone();
    Some(match freezes.iter().find(|(_, period)| has(*period, first)) {
        Some((name, _)) => Bar::Freeze { policy, name: (*name).to_owned() },
        None => Bar::Window { policy },
    })
}

/// Returns the periods of a window that may touch an interval.
fn periods(window: &Window, first: Timestamp, last: Timestamp) -> Option<Vec<Period>> {
    let zone = zone(window.time_zone.as_deref())?;
    let (from, to) = (minutes(&window.from)?, minutes(&window.to)?);
    let mut days = [window.days.is_empty(); 7];
    for written in &window.days {
        let (start, end) = written.split_once('-').unwrap_or((written, written));
        let (mut day, end) = (weekday(start)?, weekday(end)?);
        while day != end {
            *days.get_mut(day)? = true;
            day = (day + 1) % 7;
        }
        *days.get_mut(end)? = true;
    }
    let mut found = Vec::new();
    let mut date = zone.to_datetime(first.checked_sub(DAY * 2).ok()?).date();
    let end = zone.to_datetime(last.checked_add(DAY).ok()?).date();
    while date <= end {
        let index = usize::try_from(date.weekday().to_monday_zero_offset()).ok()?;
        let closing = if to > from { date } else { date.tomorrow().ok()? };
        if *days.get(index)? {
            let from = instant(&zone, date, from, Reading::Later)?;
            found.push((from, instant(&zone, closing, to, Reading::Earlier)?));
        }
        date = date.tomorrow().ok()?;
    }
    Some(found)
}

/// Returns the period of a freeze.
fn frozen(freeze: &Freeze) -> Option<Period> {
    let zone = zone(freeze.time_zone.as_deref())?;
    let read = |text: &str| {
        let (date, time) = text.split_once('T').map_or((text, None), |(date, time)| (date, Some(time)));
        Some((date.parse::<Date>().ok()?, time.map_or(Some(0), minutes)?, time.is_some()))
    };
    let (from, start, _) = read(&freeze.from)?;
    let (to, end, has_time) = read(&freeze.to)?;
    // A date without a time is frozen itself.
    let to = if has_time { to } else { to.tomorrow().ok()? };
    Some((instant(&zone, from, start, Reading::Earlier)?, instant(&zone, to, end, Reading::Later)?))
}

/// Returns the moment at which clocks show a local time.
fn instant(zone: &TimeZone, date: Date, minutes: i64, reading: Reading) -> Option<Timestamp> {
    let at_zero = TimeZone::UTC.to_timestamp(date.at(0, 0, 0, 0)).ok()?.as_second() + minutes * 60;
    let offset = |at: Timestamp| i64::from(zone.to_offset(at).seconds());
    let around = [-DAY, DAY].map(|away| Timestamp::from_second(at_zero).and_then(|at| at.checked_add(away)));
    let mut candidates = Vec::new();
    for near in around {
        candidates.push(Timestamp::from_second(at_zero - offset(near.ok()?)).ok()?);
    }
    // Clocks really show it at a candidate whose offset leads back to it. They never do if the time is skipped.
    let is_shown = |at: &Timestamp| at.as_second() + offset(*at) == at_zero;
    let shown: Vec<Timestamp> = candidates.iter().copied().filter(is_shown).collect();
    let candidates = if shown.is_empty() { candidates } else { shown };
    match reading {
        Reading::Earlier => candidates.into_iter().min(),
        Reading::Later => candidates.into_iter().max(),
    }
}

fn zone(name: Option<&str>) -> Option<TimeZone> {
    TimeZoneDatabase::bundled().get(name.unwrap_or("UTC")).ok()
}

/// Reads a time of the day.
fn minutes(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':')?;
    Some(hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?)
}

/// Reads a day of the week; Monday is 0.
fn weekday(name: &str) -> Option<usize> {
    ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].iter().position(|known| *known == name)
}
