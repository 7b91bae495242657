//! Maps.

use std::rc::Rc;

use super::data::{Built, Key, Map, Str, Value};

impl Key {
    /// Returns the key of a value; `None` for values that are never found, because upstream looks them up by identity.
    fn of(value: &Value<'_>) -> Option<Self> {
        Some(match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Int(value) => Self::Int(*value),
            Value::Uint(value) => Self::Uint(*value),
            Value::Double(value) if value.is_nan() => return None,
            // Both zeros are the same key.
            Value::Double(value) => Self::Double((value + 0.0).to_bits()),
            Value::String(text) => Self::String(Rc::from(&**text)),
            Value::Duration(value) => Self::Duration(*value),
            Value::Timestamp(timestamp) => {
                let (seconds, nanoseconds) = timestamp.parts();
                Self::Timestamp(seconds, nanoseconds)
            }
            Value::Type(name) => Self::Type(name),
            Value::Ip(address) => Self::Ip(*address),
            Value::Cidr(block) => Self::Cidr(*block),
            _ => return None,
        })
    }
}

impl<'a> Built<'a> {
    /// Adds an entry, or replaces the value of an existing one.
    pub(crate) fn insert(&mut self, key: Value<'a>, value: Value<'a>) {
        let Some(place) = Key::of(&key) else {
            self.entries.push((key, value));
            return;
        };
        match self.places.get(&place).and_then(|at| self.entries.get_mut(*at)) {
            Some(entry) => entry.1 = value,
            None => {
                self.places.insert(place, self.entries.len());
                self.entries.push((key, value));
            }
        }
    }

    /// Removes the entry of a key.
    pub(crate) fn remove(&mut self, key: &Value<'a>) {
        let Some(at) = Key::of(key).and_then(|place| self.places.remove(&place)) else { return };
        self.entries.remove(at);
        for place in self.places.values_mut().filter(|place| **place > at) {
            *place -= 1;
        }
    }

    fn find(&self, key: &Value<'_>) -> Option<&Value<'a>> {
        let at = self.places.get(&Key::of(key)?)?;
        self.entries.get(*at).map(|(_, value)| value)
    }
}

impl<'a> Map<'a> {
    pub(crate) fn of(entries: Built<'a>) -> Self {
        Self::Built(Rc::new(entries))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Json(members) => members.len(),
            Self::Built(built) => built.entries.len(),
        }
    }

    /// Returns the value of a key. Numbers of different types are the same key if they are equal.
    pub(crate) fn find(&self, key: &Value<'_>) -> Option<Value<'a>> {
        match self {
            Self::Json(members) => match key {
                Value::String(text) => members.get(&**text).map(Value::from),
                _ => None,
            },
            Self::Built(built) => built.find(key).or_else(|| find_number(built, key)).cloned(),
        }
    }

    /// Iterates over the keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let keys: Vec<Value<'a>> = match self {
            Self::Json(members) => members.keys().map(|key| Value::String(Str::Borrowed(key))).collect(),
            Self::Built(built) => built.entries.iter().map(|(key, _)| key.clone()).collect(),
        };
        keys.into_iter()
    }
}

fn find_number<'m, 'a>(built: &'m Built<'a>, key: &Value<'_>) -> Option<&'m Value<'a>> {
    match key {
        Value::Double(number) => {
            let int = exact_int(*number).and_then(|int| built.find(&Value::Int(int)));
            int.or_else(|| exact_uint(*number).and_then(|uint| built.find(&Value::Uint(uint))))
        }
        Value::Int(number) => u64::try_from(*number).ok().and_then(|uint| built.find(&Value::Uint(uint))),
        Value::Uint(number) => i64::try_from(*number).ok().and_then(|int| built.find(&Value::Int(int))),
        _ => None,
    }
}

/// Returns a floating-point number as an integer, if it is integral and in range.
pub(super) fn exact_int(number: f64) -> Option<i64> {
    let fits = number > i64::MIN as f64 && number < i64::MAX as f64;
    (fits && (number as i64) as f64 == number).then_some(number as i64)
}

fn exact_uint(number: f64) -> Option<u64> {
    let fits = number >= 0.0 && number < u64::MAX as f64;
    (fits && (number as u64) as f64 == number).then_some(number as u64)
}

impl<'a> Value<'a> {
    /// Returns `true` if the value can be used as a key. If not, upstream aborts the whole evaluation.
    pub(crate) fn can_be_key(&self) -> bool {
        !matches!(self, Self::Bytes(_) | Self::Version(_))
    }

    /// Returns a number as the index of a list, if it can be one.
    pub(crate) fn as_index(&self) -> Option<i64> {
        match self {
            Self::Int(at) => Some(*at),
            Self::Uint(at) => i64::try_from(*at).ok(),
            Self::Double(at) => exact_int(*at),
            _ => None,
        }
    }
}
