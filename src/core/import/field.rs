//! The fields of an object, and what becomes of those that no code reads.

use tidegate_kustomize::yaml::{Node, Origin, Typed};
use tidegate_model::line::one_line;

use crate::report::{Entry, Outcome, Report};

/// What becomes of a field that is present.
#[derive(Clone, Copy)]
pub(crate) enum Use {
    /// Code reads it.
    Read,
    /// It does not matter, such as a status.
    Ignored,
    /// It describes what is deployed.
    Content,
    /// It has no counterpart; the text describes what to do instead. `false` and empty values do not matter.
    LeftOut(&'static str),
}

/// A value with its path.
#[derive(Clone)]
pub(crate) struct Field<'n> {
    pub(crate) node: &'n Node,
    pub(crate) path: String,
}

impl<'n> Field<'n> {
    /// Returns the place of the value.
    pub(crate) fn origin(&self) -> Origin {
        self.node.origin
    }

    /// Adds what became of it to the report.
    pub(crate) fn report(&self, report: &mut Report, outcome: Outcome) {
        report.entries.push(Entry { origin: self.origin(), path: self.path.clone(), outcome });
    }

    /// Reports that it cannot be imported.
    pub(crate) fn refuse(&self, report: &mut Report, why: impl Into<String>) {
        self.report(report, Outcome::Refused(why.into()));
    }

    /// Reports that it has no counterpart.
    pub(crate) fn leave_out(&self, report: &mut Report, why: impl Into<String>) {
        self.report(report, Outcome::LeftOut(why.into()));
    }

    /// Reports that its counterpart differs.
    pub(crate) fn differs(&self, report: &mut Report, how: impl Into<String>) {
        self.report(report, Outcome::Differs(how.into()));
    }

    /// Returns a field of a mapping; `None` if it is absent or null.
    pub(crate) fn get(&self, name: &str) -> Option<Self> {
        let node = self.node.get(name).filter(|node| !node.is_null())?;
        Some(Field { node, path: joined(&self.path, name) })
    }

    /// Reads a mapping with these fields: reports each that is present and that no code reads, and each that is not known. Returns `false`,
    /// and reports it, if the value is not a mapping.
    pub(crate) fn open(&self, report: &mut Report, known: &[(&str, Use)]) -> bool {
        let Some(mapping) = self.node.as_mapping() else {
            self.refuse(report, "must be a mapping");
            return false;
        };
        for entry in mapping.iter() {
            let name = &*entry.key().text;
            let Some(field) = self.get(name) else { continue };
            match known.iter().find(|(known, _)| *known == name).map(|(_, use_)| *use_) {
                Some(Use::Read | Use::Ignored) => {}
                Some(Use::Content) => field.report(report, Outcome::Content),
                Some(Use::LeftOut(why)) if !field.is_default() => field.leave_out(report, why),
                Some(Use::LeftOut(_)) => {}
                None => field.leave_out(report, "the field is not known to this version of tidegate"),
            }
        }
        true
    }

    /// Returns `true` if the value is `false`, an empty string or an empty collection.
    fn is_default(&self) -> bool {
        let value = self.node.as_scalar().map(|scalar| scalar.typed());
        matches!(value, Some(Typed::Bool(false))) || self.node.as_str() == Some("") || self.node.is_empty()
    }

    /// Returns the items of a list. Anything else is reported.
    pub(crate) fn items(&self, report: &mut Report) -> Vec<Self> {
        let Some(items) = self.node.as_sequence() else {
            self.refuse(report, "must be a list");
            return Vec::new();
        };
        let item = |(at, node)| Field { node, path: format!("{}[{at}]", self.path) };
        items.iter().enumerate().map(item).collect()
    }

    /// Returns the items of a field that is a list; none if it is absent.
    pub(crate) fn list(&self, report: &mut Report, name: &str) -> Vec<Self> {
        self.get(name).map_or_else(Vec::new, |field| field.items(report))
    }

    /// Returns a string. Anything else is reported.
    pub(crate) fn text(&self, report: &mut Report) -> Option<&'n str> {
        let text = self.node.as_str();
        if text.is_none() {
            self.refuse(report, "must be a string");
        }
        text
    }

    /// Returns a field that is a string; `None` if it is absent.
    pub(crate) fn text_of(&self, report: &mut Report, name: &str) -> Option<&'n str> {
        self.get(name)?.text(report)
    }

    /// Returns the strings of a field that is a list.
    pub(crate) fn texts(&self, report: &mut Report, name: &str) -> Vec<String> {
        self.list(report, name).iter().filter_map(|item| item.text(report).map(str::to_owned)).collect()
    }

    /// Returns a field that is a number of at least 0; `None` if it is absent.
    pub(crate) fn number(&self, report: &mut Report, name: &str) -> Option<u32> {
        let field = self.get(name)?;
        let value = field.node.to_value().ok().and_then(|value| value.as_u64()).and_then(|value| value.try_into().ok());
        if value.is_none() {
            field.refuse(report, "must be a number that is not negative");
        }
        value
    }

    /// Returns `true` if a field is true; `None` if it is absent.
    pub(crate) fn flag(&self, report: &mut Report, name: &str) -> Option<bool> {
        let field = self.get(name)?;
        let value = field.node.to_value().ok().and_then(|value| value.as_bool());
        if value.is_none() {
            field.refuse(report, "must be true or false");
        }
        value
    }
}

/// Returns the path of a field. It goes to terminals and into comments, so it has no control characters.
fn joined(path: &str, name: &str) -> String {
    let name = one_line(name);
    if path.is_empty() { name } else { format!("{path}.{name}") }
}
