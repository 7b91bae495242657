//! What people decide beyond a single command: approvals, and confirmations of removals.

use std::path::Path;

use tidegate::reconciler::Snapshot;
use tidegate_core::consent::Approvals;
use tidegate_core::consent::file::{Approval, Entry, path, with};
use tidegate_model::digest::Digest;
use tidegate_model::name::AddonName;
use tidegate_model::progress::Phase;
use tidegate_signature::SigningKey;

use super::super::world::{instance_of, now};
use super::play::{NAME, SETTINGS, Stage};

/// The key of Bob, whose approval the rule of [`Rule::Approval`](super::step::Rule::Approval) wants.
const BOB: &str = include_str!("../../signature/fixtures/ssh_p256.key");

/// Writes the file of trusted keys.
pub(super) fn trust_bob(file: &Path) {
    let key = SigningKey::read(BOB).unwrap();
    std::fs::write(file, format!("bob@example.com {}\n", key.public_key())).unwrap();
}

impl Stage {
    fn latest(&self) -> Option<Snapshot> {
        let snapshot = self.daemon.as_ref()?.latest();
        (snapshot.tick > 0 && self.world.repository().exists()).then(|| (*snapshot).clone())
    }

    /// Bob approves the rules and the digest that wait.
    pub(super) fn approve(&self) {
        let Some(snapshot) = self.latest() else { return };
        let rules = snapshot.report.rules.as_ref().and_then(|rules| rules.waiting.as_ref());
        if let Some(waiting) = rules {
            self.sign(&Approvals::rules(), &waiting.digest);
        }
        let addon = snapshot.report.addons.get(NAME);
        if let Some(digest) = addon.and_then(|addon| addon.digest.as_ref()) {
            self.sign(&NAME.parse().unwrap(), digest);
        }
    }

    /// Commits an approval with a signature of Bob's, unless he has given it.
    fn sign(&self, addon: &AddonName, digest: &Digest) {
        let file = path(addon, digest.as_str(), None);
        let present = self.world.read("main", &file);
        let instance = instance_of("mirror.git").id;
        let entry =
            Entry { by: "bob@example.com".to_owned(), at: now(), instance, reason: String::new(), break_glass: false };
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
        self.world.commit_signed(("bob", &key), "approve", [(file, Some(text))].into());
    }

    /// Returns `true` if a removal is held, or no cluster is left.
    pub(super) fn is_held(&self) -> bool {
        self.latest().is_some_and(|snapshot| snapshot.report.addons.values().any(|addon| addon.phase == Phase::Held))
    }

    /// Returns the version of the clusters that a freeze holds. A freeze that was lifted still holds what was pushed during it, and it holds
    /// what is pushed until the clusters are done with a version.
    pub(super) fn frozen_version(&self) -> Option<String> {
        let snapshot = self.latest()?;
        let clusters = &snapshot.report.addons.get(NAME)?.clusters;
        let frozen = clusters.values().find(|cluster| cluster.reason.contains("freeze"))?;
        Some(frozen.version.clone()).filter(|version| !version.is_empty())
    }

    /// Someone confirms the removals that are held.
    pub(super) fn confirm(&self) {
        let Some(snapshot) = self.latest() else { return };
        let holds = snapshot.report.addons.values().filter_map(|addon| addon.removal.as_ref());
        let revisions: Vec<String> =
            holds.filter_map(|hold| hold.revision.as_ref()).map(|revision| format!("{:?}", revision.short())).collect();
        if revisions.is_empty() {
            return;
        }
        let settings = self.world.read("main", SETTINGS);
        let kept: Vec<&str> = settings.lines().filter(|line| !line.starts_with("confirm = ")).collect();
        let confirmed = format!("{}\nconfirm = [{}]\n", kept.join("\n"), revisions.join(", "));
        if confirmed != settings {
            self.world.commit("confirm", [(SETTINGS.to_owned(), Some(confirmed.into_bytes()))].into());
        }
    }
}
