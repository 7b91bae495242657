//! `tidegate rbac`: the manifests with the permissions of the daemon on a hub.

use crate::cli::args::RbacArgs;
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::doctor;
use tidegate_model::object::GroupKind;

/// Prints the manifests as one YAML stream.
pub(crate) fn run(process: &Process, args: &RbacArgs) -> Result<(), Failure> {
    let operator = File::read(args.operator.config.as_deref())?.operator();
    let kinds = operator.kinds.iter().map(|allowed| GroupKind::new(&allowed.group, &allowed.kind)).collect();
    process.say(&doctor::manifests(args.delivery.into(), &kinds))
}
