//! Inputs of an image.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tidegate_release::Image;

/// A certificate, as far as an image looks at it.
pub(crate) const CERTIFICATES: &str = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

/// The number of x86-64 in an ELF header.
pub(crate) const X86_64: u16 = 62;

/// The number of arm64 in an ELF header.
pub(crate) const ARM64: u16 = 183;

/// Returns the headers of a program: one segment, of the kind `PT_LOAD`, or `PT_INTERP` if it is linked dynamically.
pub(crate) fn elf(machine: u16, is_dynamic: bool) -> Vec<u8> {
    let mut bytes = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let halves =
        |bytes: &mut Vec<u8>, values: &[u16]| values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    let longs = |bytes: &mut Vec<u8>, values: &[u64]| values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    halves(&mut bytes, &[2, machine]);
    bytes.extend(1_u32.to_le_bytes());
    longs(&mut bytes, &[0, 64, 0]);
    bytes.extend(0_u32.to_le_bytes());
    halves(&mut bytes, &[64, 56, 1, 64, 0, 0]);
    bytes.extend((if is_dynamic { 3_u32 } else { 1_u32 }).to_le_bytes());
    bytes.extend(4_u32.to_le_bytes());
    longs(&mut bytes, &[0, 0, 0, 0, 0, 0]);
    bytes
}

/// Writes files, and returns an image that is made from them.
pub(crate) fn image(folder: &Path, binaries: &[&[u8]], certificates: &str) -> Image {
    let write = |name: String, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let binaries: Vec<PathBuf> =
        binaries.iter().enumerate().map(|(index, bytes)| write(format!("tidegate-{index}"), bytes)).collect();
    Image {
        binaries,
        certificates: write("certificates.pem".to_owned(), certificates.as_bytes()),
        version: "0.1.0".to_owned(),
        commit: "0123456789abcdef0123456789abcdef01234567".to_owned(),
        seconds: 1_795_000_000,
    }
}

/// Returns a blob that a descriptor names, after a check of its hash and size with another program than the one that wrote it.
pub(crate) fn blob(layout: &Path, descriptor: &Value) -> Vec<u8> {
    let digest = descriptor["digest"].as_str().unwrap();
    let path = layout.join("blobs").join(digest.replace(':', "/"));
    let bytes = fs::read(&path).unwrap();
    assert_eq!(descriptor["size"], bytes.len());
    let sum = std::process::Command::new("sha256sum").arg(&path).output().unwrap();
    assert_eq!(digest, format!("sha256:{}", String::from_utf8(sum.stdout).unwrap().split(' ').next().unwrap()));
    bytes
}

/// Returns a blob of JSON that a descriptor names.
pub(crate) fn document(layout: &Path, descriptor: &Value) -> Value {
    serde_json::from_slice(&blob(layout, descriptor)).unwrap()
}

/// Returns the manifests of a layout, with their platforms.
pub(crate) fn manifests(layout: &Path) -> Vec<(Value, Value)> {
    let index: Value = serde_json::from_slice(&fs::read(layout.join("index.json")).unwrap()).unwrap();
    let image = document(layout, &index["manifests"][0]);
    let descriptors = image["manifests"].as_array().unwrap();
    descriptors.iter().map(|found| (found["platform"].clone(), document(layout, found))).collect()
}
