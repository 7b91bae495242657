//! A plan in Markdown as HTML: the elements that plans have, and everything else as text.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use tidegate_review::presentation::escaped_html as escaped;

/// The tags of plans that are kept. All others are shown as text.
const TAGS: [&str; 9] =
    ["<details>", "<details open>", "</details>", "<summary>", "</summary>", "<b>", "</b>", "<code>", "</code>"];

/// Returns Markdown as HTML. Only elements that are written here come out, whatever the text contains.
pub(super) fn markdown(text: &str) -> Markup {
    let mut page = Page::default();
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH).for_each(|event| page.event(event));
    page.html.push_str(&"</details>".repeat(page.open));
    PreEscaped(page.html)
}

#[derive(Default)]
struct Page {
    html: String,
    /// The number of details that are open.
    open: usize,
    alignments: Vec<Alignment>,
    /// The titles of the columns, as text.
    titles: Vec<String>,
    cell: usize,
    is_head: bool,
    is_diff: bool,
}

impl Page {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => {
                self.title(&code);
                self.html.push_str(&format!("<code>{}</code>", escaped(&code)));
            }
            Event::Html(html) | Event::InlineHtml(html) => self.tags(&html),
            Event::SoftBreak | Event::HardBreak => self.html.push('\n'),
            Event::Rule => self.html.push_str("<hr>"),
            other => self.html.push_str(&escaped(&format!("{other:?}"))),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let html = match tag {
            Tag::Paragraph => "<p>",
            Tag::Heading { level, .. } => return self.html.push_str(&format!("<{}>", heading(level))),
            Tag::CodeBlock(kind) => {
                self.is_diff = matches!(&kind, CodeBlockKind::Fenced(language) if &**language == "diff");
                "<pre tabindex=\"0\">"
            }
            Tag::List(None) => "<ul>",
            Tag::List(Some(_)) => "<ol>",
            Tag::Item => "<li>",
            Tag::Strong => "<b>",
            Tag::Emphasis => "<em>",
            Tag::Table(alignments) => {
                self.alignments = alignments;
                self.titles.clear();
                "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Table of the plan\"><table>"
            }
            Tag::TableHead => {
                (self.is_head, self.cell) = (true, 0);
                "<thead><tr>"
            }
            Tag::TableRow => {
                self.cell = 0;
                "<tr>"
            }
            Tag::TableCell => return self.cell(),
            // Links of plans lead nowhere that the page does not link by itself.
            _ => "",
        };
        self.html.push_str(html);
    }

    fn end(&mut self, tag: TagEnd) {
        let html = match tag {
            TagEnd::Paragraph => "</p>",
            TagEnd::Heading(level) => return self.html.push_str(&format!("</{}>", heading(level))),
            TagEnd::CodeBlock => {
                self.is_diff = false;
                "</pre>"
            }
            TagEnd::List(false) => "</ul>",
            TagEnd::List(true) => "</ol>",
            TagEnd::Item => "</li>",
            TagEnd::Strong => "</b>",
            TagEnd::Emphasis => "</em>",
            TagEnd::Table => "</tbody></table></div>",
            TagEnd::TableHead => {
                self.is_head = false;
                "</tr></thead><tbody>"
            }
            TagEnd::TableRow => "</tr>",
            TagEnd::TableCell => {
                self.cell += 1;
                if self.is_head { "</th>" } else { "</td>" }
            }
            _ => "",
        };
        self.html.push_str(html);
    }

    fn cell(&mut self) {
        let class = match self.alignments.get(self.cell) {
            Some(Alignment::Right) => " class=\"number\"",
            _ => "",
        };
        if self.is_head {
            self.titles.push(String::new());
            self.html.push_str(&format!("<th{class}>"));
        } else {
            let title = self.titles.get(self.cell).map(|title| escaped(title)).unwrap_or_default();
            self.html.push_str(&format!("<td{class} data-title=\"{title}\">"));
        }
    }

    fn title(&mut self, text: &str) {
        if let Some(title) = self.titles.last_mut().filter(|_| self.is_head) {
            title.push_str(text);
        }
    }

    fn text(&mut self, text: &str) {
        self.title(text);
        if !self.is_diff {
            return self.html.push_str(&escaped(text));
        }
        for line in text.split_inclusive('\n') {
            let element = match line.chars().next() {
                Some('+') => "ins",
                Some('-') => "del",
                _ => "span",
            };
            self.html.push_str(&format!("<{element}>{}</{element}>", escaped(line)));
        }
    }

    /// Keeps the tags of plans, and leaves out comments.
    fn tags(&mut self, html: &str) {
        let mut rest = html;
        while !rest.is_empty() {
            if let Some((_, after)) = rest.strip_prefix("<!--").and_then(|comment| comment.split_once("-->")) {
                rest = after;
                continue;
            }
            let known = TAGS.into_iter().find(|tag| rest.starts_with(tag));
            let length = known.map_or_else(|| rest.chars().next().map_or(0, char::len_utf8), str::len);
            let (part, after) = rest.split_at(length);
            match known {
                Some("</details>") if self.open == 0 => {}
                Some(tag) => {
                    self.open += usize::from(tag.starts_with("<details"));
                    self.open -= usize::from(tag == "</details>");
                    self.html.push_str(tag);
                }
                None => self.html.push_str(&escaped(part)),
            }
            rest = after;
        }
    }
}

/// Returns the element of a heading: the page has two levels above.
fn heading(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 | HeadingLevel::H3 => "h3",
        HeadingLevel::H4 => "h4",
        HeadingLevel::H5 | HeadingLevel::H6 => "h5",
    }
}
