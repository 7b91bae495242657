//! Positions in a text.

/// Returns the line and column of a byte offset, both from 1; columns count characters. An offset beyond the end means the end.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::line_and_column;

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        let places = [0, 2, 3, 4, 5, 99].map(|offset| line_and_column("é\n\nz", offset));
        assert_eq!(places, [(1, 1), (1, 2), (2, 1), (3, 1), (3, 2), (3, 2)]);
    }
}
