//! From the text of a template to a tree.

/// A part of a template.
#[derive(Debug)]
pub(crate) enum Node {
    /// Text that is printed as it is.
    Text(String),
    /// `{{ pipeline }}`
    Print(Pipeline),
    /// `{{ if pipeline }} … {{ else }} … {{ end }}`
    If(Pipeline, Vec<Node>, Vec<Node>),
    /// `{{ with pipeline }} … {{ end }}`
    With(Pipeline, Vec<Node>),
    /// `{{ range pipeline }} … {{ end }}`
    Range(Pipeline, Vec<Node>),
}

/// Commands. Each one gets the value of the previous one as its last argument.
pub(crate) type Pipeline = Vec<Vec<Operand>>;

/// A part of a command.
#[derive(Debug)]
pub(crate) enum Operand {
    /// `.a.b`, or `$.a.b` if the first field is true
    Field(bool, Vec<String>),
    /// A string in quotation marks.
    Text(String),
    /// A number.
    Number(u64),
    /// `( pipeline )`
    Group(Pipeline),
    /// The name of a function.
    Function(String),
}

/// An element of a template before it is a tree.
enum Element {
    Text(String),
    Action(Vec<String>),
}

/// Parses a template.
pub(crate) fn parse(template: &str) -> Vec<Node> {
    let mut elements = elements(template).into_iter();
    let (nodes, end) = nodes(&mut elements);
    assert!(end.is_empty(), "{end:?} without a beginning");
    nodes
}

fn elements(template: &str) -> Vec<Element> {
    let mut found = Vec::new();
    let mut rest = template;
    let mut is_trimmed = false;
    while let Some((before, after)) = rest.split_once("{{") {
        let before = if is_trimmed { before.trim_start() } else { before };
        let (inner, following) = after.split_once("}}").unwrap();
        let opened = inner.strip_prefix("- ");
        found.push(Element::Text(if opened.is_some() { before.trim_end() } else { before }.to_owned()));
        let inner = opened.unwrap_or(inner);
        let closed = inner.strip_suffix(" -");
        is_trimmed = closed.is_some();
        found.push(Element::Action(tokens(closed.unwrap_or(inner))));
        rest = following;
    }
    found.push(Element::Text(if is_trimmed { rest.trim_start() } else { rest }.to_owned()));
    found
}

/// Splits an action at its spaces, parentheses and bars, but not inside of strings. A string keeps its first quotation mark.
fn tokens(action: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut letters = action.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' => {}
            '(' | ')' | '|' => found.push(letter.to_string()),
            '"' => {
                let mut text = "\"".to_owned();
                loop {
                    match letters.next().unwrap() {
                        '"' => break,
                        '\\' => text.push(match letters.next().unwrap() {
                            'n' => '\n',
                            other => other,
                        }),
                        other => text.push(other),
                    }
                }
                found.push(text);
            }
            other => {
                let mut word = other.to_string();
                while let Some(next) = letters.next_if(|next| !" ()|\"".contains(*next)) {
                    word.push(next);
                }
                found.push(word);
            }
        }
    }
    found
}

/// Reads nodes up to an `end` or `else`, and returns its words; none at the end of the template.
fn nodes(elements: &mut impl Iterator<Item = Element>) -> (Vec<Node>, Vec<String>) {
    let mut found = Vec::new();
    while let Some(element) = elements.next() {
        let words = match element {
            Element::Text(text) => {
                found.push(Node::Text(text));
                continue;
            }
            Element::Action(words) => words,
        };
        match words[0].as_str() {
            "end" | "else" => return (found, words),
            "if" => found.push(branch(&words[1..], elements)),
            keyword @ ("with" | "range") => {
                let (inner, end) = nodes(elements);
                assert_eq!(end, ["end"]);
                let pipeline = pipeline(&words[1..]);
                found.push(if keyword == "with" { Node::With(pipeline, inner) } else { Node::Range(pipeline, inner) });
            }
            _ => found.push(Node::Print(pipeline(&words))),
        }
    }
    (found, Vec::new())
}

fn branch(condition: &[String], elements: &mut impl Iterator<Item = Element>) -> Node {
    let (then, end) = nodes(elements);
    let otherwise = match end.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["end"] => Vec::new(),
        ["else"] => {
            let (otherwise, end) = nodes(elements);
            assert_eq!(end, ["end"]);
            otherwise
        }
        ["else", "if", ..] => vec![branch(&end[2..], elements)],
        _ => panic!("{end:?} does not end an if"),
    };
    Node::If(pipeline(condition), then, otherwise)
}

fn pipeline(words: &[String]) -> Pipeline {
    let mut words = words.iter();
    let found = commands(&mut words);
    assert!(words.next().is_none(), "a parenthesis is closed that was not opened");
    found
}

/// Reads commands up to the end, or to the parenthesis that ends a group.
fn commands(words: &mut std::slice::Iter<'_, String>) -> Pipeline {
    let mut found = vec![Vec::new()];
    while let Some(word) = words.next() {
        let operand = match word.as_str() {
            ")" => return found,
            "|" => {
                found.push(Vec::new());
                continue;
            }
            "(" => Operand::Group(commands(words)),
            word => match (word.strip_prefix('"'), word.strip_prefix('$').unwrap_or(word).strip_prefix('.')) {
                (Some(text), _) => Operand::Text(text.to_owned()),
                (None, Some(path)) => {
                    let fields = path.split('.').filter(|field| !field.is_empty()).map(str::to_owned).collect();
                    Operand::Field(word.starts_with('$'), fields)
                }
                (None, None) => word.parse().map_or_else(|_| Operand::Function(word.to_owned()), Operand::Number),
            },
        };
        found.last_mut().unwrap().push(operand);
    }
    found
}
