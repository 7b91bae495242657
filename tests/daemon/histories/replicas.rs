//! Replicas in histories: one stands by, and takes over from the one that leads.

use serde_json::json;
use tidegate_daemon::reconciler::{Config, daemon};
use tidegate_model::name::NamespacedName;

use super::super::world::{Waiting, World, requests};
use super::play::Stage;
use super::step::{Loss, Step};

/// Returns `true` if the daemons of a history are replicas. Then creates the namespace of their Lease.
pub(super) async fn needed(world: &World, steps: &[Step]) -> bool {
    let is_needed = steps.iter().any(|step| matches!(step, Step::FailOver(_)));
    if is_needed {
        let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "tidegate" } });
        requests::create(&world.client(), "/api/v1/namespaces", &namespace).await;
    }
    is_needed
}

impl Stage {
    /// Starts a replica with the last state directory.
    pub(super) async fn replica(&self, client: kube::Client) -> Waiting {
        let lease = Some(NamespacedName::new("tidegate", "tidegate"));
        self.world.replica(client, Config { lease, ..self.config() }).await
    }

    /// Lets another replica take over. It has a way to the hub and a state directory of its own.
    pub(super) async fn fail_over(&mut self, loss: Loss) {
        if !self.is_complete() {
            return;
        }
        let Some(first) = self.daemon.take() else { return };
        self.mirrors += 1;
        let (hub, gate) = self.world.gated();
        let mut second = self.replica(hub.clone()).await;
        second.until_standing_by().await;
        assert!(!second.has_led());
        let second = match loss {
            Loss::Kill => {
                first.kill().await;
                second.until_leading().await
            }
            Loss::Stop => {
                first.stopped().await.unwrap();
                second.until_leading().await
            }
            Loss::Refusal | Loss::Delay => {
                if loss == Loss::Refusal {
                    self.gate.refuse()
                } else {
                    self.gate.hold()
                }
                let second = second.until_leading().await;
                self.gate.open();
                self.gate.release();
                let error = first.ended().await.unwrap_err();
                assert!(matches!(error, daemon::Error::Succeeded { .. } | daemon::Error::Rival(_)), "{error:?}");
                second
            }
        };
        (self.hub, self.gate) = (hub, gate);
        self.daemon = Some(second);
    }
}
