//! A headless Chromium, driven over WebDriver.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::http;

/// A browser with one window.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

/// What programs are called, by distribution.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Whether a program starts.
fn has(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Installs the browser of Debian where that is possible. `None` when there is none.
pub fn installed() -> Option<&'static str> {
    let found = || BROWSERS.into_iter().find(|name| has(name)).filter(|_| has("chromedriver"));
    if found().is_none() {
        println!("== installing chromium and chromium-driver");
        for args in [&["update"][..], &["install", "-y", "--no-install-recommends", "chromium", "chromium-driver"]] {
            let status = Command::new("apt-get").args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
            if !status.is_ok_and(|status| status.success()) {
                break;
            }
        }
    }
    found()
}

impl Browser {
    /// Starts the driver and a browser.
    pub fn start(program: &str) -> Result<Self> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("chromedriver does not start")?;
        let lines = BufReader::new(driver.stdout.take().expect("piped")).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let Some(port) = port else {
            driver.kill().ok();
            bail!("chromedriver tells no port");
        };
        let mut browser = Self { driver, port, session: String::new() };
        // A container has no user for the sandbox and little shared memory.
        let options = json!({"binary": path_of(program), "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--force-prefers-reduced-motion", "--window-size=1440,1000", "--no-first-run", "--disable-quic",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
        ]});
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let session = browser.ask("POST", "/session", &wanted)?;
        session["sessionId"].as_str().context("the driver opens no session")?.clone_into(&mut browser.session);
        Ok(browser)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let answer = http::ask(self.port, method, path, body)?;
        match answer["value"]["error"].as_str() {
            Some(error) => {
                bail!("{error}: {}", answer["value"]["message"].as_str().unwrap_or("").lines().next().unwrap_or(""))
            }
            None => Ok(answer["value"].clone()),
        }
    }

    fn command(&self, path: &str, body: &Value) -> Result<Value> {
        self.ask("POST", &format!("/session/{}/{path}", self.session), body)
    }

    /// Opens an address.
    pub fn open(&self, address: &str) -> Result<()> {
        self.command("url", &json!({"url": address})).map(drop)
    }

    /// The value of a script, which may be a promise.
    pub fn run(&self, script: &str) -> Result<Value> {
        self.command("execute/sync", &json!({"script": script, "args": []})).with_context(|| format!("script {script}"))
    }

    /// The value of an expression.
    pub fn value(&self, expression: &str) -> Result<Value> {
        self.run(&format!("return ({expression});"))
    }

    /// The text of the first element of a selector; empty when there is none.
    pub fn text(&self, selector: &str) -> Result<String> {
        let found = self.value(&format!("document.querySelector({})?.innerText ?? ''", json!(selector)))?;
        Ok(found.as_str().unwrap_or("").to_owned())
    }

    /// Waits until an expression is true. A busy machine is slow and no mistake of the page, so the wait is long.
    pub fn wait(&self, expression: &str) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(600) {
            if self.value(&format!("!!({expression})"))? == true {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(30));
        }
        bail!(
            "waited in vain for {expression}; the page shows: {}",
            self.text("main")?.chars().take(600).collect::<String>()
        )
    }

    /// Waits until the text of the page has a part.
    pub fn wait_text(&self, selector: &str, part: &str) -> Result<()> {
        self.wait(&format!("(document.querySelector({})?.innerText ?? '').includes({})", json!(selector), json!(part)))
    }

    /// Clicks the first element of a selector, as a person would.
    pub fn click(&self, selector: &str) -> Result<()> {
        self.wait(&format!("document.querySelector({})", json!(selector)))?;
        let element = self.command("element", &json!({"using": "css selector", "value": selector}))?;
        let id = element.as_object().and_then(|found| found.values().next()).and_then(Value::as_str);
        let id = id.with_context(|| format!("no element {selector}"))?.to_owned();
        self.command(&format!("element/{id}/click"), &json!({}))
            .with_context(|| format!("click on {selector}"))
            .map(drop)
    }

    /// Presses keys, one after the other; named keys are private characters of the standard.
    pub fn keys(&self, keys: &str) -> Result<()> {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})])
            .collect();
        self.command("actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})).map(drop)
    }

    /// Puts the pointer into the corner, where it is over nothing: when a page changes under it, it is over something else.
    pub fn rest(&self) -> Result<()> {
        let moved = json!({"type": "pointerMove", "x": 0, "y": 0});
        let pointer =
            json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [moved]});
        self.command("actions", &json!({"actions": [pointer]})).map(drop)
    }

    /// Selects all of a field and types over it.
    pub fn fill(&self, selector: &str, text: &str) -> Result<()> {
        self.run(&format!(
            "const field = document.querySelector({}); field.focus(); field.select();",
            json!(selector)
        ))?;
        self.keys(text)
    }

    /// A command of the DevTools protocol.
    pub fn devtools(&self, method: &str, parameters: &Value) -> Result<Value> {
        self.command("goog/cdp/execute", &json!({"cmd": method, "params": parameters}))
    }

    /// The size of the window's inside, and the colour scheme.
    pub fn look(&self, width: u32, height: u32, dark: bool) -> Result<()> {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.devtools("Emulation.setDeviceMetricsOverride", &size)?;
        let scheme =
            json!({"features": [{"name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" }}]});
        self.devtools("Emulation.setEmulatedMedia", &scheme).map(drop)
    }

    /// A picture of the whole page.
    pub fn picture(&self, path: &Path) -> Result<()> {
        let answer = self.devtools("Page.captureScreenshot", &json!({"captureBeyondViewport": true}))?;
        let data = answer["data"].as_str().context("no picture")?;
        Ok(std::fs::write(path, base64(data)?)?)
    }

    /// Errors of the console since the last time.
    pub fn complaints(&self) -> Result<Vec<String>> {
        let log = self.command("se/log", &json!({"type": "browser"}))?;
        let severe = |entry: &&Value| entry["level"] == "SEVERE";
        let lines = log.as_array().into_iter().flatten().filter(severe);
        Ok(lines.map(|entry| entry["message"].as_str().unwrap_or("").to_owned()).collect())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            http::ask(self.port, "DELETE", &format!("/session/{}", self.session), &Value::Null).ok();
        }
        self.driver.kill().ok();
        self.driver.wait().ok();
    }
}

fn path_of(program: &str) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file());
    found.map_or_else(|| program.to_owned(), |path| path.to_string_lossy().into_owned())
}

/// The bytes of base64.
fn base64(text: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut word, mut bits) = (0_u32, 0);
    for c in text.bytes().filter(|&c| c != b'=') {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => bail!("no base64"),
        };
        word = ((word << 6) | u32::from(digit)) & 0xff_ffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((word >> bits) & 0xff).expect("a byte"));
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn base64_is_read() {
        assert_eq!(super::base64("aGVsbG8=").unwrap(), b"hello");
        assert!(super::base64("?").is_err());
    }
}
