//! The command: print one schema, all of them, or their names, or write them as files.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use super::documents;
use crate::cli::args::SchemaArgs;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use tidegate_model::near::nearest;

/// Prints or writes the requested schemas; without a name, prints the names.
pub(crate) fn run(process: &Process, args: &SchemaArgs) -> Result<(), Failure> {
    let documents = documents::all()?;
    let Some(name) = args.document.as_deref() else {
        return process.say(&documents.keys().fold(String::new(), |text, name| text + name + "\n"));
    };
    let chosen: Map<String, Value> = match name {
        "all" => documents,
        name => {
            let name = documents::full_name(name, &documents).ok_or_else(|| unknown(name, &documents))?;
            documents.into_iter().filter(|(known, _)| *known == name).collect()
        }
    };
    match (&args.dir, name) {
        (Some(directory), _) => write(directory, &chosen),
        (None, "all") => process.say(&text(&Value::Object(chosen))?),
        (None, _) => chosen.values().try_for_each(|document| process.say(&text(document)?)),
    }
}

/// Returns one schema as text.
pub(crate) fn text_of(name: &str) -> Result<String, Failure> {
    let documents = documents::all()?;
    text(documents.get(name).ok_or_else(|| unknown(name, &documents))?)
}

fn unknown(name: &str, documents: &Map<String, Value>) -> Failure {
    let kinds = documents.keys().filter_map(|known| known.rsplit_once('-').map(|(kind, _)| kind));
    let remedy = match nearest(name, documents.keys().map(String::as_str).chain(kinds)) {
        Some(near) => format!("did you mean {near:?}?"),
        None => "`tidegate schema` prints the names".to_owned(),
    };
    Failure::Usage(format!("there is no schema {name:?}; {remedy}"))
}

fn text(document: &Value) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(document).map_err(|error| Failure::internal(&error))?;
    Ok(format!("{text}\n"))
}

fn write(directory: &Path, documents: &Map<String, Value>) -> Result<(), Failure> {
    let failed = |path: &Path, error: std::io::Error| {
        Failure::Usage(format!("{} cannot be written: {error}; name a directory for --dir", path.display()))
    };
    fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    for (name, document) in documents {
        let path = directory.join(format!("{name}.json"));
        fs::write(&path, text(document)?).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}
