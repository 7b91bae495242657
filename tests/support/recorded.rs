//! Recorded answers of upstream's code and of a real API server. `tests/vectors/README.md` describes them.

use std::env;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;

/// Returns the lines of a recording, from the folder `TIDEGATE_VECTORS` if that is set.
pub(crate) fn recorded(name: &str) -> String {
    if let Some(folder) = env::var_os("TIDEGATE_VECTORS") {
        let path = Path::new(&folder).join(format!("{name}.jsonl"));
        return fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let mut text = String::new();
    let file = fs::File::open(crate::root::path(&format!("tests/vectors/{name}.jsonl.gz"))).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}
