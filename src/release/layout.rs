//! An OCI image layout: a folder of blobs that are named by their hashes.
//!
//! Source: the image specification of the Open Container Initiative, version 1.1, `image-layout.md` and `descriptor.md`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::error::Error;

/// The media types of the blobs.
pub(crate) mod media {
    /// An index of manifests, one for each platform.
    pub(crate) const INDEX: &str = "application/vnd.oci.image.index.v1+json";
    /// A manifest.
    pub(crate) const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
    /// The configuration of an image.
    pub(crate) const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
    /// A compressed layer.
    pub(crate) const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";
}

/// Returns `sha256:` and the hash.
pub(crate) fn digest(bytes: &[u8]) -> String {
    let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hash}")
}

/// A layout that is written.
pub(crate) struct Layout {
    folder: PathBuf,
}

impl Layout {
    /// Creates an empty layout in a folder that does not exist yet.
    pub(crate) fn create(folder: &Path) -> Result<Self, Error> {
        if folder.exists() {
            return Err(Error::Exists { path: folder.to_owned() });
        }
        let blobs = folder.join("blobs/sha256");
        fs::create_dir_all(&blobs).map_err(Error::file("create", blobs))?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Writes a blob, and returns its descriptor.
    pub(crate) fn blob(&self, media_type: &str, bytes: &[u8]) -> Result<Value, Error> {
        let digest = digest(bytes);
        let name = digest.replace(':', "/");
        self.write(&format!("blobs/{name}"), bytes)?;
        Ok(json!({ "mediaType": media_type, "digest": digest, "size": bytes.len() }))
    }

    /// Writes a blob of JSON, and returns its descriptor.
    pub(crate) fn json(&self, media_type: &str, value: &Value) -> Result<Value, Error> {
        self.blob(media_type, value.to_string().as_bytes())
    }

    /// Completes the layout: its entry point is `image`, under the name `tag`.
    pub(crate) fn finish(self, mut image: Value, tag: &str) -> Result<(), Error> {
        image["annotations"] = json!({ "org.opencontainers.image.ref.name": tag });
        let index = json!({ "schemaVersion": 2, "mediaType": media::INDEX, "manifests": [image] });
        self.write("index.json", index.to_string().as_bytes())?;
        self.write("oci-layout", json!({ "imageLayoutVersion": "1.0.0" }).to_string().as_bytes())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.folder.join(name);
        fs::write(&path, bytes).map_err(Error::file("write", path))
    }
}
