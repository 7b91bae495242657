//! The Common Expression Language, as Open Cluster Management lets placements select clusters with it, and as rules of CRDs use it.
//!
//! Pure: an expression has the same value for the same cluster and scores. Owns the language with its checks, its functions and
//! the count of its costs. Does not own what is asked in it.
//!
//! Decides as upstream does, to the words of its complaints, but for these rows:
//!
//! | situation | upstream | here |
//! | --- | --- | --- |
//! | messages such as `google.protobuf.Int64Value{value: 1}` | are made | refused when compiled |
//! | types that grow exponentially with the length of an expression | never ends | refused, or taken for `dyn` |
//! | work that costs nothing, such as comparing long lists, or costs too little | goes on for seconds | ends the evaluation |
//! | regular expressions with groups 250 deep, or 256 classes of Unicode | taken | refused |
//! | JSON more than 128 deep | read | not read |
//! | maps | gone through in any order | in the order in which they were made, or of their keys |
//! | bytes that are no text, formatted as text | kept | replaced |
//!
//! # Source
//! `github.com/google/cel-go` v0.29, `k8s.io/apiserver` v0.35 pkg/cel/library, `open-cluster-management.io/sdk-go` pkg/cel.

mod check;
mod library;
mod program;
mod run;
mod source;
mod syntax;
mod time;
mod types;
mod value;

pub use self::program::{Answer, Evaluator, Program, Refusal, Verdict};
pub use self::run::Scores;
pub use self::syntax::RESERVED;
