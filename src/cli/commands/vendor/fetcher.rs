//! The inputs and results of fetching sources.

use std::cell::OnceCell;

use crate::cli::args::VendorArgs;
use tidegate_download::{Downloads, Error, Helm, Vela};
use tidegate_kustomize::vendor::What;
use tidegate_model::tree::Tree;

/// Something that was fetched.
pub(super) struct Fetched {
    pub(super) what: What,
    /// The files, relative to the vendored directory.
    pub(super) files: Tree,
    /// What should be looked at, although it is no error.
    pub(super) warning: Option<String>,
    /// Whether it comes from a tag, which should not move.
    pub(super) is_tag: bool,
}

/// Why something cannot be fetched, or put where it belongs.
pub(super) struct NotFetched {
    pub(super) message: String,
    /// Whether a retry may help.
    pub(super) is_transient: bool,
}

impl From<Error> for NotFetched {
    fn from(error: Error) -> Self {
        Self { message: error.to_string(), is_transient: error.is_transient() }
    }
}

impl From<String> for NotFetched {
    fn from(message: String) -> Self {
        Self { message, is_transient: false }
    }
}

/// Fetches, and renders charts.
pub(super) struct Fetcher<'a> {
    /// For what the repository itself names.
    pub(super) own: Downloads,
    /// For what only vendored files name.
    pub(super) public: Downloads,
    pub(super) args: &'a VendorArgs,
    pub(super) helm: OnceCell<Helm>,
    pub(super) vela: OnceCell<Vela>,
}
