//! Strings that try to become markup, a mention or a command.

use proptest::prelude::*;

const PARTS: &[&str] = &[
    "`",
    "```",
    "~~~",
    "|",
    "\\",
    "\\|",
    "<",
    ">",
    "&",
    "&lt;",
    "&#60;",
    "<script>alert(1)</script>",
    "<img src=x onerror=y>",
    "<details>",
    "</details>",
    "</summary>",
    "</code>",
    "<!--",
    "-->",
    "--!>",
    "\n",
    "\n\n",
    "\r\n",
    "\n/merge",
    "/approve",
    "\n```\n/merge",
    "@team",
    "#1",
    "!2",
    "GH-3",
    "deadbeef1",
    "https://example.com",
    "www.example.com",
    "[x](y)",
    "](",
    "*",
    "**",
    "_",
    "$",
    ":tada:",
    "\u{202e}",
    "\u{2066}",
    "\u{2028}",
    "\u{1b}[31m",
    "\0",
    "\t",
    "\"",
    "'",
    "=",
    "+",
    "-",
    "@@",
    " ",
    "1.",
    "- ",
    "1h",
    "0s",
    "é",
    "あ",
    "word",
    "\n| a | b |\n",
    "\n| --- |",
    "%",
    "{",
    "}",
    "style=\"x\"",
    "\u{7f}",
    "\u{feff}",
];

/// Returns such strings, and arbitrary ones.
pub(super) fn strings() -> impl Strategy<Value = Vec<String>> {
    let parts = prop::collection::vec(prop::sample::select(PARTS), 0..8).prop_map(|parts| parts.concat());
    prop::collection::vec(prop_oneof![4 => parts, 1 => any::<String>()], 1..40)
}

/// Returns a source of these strings that never ends.
pub(super) fn source(strings: Vec<String>) -> impl FnMut() -> String {
    let mut strings = strings.into_iter().cycle();
    move || strings.next().unwrap_or_default()
}
