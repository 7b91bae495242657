//! The types of protobuf fields.

/// The fields of a message: field number, JSON name, and type.
pub(super) type Message = &'static [(u64, &'static str, FieldType)];

/// The type of a field.
#[derive(Debug, Clone, Copy)]
pub(super) enum FieldType {
    /// A string; omitted if empty.
    Text,
    /// A list of strings.
    Texts,
    /// An integer; omitted if 0.
    Int,
    /// An optional integer, kept if 0.
    MaybeInt,
    /// A boolean.
    Flag,
    /// Bytes, in base64 in JSON.
    Bytes,
    /// A map from strings to strings.
    TextMap,
    /// A map from strings to bytes.
    ByteMap,
    /// A time with a precision of seconds.
    Time,
    /// A time with a precision of microseconds.
    MicroTime,
    /// A nested message.
    One(Message),
    /// A list of nested messages.
    Many(Message),
}
