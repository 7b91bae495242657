//! Runs `patches`, `patchesStrategicMerge`, `patchesJson6902` and `replacements`.

use crate::overlay::budget::PATTERN;
use crate::overlay::context::BuildContext;
use crate::overlay::input::{File, PatchField, ReplacementField, Text};
use crate::overlay::model::Resource;
use crate::overlay::model::values::Naming;
use crate::overlay::patch::{Head, Options, PatchEntry};
use crate::overlay::replacement::Replacement;
use crate::overlay::select::Selector;
use crate::overlay::{patch, replacement};
use crate::yaml;
use crate::yaml::{Content, Entry, Error, Input, Node, Origin};

/// Runs `patchesStrategicMerge`.
///
/// # Errors
/// [`Error`] if an entry is neither a patch nor the path of one, or cannot be applied.
pub(crate) fn strategic_merges(
    context: &mut BuildContext<'_>,
    (naming, texts): (Naming<'_>, &[Text]),
    directory: &str,
    resources: &mut Vec<Resource>,
) -> Result<(), Error> {
    let mut entries = Vec::new();
    context.each(texts.iter().enumerate(), |context, (i, text)| {
        let head = Head { field: naming.entry(i), origin: text.origin };
        // The string may be the patch itself, or the path of its file.
        let entry = match PatchEntry::strategic_merge(head.clone(), input(text)) {
            Ok(entry) => entry,
            Err(error) if text.text.contains(['\n', '{']) => return Err(error),
            Err(_) => {
                let file = context.files.load(directory, text, &mut context.provenance)?;
                PatchEntry::strategic_merge(head, file.input())?
            }
        };
        entries.push(entry);
        Ok(())
    })?;
    if entries.iter().all(PatchEntry::is_nothing) {
        let message = format!("the patches of {} are empty; give them objects to merge, or remove it", naming.all());
        return Err(texts.first().map_or(Origin::default(), |text| text.origin).error(message));
    }
    carry_out(context, &entries, resources)
}

/// Runs `patches`.
///
/// # Errors
/// [`Error`] if an entry is not a patch, or cannot be applied.
pub(crate) fn patches(
    context: &mut BuildContext<'_>,
    (naming, fields): (Naming<'_>, &[PatchField]),
    directory: &str,
    resources: &mut Vec<Resource>,
) -> Result<(), Error> {
    let mut entries = Vec::new();
    context.each(fields.iter().enumerate(), |context, (i, field)| {
        let head = Head { field: naming.entry(i), origin: field.origin };
        let target = field.target.as_ref().map(Selector::read).transpose()?;
        let options = field.options.as_ref().map(Options::read).transpose()?.unwrap_or_default();
        entries.push(match source(context, directory, field)? {
            Source::Inline(text) => PatchEntry::inline(head, input(text), target, options)?,
            Source::File(file) => PatchEntry::new(head, file.input(), target, options)?,
        });
        Ok(())
    })?;
    carry_out(context, &entries, resources)
}

/// Runs `patchesJson6902`.
///
/// # Errors
/// [`Error`] if an entry is not a JSON patch, or cannot be applied.
pub(crate) fn json_patches(
    context: &mut BuildContext<'_>,
    (naming, fields): (Naming<'_>, &[PatchField]),
    directory: &str,
    resources: &mut Vec<Resource>,
) -> Result<(), Error> {
    let mut entries = Vec::new();
    context.each(fields.iter().enumerate(), |context, (i, field)| {
        let head = Head { field: naming.entry(i), origin: field.origin };
        let Some(target) = &field.target else {
            return Err(field.origin.error("the patch does not say which object it is for; give it a target"));
        };
        let target = Selector::read(target)?;
        entries.push(match source(context, directory, field)? {
            Source::Inline(text) => PatchEntry::json6902(head, input(text), target)?,
            Source::File(file) => PatchEntry::json6902(head, file.input(), target)?,
        });
        Ok(())
    })?;
    carry_out(context, &entries, resources)
}

fn carry_out(
    context: &mut BuildContext<'_>,
    entries: &[PatchEntry],
    resources: &mut Vec<Resource>,
) -> Result<(), Error> {
    if entries.is_empty() {
        return Ok(());
    }
    if entries.iter().any(PatchEntry::merges) {
        context.note_merge();
    }
    let BuildContext { types, provenance, budget, .. } = context;
    let warnings = patch::apply_within(resources, entries, types, provenance, budget)?;
    context.warnings.extend(warnings);
    Ok(())
}

/// Where the text of a patch is.
enum Source<'f, 't> {
    Inline(&'f Text),
    File(File<'t>),
}

fn source<'f, 't>(
    context: &mut BuildContext<'t>,
    directory: &str,
    field: &'f PatchField,
) -> Result<Source<'f, 't>, Error> {
    let inline = field.patch.as_ref().filter(|patch| !patch.text.trim().is_empty());
    match (&field.path, inline) {
        (Some(path), None) => Ok(Source::File(context.files.load(directory, path, &mut context.provenance)?)),
        (None, Some(patch)) => Ok(Source::Inline(patch)),
        (Some(_), Some(patch)) => Err(patch.error("the patch has both `path` and `patch`; keep one of them")),
        (None, None) => Err(field.origin.error("the patch has neither `path` nor `patch`; add one of them")),
    }
}

/// Runs `replacements`.
///
/// # Errors
/// [`Error`] if an entry is not a replacement, or cannot be applied.
pub(crate) fn replacements(
    context: &mut BuildContext<'_>,
    (naming, fields): (Naming<'_>, &[ReplacementField]),
    directory: &str,
    resources: &mut [Resource],
) -> Result<(), Error> {
    let mut entries = Vec::new();
    context.each(fields.iter().enumerate(), |context, (i, field)| {
        let name = naming.entry(i);
        context.budget.charge(patterns(&field.node, true).saturating_mul(PATTERN), field.node.origin)?;
        let Some(path) = &field.path else {
            let head = Head { field: name, origin: field.node.origin };
            entries.push(Replacement::read(head, &field.node)?);
            return Ok(());
        };
        if field.node.as_mapping().is_some_and(|mapping| !mapping.is_empty()) {
            return Err(path.error("the replacement has both `path` and fields of its own; split it into two entries"));
        }
        let file = context.files.load(directory, path, &mut context.provenance)?;
        let node = yaml::kustomization_with(file.input(), &mut context.warnings)?;
        let compiled = node.as_ref().map_or(0, |node| patterns(node, true));
        context.budget.charge(compiled.saturating_mul(PATTERN), path.origin)?;
        match node.filter(|node| node.as_scalar().is_none()) {
            Some(node) => entries.extend(replacement::replacements(&name, &node)?),
            None => return Err(path.error(format!("{} holds no replacement; write source and targets", file.path))),
        }
        Ok(())
    })?;
    let warnings = replacement::apply_within(resources, &entries, &mut context.provenance, &mut context.budget)?;
    context.warnings.extend(warnings);
    let is_replacement = |field: &str| field.starts_with(naming.all());
    resources.iter_mut().for_each(|resource| resource.share_changes(&context.provenance, &is_replacement));
    Ok(())
}

/// Returns the maximum number of regular expressions that the strings of replacements compile to. Dots in paths are only
/// separators.
fn patterns(node: &Node, with_dots: bool) -> usize {
    match &node.content {
        Content::Scalar(scalar) => {
            let compiles = |c: char| "*+?()[]{}|^$\\".contains(c) || (with_dots && c == '.');
            usize::from(scalar.text().contains(compiles))
        }
        Content::Sequence(items) => items.iter().map(|item| patterns(item, with_dots)).sum(),
        Content::Mapping(mapping) => {
            let is_path = |entry: &Entry<Node>| entry.key().text.to_ascii_lowercase().starts_with("fieldpath");
            mapping.iter().map(|entry| patterns(&entry.value, with_dots && !is_path(entry))).sum()
        }
    }
}

fn input(text: &Text) -> Input<'_> {
    Input { base: text.base, ..Input::of_file(text.origin.source, text.text.as_bytes()) }
}
