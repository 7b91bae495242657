//! Fields inside strings that hold JSON.

use super::find::Shape;
use super::path::{Path, Step};
use super::{find, value};
use crate::yaml;
use crate::yaml::{Base, Content, Error, Input, Node, Scalar};

/// A string in an object, and the steps that continue inside it.
pub(super) struct Embedded<'p> {
    /// The steps to the string.
    steps: &'p [Step],
    /// The steps inside it.
    inside: &'p [Step],
}

/// Returns the string that a path goes through, or `None` if it goes through none.
pub(super) fn through<'p>(root: &Node, path: &'p Path) -> Option<Embedded<'p>> {
    let mut node = root;
    for (i, step) in path.steps.iter().enumerate() {
        node = match step {
            Step::Field(name) => node.get(name)?,
            Step::Element(at) => node.as_sequence()?.get(*at)?,
            Step::Last => node.as_sequence()?.last()?,
            Step::All => return None,
            Step::Matching { key, value, .. } => {
                let is_it =
                    |item: &&Node| item.get(key).and_then(Node::as_scalar).is_some_and(|text| text.text() == value);
                node.as_sequence()?.iter().find(is_it)?
            }
        };
        let inside = path.steps.get(i + 1..).unwrap_or_default();
        if node.as_scalar().is_some() && !inside.is_empty() {
            let is_structured =
                node.as_str().is_some_and(|text| parsed(text, node).is_some_and(|it| it.as_scalar().is_none()));
            return is_structured.then(|| Embedded { steps: path.steps.get(..=i).unwrap_or_default(), inside });
        }
    }
    None
}

fn parsed(text: &str, node: &Node) -> Option<Node> {
    let base = node.as_scalar().map_or_else(Base::default, |scalar| Base::of_scalar(scalar, node.origin));
    let input = Input { base, ..Input::of_file(node.origin.source, text.as_bytes()) };
    yaml::resources(input).ok()?.into_iter().next()
}

impl Embedded<'_> {
    /// Sets the fields inside the string, and returns their number.
    ///
    /// # Errors
    /// [`Error`] if the string is not JSON, or a field cannot hold the value.
    pub(super) fn set(&self, root: &mut Node, path: &Path, new: &Node, create: Option<Shape>) -> Result<usize, Error> {
        let found = find::find_steps(root, path, self.steps, None)?;
        let Some(field) = found.places.first().and_then(|place| find::at(root, &place.way)) else { return Ok(0) };
        let Some(old) = field.as_str().map(str::to_owned) else { return Ok(0) };
        if !old.trim_start().starts_with(['{', '[']) {
            return Err(
                path.error("continues inside a string that is YAML, which would lose its formatting; write JSON there")
            );
        }
        let Some(mut tree) = parsed(&old, field) else { return Ok(0) };
        let found = find::find_steps(&mut tree, path, self.inside, create)?;
        for place in &found.places {
            let Some(inner) = find::at(&mut tree, &place.way) else { continue };
            let text = new.as_scalar().map_or("", Scalar::text);
            value::set(inner, new, text).map_err(|what| path.error(format_args!("leads into JSON: {what}")))?;
        }
        let is_pretty = old.contains('\n') && old.contains("  ");
        let json = tree.to_value()?;
        let text = if is_pretty { serde_json::to_string_pretty(&json) } else { serde_json::to_string(&json) };
        let text = text.map_err(|error| path.error(format_args!("leads into JSON that cannot be written: {error}")))?;
        if let Content::Scalar(scalar) = &mut field.content {
            *scalar = Scalar::string(escaped(&text)).styled(scalar.style());
        }
        Ok(found.places.len())
    }
}

/// Escapes characters that browsers could read as markup, as Go does.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => text.push_str("\\u003c"),
            '>' => text.push_str("\\u003e"),
            '&' => text.push_str("\\u0026"),
            '\u{2028}' => text.push_str("\\u2028"),
            '\u{2029}' => text.push_str("\\u2029"),
            c => text.push(c),
        }
    }
    text
}
