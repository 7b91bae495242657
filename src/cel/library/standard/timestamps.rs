//! Parts of instants and durations.

use crate::context::{Context, EvalError};
use crate::library::declaration::Row;
use crate::time::{Timestamp, span_in, zone};
use crate::value::Value;

const SECOND: i64 = 1_000_000_000;

pub(in crate::library) const ROWS: &[Row] = &[
    Row("getFullYear", "timestamp_to_year", "timestamp.() -> int", Some(year)),
    Row("getFullYear", "timestamp_to_year_with_tz", "timestamp.(string) -> int", Some(year)),
    Row("getMonth", "timestamp_to_month", "timestamp.() -> int", Some(month)),
    Row("getMonth", "timestamp_to_month_with_tz", "timestamp.(string) -> int", Some(month)),
    Row("getDayOfYear", "timestamp_to_day_of_year", "timestamp.() -> int", Some(day_of_year)),
    Row("getDayOfYear", "timestamp_to_day_of_year_with_tz", "timestamp.(string) -> int", Some(day_of_year)),
    Row("getDayOfMonth", "timestamp_to_day_of_month", "timestamp.() -> int", Some(day_from_zero)),
    Row("getDayOfMonth", "timestamp_to_day_of_month_with_tz", "timestamp.(string) -> int", Some(day_from_zero)),
    Row("getDate", "timestamp_to_day_of_month_1_based", "timestamp.() -> int", Some(day)),
    Row("getDate", "timestamp_to_day_of_month_1_based_with_tz", "timestamp.(string) -> int", Some(day)),
    Row("getDayOfWeek", "timestamp_to_day_of_week", "timestamp.() -> int", Some(weekday)),
    Row("getDayOfWeek", "timestamp_to_day_of_week_with_tz", "timestamp.(string) -> int", Some(weekday)),
    Row("getHours", "timestamp_to_hours", "timestamp.() -> int", Some(hours)),
    Row("getHours", "timestamp_to_hours_with_tz", "timestamp.(string) -> int", Some(hours)),
    Row("getHours", "duration_to_hours", "duration.() -> int", Some(hours)),
    Row("getMinutes", "timestamp_to_minutes", "timestamp.() -> int", Some(minutes)),
    Row("getMinutes", "timestamp_to_minutes_with_tz", "timestamp.(string) -> int", Some(minutes)),
    Row("getMinutes", "duration_to_minutes", "duration.() -> int", Some(minutes)),
    Row("getSeconds", "timestamp_to_seconds", "timestamp.() -> int", Some(seconds)),
    Row("getSeconds", "timestamp_to_seconds_tz", "timestamp.(string) -> int", Some(seconds)),
    Row("getSeconds", "duration_to_seconds", "duration.() -> int", Some(seconds)),
    Row("getMilliseconds", "timestamp_to_milliseconds", "timestamp.() -> int", Some(milliseconds)),
    Row("getMilliseconds", "timestamp_to_milliseconds_with_tz", "timestamp.(string) -> int", Some(milliseconds)),
    Row("getMilliseconds", "duration_to_milliseconds", "duration.() -> int", Some(milliseconds)),
];

/// Returns a part of an instant (in UTC unless a zone is given) or of a duration.
fn part<'a>(
    args: &[Value<'a>],
    of_timestamp: impl FnOnce(&Timestamp) -> i64,
    of_span: impl FnOnce(i64) -> Option<i64>,
) -> Result<Value<'a>, EvalError> {
    let part = match args {
        [Value::Timestamp(timestamp)] => Some(of_timestamp(&timestamp.at_offset(0))),
        [Value::Timestamp(timestamp), Value::String(name)] => {
            zone(*timestamp, name).map(|timestamp| of_timestamp(&timestamp))
        }
        [Value::Duration(span)] => of_span(*span),
        _ => None,
    };
    part.map(Value::Int).ok_or(EvalError::Failed)
}

fn year<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |timestamp| timestamp.date().0, |_| None)
}

fn month<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |timestamp| timestamp.date().1 - 1, |_| None)
}

fn day_of_year<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, Timestamp::day_of_year, |_| None)
}

fn day_from_zero<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |timestamp| timestamp.date().2 - 1, |_| None)
}

fn day<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |timestamp| timestamp.date().2, |_| None)
}

fn weekday<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, Timestamp::weekday, |_| None)
}

fn hours<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |timestamp| timestamp.clock().0, |span| Some(span_in(span, 3600 * SECOND) as i64))
}

fn minutes<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |timestamp| timestamp.clock().1, |span| Some(span_in(span, 60 * SECOND) as i64))
}

fn seconds<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |timestamp| timestamp.clock().2, |span| Some(span_in(span, SECOND) as i64))
}

fn milliseconds<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, Timestamp::milliseconds, |span| Some(span / 1_000_000))
}
