//! `tidegate notify`: what receivers of notifications answer.

use crate::cli::args::{NotifyArgs, NotifyCommand, NotifyTestArgs};
use crate::cli::compose;
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::receivers::receivers;
use tidegate_daemon::reconciler::notification::{Metrics, Sender, Transport, Verdict, test};
use tidegate_model::line::one_line;

/// Runs a command about notifications.
pub(crate) async fn run(process: &Process, args: NotifyArgs) -> Result<(), Failure> {
    match args.command {
        NotifyCommand::Test(args) => test_receivers(process, args).await,
    }
}

/// Sends one test message to each receiver.
async fn test_receivers(process: &Process, args: NotifyTestArgs) -> Result<(), Failure> {
    let file = File::read(Some(&args.config))?;
    let receivers = receivers(&file.notify)?;
    if receivers.is_empty() {
        let path = args.config.display();
        return Err(Failure::Usage(format!("{path} has no receivers; add [[notify]] as in docs/notifications.md")));
    }
    let clock = process.clock().clone();
    let sender = Sender {
        transport: Transport::http(),
        clock: clock.clone(),
        instance: compose::new_instance(file.instance.name.clone().unwrap_or_default())?,
        metrics: Metrics::default(),
    };
    let mut has_failed = false;
    for receiver in &receivers {
        let answer = match sender.attempt(receiver, &test(), 0, clock.now()).await {
            Verdict::Delivered => "accepted the message".to_owned(),
            Verdict::Refused(why) | Verdict::Retry { why, .. } => {
                has_failed = true;
                format!("did not accept the message: {why}")
            }
        };
        process.say_line(&one_line(&format!("{receiver}: {answer}")))?;
    }
    if has_failed { Err(Failure::Findings) } else { Ok(()) }
}
