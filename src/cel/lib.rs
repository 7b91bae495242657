//! The Common Expression Language, as used in Open Cluster Management placements to select clusters and in validation rules of
//! CRDs.
//!
//! Pure: an expression has the same value for the same cluster and scores. Owns the language: its type checks, functions and
//! cost accounting. Does not own the expressions.
//!
//! Behaves as upstream does, down to the error messages, with these exceptions:
//!
//! | situation | upstream | here |
//! | --- | --- | --- |
//! | messages such as `google.protobuf.Int64Value{value: 1}` | created | rejected at compile time |
//! | types that grow exponentially with the length of an expression | never ends | rejected, or treated as `dyn` |
//! | work that costs nothing, such as comparing long lists, or costs too little | runs for seconds | ends the evaluation |
//! | regular expressions with groups 250 deep, or 256 Unicode classes | accepted | rejected |
//! | JSON nested more than 128 deep | parsed | not parsed |
//! | maps | iterated in any order | iterated in insertion order, or in key order |
//! | bytes that are not UTF-8, formatted as a string | kept | replaced |
//!
//! # Example
//! ```
//! use tidegate_cel::{Evaluator, Program, Scores};
//!
//! /// A hub without scores.
//! struct NoScores;
//!
//! impl Scores for NoScores {
//!     fn find(&self, _cluster: &str, _name: &str) -> Option<Vec<(&str, i64)>> {
//!         None
//!     }
//! }
//!
//! let cluster = serde_json::json!({ "metadata": { "name": "east-1", "labels": { "version": "1.30.6" } } });
//! let program = Program::compile("semver(managedCluster.metadata.labels.version).isLessThan(semver('1.31.0'))")?;
//! let answer = Evaluator::default().evaluate(&program, &cluster, &NoScores);
//! assert!(answer.holds);
//! # Ok::<(), tidegate_cel::CompileError>(())
//! ```
//!
//! # Source
//! `github.com/google/cel-go` v0.29, `k8s.io/apiserver` v0.35 pkg/cel/library, `open-cluster-management.io/sdk-go` pkg/cel.

mod check;
mod context;
mod evaluator;
mod library;
mod program;
mod reads;
mod run;
mod shape;
mod source;
mod syntax;
mod time;
mod types;
mod value;

pub use self::context::Scores;
pub use self::evaluator::{Allowance, Answer, Computed, Evaluator, NoJson, Trouble, Verdict};
pub use self::program::{CompileError, Program};
pub use self::reads::{FieldPath, reads};
pub use self::shape::{Scope, Shape};
pub use self::syntax::escaped;
