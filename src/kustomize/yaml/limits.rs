//! Limits on the size and the depth of files.

/// Maximum size of a file, in bytes.
pub const MAX_BYTES: usize = 4 << 20;
/// Maximum depth. CRDs, the deepest manifests in use, nest about 40 levels. Each level costs stack here and in code that
/// traverses trees.
pub const MAX_DEPTH: usize = 64;
/// Maximum number of nodes from the anchors and aliases of a file: far more than people write, and little memory.
pub const MAX_ALIASED: usize = 100_000;
