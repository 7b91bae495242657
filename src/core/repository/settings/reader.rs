//! Reads the text of `tidegate.toml`, with the place of each setting.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::grant;
use super::keys::{Kind, SECTIONS, Word};
use super::people::Written;
use super::rendering::{Rendering, VENDOR, renderings};
use super::types::{SETTINGS_FILE, Settings, normal_path};
use crate::complaint::{Complaint, Rule};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::near::remedy;
use tidegate_model::position::line_and_column;

/// Maximum complaints about the settings. More would not help, and finding each place costs time linear in the size of
/// the file.
const MAX_COMPLAINTS: usize = 50;

/// The sections of the daemon's file about what a repository may do on the hub.
const OPERATOR: [&str; 2] = ["adopt", "hub"];

type Table<'a> = DeTable<'a>;
type Item<'a> = Spanned<DeValue<'a>>;

/// Reads the settings from a text, and collects complaints about them.
pub(super) struct Reader<'a> {
    text: &'a str,
    pub(super) settings: Settings,
    /// The place of the path.
    pub(super) path_place: Place,
    /// The applications that another program renders.
    pub(super) renderings: Vec<Rendering>,
    complaints: &'a mut Vec<Complaint>,
}

impl<'a> Reader<'a> {
    /// Creates a reader that starts with the default settings.
    pub(super) fn new(complaints: &'a mut Vec<Complaint>) -> Self {
        let (settings, path_place) = (Settings::default(), Place::start_of(SETTINGS_FILE));
        Self { text: "", settings, path_place, renderings: Vec::new(), complaints }
    }

    pub(super) fn complain(&mut self, place: Place, message: String) {
        if !self.is_full() {
            self.complaints.push(Complaint::new(Rule::Settings, Diagnostic::error(place, message)));
        }
    }

    fn is_full(&self) -> bool {
        self.complaints.len() >= MAX_COMPLAINTS
    }

    fn place(&self, span: &Range<usize>) -> Place {
        let (line, column) = if self.is_full() { (1, 1) } else { line_and_column(self.text, span.start) };
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Place { file: SETTINGS_FILE.to_owned(), line: number(line), column: number(column) }
    }

    /// Reads the text of the file.
    pub(super) fn file(&mut self, text: &'a str) {
        self.text = text;
        let (table, errors) = DeTable::parse_recoverable(text);
        self.sections(table.get_ref());
        if let Some(error) = errors.first() {
            // After a syntax error the rest is a guess, so other complaints may only follow from it.
            self.complaints.clear();
            let place = error.span().map_or_else(|| Place::start_of(SETTINGS_FILE), |span| self.place(&span));
            self.complain(place, format!("invalid TOML: {}", error.message().replace('\n', " ")));
        }
    }

    fn sections(&mut self, table: &Table<'_>) {
        let known: Vec<&str> = SECTIONS.iter().map(|section| section.name).chain(["people", VENDOR]).collect();
        for (name, section) in table {
            if OPERATOR.contains(&name.get_ref().as_ref()) {
                let message = format!(
                    "section {:?} has no effect in a repository: the operator of the hub decides this; move it to the file of the daemon \
                     (--config)",
                    name.get_ref()
                );
                self.complain(self.place(&name.span()), message);
            } else if !known.contains(&name.get_ref().as_ref()) {
                let message = format!(
                    "section {:?} is not known; {}",
                    name.get_ref(),
                    remedy(name.get_ref(), known.iter().copied())
                );
                self.complain(self.place(&name.span()), message);
            } else if name.get_ref().as_ref() == VENDOR {
                match renderings(section, |span| self.place(span)) {
                    Ok(renderings) => self.renderings = renderings,
                    Err((span, message)) => self.complain(self.place(&span), message),
                }
            } else if let Some(table) = section.get_ref().as_table() {
                self.section(name.get_ref(), table);
            } else {
                let message = format!("{:?} is a section; write it as [{}]", name.get_ref(), name.get_ref());
                self.complain(self.place(&section.span()), message);
            }
        }
    }

    fn section(&mut self, section: &str, table: &Table<'_>) {
        if section == "people" {
            return self.people(table);
        }
        let keys = SECTIONS.iter().find(|known| known.name == section).map_or(&[][..], |section| section.keys);
        for (name, item) in table {
            let name = (name.get_ref().as_ref(), name.span());
            let Some(key) = keys.iter().find(|key| key.name == name.0) else {
                let remedy = remedy(name.0, keys.iter().map(|key| key.name));
                self.complain(self.place(&name.1), format!("{section}.{} is not known; {remedy}", name.0));
                continue;
            };
            self.key(&format!("{section}.{}", key.name), &key.kind, item);
        }
    }

    fn key(&mut self, name: &str, kind: &Kind, item: &Item<'_>) {
        match kind {
            Kind::Directory => self.path(item),
            Kind::Branch => self.branch(item),
            Kind::Commits => self.confirm(item),
            Kind::Grants => match grant::grants(item) {
                Ok(grants) => self.settings.applications.granted = grants,
                Err((span, message)) => self.complain(self.place(&span), message),
            },
            Kind::Flag(flag) => match item.get_ref().as_bool() {
                Some(is_set) => *flag(&mut self.settings) = is_set,
                None => self.wrong(name, item, "true or false"),
            },
            Kind::Words(words) => self.word(name, item, words),
            Kind::Number { max, right, set, .. } => {
                let number = item.get_ref().as_integer();
                let number = number.and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok());
                let number = number.filter(|number| max.is_none_or(|max| *number <= max));
                if !number.is_some_and(|number| set(&mut self.settings, number)) {
                    self.wrong(name, item, right);
                }
            }
        }
    }

    fn wrong(&mut self, name: &str, item: &Item<'_>, right: &str) {
        let written = self.text.get(item.span()).filter(|text| text.len() <= 60 && !text.contains(char::is_control));
        let found = written.unwrap_or_else(|| item.get_ref().type_str());
        self.complain(self.place(&item.span()), format!("{name} is {found}; write {right}"));
    }

    /// Returns the strings of a list, with a complaint for each item that is not a string.
    fn strings<'i>(&mut self, name: &str, item: &'i Item<'_>, right: &str) -> Vec<(Place, &'i str)> {
        let Some(items) = item.get_ref().as_array() else {
            self.wrong(name, item, right);
            return Vec::new();
        };
        let mut strings = Vec::new();
        for item in items.iter() {
            match item.get_ref().as_str() {
                Some(text) => strings.push((self.place(&item.span()), text)),
                None => self.wrong(name, item, right),
            }
        }
        strings
    }

    fn people(&mut self, table: &Table<'_>) {
        let mut written = Written::default();
        for (name, item) in table {
            let setting = format!("people.{}", name.get_ref());
            let is_list =
                item.get_ref().as_array().is_some_and(|items| items.iter().all(|item| item.get_ref().is_str()));
            let members = self.strings(&setting, item, "a list such as [\"ada@example.com\", \"key:SHA256:...\"]");
            let members = members.into_iter().map(|(place, member)| (place, member.to_owned())).collect();
            if is_list {
                written.add(name.get_ref(), self.place(&name.span()), members);
            }
        }
        let (people, complaints) = written.people();
        self.settings.people = people;
        complaints.into_iter().for_each(|(place, message)| self.complain(place, message));
    }

    fn confirm(&mut self, item: &Item<'_>) {
        let right = "a list of commits, such as [\"3f0c8d0a6a5c\"], as `tidegate status` prints them";
        for (place, text) in self.strings("prune.confirm", item, right) {
            let is_commit = (7..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
            if is_commit {
                self.settings.prune.confirm.push(text.to_ascii_lowercase());
            } else {
                let rule = "write a commit or at least its first 7 digits";
                self.complain(place, format!("prune.confirm {text:?} is not a commit; {rule}"));
            }
        }
    }

    fn path(&mut self, item: &Item<'_>) {
        self.path_place = self.place(&item.span());
        match item.get_ref().as_str().map(|path| (path, normal_path(path))) {
            Some((_, Ok(path))) => self.settings.path = path,
            Some((path, Err(why))) => self.complain(self.path_place.clone(), format!("repository.path {path:?} {why}")),
            None => self.wrong("repository.path", item, "a directory, such as \"overlays/prod\""),
        }
    }

    fn word(&mut self, name: &str, item: &Item<'_>, words: &[Word]) {
        let Some(found) = item.get_ref().as_str() else {
            let quoted: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
            return self.wrong(name, item, &quoted.join(" or "));
        };
        match words.iter().find(|(word, _)| *word == found) {
            Some((_, set)) => set(&mut self.settings),
            None => {
                let remedy = remedy(found, words.iter().map(|(word, _)| *word));
                self.complain(self.place(&item.span()), format!("{name} is {found:?}; {remedy}"));
            }
        }
    }

    fn branch(&mut self, item: &Item<'_>) {
        let valid = |name: &&str| {
            let parts_fit = name.split('/').all(|part| {
                !part.is_empty() && !part.starts_with('.') && !part.ends_with('.') && !part.ends_with(".lock")
            });
            let forbidden = |c: char| c.is_whitespace() || c.is_control() || "~^:?*[\\".contains(c);
            parts_fit
                && !name.starts_with('-')
                && !name.contains("..")
                && !name.contains("@{")
                && !name.contains(forbidden)
        };
        match item.get_ref().as_str().filter(valid) {
            Some(branch) => self.settings.journal_branch = branch.to_owned(),
            None => self.wrong("journal.branch", item, "the name of a branch, such as \"tidegate/journal\""),
        }
    }
}
