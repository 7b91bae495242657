//! `tidegate validate`: what is wrong with a directory of declarations, and what would be right.

use serde_json::json;

use super::args::ValidateArgs;
use super::directory;
use super::failure::Failure;
use super::say::say_line;
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
            say_line(&printed(output, &document)?)?;
        }
        None => {
            for complaint in &loaded.complaints {
                say_line(&pictured(complaint, &tree))?;
            }
            let objects = loaded.repository.objects.len();
            let addons = loaded.repository.addons.len();
            match (errors, loaded.complaints.len() - errors) {
                (0, 0) => say_line(&format!("{objects} objects, {addons} add-ons: nothing to complain about"))?,
                (errors, warnings) => {
                    say_line(&format!("{objects} objects, {addons} add-ons; errors: {errors}, warnings: {warnings}"))?
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
    let Some(line) = line else { return one_line(complaint) };
    let number = place.line.to_string();
    let margin = " ".repeat(number.len());
    // A line that no terminal holds is shown around its fault.
    let column = (place.column as usize).saturating_sub(1);
    let from = column.saturating_sub(WIDTH / 2);
    let shown: String =
        line.chars().skip(from).take(WIDTH).map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect();
    let before: String = shown.chars().take(column - from).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    format!("{}\n  {number} | {shown}\n  {margin} | {before}^", one_line(complaint))
}

/// So much of a line is shown.
const WIDTH: usize = 160;

/// Names of files come from the repository, and must not be able to look like another complaint.
fn one_line(complaint: &Complaint) -> String {
    complaint.to_string().chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
