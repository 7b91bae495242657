//! Definitions of workflow steps. They are CUE, so only those whose text is known are read: they define steps that are built in.
//!
//! # Source
//! KubeVela 1.1, the example `workflow-with-ocm/rollout`.

use serde_json::Value;

use tidegate_go::canonical::sha256_hex;

/// The kind that defines a type of steps.
const STEP: &str = "WorkflowStepDefinition";

/// The names of the steps, each with the hash of the text of its template.
const KNOWN: [(&str, &str); 2] = [
    ("dispatch-comp-rev", "a06c7230a682fa503d58dff3bb7a5dfced8c69e8bcb3e678e203624ac4a0b906"),
    ("dispatch-traits", "76d412f979668afdb055fbeeb88d23068b7103e785596ba5a1c8ff1aadcf2b76"),
];

/// Returns `true` for a definition of a step that is built in, whose template has the known text except for comments and white space.
pub(crate) fn is_recognized(definition: &Value) -> bool {
    let text = |pointer: &str| definition.pointer(pointer).and_then(Value::as_str);
    let known = KNOWN.iter().find(|(name, _)| text("/metadata/name") == Some(name));
    let template = text("/spec/schematic/cue/template").map(|template| sha256_hex(bare(template).as_bytes()));
    text("/kind") == Some(STEP) && known.zip(template).is_some_and(|((_, hash), template)| *hash == template)
}

/// Returns a text without comments, and without white space outside of strings.
fn bare(template: &str) -> String {
    let mut bare = String::new();
    let mut chars = template.chars().peekable();
    let mut is_string = false;
    while let Some(c) = chars.next() {
        match c {
            '/' if !is_string && chars.peek() == Some(&'/') => while chars.next_if(|c| *c != '\n').is_some() {},
            '\\' if is_string => bare.extend([Some(c), chars.next()].into_iter().flatten()),
            '"' => {
                is_string = !is_string;
                bare.push(c);
            }
            c if c.is_whitespace() && !is_string => {}
            c => bare.push(c),
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn strings_keep_their_white_space_and_what_looks_like_a_comment() {
        assert_eq!(bare("a: \"b // c\" // d\n\te: 1 / 2\n"), "a:\"b // c\"e:1/2");
        assert_eq!(bare(r#"a: "\" // " // b"#), r#"a:"\" // ""#);
    }
}
