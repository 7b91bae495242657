//! `tidegate.toml`: where the objects are, and how Tidegate treats this repository.

use std::ops::Range;

use serde::Serialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::complaint::Complaint;
use super::node::Mark;
use crate::model::decision::{Semantics, SoakDip};
use crate::model::near::remedy;
use crate::model::tree::Tree;
use crate::overlay::Options;

/// Name of the settings file, at the root of the repository.
pub const SETTINGS_FILE: &str = "tidegate.toml";

/// The settings of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// Directory of the objects, relative to the root, without `/` at its ends; `.` is the root.
    pub path: String,
    /// Which engine decides.
    pub semantics: Semantics,
    /// What a cluster becomes that is not well during its soak time.
    pub soak_dip: SoakDip,
    /// Branch to which status files are committed.
    pub journal_branch: String,
    /// What happens to objects that left the repository.
    pub prune: Prune,
    /// What rendering an overlay does besides what kustomize does.
    pub render: Options,
}

/// What happens to objects that left the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prune {
    /// Whether they leave the hub.
    pub enabled: bool,
    /// How many of the owned objects may leave at once, in per cent from 0 to 100.
    pub max_percent: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            path: ".".to_owned(),
            semantics: Semantics::Strict,
            soak_dip: SoakDip::Restart,
            journal_branch: "tidegate/journal".to_owned(),
            prune: Prune { enabled: true, max_percent: 20 },
            render: Options::default(),
        }
    }
}

/// Settings as read, with the place to which a complaint about the path belongs.
pub(super) struct Read {
    pub(super) settings: Settings,
    pub(super) path_file: String,
    pub(super) path_mark: Mark,
}

/// Returns the settings of a repository, as far as they can be read.
pub fn settings(tree: &Tree) -> Settings {
    read(tree, "", &mut Vec::new()).settings
}

/// Returns the settings in a file, as far as they can be read; those of a repository that has none if there is no file.
pub fn settings_of(file: Option<Vec<u8>>) -> Settings {
    let files = file.map(|bytes| (SETTINGS_FILE.to_owned(), bytes)).into_iter().collect();
    settings(&Tree { files, ..Tree::default() })
}

/// Reads the settings; a path that is not empty overrides the one in the file.
pub(super) fn read(tree: &Tree, path: &str, complaints: &mut Vec<Complaint>) -> Read {
    let mut reader = Reader { text: "", settings: Settings::default(), path_mark: Mark::START, complaints };
    if let Some(bytes) = tree.files.get(SETTINGS_FILE) {
        match std::str::from_utf8(bytes) {
            Ok(text) => reader.file(text),
            Err(_) => reader.complain(Mark::START, "the file is not UTF-8 text; save it as UTF-8".to_owned()),
        }
    } else if let Some(why) = tree.skipped.get(SETTINGS_FILE) {
        // Without them the defaults would hold, which remove objects that left the repository.
        reader.complain(Mark::START, format!("the settings are not read: {why}; write a regular file"));
    } else if tree.files.keys().any(|file| file.starts_with("tidegate.toml/")) {
        reader.complain(Mark::START, "the settings are a directory; write a regular file".to_owned());
    }
    let Reader { mut settings, mut path_mark, .. } = reader;
    let mut path_file = SETTINGS_FILE.to_owned();
    if !path.is_empty() {
        match normal_path(path) {
            Ok(path) => settings.path = path,
            Err(why) => complaints.push(Complaint::of_file(path, Mark::START, format!("the path {path:?} {why}"))),
        }
        (path_file, path_mark) = (path.to_owned(), Mark::START);
    }
    Read { settings, path_file, path_mark }
}

/// Brings a directory into the form of [`Settings::path`], or says what is wrong with it.
fn normal_path(path: &str) -> Result<String, &'static str> {
    if path.starts_with('/') {
        return Err("is absolute; write it relative to the root of the repository");
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.contains(&"..") {
        return Err("leads out of the repository; write it without \"..\"");
    }
    Ok(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

type Table<'a> = DeTable<'a>;
type Item<'a> = Spanned<DeValue<'a>>;

struct Reader<'a> {
    text: &'a str,
    settings: Settings,
    path_mark: Mark,
    complaints: &'a mut Vec<Complaint>,
}

impl<'a> Reader<'a> {
    fn complain(&mut self, mark: Mark, message: String) {
        self.complaints.push(Complaint::of_file(SETTINGS_FILE, mark, message));
    }

    fn mark(&self, span: &Range<usize>) -> Mark {
        Mark::of_offset(self.text, span.start)
    }

    fn file(&mut self, text: &'a str) {
        self.text = text;
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let mark = error.span().map_or(Mark::START, |span| self.mark(&span));
            self.complain(mark, format!("this is no TOML: {}", error.message().replace('\n', " ")));
        }
        for (name, section) in table.get_ref() {
            let known = ["repository", "rollout", "journal", "prune", "render"];
            if !known.contains(&name.get_ref().as_ref()) {
                let message = format!("section {:?} is not known; {}", name.get_ref(), remedy(name.get_ref(), known));
                self.complain(self.mark(&name.span()), message);
            } else if let Some(table) = section.get_ref().as_table() {
                self.section(name.get_ref(), table);
            } else {
                let message = format!("{:?} is a section; write it as [{}]", name.get_ref(), name.get_ref());
                self.complain(self.mark(&section.span()), message);
            }
        }
    }

    fn section(&mut self, section: &str, table: &Table<'_>) {
        for (name, item) in table {
            match (section, name.get_ref().as_ref()) {
                ("repository", "path") => self.path(item),
                ("rollout", "semantics") => {
                    let words = [("strict", Semantics::Strict), ("compat", Semantics::Compat)];
                    self.settings.semantics = self.word("rollout.semantics", item, words).unwrap_or_default();
                }
                ("rollout", "soak_dip") => {
                    let words = [("restart", SoakDip::Restart), ("fail", SoakDip::Fail)];
                    self.settings.soak_dip = self.word("rollout.soak_dip", item, words).unwrap_or_default();
                }
                ("journal", "branch") => self.branch(item),
                ("prune", "enabled") => match item.get_ref().as_bool() {
                    Some(enabled) => self.settings.prune.enabled = enabled,
                    None => self.wrong("prune.enabled", item, "true or false"),
                },
                ("prune", "max_percent") => self.max_percent(item),
                ("render", "ocm_references") => match item.get_ref().as_bool() {
                    Some(follows) => self.settings.render.ocm_references = follows,
                    None => self.wrong("render.ocm_references", item, "true or false"),
                },
                (_, other) => {
                    let known: &[&str] = match section {
                        "repository" => &["path"],
                        "rollout" => &["semantics", "soak_dip"],
                        "journal" => &["branch"],
                        "render" => &["ocm_references"],
                        _ => &["enabled", "max_percent"],
                    };
                    let message = format!("{section}.{other} is not known; {}", remedy(other, known.iter().copied()));
                    self.complain(self.mark(&name.span()), message);
                }
            }
        }
    }

    fn wrong(&mut self, name: &str, item: &Item<'_>, right: &str) {
        let found = item.get_ref().type_str();
        self.complain(self.mark(&item.span()), format!("{name} is a wrong value ({found}); write {right}"));
    }

    fn path(&mut self, item: &Item<'_>) {
        self.path_mark = self.mark(&item.span());
        match item.get_ref().as_str().map(|path| (path, normal_path(path))) {
            Some((_, Ok(path))) => self.settings.path = path,
            Some((path, Err(why))) => self.complain(self.path_mark, format!("repository.path {path:?} {why}")),
            None => self.wrong("repository.path", item, "a directory, such as \"overlays/prod\""),
        }
    }

    /// Reads a setting that is one of a few words.
    fn word<T: Copy>(&mut self, name: &str, item: &Item<'_>, words: [(&str, T); 2]) -> Option<T> {
        let Some(found) = item.get_ref().as_str() else {
            let [(one, _), (other, _)] = words;
            self.wrong(name, item, &format!("{one:?} or {other:?}"));
            return None;
        };
        let meant = words.iter().find(|(word, _)| *word == found).map(|(_, value)| *value);
        if meant.is_none() {
            let message = format!("{name} is {found:?}; {}", remedy(found, words.map(|(word, _)| word)));
            self.complain(self.mark(&item.span()), message);
        }
        meant
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

    fn max_percent(&mut self, item: &Item<'_>) {
        let number = item.get_ref().as_integer();
        let percent = number.and_then(|number| u8::from_str_radix(number.as_str(), number.radix()).ok());
        match percent.filter(|percent| *percent <= 100) {
            Some(percent) => self.settings.prune.max_percent = percent,
            None => self.wrong("prune.max_percent", item, "a number from 0 to 100"),
        }
    }
}
