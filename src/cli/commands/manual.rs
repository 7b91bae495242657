//! `tidegate completions` and `tidegate man`: what shells and `man` know of the commands.

use std::fs;
use std::io::Error;

use clap::builder::StyledStr;
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use crate::cli::args::{Args, CompletionsArgs, ManArgs, Shell};
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::version::VERSION;

/// Prints the completions of a shell.
pub(crate) fn completions(process: &Process, args: &CompletionsArgs) -> Result<(), Failure> {
    let shell = match args.shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut listed(Args::command()), "tidegate", &mut script);
    process.say(&String::from_utf8_lossy(&script))
}

/// Writes one man page for the program, and one for each command and its commands.
pub(crate) fn man(process: &Process, args: &ManArgs) -> Result<(), Failure> {
    let directory = &args.dir;
    let failed = |error: Error| Failure::Usage(format!("{}: {error}", directory.display()));
    fs::create_dir_all(directory).map_err(failed)?;
    let mut program = listed(Args::command());
    program.build();
    let mut pages = Vec::new();
    add_pages(&program, "tidegate", &mut pages);
    for (name, page) in &pages {
        fs::write(directory.join(name), page).map_err(failed)?;
    }
    process.say_line(&format!("wrote {} man pages to {}", pages.len(), directory.display()))
}

/// Adds the page of a command, and those of its commands. `help` is described by every page.
fn add_pages(command: &Command, name: &str, pages: &mut Vec<(String, Vec<u8>)>) {
    let mut page = Vec::new();
    let described = Man::new(command.clone().version(VERSION)).title(name);
    // A vector takes all bytes.
    let _written = described.render(&mut page);
    pages.push((format!("{name}.1"), page));
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        add_pages(inner, &format!("{name}-{}", inner.get_name()), pages);
    }
}

/// Returns a command without the commands that its help does not list.
fn listed(command: Command) -> Command {
    let shown: Vec<Command> = command.get_subcommands().filter(|inner| !inner.is_hide_set()).cloned().collect();
    let text = |text: Option<&StyledStr>| text.cloned().unwrap_or_default();
    let program = Command::new("tidegate").version(VERSION).about(text(command.get_about()));
    let program = program.long_about(text(command.get_long_about())).after_help(text(command.get_after_help()));
    program.subcommands(shown)
}
