//! The revisions of an application as a table.

use super::columns;
use tidegate_repository::revisions::Listed;

const HEADER: [&str; 5] = ["REVISION", "DIGEST", "IMAGES", "USED BY", "STATE"];

/// Returns the table.
pub(in crate::cli) fn table(listed: &[Listed]) -> String {
    let rows: Vec<[String; 5]> = std::iter::once(HEADER.map(str::to_owned)).chain(listed.iter().map(cells)).collect();
    columns::table(&rows)
}

fn cells(listed: &Listed) -> [String; 5] {
    let or_dash = |list: String| if list.is_empty() { "-".to_owned() } else { list };
    let users: Vec<String> = listed.used_by.iter().map(ToString::to_string).collect();
    [
        listed.name.clone(),
        listed.digest.short().to_owned(),
        or_dash(listed.images.join(", ")),
        or_dash(users.join(", ")),
        if listed.error.is_some() { "has errors".to_owned() } else { "sound".to_owned() },
    ]
}
