//! `tidegate rbac`: the manifests with the permissions of the daemon on a hub.

use crate::cli::args::RbacArgs;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::doctor;

/// Prints the manifests as one YAML stream.
pub(crate) fn run(process: &Process, args: &RbacArgs) -> Result<(), Failure> {
    process.say(&doctor::manifests(args.delivery.into()))
}
