use crate::{ParseError, Position};

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Word(String),
    Int(i64),
    Str(String),
    Symbol(&'static str),
    Newline,
    End,
}

const SYMBOLS: [&str; 23] = [
    "->", "==", "!=", "<=", ">=", "(", ")", "{", "}", "[", "]", ",", ".", ":", "=", "<", ">", "+", "-", "*", "/", "%",
    "|",
];

pub fn lex(text: &str) -> Result<Vec<(Token, Position)>, ParseError> {
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut rest = line;
        loop {
            rest = rest.trim_start();
            let at = Position { line: index + 1, column: line.len() - rest.len() + 1 };
            if rest.is_empty() || rest.starts_with("//") || rest.starts_with('#') {
                tokens.push((Token::Newline, at));
                break;
            }
            let (token, length) = next(rest).map_err(|message| ParseError { message, at })?;
            tokens.push((token, at));
            rest = &rest[length..];
        }
    }
    tokens.push((Token::End, Position { line: text.lines().count() + 1, column: 1 }));
    Ok(tokens)
}

fn next(rest: &str) -> Result<(Token, usize), String> {
    let first = rest.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() {
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let value = rest[..length].parse().map_err(|_| "Integer literal is too large".to_string())?;
        return Ok((Token::Int(value), length));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        return Ok((Token::Word(rest[..length].to_string()), length));
    }
    if first == '"' || first == '\'' {
        return string(rest, first);
    }
    match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        Some(symbol) => Ok((Token::Symbol(symbol), symbol.len())),
        None => Err(format!("Unexpected character {first:?}")),
    }
}

fn string(rest: &str, quote: char) -> Result<(Token, usize), String> {
    let mut value = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((index, character)) = characters.next() {
        if character == quote {
            if quote == '"' && value.contains('{') {
                return Err("Template strings are not known".to_string());
            }
            return Ok((Token::Str(value), index + 1));
        }
        if character != '\\' {
            value.push(character);
            continue;
        }
        match characters.next() {
            Some((_, 'n')) => value.push('\n'),
            Some((_, 't')) => value.push('\t'),
            Some((_, escaped @ ('\\' | '"' | '\''))) => value.push(escaped),
            _ => return Err("Unknown escape".to_string()),
        }
    }
    Err("Unterminated string".to_string())
}
