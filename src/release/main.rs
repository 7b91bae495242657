//! The command line of the tool.

use std::error::Error as StdError;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command as Program, ExitCode, Stdio};

use clap::{Args, Parser, Subcommand};
use tidegate_release::{Image, bill_of_materials, write_image};

/// Make the parts of a release that are more than the program. The same inputs result in the same bytes.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the container image as an OCI image layout
    Image(ImageArguments),
    /// Print the bill of materials of the program, as CycloneDX in JSON
    Sbom(SbomArguments),
}

#[derive(Args)]
struct ImageArguments {
    /// A static program for Linux; repeat it for other processors
    #[arg(long = "binary", value_name = "FILE", required = true)]
    binaries: Vec<PathBuf>,
    /// The certificates of the authorities that the program trusts, in PEM
    #[arg(long, value_name = "FILE", default_value = "/etc/ssl/certs/ca-certificates.crt")]
    certificates: PathBuf,
    /// The commit that the program was built from
    #[arg(long)]
    commit: String,
    /// The time of everything in the image, in seconds after 1970
    #[arg(long, value_name = "SECONDS", env = "SOURCE_DATE_EPOCH")]
    time: i64,
    /// The folder to write, which must not exist
    #[arg(long, value_name = "DIRECTORY")]
    dir: PathBuf,
}

#[derive(Args)]
struct SbomArguments {
    /// The platform that the program was built for
    #[arg(long, value_name = "TRIPLE", default_value = "x86_64-unknown-linux-gnu")]
    target: String,
    /// The time that the document names, in seconds after 1970
    #[arg(long, value_name = "SECONDS", env = "SOURCE_DATE_EPOCH")]
    time: i64,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Image(arguments) => image(arguments),
        Command::Sbom(arguments) => sbom(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // There is nowhere else to report it.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn image(arguments: ImageArguments) -> Result<(), Box<dyn StdError>> {
    let ImageArguments { binaries, certificates, commit, time, dir } = arguments;
    let version = env!("CARGO_PKG_VERSION").to_owned();
    Ok(write_image(&Image { binaries, certificates, version, commit, seconds: time }, &dir)?)
}

fn sbom(arguments: &SbomArguments) -> Result<(), Box<dyn StdError>> {
    let output = Program::new("cargo")
        .args(["metadata", "--locked", "--format-version", "1", "--filter-platform", &arguments.target])
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err("`cargo metadata` failed; run this in the folder of the repository".into());
    }
    let lock = std::fs::read_to_string("Cargo.lock").map_err(|error| format!("cannot read Cargo.lock: {error}"))?;
    let document = bill_of_materials(&String::from_utf8(output.stdout)?, &lock, arguments.time)?;
    Ok(writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&document)?)?)
}
