//! The log lines of news.

use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_daemon::reconciler::announce::Announcer;
use tidegate_daemon::reconciler::news::News;
use tidegate_daemon::telemetry::log::Format;

#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns the log lines of news, without timestamps and targets.
fn lines(news: &[News]) -> Vec<Value> {
    let buffer = Buffer::default();
    let writer = buffer.clone();
    let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_writer(move || writer.clone()).finish();
    tracing::subscriber::with_default(subscriber, || Announcer::default().announce(news, &Fleet::default()));
    let text = String::from_utf8(buffer.0.lock().unwrap().clone()).unwrap();
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().retain(|name, _| name != "timestamp" && name != "target");
        line
    };
    text.lines().map(line).collect()
}

#[test]
fn the_message_states_what_happened_and_every_fact_is_a_field() {
    let addon = || "hello".parse().unwrap();
    let started = News::RolloutStarted { addon: addon(), from: "1".to_owned(), to: "2".to_owned(), clusters: 300 };
    let failed = ["a", "b"].into_iter().collect();
    let failed = News::ClustersFailed { addon: addon(), clusters: failed, reason: "no space".to_owned() };
    assert_eq!(
        lines(&[started, failed]),
        [
            json!({ "level": "INFO", "message": "rollout started", "addon": "hello", "from": "1", "to": "2", "clusters": 300 }),
            json!({ "level": "WARN", "message": "clusters failed", "addon": "hello", "clusters": 2, "names": "a, b", "reason": "no space" }),
        ]
    );
}

#[test]
fn a_log_format_is_parsed_by_name_and_auto_is_detected() {
    assert_eq!("text".parse(), Ok(Format::Text));
    assert_eq!("json".parse(), Ok(Format::Json));
    assert_eq!("auto".parse(), Ok(Format::detect()));
    let error = "xml".parse::<Format>().unwrap_err().to_string();
    assert_eq!(error, "\"xml\" is not a log format; write text, json or auto");
}
