//! Bob, who approves with a signed commit.

use tidegate_consent::file::{Approval, Entry, path, with};
use tidegate_daemon::reconciler::Config;
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_signature::SigningKey;

use super::clock::now;
use super::running::instance_of;
use super::setup::World;

const BOB: &str = include_str!("../../signature/fixtures/ssh_p256.key");

impl World {
    /// Returns the configuration of a daemon that trusts Bob's key and believes the authors of commits. Its instance is the one of a daemon
    /// on `mirror.git`, which wrote the journal first.
    pub(in crate::daemon) fn config_with_bob(&self, mirror: &str) -> Config {
        let (key, file) = (SigningKey::read(BOB).unwrap(), self.path("allowed_signers"));
        std::fs::write(&file, format!("bob@example.com {}\n", key.public_key())).unwrap();
        let mut config = self.config(mirror);
        (config.policy.keys, config.policy.claimed_authors) = (vec![file], true);
        config
    }

    /// Bob approves a digest of an add-on or of the rules.
    pub(in crate::daemon) fn approve(&self, addon: &UnitName, digest: &Digest, break_glass: bool) {
        let file = path(addon, digest.as_str(), None);
        let present = self.read("main", &file);
        let entry = Entry {
            by: "bob@example.com".to_owned(),
            at: now(),
            instance: instance_of("mirror.git").id,
            reason: if break_glass { "an incident".to_owned() } else { String::new() },
            break_glass,
        };
        let approval = Approval {
            api_version: "tidegate.io/v1alpha1".to_owned(),
            kind: "Approval".to_owned(),
            addon: addon.clone(),
            digest: digest.as_str().to_owned(),
            group: None,
            approvals: vec![entry],
        };
        let present = (!present.is_empty()).then_some(present.as_bytes());
        let text = with(&file, present, &approval).unwrap();
        let key = SigningKey::read(BOB).unwrap();
        self.commit_signed(("bob", &key), "approve", [(file, Some(text))].into());
    }
}
