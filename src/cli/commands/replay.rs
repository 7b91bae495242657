//! `tidegate replay`: makes the plans of a recording again, and compares them with what the daemon decided.

use crate::cli::args::ReplayArgs;
use crate::cli::failure::Failure;
use crate::cli::journal::recorded;
use crate::cli::process::Process;
use tidegate_model::time::to_seconds;
use tidegate_recording::Played;

/// Lists the plans that write something, or shows what one of them writes.
pub(crate) fn run(process: &Process, args: &ReplayArgs) -> Result<(), Failure> {
    let mut plans = recorded::open(&args.file)?;
    if args.tick.is_some() {
        let played = recorded::plan(&mut plans, &args.file, args.tick)?;
        process.say_line(&heading(&played))?;
        for write in played.plan.lanes.iter().flat_map(|lane| &lane.writes) {
            let object = write.key().map_or_else(|| "an object without identity".to_owned(), |key| key.to_string());
            process.say_line(&format!("  {} {object}", write.verb()))?;
        }
        return if played.is_same { Ok(()) } else { Err(Failure::Findings) };
    }
    let (mut count, mut different) = (0_u64, 0_u64);
    while let Some(played) = plans.step().map_err(|error| recorded::failure(&args.file, &error))? {
        count += 1;
        different += u64::from(!played.is_same);
        if played.is_first || !played.is_same || !played.plan.lanes.is_empty() {
            process.say_line(&heading(&played))?;
        }
    }
    if plans.is_incomplete() {
        process.warn_line("the last tick is incomplete, and was left out: the daemon ended while it was written");
    }
    if plans.left_out() > 0 {
        process.warn_line(&format!("left out {} plans of other builds", plans.left_out()));
    }
    let total = format!("{count} {}", if count == 1 { "plan" } else { "plans" });
    if different == 0 {
        return process.say_line(&format!("{total}: the same decisions as those of the daemon"));
    }
    process.say_line(&format!("{total}: the daemon decided something else in {different} of them"))?;
    Err(Failure::Findings)
}

/// Describes a plan in one line.
fn heading(played: &Played) -> String {
    let writes = match played.plan.lanes.iter().map(|lane| lane.writes.len()).sum() {
        0 => "no writes".to_owned(),
        1_usize => "1 write".to_owned(),
        many => format!("{many} writes"),
    };
    let start = if played.is_first { "the daemon starts; " } else { "" };
    let end = if played.is_same { "" } else { "; decides something else than the daemon did" };
    format!("tick {:<6} {}  {start}{writes}{end}", played.number, to_seconds(played.now))
}
