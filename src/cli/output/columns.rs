//! Tables whose columns are as wide as their content, within a maximum width.

use tidegate_model::line::{cut, one_line};

/// Maximum number of characters in a line.
const WIDEST: usize = 100;
/// Characters between two columns.
const GAP: &str = "  ";

/// Returns the rows as a table. If they need more than a hundred characters, the widest columns are cut, and no others.
pub(super) fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let rows: Vec<[String; N]> = rows.iter().map(|row| row.clone().map(|cell| one_line(&cell))).collect();
    let widths = widths(&rows);
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{:<width$}", cut(cell, width)));
        text.push_str(cells.collect::<Vec<_>>().join(GAP).trim_end());
        text.push('\n');
    }
    text
}

fn widths<const N: usize>(rows: &[[String; N]]) -> [usize; N] {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let room = WIDEST.saturating_sub(GAP.len() * N.saturating_sub(1));
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
