//! Schemas of single fields of a RolloutPolicy.

use schemars::{Schema, SchemaGenerator, json_schema};

macro_rules! schemas {
    ($($(#[$doc:meta])* $name:ident => $schema:tt;)*) => {
        $($(#[$doc])* pub(super) fn $name(_: &mut SchemaGenerator) -> Schema { json_schema!($schema) })*
    };
}

schemas! {
    /// A string that is not empty.
    name => { "type": "string", "minLength": 1, "maxLength": 1024, "id": "required" };
    /// Names.
    names => { "type": "array", "items": { "type": "string", "minLength": 1, "maxLength": 253 } };
    /// Names with wildcards.
    globs => { "type": "array", "items": { "type": "string", "minLength": 1, "maxLength": 253 } };
    /// Any string.
    text => { "type": "string", "maxLength": 4096 };
    /// Any strings.
    texts => { "type": "array", "items": { "type": "string", "minLength": 1, "maxLength": 253 } };
    /// People.
    people => { "type": "array", "minItems": 1, "items": { "type": "string", "minLength": 1, "maxLength": 253 }, "id": "required" };
    /// A number, 1 or more.
    count => { "type": "integer", "format": "int32", "minimum": 1 };
    /// A duration as Go writes it.
    duration => { "type": "string" };
    /// A number or a percentage.
    threshold => { "anyOf": [{ "type": "integer" }, { "type": "string" }], "x-kubernetes-int-or-string": true, "pattern": r"^((100|[0-9]{1,2})%|[0-9]+)$" };
    /// A comparison with a number.
    threshold_text => { "type": "string", "pattern": r"^(<|<=|>|>=|==|!=) ?-?[0-9]+(\.[0-9]+)?$", "id": "required" };
    /// A time of the day.
    time_of_day => { "type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$", "id": "required" };
    /// A date, or a date and a time.
    local_time => { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2})?$", "id": "required" };
    /// Days of the week.
    days => { "type": "array", "items": { "type": "string", "pattern": "^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(-(Mon|Tue|Wed|Thu|Fri|Sat|Sun))?$" } };
    /// An address of an HTTP server.
    url => { "type": "string", "pattern": "^https?://", "maxLength": 2048, "id": "required" };
    /// `after` of an approval.
    after => { "type": "string", "enum": ["Any", "Reached"], "example": "Any" };
    /// `scope` of a dependency.
    scope => { "type": "string", "enum": ["Cluster", "Fleet"], "example": "Cluster" };
    /// `when` of a check.
    when => { "type": "string", "enum": ["After", "Soak"], "example": "After" };
    /// `unreachable` of a check.
    when_unreachable => { "type": "string", "enum": ["Hold", "Fail", "Pass"], "example": "Hold" };
    /// `unreachable.action`.
    unreachable_action => { "type": "string", "enum": ["Count", "Park"], "example": "Count" };
    /// `membership.joining`.
    joining => { "type": "string", "enum": ["JoinGroup", "Tail", "Hold"], "example": "JoinGroup" };
    /// `onFailure.action`.
    failure_action => { "type": "string", "enum": ["Halt", "Continue", "Rollback"], "example": "Halt" };
    /// `onFailure.underway`.
    underway => { "type": "string", "enum": ["Rollback", "Finish"], "example": "Rollback" };
}
