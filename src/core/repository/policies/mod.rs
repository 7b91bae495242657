//! Policies as code: the PlanPolicy documents in `policies/` at the root of a repository. Other files there are not read here: teams keep
//! policies of other programs next to them.

mod expression;
mod read;
mod schema;
mod types;

pub use self::read::plan_policies;
pub(super) use self::read::read;
pub use self::schema::schema as policy_schema;
pub use self::types::{PlanPolicy, PolicySeverity, PolicyTest, VARIABLES};
pub use crate::read::policy_file::DIRECTORY;
