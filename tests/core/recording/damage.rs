//! Recordings that are damaged, incomplete, of another build, or something else.

use std::fs::{self, File};
use std::io::{BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use tidegate_recording::{Error, Recorder, Recording};

use super::{BUILD, open, played, record};

#[test]
fn a_tick_that_was_being_written_is_left_out_and_removed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("recording");
    let plans = record(1, &path);
    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 5);
    fs::write(&path, bytes).unwrap();
    assert_eq!(played(&path).unwrap().len(), plans - 1);
    let more = record(1, &path);
    let played = played(&path).unwrap();
    assert_eq!(played.len(), plans - 1 + more);
    assert!(played.iter().all(|played| played.is_same));
}

#[test]
fn damage_is_reported_after_the_last_good_tick() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("recording");
    record(1, &path);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    for byte in &mut bytes[middle..middle + 40] {
        *byte ^= 0x55;
    }
    fs::write(&path, bytes).unwrap();
    let mut replay = open(&path).unwrap();
    let mut last = 0;
    let error = loop {
        match replay.step() {
            Ok(Some(played)) => last = played.number,
            Ok(None) => panic!("it ends without an error"),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, Error::Damaged { number, .. } if number == last), "{error}");
    assert!(matches!(Recorder::open(&path, BUILD), Err(Error::Broken(_))), "it is not continued");
}

#[test]
fn another_file_is_no_recording_and_stays_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let mut archive = GzEncoder::new(Vec::new(), Compression::fast());
    archive.write_all(&[0; 1_000_000]).unwrap();
    let archive = archive.finish().unwrap();
    for content in ["x".as_bytes(), b"apiVersion: v1\n", "\u{1f}\u{8b}\u{8}".as_bytes(), &archive] {
        let path = directory.path().join("other");
        fs::write(&path, content).unwrap();
        assert!(matches!(open(&path).err(), Some(Error::Foreign)), "{content:?}");
        assert!(matches!(Recorder::open(&path, BUILD), Err(Error::Foreign)), "{content:?}");
        assert_eq!(fs::read(&path).unwrap(), content);
    }
    assert!(matches!(Recorder::open(Path::new("/dev/null"), BUILD), Err(Error::Foreign)), "it is no file");
}

#[test]
fn plans_of_another_build_are_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("recording");
    let old = record(1, &path);
    let file = || BufReader::new(File::open(&path).unwrap());
    let mut other = Recording::open(file(), "2.0.0").unwrap();
    let error = other.step().unwrap_err().to_string();
    assert_eq!(error, "tidegate 1.2.3 recorded it, and this is 2.0.0; replay it with the same build");
    drop(Recorder::open(&path, "2.0.0").unwrap());
    assert_eq!(played(&path).unwrap().len(), old, "those of this build stay");
    let more = record(1, &path);
    let played = played(&path).unwrap();
    assert_eq!(played.len(), old + more);
    assert!(played.iter().all(|played| played.is_same));
}

#[test]
fn only_one_process_records_in_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("recording");
    let first = Recorder::open(&path, BUILD).unwrap();
    assert!(matches!(Recorder::open(&path, BUILD), Err(Error::InUse)));
    drop(first);
    assert!(Recorder::open(&path, BUILD).is_ok());
}

#[test]
fn only_its_user_may_read_a_recording() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("recording");
    drop(Recorder::open(&path, BUILD).unwrap());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}
