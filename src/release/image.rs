//! The image of the program: nothing but the program, certificates of authorities, and the folders that it writes to.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::archive::{self, Entry};
use crate::binary;
use crate::error::Error;
use crate::layout::{Layout, digest, media};

/// The user of the program in the image, and its group. The manifests in `deploy/` name the same number.
const USER: u64 = 65532;

/// Where a program that uses the system's authorities looks for them.
const CERTIFICATES: &str = "etc/ssl/certs/ca-certificates.crt";

/// What an image is made from.
#[derive(Debug)]
pub struct Image {
    /// The programs, one for each processor.
    pub binaries: Vec<PathBuf>,
    /// The certificates of the authorities that the program trusts, in PEM.
    pub certificates: PathBuf,
    /// The version, which is the tag, too.
    pub version: String,
    /// The commit that the program was built from.
    pub commit: String,
    /// The time of everything in the image, in seconds after 1970: that of the commit.
    pub seconds: i64,
}

/// Writes the image as an OCI image layout into `folder`, which must not exist.
///
/// # Errors
///
/// A file that cannot be read or written, a binary that cannot run in the image, and a file without certificates.
pub fn write_image(image: &Image, folder: &Path) -> Result<(), Error> {
    let created = Timestamp::from_second(image.seconds).map_err(|_| Error::Time { seconds: image.seconds })?;
    let certificates = read(&image.certificates)?;
    if !certificates.windows(BEGIN.len()).any(|window| window == BEGIN) {
        return Err(Error::NoCertificates { path: image.certificates.clone() });
    }
    let programs = programs(&image.binaries)?;
    let layout = Layout::create(folder)?;
    let manifests: Result<Vec<Value>, Error> = programs
        .iter()
        .map(|(architecture, program)| {
            let layer = layer(program, &certificates, image.seconds).map_err(Error::Layer)?;
            manifest(&layout, image, &created.to_string(), architecture, &layer)
        })
        .collect();
    let index = json!({ "schemaVersion": 2, "mediaType": media::INDEX, "manifests": manifests? });
    let index = layout.json(media::INDEX, &index)?;
    layout.finish(index, &image.version)
}

const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-----";

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(Error::file("read", path))
}

/// Reads the programs, and returns each with its processor.
fn programs(paths: &[PathBuf]) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
    if paths.is_empty() {
        return Err(Error::NoBinary);
    }
    let mut seen = BTreeSet::new();
    let mut programs = Vec::new();
    for path in paths {
        let program = read(path)?;
        let architecture = binary::architecture(&program).map_err(|why| Error::Binary { path: path.clone(), why })?;
        if !seen.insert(architecture) {
            return Err(Error::SameProcessor { path: path.clone(), architecture });
        }
        programs.push((architecture, program));
    }
    programs.sort_by_key(|(architecture, _)| *architecture);
    Ok(programs)
}

/// Returns the only layer, as a tar archive.
fn layer(program: &[u8], certificates: &[u8], seconds: i64) -> std::io::Result<Vec<u8>> {
    let folder = |path, mode, owner| Entry { path, mode, owner, content: &[] };
    let file = |path, mode, content| Entry { path, mode, owner: 0, content };
    let passwd =
        format!("root:x:0:0:root:/:/sbin/nologin\ntidegate:x:{USER}:{USER}:tidegate:/var/lib/tidegate:/sbin/nologin\n");
    let group = format!("root:x:0:\ntidegate:x:{USER}:\n");
    let entries = [
        folder("etc/", 0o755, 0),
        file("etc/group", 0o644, group.as_bytes()),
        file("etc/passwd", 0o644, passwd.as_bytes()),
        folder("etc/ssl/", 0o755, 0),
        folder("etc/ssl/certs/", 0o755, 0),
        file(CERTIFICATES, 0o644, certificates),
        file("tidegate", 0o755, program),
        folder("tmp/", 0o1777, 0),
        folder("var/", 0o755, 0),
        folder("var/lib/", 0o755, 0),
        folder("var/lib/tidegate/", 0o755, USER),
    ];
    archive::tar(&entries, u64::try_from(seconds).unwrap_or_default())
}

/// Writes the layer, the configuration and the manifest for one processor, and returns the descriptor of the manifest.
fn manifest(layout: &Layout, image: &Image, created: &str, architecture: &str, layer: &[u8]) -> Result<Value, Error> {
    let compressed = archive::gzip(layer).map_err(Error::Layer)?;
    let labels = json!({
        "org.opencontainers.image.title": "tidegate",
        "org.opencontainers.image.description": "A GitOps reconciler for Open Cluster Management add-ons",
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.version": image.version,
        "org.opencontainers.image.revision": image.commit,
        "org.opencontainers.image.created": created,
    });
    let config = json!({
        "created": created,
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"),
            "Env": ["PATH=/", "HOME=/var/lib/tidegate"],
            "Entrypoint": ["/tidegate"],
            "WorkingDir": "/",
            "Labels": labels,
        },
        "rootfs": { "type": "layers", "diff_ids": [digest(layer)] },
        "history": [{ "created": created, "created_by": "tidegate-release image" }],
    });
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": media::MANIFEST,
        "config": layout.json(media::CONFIG, &config)?,
        "layers": [layout.blob(media::LAYER, &compressed)?],
        "annotations": labels,
    });
    let mut descriptor = layout.json(media::MANIFEST, &manifest)?;
    descriptor["platform"] = json!({ "architecture": architecture, "os": "linux" });
    Ok(descriptor)
}
