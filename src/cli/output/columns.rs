//! Tables whose columns are as wide as their content, within a maximum width.

use tidegate_model::line::{cut, one_line};

/// Maximum number of characters in a line for people.
pub(super) const WIDEST: usize = 100;
/// Lines of any length.
pub(super) const UNLIMITED: usize = usize::MAX;
/// Characters between two columns.
const GAP: &str = "  ";

/// Returns the rows as a table. If they need more than a hundred characters, the widest columns are cut, and no others.
pub(super) fn table<const N: usize>(rows: &[[String; N]]) -> String {
    painted(rows, WIDEST, |_, _, cell| cell)
}

/// Returns the rows as a table with lines of at most `widest` characters. `paint` gets the number of a row and of a column and the cell, and
/// returns the cell with its colors.
pub(super) fn painted<const N: usize>(
    rows: &[[String; N]],
    widest: usize,
    paint: impl Fn(usize, usize, String) -> String,
) -> String {
    let rows: Vec<[String; N]> = rows.iter().map(|row| row.clone().map(|cell| one_line(&cell))).collect();
    let widths = widths(&rows, widest);
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        let last = row.iter().rposition(|cell| !cell.is_empty()).unwrap_or_default();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate().take(last + 1) {
            let cell = cut(cell, width);
            // Spaces have no color, and a line does not end with them.
            let rest = if column == last { 0 } else { width.saturating_sub(cell.chars().count()) + GAP.len() };
            text.push_str(&paint(at, column, cell));
            text.push_str(&" ".repeat(rest));
        }
        text.push('\n');
    }
    text
}

fn widths<const N: usize>(rows: &[[String; N]], widest: usize) -> [usize; N] {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let room = widest.saturating_sub(GAP.len() * N.saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        if let Some(widest) = widths.iter_mut().max() {
            *widest = widest.saturating_sub(1);
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_widest_columns_of_a_table_are_cut() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned);
        let short = table(&[row(["NAME", "#", "BY"]), row(["managed-serviceaccount", "1", "a\nb"])]);
        assert_eq!(short, "NAME                    #  BY\nmanaged-serviceaccount  1  a\u{fffd}b\n");
        let (name, by) = ("n".repeat(30), "b".repeat(200));
        let long = table(&[row([&name, "1", &by])]);
        assert!(long.starts_with(&format!("{name}  1  bbb")) && long.ends_with("b…\n"), "{long}");
        assert_eq!(long.trim_end().chars().count(), WIDEST);
    }
}
