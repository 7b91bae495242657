//! Test messages to the receivers of notifications.

use std::path::Path;

use crate::cli::compose;
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::receivers::receivers;
use crate::doctor::facts::TestMessage;
use tidegate_daemon::reconciler::notification::{Metrics, Sender, Transport, Verdict, test};

/// Sends one test message to each receiver in a configuration file.
///
/// # Errors
/// [`Failure::Usage`] if the configuration has no receivers, or one of them cannot be used.
pub(super) async fn messages(process: &Process, config: Option<&Path>) -> Result<Vec<TestMessage>, Failure> {
    let file = File::read(config)?;
    let receivers = receivers(&file.notify)?;
    if receivers.is_empty() {
        let place = config.map_or_else(|| "the configuration".to_owned(), |path| path.display().to_string());
        return Err(Failure::Usage(format!("{place} has no receivers; add [[notify]] as in docs/notifications.md")));
    }
    let clock = process.clock().clone();
    let sender = Sender {
        transport: Transport::http(),
        clock: clock.clone(),
        instance: compose::new_instance(file.instance.name.clone().unwrap_or_default())?,
        metrics: Metrics::default(),
    };
    let mut sent = Vec::new();
    for receiver in &receivers {
        let answer = match sender.attempt(receiver, &test(), 0, clock.now()).await {
            Verdict::Delivered => Ok(()),
            Verdict::Refused(why) | Verdict::Retry { why, .. } => Err(why),
        };
        sent.push(TestMessage { receiver: receiver.to_string(), answer });
    }
    Ok(sent)
}
