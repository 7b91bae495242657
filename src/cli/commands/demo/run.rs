//! The steps of the demo.

use std::net::SocketAddr;
use std::time::Duration;

use super::forge::Forge;
use super::page;
use super::place::Place;
use super::repository::{DEMO, Repository};
use super::running::Running;
use super::scenario;
use super::stage::{Stage, is_completed};
use super::{ADDON, BROKEN, FROM, TO};
use crate::cli::args::{DemoArgs, Scenario};
use crate::cli::commands::sandbox::Fleet;
use crate::cli::failure::Failure;
use crate::cli::output::live_table::LiveTable;
use crate::cli::process::Process;
use crate::cli::signal::stop_on_signal;
use tidegate_daemon::telemetry::log;
use tidegate_model::forge::ForgeKind;
use tidegate_sandbox::agents::{Delay, Outcome, Rule, Script};

/// Runs the demo.
pub(crate) async fn run(process: &Process, args: DemoArgs) -> Result<(), Failure> {
    process.start_log(&args.log, log::Format::Text);
    let stop = stop_on_signal(process)?;
    if args.forge.is_some() && args.scenario != Some(Scenario::PullRequest) {
        return Err(Failure::Usage("--forge is for --scenario pull-request; leave it out".to_owned()));
    }
    let mut place = Place::make(args.dir.as_ref())?;
    let forge = match args.scenario {
        Some(Scenario::PullRequest) => {
            Some(Forge::start(process, args.forge.unwrap_or(ForgeKind::Gitea), &place).await?)
        }
        _ => None,
    };
    let changes = args.scenario.map(|scenario| scenario::prepare(scenario, &place)).transpose()?.unwrap_or_default();
    let repository = Repository::create(&place.repository(), args.repository.as_deref(), changes, process.clock())?;
    place.journal = repository.journal()?;
    let mut screen = LiveTable::new(process);
    screen.say(&format!("repository  {}", repository.path().display()));

    if let Some(forge) = &forge {
        screen.say(&format!("forge       {}", forge.described()));
    }

    let mut fleet = Fleet::start(process.clock(), args.clusters as usize, script(), &stop)?;
    if let Some(port) = args.port {
        let address = fleet.serve(SocketAddr::from(([127, 0, 0, 1], port)), &stop).await?;
        screen.say(&format!("hub         kubectl --server http://{address} get clustermanagementaddons"));
    }
    screen.say(&format!("fleet       {} simulated clusters", args.clusters));
    if !args.exit_when_done {
        let address = page::start(process, &place, &stop).await?;
        screen.say(&format!("page        {address}"));
        if args.open && !page::open(&address) {
            screen.say("            no browser could be started");
        }
    }
    screen.say("");

    let daemon = Running::start(process.clock(), &args, &place, forge.as_ref(), &fleet).await?;
    let stage = Stage::new(&args, &place, (repository, forge), daemon, screen, &stop);
    tokio::select! {
        shown = show(&args, stage) => shown?,
        failure = fleet.failed() => return Err(failure),
    }
    place.keep();
    Ok(())
}

/// Shows the scenario, or an upgrade without one, and then whatever is pushed.
async fn show(args: &DemoArgs, mut stage: Stage<'_>) -> Result<(), Failure> {
    match args.scenario {
        Some(scenario) => scenario::play(scenario, &mut stage).await?,
        None if args.repository.is_some() => install(args, &mut stage).await?,
        None => upgrade(args, &mut stage).await?,
    }
    stage.end(args.exit_when_done).await
}

/// Shows the installation of the add-ons of a repository.
async fn install(args: &DemoArgs, stage: &mut Stage<'_>) -> Result<(), Failure> {
    stage.say("installing the add-ons of the repository");
    stage.installed().await?;
    stage.say(&format!("\nevery add-on is on its clusters\n{}", stage.place.after_installation(args.exit_when_done)));
    Ok(())
}

/// Shows the installation and the upgrade.
async fn upgrade(args: &DemoArgs, stage: &mut Stage<'_>) -> Result<(), Failure> {
    stage.say(&format!("installing the add-ons of the repository, including {ADDON} {FROM}"));
    stage.installed().await?;

    let files = stage.repository.version(FROM, TO)?;
    let message = format!("{ADDON}: upgrade to {TO}\n\nReviewed-by: demo <demo@localhost>\n");
    stage.repository.commit(&DEMO, &message, files)?;
    stage.say(&format!("\ncommitted an upgrade: {ADDON} {FROM} -> {TO}; canaries go first"));
    stage.until(|addon| is_completed(addon, TO)).await?;
    stage.say(&format!("\n{ADDON} {TO} is on all clusters\n{}", stage.place.epilogue(args.exit_when_done)));
    Ok(())
}

/// Returns the behavior of the clusters: they answer within a second and a half, and the broken version never becomes ready.
fn script() -> Script {
    let rule = Rule { containing: Some(format!("v{BROKEN}")), ..Rule::named(vec!["*".to_owned()], Outcome::Unhealthy) };
    let delay = Delay::Uniform(Duration::from_millis(200), Duration::from_millis(1_500));
    Script { delay, rules: vec![rule], ..Script::default() }
}
