//! A clone with overlays.

use crate::git_command::git_command;
use crate::scratch::tempdir;

/// A clone with a base and an overlay, committed by two people.
pub(crate) struct Clone(tempfile::TempDir);

impl Clone {
    pub(crate) fn new() -> Self {
        let clone = Self(tempdir());
        clone.git("Ada", &["init", "-q", "-b", "main"]);
        clone.write("base/kustomization.yaml", "resources: [banner.yaml]\n");
        clone.write(
            "base/banner.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner\ndata:\n  a: one\n  b: two\n",
        );
        clone.commit("Ada", "the base");
        clone.write(
            "overlays/prod/kustomization.yaml",
            "resources: [../../base]\nnamespace: shop\npatches:\n- path: p.yaml\n",
        );
        clone.write(
            "overlays/prod/p.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner\ndata:\n  b: three\n",
        );
        clone.commit("Grace", "production says three");
        clone
    }

    pub(crate) fn root(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn commit(&self, who: &str, message: &str) {
        self.git(who, &["add", "-A"]);
        self.git(who, &["commit", "-q", "-m", message]);
    }

    pub(crate) fn git(&self, who: &str, arguments: &[&str]) {
        let identity = [("GIT_AUTHOR_NAME", who), ("GIT_AUTHOR_EMAIL", "x@example.com")];
        let committer = [("GIT_COMMITTER_NAME", who), ("GIT_COMMITTER_EMAIL", "x@example.com")];
        let mut command = git_command(self.0.path());
        assert!(command.envs(identity).envs(committer).args(arguments).status().unwrap().success());
    }
}
