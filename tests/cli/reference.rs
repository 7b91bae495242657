//! The pages that are generated from the code, or compared with it.

use std::fmt::Write as _;
use std::fs;

use regex::Regex;

use super::{code, text, tidegate};

fn help(command: &[String]) -> String {
    let arguments: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
    let output = tidegate(&arguments);
    assert_eq!(code(&output), 0, "{arguments:?}");
    text(&output.stdout).lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Returns the names of the commands that a help lists.
fn commands(help: &str) -> Vec<String> {
    let (_, list) = help.split_once("\nCommands:\n").unwrap_or_default();
    let names = list
        .lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Adds the help of a command, and of those below it.
fn add(page: &mut String, command: &[String]) {
    let help = help(command);
    let level = if command.len() > 1 { "###" } else { "##" };
    let _ = write!(page, "\n{level} tidegate {}\n\n```text\n{}\n```\n", command.join(" "), help.trim_end());
    for name in commands(&help) {
        add(page, &[command, &[name]].concat());
    }
}

#[test]
fn the_page_of_commands_is_what_the_program_says() {
    let all = help(&[]);
    let (_, codes) = all.split_once("Exit codes: ").unwrap();
    let mut page = "# Commands\n\nThe help of each command, as the program prints it. `tidegate man --dir DIR` writes it as man pages.\n\n".to_owned();
    page.push_str("## Exit codes\n\n| code | meaning |\n| --- | --- |\n");
    for entry in codes.trim().trim_end_matches('.').split(';') {
        let entry = entry.split_whitespace().collect::<Vec<_>>().join(" ");
        let (number, meaning) = entry.split_once(' ').unwrap();
        let _ = writeln!(page, "| {number} | {meaning} |");
    }
    for name in commands(&all) {
        add(&mut page, &[name]);
    }
    if std::env::var_os("TIDEGATE_UPDATE").is_some() {
        fs::write("docs/commands.md", &page).unwrap();
    }
    let held = fs::read_to_string("docs/commands.md").unwrap_or_default();
    assert!(
        held == page,
        "docs/commands.md is stale: run `TIDEGATE_UPDATE=1 cargo test --locked --test main cli::reference`"
    );
}

/// The page has each condition that the code knows, and no other.
#[test]
fn the_page_of_conditions_is_complete() {
    let keys = fs::read_to_string("src/api/key.rs").unwrap();
    let (_, conditions) = keys.split_once("/// Condition of a ManagedCluster: whether").unwrap();
    let end = conditions.find("\n\n").unwrap_or(conditions.len());
    let conditions = &conditions[..end];
    let value = Regex::new("pub const [A-Z_]+: &str = \"([A-Za-z]+)\";").unwrap();
    let page = fs::read_to_string("docs/conditions.md").unwrap();
    let known: Vec<&str> = value.captures_iter(conditions).map(|found| found.extract::<1>().1[0]).collect();
    assert!(known.len() > 8, "{known:?}");
    for name in &known {
        assert!(page.contains(&format!("| `{name}` |")), "{name} is not in docs/conditions.md");
    }
    let row = Regex::new(r"(?m)^\| `([A-Za-z./]+)` \|").unwrap();
    for found in row.captures_iter(&page) {
        assert!(keys.contains(&format!("\"{}\"", &found[1])), "the code does not know {}", &found[1]);
    }
}
