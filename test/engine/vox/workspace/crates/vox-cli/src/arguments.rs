pub struct Arguments {
    pub command: String,
    pub file: String,
    pub is_json: bool,
    pub capabilities: Option<Vec<String>>,
    pub max_steps: u64,
    pub max_memory: usize,
}

impl Arguments {
    /// None for anything that is not known.
    pub fn read(words: Vec<String>) -> Option<Arguments> {
        let mut words = words.into_iter();
        let command = words.next().filter(|command| command == "check" || command == "run")?;
        let mut arguments = Arguments {
            command,
            file: String::new(),
            is_json: false,
            capabilities: None,
            max_steps: 10_000_000,
            max_memory: usize::MAX,
        };
        while let Some(word) = words.next() {
            match (arguments.command.as_str(), word.as_str()) {
                ("check", "--output-format") => arguments.is_json = words.next()? == "json",
                ("run", "--mode") if words.next()? == "interp" => {}
                ("run", "--caps") => arguments.capabilities.get_or_insert_with(Vec::new).push(words.next()?),
                ("run", "--max-steps") => arguments.max_steps = words.next()?.parse().ok()?,
                ("run", "--max-memory") => arguments.max_memory = words.next()?.parse().ok()?,
                _ if !word.starts_with('-') && arguments.file.is_empty() => arguments.file = word,
                _ => return None,
            }
        }
        Some(arguments).filter(|arguments| !arguments.file.is_empty())
    }
}
