//! Archives of charts, from honest to hostile.

use std::io::Write;

/// A header of a tar archive, written by hand, since a library would refuse most of these.
pub(crate) struct Item<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: u8,
    pub(crate) content: &'a [u8],
}

/// Returns a regular file.
pub(crate) fn file<'a>(name: &'a str, content: &'a [u8]) -> Item<'a> {
    Item { name, kind: b'0', content }
}

/// Returns a `.tgz`.
pub(crate) fn archive(items: &[Item<'_>]) -> Vec<u8> {
    let mut tar = Vec::new();
    for item in items {
        let mut header = [0_u8; 512];
        header[..item.name.len()].copy_from_slice(item.name.as_bytes());
        header[100..108].copy_from_slice(b"0000644\0");
        header[124..136].copy_from_slice(format!("{:011o}\0", item.content.len()).as_bytes());
        header[136..148].copy_from_slice(b"00000000000\0");
        header[156] = item.kind;
        if matches!(item.kind, b'1' | b'2') {
            header[157..168].copy_from_slice(b"/etc/passwd");
        }
        header[257..265].copy_from_slice(b"ustar\x0000");
        header[148..156].copy_from_slice(b"        ");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        tar.extend_from_slice(&header);
        tar.extend_from_slice(item.content);
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    tar.resize(tar.len() + 1024, 0);
    compressed(&tar)
}

/// Returns bytes, compressed with gzip.
pub(crate) fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns the archive of a chart with one template.
pub(crate) fn chart(name: &str, version: &str) -> Vec<u8> {
    let manifest = format!("apiVersion: v2\nname: {name}\nversion: {version}\n");
    let (top, template) = (format!("{name}/Chart.yaml"), format!("{name}/templates/web.yaml"));
    archive(&[file(&top, manifest.as_bytes()), file(&template, b"kind: ConfigMap\n")])
}
