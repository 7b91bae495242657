//! The header `Link`, which names the other pages of a list.

/// Returns the target of the link to the next page.
///
/// # Source
/// RFC 8288, section 3. Of the parameters, only `rel` is read.
pub(super) fn next(header: &str) -> Option<&str> {
    let mut rest = header;
    while let Some((_, after)) = rest.split_once('<') {
        let (target, after) = after.split_once('>')?;
        // The parameters end where the next link starts.
        let parameters = after.split_once('<').map_or(after, |(parameters, _)| parameters);
        let is_next = parameters.split([';', ',']).any(|parameter| {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let value = value.trim().trim_matches('"');
            name.trim().eq_ignore_ascii_case("rel") && value.split_ascii_whitespace().any(|rel| rel == "next")
        });
        if is_next {
            return Some(target);
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_found_among_the_links() {
        let github = "<https://api.github.com/repositories/1000/issues?per_page=3&page=2>; rel=\"next\", \
                      <https://api.github.com/repositories/1000/issues?per_page=3&page=5>; rel=\"last\"";
        assert_eq!(next(github), Some("https://api.github.com/repositories/1000/issues?per_page=3&page=2"));
        let last = "<https://h/a?page=1>; rel=\"prev\", <https://h/a?page=1>; rel=\"first\"";
        assert_eq!(next(last), None);
        assert_eq!(next("<https://h/a?q=a,b;c>; title=\"x\"; rel=next"), Some("https://h/a?q=a,b;c"));
        for wrong in ["", "next", "<https://h", "<a>", "rel=\"next\"", "<a>; rel=\"nextish\""] {
            assert_eq!(next(wrong), None, "{wrong}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_header_is_read_without_panic(header in "[<>;,=\"a-zA-Zé ]{0,40}(rel=\"?next\"?)?[<>;, ]{0,5}") {
            if let Some(target) = next(&header) {
                assert!(header.contains(&format!("<{target}>")));
            }
        }
    }
}
