//! Checks that HTML contains only our own elements.

const TAGS: &[&str] = &[
    "html lang=\"en\"",
    "head",
    "body",
    "main",
    "header",
    "footer",
    "section",
    "title",
    "style",
    "h1",
    "h2",
    "h3",
    "h4",
    "p",
    "ul",
    "li",
    "b",
    "span",
    "code",
    "ins",
    "del",
    "pre tabindex=\"0\"",
    "figure",
    "figcaption",
    "table",
    "thead",
    "tbody",
    "tr",
    "td",
    "div",
    "th scope=\"col\"",
    "th scope=\"col\" class=\"number\"",
    "details",
    "details open",
    "summary",
    "ul class=\"facts\"",
    "p class=\"note\"",
    "p class=\"object\"",
    "p class=\"verdict good\"",
    "p class=\"verdict neutral\"",
    "p class=\"verdict bad\"",
    "div class=\"table\" tabindex=\"0\"",
    "div class=\"timeline\" aria-hidden=\"true\"",
    "div class=\"wave\"",
    "div class=\"wave axis\"",
    "div class=\"content\"",
    "span class=\"place\"",
    "span class=\"label\"",
    "span class=\"track\"",
    "span class=\"count\"",
    "span class=\"ends\"",
];
const EMPTY: &[&str] = &[
    "!doctype html",
    "meta charset=\"utf-8\"",
    "meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"",
    "meta name=\"color-scheme\" content=\"light dark\"",
];

/// Panics if a value could have become an element or an attribute, or if elements are not nested well.
pub(super) fn check(html: &str) {
    let (before, style) = html.split_once("<style>").unwrap();
    let (_, after) = style.split_once("</style>").unwrap();
    let mut open: Vec<String> = Vec::new();
    let mut heading = 0;
    for part in [before, after].concat().split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or_else(|| panic!("{part:?}"));
        assert!(!text.contains(['>', '"', '\'']) || text == "\"\"", "not escaped: {text:?}");
        let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        let own: usize = entities.iter().map(|entity| text.matches(entity).count()).sum();
        assert_eq!(own, text.matches('&').count(), "not escaped: {text:?}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{part:?}");
            continue;
        }
        if EMPTY.contains(&tag)
            || tag.starts_with(
                "meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'",
            )
        {
            continue;
        }
        assert!(TAGS.contains(&tag) || is_bar(tag) || is_cell(tag), "an unknown element: {tag:?}");
        let name = tag.split(' ').next().unwrap().to_owned();
        if let Some(level) = name.strip_prefix('h').and_then(|level| level.parse::<u32>().ok()) {
            assert!(level <= heading + 1, "h{level} after h{heading}");
            heading = level;
        }
        open.push(name);
    }
    assert_eq!(open, Vec::<String>::new());
}

fn is_bar(tag: &str) -> bool {
    let parts = ["span class=\"bar\" style=\"left:", "span class=\"late\" style=\"left:"];
    let style = parts.iter().find_map(|part| tag.strip_prefix(part)).and_then(|style| style.strip_suffix("%\""));
    let number = |text: &str| text.parse::<f64>().is_ok_and(|number| (0.0..=100.0).contains(&number));
    style.and_then(|style| style.split_once("%;width:")).is_some_and(|(left, width)| number(left) && number(width))
}

fn is_cell(tag: &str) -> bool {
    let title =
        ["td data-title=\"", "td class=\"number\" data-title=\""].iter().find_map(|start| tag.strip_prefix(start));
    let title = title.and_then(|title| title.strip_suffix('"'));
    title.is_some_and(|title| {
        title.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == ' ' || c == '-')
    })
}
