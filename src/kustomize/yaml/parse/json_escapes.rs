//! Escapes that JSON has and YAML does not.

use std::borrow::Cow;

/// Replaces escapes of a JSON file that YAML does not have: surrogate pairs such as `\ud83d\ude00` with YAML's `\U0001f600`, and `\/`
/// with `/`. A file is JSON if its first character is a brace, as for kubectl. Columns after such an escape become up to two smaller.
pub(crate) fn replaced(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.trim_start().starts_with('{') || !text.contains('\\') {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest: &str = &text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        if let Some((c, tail)) = pair(after) {
            out.push_str(&format!("\\U{:08x}", u32::from(c)));
            rest = tail;
        } else if let Some(tail) = after.strip_prefix('/') {
            out.push('/');
            rest = tail;
        } else {
            // The escaped character may be a backslash.
            let escaped = after.chars().next();
            out.push('\\');
            out.extend(escaped);
            rest = after.get(escaped.map_or(0, char::len_utf8)..).unwrap_or_default();
        }
    }
    out.push_str(rest);
    out.into()
}

/// Returns the character of a pair whose first backslash was read, and what follows the pair.
fn pair(text: &str) -> Option<(char, &str)> {
    let unit = |text: &str| u16::from_str_radix(text.get(..4)?, 16).ok();
    let high = text.strip_prefix('u')?;
    let low = high.get(4..)?.strip_prefix("\\u")?;
    let units = [unit(high)?, unit(low)?];
    let c = char::decode_utf16(units).next()?.ok().filter(|c| c.len_utf16() == 2)?;
    Some((c, low.get(4..)?))
}
