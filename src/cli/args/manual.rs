//! The arguments of `completions` and `man`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

/// Print the completions of a shell.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// A shell that completes commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    /// Bash
    Bash,
    /// Zsh
    Zsh,
    /// Fish
    Fish,
}

/// Write the man pages.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ManArgs {
    /// Write them to this directory, which is created if it does not exist
    #[arg(long, value_name = "DIRECTORY")]
    pub dir: PathBuf,
}
