use std::io::{BufRead, Write};
use serde_json::{Value, json};
use tidegate::cel::{Evaluator, Program, Scores};
struct S(Vec<Value>);
impl Scores for S {
    fn find(&self, cluster: &str, name: &str) -> Option<Vec<(&str, i64)>> {
        let s = self.0.iter().find(|s| s["metadata"]["namespace"] == cluster && s["metadata"]["name"] == name)?;
        let list = s["status"]["scores"].as_array().map(Vec::as_slice).unwrap_or_default();
        Some(list.iter().map(|s| (s["name"].as_str().unwrap_or(""), s["value"].as_i64().unwrap_or(0))).collect())
    }
}
fn main() {
    let stdin = std::io::stdin();
    let mut out = std::io::BufWriter::new(std::io::stdout());
    let mut cluster = json!({});
    let mut scores = S(Vec::new());
    let mut evaluator = Evaluator::default();
    for line in stdin.lock().lines() {
        let r: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if let Some(c) = r.get("cluster") { cluster = c.clone(); scores.0.clear(); }
        if let Some(s) = r.get("scores") { scores.0 = s.as_array().unwrap().clone(); }
        let a = match Program::compile(r["expr"].as_str().unwrap()) {
            Ok(p) => { let a = evaluator.ask(&p, &cluster, &scores); json!({"match": a.holds, "cost": a.cost, "work": a.work}) }
            Err(e) => match e.message.strip_prefix("compilation failed: ") {
                Some(m) => json!({"compile": m}),
                None => json!({"program": e.message.strip_prefix("instantiation failed: ").unwrap()}),
            },
        };
        writeln!(out, "{a}").unwrap();
    }
}
