use std::process::ExitCode;

/// The gate of this tree: gate.txt must say `fresh`. Like the real one it writes to the tree it runs in.
pub fn run() -> ExitCode {
    let jobs = std::env::var("CARGO_BUILD_JOBS").unwrap_or_default();
    println!("==> vox ci gate-check (jobs {jobs})");
    if let Err(error) = std::fs::write("gate-report.txt", "ran\n") {
        eprintln!("pre-push: {error}");
        return ExitCode::FAILURE;
    }
    match std::fs::read_to_string("gate.txt") {
        Ok(text) if text.trim() == "fresh" => ExitCode::SUCCESS,
        _ => {
            let place = std::env::current_dir().unwrap_or_default();
            eprintln!("pre-push: {}/gate.txt is stale; run `vox ci gate-sync --write` from the repo root", place.display());
            ExitCode::FAILURE
        }
    }
}
