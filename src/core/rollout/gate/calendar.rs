//! Windows and freezes: periods of local time, with daylight saving.
//!
//! A local time that does not exist or occurs twice, because clocks change, makes windows shorter and freezes longer.
//!
//! # Source
//! The rules of the IANA time zone database, which is part of the binary.

use jiff::Zoned;
use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::{Disambiguation, TimeZone, TimeZoneDatabase};

use tidegate_api::rollout_policy::{Freeze, Window};
use tidegate_model::near::remedy;
use tidegate_model::time::{SignedDuration, Timestamp};

/// A window that can be evaluated.
#[derive(Debug, Clone)]
pub(super) struct Opening {
    zone: TimeZone,
    days: [bool; 7],
    from: Time,
    to: Time,
}

/// A freeze that can be evaluated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closure {
    from: Timestamp,
    to: Timestamp,
}

/// The days of the week, as they are written.
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// How many days ahead the next window is searched. A week has a window on each of its days, unless clocks change.
const SEARCH: i8 = 15;

impl Opening {
    /// Reads a window.
    ///
    /// # Errors
    /// The field that is wrong, and why.
    pub(super) fn read(window: &Window) -> Result<Self, (&'static str, String)> {
        let zone = zone(window.time_zone.as_deref())?;
        let mut days = [window.days.is_empty(); 7];
        for written in &window.days {
            let (first, last) = written.split_once('-').unwrap_or((written, written));
            let (first, last) = (day(first)?, day(last)?);
            // A range such as Fri-Mon goes over the end of the week.
            let length = (last + 7 - first) % 7;
            for offset in 0..=length {
                if let Some(day) = days.get_mut((first + offset) % 7) {
                    *day = true;
                }
            }
        }
        Ok(Self { zone, days, from: time("from", &window.from)?, to: time("to", &window.to)? })
    }

    /// Returns when the window closes, if it is open.
    pub(super) fn closes(&self, now: Timestamp) -> Option<Timestamp> {
        let today = now.to_zoned(self.zone.clone()).date();
        let days = [today.yesterday().ok(), Some(today)].into_iter().flatten();
        days.filter_map(|day| self.on(day)).filter(|(from, to)| *from <= now && now < *to).map(|(_, to)| to).max()
    }

    /// Returns when the window opens next; `None` if it never does.
    pub(super) fn opens(&self, now: Timestamp) -> Option<Timestamp> {
        let today = now.to_zoned(self.zone.clone()).date();
        let day = |offset: i8| today.checked_add(SignedDuration::from_hours(24 * i64::from(offset))).ok();
        (0..=SEARCH).filter_map(day).filter_map(|day| self.on(day)).map(|(from, _)| from).find(|from| *from > now)
    }

    /// Returns the period of the window that begins on a day.
    fn on(&self, day: Date) -> Option<(Timestamp, Timestamp)> {
        if !self.days.get(index(day.weekday())).copied().unwrap_or_default() {
            return None;
        }
        let last = if self.to > self.from { day } else { day.tomorrow().ok()? };
        let from = at(&self.zone, day.to_datetime(self.from), Disambiguation::Later)?;
        let to = at(&self.zone, last.to_datetime(self.to), Disambiguation::Earlier)?;
        (from < to).then_some((from, to))
    }
}

impl Closure {
    /// Reads a freeze.
    ///
    /// # Errors
    /// The field that is wrong, and why.
    pub(super) fn read(freeze: &Freeze) -> Result<Self, (&'static str, String)> {
        let zone = zone(freeze.time_zone.as_deref())?;
        let from = local("from", &freeze.from, false)?;
        let to = local("to", &freeze.to, true)?;
        let too_far = |field| move || (field, "is too far away; write another date".to_owned());
        let from = at(&zone, from, Disambiguation::Earlier).ok_or_else(too_far("from"))?;
        let to = at(&zone, to, Disambiguation::Later).ok_or_else(too_far("to"))?;
        if from >= to {
            return Err(("to", format!("is {:?}, which is not after from; write a later date", freeze.to)));
        }
        Ok(Self { from, to })
    }

    /// Returns when the freeze ends, if it is in force.
    pub(super) fn ends(&self, now: Timestamp) -> Option<Timestamp> {
        (self.from <= now && now < self.to).then_some(self.to)
    }
}

fn zone(name: Option<&str>) -> Result<TimeZone, (&'static str, String)> {
    let name = name.unwrap_or("UTC");
    let bundled = TimeZoneDatabase::bundled();
    bundled.get(name).map_err(|_| {
        let known: Vec<String> = bundled.available().map(|known| known.to_string()).collect();
        let known = tidegate_model::near::nearest(name, known.iter().map(String::as_str));
        let remedy = remedy(name, known.into_iter().chain(["UTC"]));
        ("timeZone", format!("{name:?} is not a time zone of the IANA database; {remedy}"))
    })
}

fn day(written: &str) -> Result<usize, (&'static str, String)> {
    let known = DAYS.iter().position(|day| *day == written);
    known.ok_or_else(|| ("days", format!("{written:?} is not a day; {}", remedy(written, DAYS))))
}

fn index(weekday: Weekday) -> usize {
    usize::try_from(weekday.to_monday_zero_offset()).unwrap_or_default()
}

fn time(field: &'static str, written: &str) -> Result<Time, (&'static str, String)> {
    Time::strptime("%H:%M", written)
        .map_err(|_| (field, format!("is {written:?}; write a time of the day, such as \"22:00\"")))
}

/// Reads a date with or without a time. As an end, a date without a time is the end of that day.
fn local(field: &'static str, written: &str, is_end: bool) -> Result<DateTime, (&'static str, String)> {
    let wrong = || (field, format!("is {written:?}; write a date such as \"2026-12-20\" or \"2026-12-20T18:00\""));
    if written.contains('T') {
        return DateTime::strptime("%Y-%m-%dT%H:%M", written).map_err(|_| wrong());
    }
    let date = Date::strptime("%Y-%m-%d", written).map_err(|_| wrong())?;
    let date = if is_end { date.tomorrow().map_err(|_| wrong())? } else { date };
    Ok(date.to_datetime(Time::midnight()))
}

fn at(zone: &TimeZone, local: DateTime, rule: Disambiguation) -> Option<Timestamp> {
    let zoned: Zoned = zone.clone().into_ambiguous_zoned(local).disambiguate(rule).ok()?;
    Some(zoned.timestamp())
}
