//! The arguments of `ui`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::common::SourceArgs;

/// Show the page, from the journal.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct UiArgs {
    /// Write the pages of the last entry as files to this directory, which must be empty, and end; of a long table, only the first hundred rows
    #[arg(long, value_name = "DIR", conflicts_with_all = ["listen", "token_file"])]
    pub export: Option<PathBuf>,
    /// Serve on this address; port 0 chooses a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8090", value_parser = address)]
    pub listen: SocketAddr,
    /// Ask for the token in this file, as a bearer token or as the password of any user; needed for an address that other machines reach
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Where to read the journal.
    #[command(flatten)]
    pub source: SourceArgs,
}

/// A string that is not an address and a port.
#[derive(Debug, thiserror::Error)]
#[error("write an address and a port, such as 127.0.0.1:8090")]
struct InvalidAddress;

fn address(text: &str) -> Result<SocketAddr, InvalidAddress> {
    text.parse().map_err(|_| InvalidAddress)
}

/// Answer the questions of an assistant, from the journal.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct McpArgs {
    /// Where to read the journal.
    #[command(flatten)]
    pub source: SourceArgs,
}
