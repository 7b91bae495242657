//! What a binary is, from its ELF header.

use elf::elf::{EM_AARCH64, EM_X86_64, FileHeader64, PT_INTERP};
use elf::endian::Endianness;
use elf::read::elf::{FileHeader as _, ProgramHeader as _};

use crate::error::NotUsable;

/// Returns the processor of a static program for Linux, as OCI's image specification names it: `amd64` or `arm64`.
pub(crate) fn architecture(binary: &[u8]) -> Result<&'static str, NotUsable> {
    let header = FileHeader64::<Endianness>::parse(binary).map_err(|_| NotUsable::NotElf)?;
    let endian = header.endian().map_err(|_| NotUsable::NotElf)?;
    let architecture = match header.e_machine(endian) {
        EM_X86_64 => "amd64",
        EM_AARCH64 => "arm64",
        _ => return Err(NotUsable::OtherProcessor),
    };
    // A program that is linked dynamically names the loader that has to start it.
    let segments = header.program_headers(endian, binary).map_err(|_| NotUsable::NotElf)?;
    if segments.iter().any(|segment| segment.p_type(endian) == PT_INTERP) {
        return Err(NotUsable::Dynamic);
    }
    Ok(architecture)
}
