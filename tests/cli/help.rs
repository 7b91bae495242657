//! What `--help` shows.

use super::{code, text, tidegate};

fn help(arguments: &[&str]) -> String {
    let output = tidegate(arguments);
    assert_eq!(code(&output), 0, "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn help_is_available_for_the_command_help_and_in_both_orders() {
    assert!(help(&["help", "--help"]).contains("Usage: tidegate help"));
    assert_eq!(help(&["help", "--help"]), help(&["help", "help"]));
    assert_eq!(help(&["help", "status", "--help"]), help(&["help", "status"]));
    assert_eq!(help(&["help", "-h"]), help(&["help", "help"]));
}

#[test]
fn the_options_of_a_command_come_before_those_of_the_repository() {
    for (command, option) in
        [("status", "--watch"), ("explain", "--output"), ("history", "--since"), ("verify-history", "--journal-keys")]
    {
        let shown = help(&[command, "--help"]);
        let at = |wanted: &str| shown.find(wanted).unwrap_or_else(|| panic!("{command} has no {wanted}:\n{shown}"));
        assert!(at(option) < at("Repository:"), "{shown}");
        assert!(at("--config") > at("Repository:") && at("--git-user") > at("Access to Git:"), "{shown}");
        assert!(shown.contains("Without --source"), "{shown}");
    }
}
