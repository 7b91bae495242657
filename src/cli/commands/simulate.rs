//! `tidegate simulate`: random schedules of replicas and faults, with as many threads as there are processors.

use std::io::{self, ErrorKind, Write};
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use crate::cli::args::SimulateArgs;
use crate::cli::failure::Failure;
use tidegate_simulation::{Outcome, Protection, run as play};

/// What the schedules of a thread came to.
#[derive(Debug, Default)]
struct Sum {
    schedules: u64,
    broken: u64,
    plans: usize,
    writes: usize,
    terms: u64,
}

impl Sum {
    fn add(&mut self, other: &Self) {
        self.schedules += other.schedules;
        self.broken += other.broken;
        self.plans += other.plans;
        self.writes += other.writes;
        self.terms += other.terms;
    }
}

/// Plays the seeds, and prints the schedules that break a rule.
pub(crate) fn run(args: &SimulateArgs) -> Result<(), Failure> {
    match played_and_printed(args) {
        Ok(0) => Ok(()),
        Ok(_) => Err(Failure::Findings),
        // The reader has closed the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::Internal(format!("failed to print the schedules: {error}"))),
    }
}

/// Returns the number of schedules that broke a rule.
fn played_and_printed(args: &SimulateArgs) -> io::Result<u64> {
    let (began, next) = (Instant::now(), AtomicU64::new(0));
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let mut sum = Sum::default();
    thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(|| played(args, &next))).collect();
        for thread in started {
            match thread.join() {
                Ok(of_thread) => sum.add(&of_thread?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok::<(), io::Error>(())
    })?;
    let Sum { schedules, broken, plans, writes, terms } = sum;
    let seconds = began.elapsed().as_secs_f64();
    let a_minute = schedules as f64 / seconds * 60.0;
    writeln!(
        io::stdout().lock(),
        "{schedules} schedules with {plans} plans, {writes} writes and {terms} terms in {seconds:.1} s, {a_minute:.0} a minute; {broken} \
         broke a rule"
    )?;
    Ok(broken)
}

/// Plays seeds until all are taken.
fn played(args: &SimulateArgs, next: &AtomicU64) -> io::Result<Sum> {
    let mut sum = Sum::default();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= args.seeds {
            return Ok(sum);
        }
        let seed = args.seed.wrapping_add(number);
        sum.schedules += 1;
        let ended = play(seed, Protection::ALL);
        let mut out = io::stdout().lock();
        match ended {
            Ok(Outcome { trace, plans, writes, terms }) => {
                (sum.plans, sum.writes, sum.terms) = (sum.plans + plans, sum.writes + writes, sum.terms + terms);
                if args.trace {
                    writeln!(out, "seed {seed}:\n{}", trace.join("\n"))?;
                }
            }
            Err(violation) => {
                sum.broken += 1;
                writeln!(out, "seed {seed}:\n{violation}\nplay it again: tidegate simulate --seed {seed} --seeds 1")?;
            }
        }
    }
}
