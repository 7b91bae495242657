//! Keys and values from literals, files and env files.

use std::sync::Arc;

use crate::overlay::input::{File, Files, Generator, Text};
use crate::yaml::{Error, Origin, Provenance};

/// Lines of an env file with this many bytes or more are refused: kustomize drops such a line and all that follow.
const MAX_LINE: usize = 64 << 10;

/// A key, its value, and where both come from.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) key: Arc<str>,
    pub(super) value: Vec<u8>,
    pub(super) origin: Origin,
    /// Where the entry of the kustomization is.
    pub(super) entry: Origin,
}

/// Reads all sources of a generator: env files, then literals, then files.
///
/// # Errors
/// [`Error`] if a source is malformed or cannot be read.
pub(super) fn pairs(
    generator: &Generator,
    directory: &str,
    files: &mut Files<'_>,
    provenance: &mut Provenance,
) -> Result<Vec<Pair>, Error> {
    let mut pairs = Vec::new();
    for path in &generator.envs {
        let file = files.load(directory, path, provenance)?;
        env_file(&file, path, &mut pairs)?;
    }
    for literal in &generator.literals {
        pairs.push(from_literal(literal)?);
    }
    for source in &generator.files {
        let (key, path) = file_source(source)?;
        let file = files.load(directory, &path, provenance)?;
        let origin = Origin::new(file.source, 1, 1);
        pairs.push(Pair { key, value: file.bytes.to_vec(), origin, entry: source.origin });
    }
    Ok(pairs)
}

fn from_literal(literal: &Text) -> Result<Pair, Error> {
    let pair = literal.text.split_once('=').filter(|(key, _)| !key.is_empty());
    let Some((key, value)) = pair else {
        return Err(literal.error(format!("the literal {:?} has no key; write key=value", literal.text)));
    };
    let bare = match value.as_bytes() {
        [open @ (b'"' | b'\''), .., close] if open == close => value.get(1..value.len() - 1).unwrap_or(value),
        _ => value,
    };
    Ok(Pair { key: key.into(), value: bare.into(), origin: literal.origin, entry: literal.origin })
}

/// Splits an entry of `files` into its key and path.
fn file_source(source: &Text) -> Result<(Arc<str>, Text), Error> {
    let path = |path: &str| Text { text: path.into(), ..source.clone() };
    match source.text.split_once('=') {
        None => {
            let trimmed = source.text.trim_end_matches('/');
            Ok((trimmed.rsplit('/').next().unwrap_or(trimmed).into(), path(&source.text)))
        }
        Some((_, rest)) if rest.contains('=') => {
            Err(source.error(format!("{:?} has more than one `=`; write key=path", source.text)))
        }
        Some(("", _)) => Err(source.error(format!("{:?} has no key; write key=path", source.text))),
        Some((_, "")) => Err(source.error(format!("{:?} has no path; write key=path", source.text))),
        Some((key, rest)) => Ok((key.into(), path(rest))),
    }
}

fn env_file(file: &File<'_>, path: &Text, pairs: &mut Vec<Pair>) -> Result<(), Error> {
    let text = std::str::from_utf8(file.bytes)
        .map_err(|_| path.error(format!("{} is not valid UTF-8, as env files must be; save it as UTF-8", file.path)))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (i, line) in text.split('\n').enumerate() {
        let origin = Origin::new(file.source, u32::try_from(i).unwrap_or(u32::MAX).saturating_add(1), 1);
        if line.len() >= MAX_LINE {
            return Err(origin.error(format!("the line is longer than {MAX_LINE} bytes; put the value into a file")));
        }
        let line = line.strip_suffix('\r').unwrap_or(line).trim_start();
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        if !key.is_empty() && !key.starts_with('#') {
            pairs.push(Pair { key: key.into(), value: value.into(), origin, entry: path.origin });
        }
    }
    Ok(())
}
