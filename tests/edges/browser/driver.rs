//! A browser, by the WebDriver protocol.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};

/// A Chromium without a window. It ends with the test.
pub(super) struct Browser {
    driver: Child,
    client: reqwest::Client,
    session: String,
    _profile: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _gone = self.driver.kill();
        let _gone = self.driver.wait();
    }
}

impl Browser {
    /// Starts a browser; chromedriver must be installed.
    pub(super) async fn start() -> Self {
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let mut command = Command::new("chromedriver");
        let mut driver = command.args(["--port=0"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.unwrap();
            line.split("successfully on port ").nth(1)?.trim_end_matches('.').parse::<u16>().ok()
        });
        // The driver must never wait for a reader of what it prints.
        std::thread::spawn(move || lines.for_each(drop));
        let profile = crate::scratch::tempdir();
        let data = format!("--user-data-dir={}", profile.path().display());
        let flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-sync",
            "--disable-background-networking",
            "--disable-component-update",
            "--hide-scrollbars",
            data.as_str(),
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": flags}, "goog:loggingPrefs": {"browser": "ALL"}}}});
        let base = format!("http://127.0.0.1:{}", port.unwrap());
        let client = reqwest::Client::builder().timeout(Duration::from_secs(60)).build().unwrap();
        let started = post(&client, &format!("{base}/session"), &wanted).await;
        let session = format!("{base}/session/{}", started["sessionId"].as_str().unwrap());
        Self { driver, client, session, _profile: profile }
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        post(&self.client, &format!("{}/{path}", self.session), body).await
    }

    /// Opens an address.
    pub(super) async fn open(&self, address: &str) {
        self.post("url", &json!({"url": address})).await;
    }

    /// Sets the size of the page.
    pub(super) async fn resize(&self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", &metrics).await;
    }

    /// Calls the protocol of the developer tools.
    pub(super) async fn devtools(&self, command: &str, parameters: &Value) {
        self.post("goog/cdp/execute", &json!({"cmd": command, "params": parameters})).await;
    }

    /// Returns the value of an expression in the page.
    pub(super) async fn value(&self, expression: &str) -> Value {
        self.post("execute/sync", &json!({"script": format!("return ({expression});"), "args": []})).await
    }

    /// Returns a picture of the page, as PNG.
    pub(super) async fn screenshot(&self) -> Vec<u8> {
        let answer = self.client.get(format!("{}/screenshot", self.session)).send().await.unwrap();
        let answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        base64::engine::general_purpose::STANDARD.decode(answer["value"].as_str().unwrap()).unwrap()
    }

    /// Waits until an expression in the page is true.
    pub(super) async fn until(&self, expression: &str) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while self.value(expression).await != Value::Bool(true) {
            assert!(Instant::now() < deadline, "{expression} is not true in time");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Presses keys one after another.
    pub(super) async fn press(&self, keys: &str) {
        let presses = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key.to_string()})));
        let actions: Vec<Value> = presses.collect();
        self.post("actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})).await;
    }

    /// Returns the errors in the console since the last call.
    pub(super) async fn errors(&self) -> Vec<String> {
        let entries = self.post("se/log", &json!({"type": "browser"})).await;
        let entries = entries.as_array().unwrap().iter().filter(|entry| entry["level"] != "INFO");
        entries.map(|entry| entry["message"].to_string()).collect()
    }
}

async fn post(client: &reqwest::Client, address: &str, body: &Value) -> Value {
    let request = client.post(address).header("content-type", "application/json").body(body.to_string());
    let answer = request.send().await.unwrap();
    let (status, text) = (answer.status(), answer.text().await.unwrap());
    assert!(status.is_success(), "{address} {body}: {text}");
    serde_json::from_str::<Value>(&text).unwrap()["value"].clone()
}
