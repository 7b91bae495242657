//! How commands reach the servers of charts, bases and images.

use crate::cli::args::DownloadArgs;
use crate::cli::failure::Failure;
use tidegate_download::{Access, Credentials, Downloads, Reach};

/// Prepares downloads.
pub(crate) fn downloads(args: &DownloadArgs, reach: Reach) -> Result<Downloads, Failure> {
    let credentials = args.credentials_file.as_deref().map(Credentials::read).transpose();
    let credentials = credentials.map_err(|error| Failure::Usage(error.to_string()))?.unwrap_or_default();
    let access = Access { credentials, authority: args.ca_file.clone(), reach, ..Access::default() };
    Downloads::new(access).map_err(|error| Failure::Usage(error.to_string()))
}
