//! What lies where in a package for Windows.

use std::ffi::OsStr;
use std::fs;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What Node runs.
const SCRIPT: &str = "resources/app/app/cli/outrank.mjs";
/// The window, which is Node too.
const WINDOW: &str = "Outrank.exe";
/// Where this file is the window is too old a Node, and Node on the path is taken; it tells what to do without one.
const NEEDS_NODE: &str = "bin/needs-node.txt";

/// A package that was unpacked or installed.
pub struct Package {
    folder: PathBuf,
    /// What `NEEDS_NODE` holds.
    needs_node: Option<String>,
}

impl Package {
    /// The package of a launcher: the folder above its own, else what the setup installed for the user.
    ///
    /// # Errors
    /// None is there.
    pub fn of(launcher: &Path, local_app_data: Option<&OsStr>) -> Result<Self, String> {
        let around = launcher
            .parent()
            .and_then(Path::parent)
            .map(Path::to_path_buf);
        let installed =
            local_app_data.map(|local| Path::new(local).join("Programs").join("Outrank"));
        let candidates: Vec<PathBuf> = around.into_iter().chain(installed).collect();
        match candidates
            .iter()
            .find(|folder| below(folder, SCRIPT).is_file())
        {
            Some(folder) => Ok(Self {
                folder: folder.clone(),
                needs_node: fs::read_to_string(below(folder, NEEDS_NODE)).ok(),
            }),
            None => {
                let scripts: Vec<String> = candidates
                    .iter()
                    .map(|folder| below(folder, SCRIPT).display().to_string())
                    .collect();
                Err(format!(
                    "install Outrank again, since this is missing: {}",
                    scripts.join(", or ")
                ))
            }
        }
    }

    /// Starts the command line, whose arguments are to be added.
    pub fn command(&self) -> Command {
        let mut command = match self.needs_node {
            Some(_) => Command::new("node"),
            None => {
                let mut window = Command::new(self.folder.join(WINDOW));
                window.env("ELECTRON_RUN_AS_NODE", "1");
                window
            }
        };
        command.arg(below(&self.folder, SCRIPT));
        command
    }

    /// Tells why the command did not start.
    pub fn why_not_started(&self, error: &Error) -> String {
        let window = self.folder.join(WINDOW);
        match &self.needs_node {
            Some(text) if error.kind() == ErrorKind::NotFound => text.trim_end().to_string(),
            Some(_) => format!("node: {error}"),
            None if error.kind() == ErrorKind::NotFound => {
                format!(
                    "install Outrank again, since this is missing: {}",
                    window.display()
                )
            }
            None => format!("{}: {error}", window.display()),
        }
    }
}

/// A path with slashes below a folder, as the system writes it.
fn below(folder: &Path, path: &str) -> PathBuf {
    folder.join(path.split('/').collect::<PathBuf>())
}
