//! `tidegate validate`: what is wrong with a directory of declarations, and what would be right.

use serde_json::json;

use super::args::ValidateArgs;
use super::directory;
use super::failure::Failure;
use super::status::printed;
use crate::model::tree::Tree;
use crate::repository::{self, Complaint};

/// Prints every complaint. Errors among them are findings; warnings are not.
pub fn run(args: &ValidateArgs) -> Result<(), Failure> {
    let tree = directory::tree(&args.path)?;
    let loaded = repository::load(&tree, "");
    let errors = loaded.complaints.iter().filter(|complaint| complaint.is_error()).count();
    match args.output {
        Some(output) => {
            let document = json!({ "complaints": loaded.complaints });
            anstream::println!("{}", printed(output, &document)?);
        }
        None => {
            for complaint in &loaded.complaints {
                anstream::println!("{}", pictured(complaint, &tree));
            }
            let objects = loaded.repository.objects.len();
            let addons = loaded.repository.addons.len();
            match (errors, loaded.complaints.len() - errors) {
                (0, 0) => anstream::println!("{objects} objects, {addons} add-ons: nothing to complain about"),
                (errors, warnings) => {
                    anstream::println!("{objects} objects, {addons} add-ons: {errors} errors, {warnings} warnings")
                }
            }
        }
    }
    if errors > 0 { Err(Failure::Findings) } else { Ok(()) }
}

/// The complaint on one line that a program or an editor can read, and below it the place in the file.
fn pictured(complaint: &Complaint, tree: &Tree) -> String {
    let place = &complaint.place;
    let text = tree.files.get(&place.file).and_then(|bytes| std::str::from_utf8(bytes).ok());
    let line = place.line.checked_sub(1).and_then(|line| text?.lines().nth(line as usize));
    let Some(line) = line else { return complaint.to_string() };
    let number = place.line.to_string();
    let before: String = line
        .chars()
        .take(place.column.saturating_sub(1) as usize)
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let margin = " ".repeat(number.len());
    format!("{complaint}\n  {number} | {line}\n  {margin} | {before}^")
}
