//! Reads the applications in the lock.

use super::reader::{LockReader, is_plain};
use super::types::VendoredApplication;
use crate::vendor::DIRECTORY;
use crate::vendor::path::is_within;
use crate::yaml::{Fields, Node};

const FIELDS: [&str; 6] = ["file", "app", "definitions", "inputs", "vela", "content"];

impl LockReader<'_> {
    /// Reads the applications of a lock.
    pub(super) fn applications(&mut self, lock: &Fields<'_>) -> Vec<VendoredApplication> {
        let mut all: Vec<VendoredApplication> = Vec::new();
        for (index, item) in self.reader.items(lock, "applications").iter().enumerate() {
            let application = self.application(item);
            if all.last().is_some_and(|last| last.file >= application.file) {
                let message = format!("applications[{index}] is not in order of the files, or repeats one");
                self.refuse(item, &message);
            }
            all.push(application);
        }
        all
    }

    fn application(&mut self, item: &Node) -> VendoredApplication {
        let fields = self.fields(item, "an application of the lock", &FIELDS);
        let application = VendoredApplication {
            file: self.text(&fields, "file"),
            app: self.text(&fields, "app"),
            definitions: self.text(&fields, "definitions"),
            inputs: self.digest(&fields, "inputs"),
            vela: self.text(&fields, "vela"),
            content: self.digest(&fields, "content"),
            place: self.provenance.place(item.origin),
        };
        for (name, path) in
            [("file", &application.file), ("app", &application.app), ("definitions", &application.definitions)]
        {
            if !path.is_empty() && (!is_plain(path) || is_within(path, DIRECTORY)) {
                self.error(&fields, name, &format!("the path {path:?} is not a plain path outside of {DIRECTORY}/"));
            }
        }
        application
    }
}
