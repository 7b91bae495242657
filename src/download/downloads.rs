//! The interface: how to reach servers, limits, and the downloads.

use super::access::Access;

use crate::chart::{self, Chart, ChartRequest};
use crate::git::{self, GitRequest, GitTree};
use crate::newest::{self, Versioned};
use crate::web::Web;
use crate::{Error, files};

/// Downloads.
#[derive(Debug)]
pub struct Downloads {
    web: Web,
    access: Access,
}

impl Downloads {
    /// Prepares downloads.
    ///
    /// # Errors
    /// [`Error::Git`] if the file of certificates or the address of a proxy is unusable.
    pub fn new(access: Access) -> Result<Self, Error> {
        Ok(Self { web: Web::new(&access)?, access })
    }

    /// Downloads a file of declarations. Blocks.
    ///
    /// # Errors
    /// [`Error::Content`] if it is an HTML page; otherwise whatever prevents the download.
    pub fn file(&self, address: &str) -> Result<Vec<u8>, Error> {
        files::file(&self.web, address)
    }

    /// Downloads the archive of a chart from a chart repository or an OCI registry, and unpacks it. Blocks.
    ///
    /// # Errors
    /// [`Error::Version`] if no version matches; [`Error::Content`] if a digest is wrong or the archive is not safe; otherwise whatever
    /// prevents the download.
    pub fn chart(&self, request: &ChartRequest) -> Result<Chart, Error> {
        chart::chart(&self.web, request)
    }

    /// Returns the newest released version of something, if it is newer than one. Blocks.
    ///
    /// # Errors
    /// Whatever prevents reading the list of versions.
    pub fn newer(&self, what: &Versioned, than: &str) -> Result<Option<String>, Error> {
        newest::newer(&self.web, &self.access, what, than)
    }

    /// Fetches a directory of a Git repository, with the files outside that its kustomizations name. Blocks.
    ///
    /// # Errors
    /// [`Error::Reference`] if there is no such reference or directory, or a symbolic link leaves the repository; [`Error::Git`] if
    /// the repository cannot be fetched.
    pub fn tree(&self, request: &GitRequest) -> Result<GitTree, Error> {
        git::tree(&self.web, &self.access, request)
    }
}
