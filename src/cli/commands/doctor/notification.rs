//! Test messages to the receivers of notifications.

use crate::cli::compose;
use crate::cli::config::File;
use crate::cli::process::Process;
use crate::cli::receivers::receivers;
use crate::doctor::facts::TestMessage;
use tidegate_daemon::reconciler::notification::{Metrics, Receiver, Sender, Transport, Verdict, test};
use tidegate_model::instance::Instance;

/// Sends one test message to each receiver. Without a receiver that can be used, none is sent: another check shows why.
pub(super) async fn messages(process: &Process, file: Option<&File>) -> Vec<TestMessage> {
    let Some((receivers, instance)) = file.and_then(usable) else { return Vec::new() };
    let clock = process.clock().clone();
    let sender = Sender { transport: Transport::http(), clock: clock.clone(), instance, metrics: Metrics::default() };
    let mut sent = Vec::new();
    for receiver in &receivers {
        let answer = match sender.attempt(receiver, &test(), 0, clock.now()).await {
            Verdict::Delivered => Ok(()),
            Verdict::Refused(why) | Verdict::Retry { why, .. } => Err(why),
        };
        sent.push(TestMessage { receiver: receiver.to_string(), answer });
    }
    sent
}

/// Returns the receivers, and who notifies them.
fn usable(file: &File) -> Option<(Vec<Receiver>, Instance)> {
    let instance = compose::new_instance(file.instance.name.clone().unwrap_or_default());
    receivers(&file.notify).ok().zip(instance.ok())
}
