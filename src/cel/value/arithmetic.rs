//! Sums, differences, products and quotients of values.

use super::data::{List, Value};
use crate::context::{EvalError, Meter};

type Computed<'a> = Result<Value<'a>, EvalError>;

fn int<'a>(value: Option<i64>) -> Computed<'a> {
    value.map(Value::Int).ok_or(EvalError::Failed)
}

fn uint<'a>(value: Option<u64>) -> Computed<'a> {
    value.map(Value::Uint).ok_or(EvalError::Failed)
}

fn duration<'a>(value: Option<i64>) -> Computed<'a> {
    value.map(Value::Duration).ok_or(EvalError::Failed)
}

impl<'a> Value<'a> {
    pub(crate) fn plus(&self, other: &Self, meter: &mut Meter) -> Computed<'a> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => int(a.checked_add(*b)),
            (Self::Uint(a), Self::Uint(b)) => uint(a.checked_add(*b)),
            (Self::Double(a), Self::Double(b)) => Ok(Self::Double(a + b)),
            (Self::String(a), Self::String(b)) => {
                meter.allocate(a.len() + b.len())?;
                Ok(Self::string([&**a, &**b].concat()))
            }
            (Self::Bytes(a), Self::Bytes(b)) => {
                meter.allocate(a.len() + b.len())?;
                Ok(Self::Bytes([&**a, &**b].concat().into()))
            }
            (Self::Duration(a), Self::Duration(b)) => duration(a.checked_add(*b)),
            (Self::Duration(span), Self::Timestamp(timestamp)) | (Self::Timestamp(timestamp), Self::Duration(span)) => {
                timestamp.plus(*span).map(Self::Timestamp).ok_or(EvalError::Failed)
            }
            (Self::List(a), Self::List(b)) => {
                let copied = if matches!(a, List::Growing(_)) { b.len() } else { a.len() + b.len() };
                meter.allocate(copied)?;
                Ok(Self::List(a.plus(b)))
            }
            _ => Err(EvalError::Failed),
        }
    }

    pub(crate) fn minus(&self, other: &Self) -> Computed<'a> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => int(a.checked_sub(*b)),
            (Self::Uint(a), Self::Uint(b)) => uint(a.checked_sub(*b)),
            (Self::Double(a), Self::Double(b)) => Ok(Self::Double(a - b)),
            (Self::Duration(a), Self::Duration(b)) => duration(a.checked_sub(*b)),
            (Self::Timestamp(timestamp), Self::Duration(span)) => {
                let back = span.checked_neg().and_then(|span| timestamp.plus(span));
                back.map(Self::Timestamp).ok_or(EvalError::Failed)
            }
            (Self::Timestamp(a), Self::Timestamp(b)) => duration(a.since(b)),
            _ => Err(EvalError::Failed),
        }
    }

    pub(crate) fn times(&self, other: &Self) -> Computed<'a> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => int(a.checked_mul(*b)),
            (Self::Uint(a), Self::Uint(b)) => uint(a.checked_mul(*b)),
            (Self::Double(a), Self::Double(b)) => Ok(Self::Double(a * b)),
            _ => Err(EvalError::Failed),
        }
    }

    pub(crate) fn divided_by(&self, other: &Self) -> Computed<'a> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => int(a.checked_div(*b)),
            (Self::Uint(a), Self::Uint(b)) => uint(a.checked_div(*b)),
            (Self::Double(a), Self::Double(b)) => Ok(Self::Double(a / b)),
            _ => Err(EvalError::Failed),
        }
    }

    pub(crate) fn modulo(&self, other: &Self) -> Computed<'a> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => int(a.checked_rem(*b)),
            (Self::Uint(a), Self::Uint(b)) => uint(a.checked_rem(*b)),
            _ => Err(EvalError::Failed),
        }
    }

    pub(crate) fn negated(&self) -> Computed<'a> {
        match self {
            Self::Int(a) => int(a.checked_neg()),
            Self::Double(a) => Ok(Self::Double(-a)),
            Self::Duration(a) => duration(a.checked_neg()),
            _ => Err(EvalError::Failed),
        }
    }
}
