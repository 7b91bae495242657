//! The page as files.

use std::collections::BTreeMap;
use std::path::Path;

use super::archive::JournalArchive;
use crate::cli::failure::Failure;
use crate::cli::new_files::{check_empty, write};
use crate::cli::process::Process;
use tidegate_daemon::monitor::page::{Archive as _, Unavailable};
use tidegate_page::{Facts, Links, Query, document, html, site};

/// Writes all pages of the last entry of a journal to an empty directory. Blocks.
pub(super) fn export(process: &Process, archive: &JournalArchive, directory: &Path) -> Result<(), Failure> {
    check_empty(directory)?;
    let read = |Unavailable(why): Unavailable| Failure::Usage(why);
    let moments = archive.moments(1).map_err(read)?;
    let moment = moments.first().cloned().ok_or_else(|| Failure::Usage("the journal has no entry".to_owned()))?;
    let now = moment.at;
    let facts = Facts::read(moment.clone(), archive.files(&moment.commit).map_err(read)?, None);
    let mut files =
        BTreeMap::from([("style.css".to_owned(), html::style()), ("script.js".to_owned(), html::SCRIPT.to_owned())]);
    let query = Query::default();
    for path in site::paths(&facts) {
        let page = document(&facts, &path, &query, now).map_err(|error| Failure::internal(&error))?;
        let frame = html::Frame {
            links: Links::files(&path),
            path: &path,
            query: &query,
            moments: &moments,
            is_past: false,
            now,
            instance: facts.instance(),
            stale: None,
        };
        let name = if path.is_empty() { "index.html".to_owned() } else { format!("{path}.html") };
        files.insert(name, html::page(&page, &frame));
    }
    write(directory, &files)?;
    process.say_line(&format!("wrote {} files; open {}", files.len(), directory.join("index.html").display()))
}
