//! A small vox that keeps the contract of the command line tool, for tests of building and running one.

mod arguments;
mod gate;

use arguments::Arguments;
use std::process::ExitCode;
use vox_eval::{Failure, Limits, Value};
use vox_syntax::{ParseError, Program};

/// Of the interpreter's thread; 1,024 nested calls must fit in an unoptimised build too.
const STACK_BYTES: usize = 64 * 1024 * 1024;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--version") {
        println!("vox {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    if words.iter().map(String::as_str).eq(["ci", "pre-push", "--complete"]) {
        return gate::run();
    }
    let Some(arguments) = Arguments::read(words) else {
        eprintln!("usage: vox check [--output-format json] FILE | vox run --mode interp [--caps T] [--max-steps N] [--max-memory N] FILE");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(&arguments.file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("Error: {}: {error}", arguments.file);
            return ExitCode::FAILURE;
        }
    };
    if arguments.command == "check" {
        return check(&text, &arguments);
    }
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || run(&text, &arguments));
    thread.expect("a thread").join().unwrap_or(ExitCode::from(101))
}

fn check(text: &str, arguments: &Arguments) -> ExitCode {
    let diagnostics: Vec<(&str, String, usize, usize)> = match vox_syntax::parse(text) {
        Err(ParseError { message, at }) => vec![("E0001", message, at.line, at.column)],
        Ok(program) => {
            let found = vox_check::check(&program).into_iter();
            found.map(|one| ("vox/types/undefined-variable", one.message, one.at.line, one.at.column)).collect()
        }
    };
    if arguments.is_json {
        let objects: Vec<String> = diagnostics.iter().map(|one| json(one, &arguments.file)).collect();
        println!("[{}]", objects.join(",\n"));
    } else {
        for (index, (_, message, line, column)) in diagnostics.iter().enumerate() {
            eprintln!("error[E{:04}]: {message} at {}:{line}:{column}", index + 1, arguments.file);
        }
    }
    if diagnostics.is_empty() {
        println!("Check passed with 0 warning(s)");
        return ExitCode::SUCCESS;
    }
    eprintln!("Error: Check failed with {} error(s) and 0 warning(s)", diagnostics.len());
    ExitCode::FAILURE
}

fn json((code, message, line, column): &(&str, String, usize, usize), file: &str) -> String {
    format!(
        r#"{{"error_code":{code:?},"severity":"Error","message":{message:?},"file_path":{file:?},"span":{{"start_line":{line},"start_col":{column},"end_line":{line},"end_col":{column}}}}}"#
    )
}

fn run(text: &str, arguments: &Arguments) -> ExitCode {
    let program: Program = match vox_syntax::parse(text) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("Error: Parse failed: [{error:?}]");
            return ExitCode::FAILURE;
        }
    };
    let limits = Limits {
        steps: arguments.max_steps,
        memory: arguments.max_memory,
        capabilities: arguments.capabilities.clone().or_else(|| directive(text)),
    };
    match vox_eval::run(&program, limits) {
        Ok(Value::Null) => ExitCode::SUCCESS,
        Ok(value) => {
            println!("{value}");
            ExitCode::SUCCESS
        }
        Err(Failure::Budget) => {
            eprintln!("vox: execution budget exceeded; pass --max-steps / --max-depth or use --mode script");
            ExitCode::from(78)
        }
        Err(Failure::Memory) => {
            eprintln!("vox: memory limit exceeded");
            ExitCode::from(79)
        }
        Err(Failure::CapabilityDenied(what)) => {
            eprintln!("Capability denied: {what}");
            ExitCode::from(77)
        }
        Err(failure) => {
            eprintln!("Error: Eval failed: {failure:?}");
            ExitCode::FAILURE
        }
    }
}

/// The capabilities that the first line of a program grants; nothing else counts.
fn directive(text: &str) -> Option<Vec<String>> {
    let words = text.lines().next()?.strip_prefix("// vox:caps ")?;
    Some(words.split_whitespace().map(String::from).collect())
}
