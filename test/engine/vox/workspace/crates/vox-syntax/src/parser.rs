use crate::lexer::{lex, Token};
use crate::{Expression, Function, ParseError, Position, Program, Statement};

pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser { tokens: lex(text)?, index: 0 };
    let mut functions = Vec::new();
    parser.skip_newlines();
    while *parser.peek() != Token::End {
        functions.push(parser.function()?);
        parser.skip_newlines();
    }
    Ok(Program { functions })
}

struct Parser {
    tokens: Vec<(Token, Position)>,
    index: usize,
}

type Parsed<T> = Result<T, ParseError>;

/// Binary operators from the loosest to the tightest.
const LEVELS: [&[&str]; 6] =
    [&["or"], &["and"], &["is", "isnt", "==", "!="], &["<", ">", "<=", ">="], &["+", "-"], &["*", "/", "%"]];

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.index].0
    }

    fn at(&self) -> Position {
        self.tokens[self.index].1
    }

    fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.index += 1;
        }
        token
    }

    fn skip_newlines(&mut self) {
        while *self.peek() == Token::Newline {
            self.index += 1;
        }
    }

    fn error<T>(&self, message: String) -> Parsed<T> {
        Err(ParseError { message, at: self.at() })
    }

    fn is_next(&self, text: &str) -> bool {
        match self.peek() {
            Token::Symbol(symbol) => *symbol == text,
            Token::Word(word) => word == text,
            _ => false,
        }
    }

    fn take(&mut self, text: &str) -> bool {
        let is_next = self.is_next(text);
        if is_next {
            self.index += 1;
        }
        is_next
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.take(text) {
            return Ok(());
        }
        self.error(format!("Expected {text}, found {:?}", self.peek()))
    }

    fn name(&mut self) -> Parsed<String> {
        match self.peek().clone() {
            Token::Word(word) if word.starts_with(|c: char| c.is_ascii_lowercase() || c == '_') => {
                self.index += 1;
                Ok(word)
            }
            other => self.error(format!("Expected identifier, found {other:?}")),
        }
    }

    fn function(&mut self) -> Parsed<Function> {
        if !self.take("fn") {
            return self.error(format!("Unexpected token at top level: {:?}", self.peek()));
        }
        let name = self.name()?;
        let mut parameters = Vec::new();
        self.expect("(")?;
        while !self.take(")") {
            if !parameters.is_empty() {
                self.expect(",")?;
            }
            parameters.push(self.name()?);
            if self.take(":") {
                self.type_name()?;
            }
        }
        if self.take("to") || self.take("->") {
            self.type_name()?;
        }
        Ok(Function { name, parameters, body: self.block()? })
    }

    /// Types are read and forgotten.
    fn type_name(&mut self) -> Parsed<()> {
        match self.advance() {
            Token::Word(_) => {}
            other => return self.error(format!("Expected a type, found {other:?}")),
        }
        if self.take("[") {
            self.type_name()?;
            while self.take(",") {
                self.type_name()?;
            }
            self.expect("]")?;
        }
        Ok(())
    }

    fn block(&mut self) -> Parsed<Vec<Statement>> {
        self.expect("{")?;
        let mut statements = Vec::new();
        self.skip_newlines();
        while !self.take("}") {
            statements.push(self.statement()?);
            self.skip_newlines();
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Parsed<Statement> {
        if self.take("let") {
            self.take("mut");
            let name = self.name()?;
            if self.take(":") {
                self.type_name()?;
            }
            self.expect("=")?;
            return Ok(Statement::Let(name, self.expression()?));
        }
        if self.take("return") {
            let is_bare = *self.peek() == Token::Newline || self.is_next("}");
            return Ok(Statement::Return(if is_bare { None } else { Some(self.expression()?) }));
        }
        if self.take("while") {
            return Ok(Statement::While(self.expression()?, self.block()?));
        }
        let value = self.expression()?;
        if !self.is_next("=") {
            return Ok(Statement::Value(value));
        }
        match value {
            Expression::Name(name, _) => {
                self.expect("=")?;
                Ok(Statement::Assign(name, self.expression()?))
            }
            _ => self.error("Only a name can be assigned to".to_string()),
        }
    }

    fn expression(&mut self) -> Parsed<Expression> {
        self.skip_newlines();
        self.binary(0)
    }

    fn binary(&mut self, level: usize) -> Parsed<Expression> {
        let Some(operators) = LEVELS.get(level) else { return self.prefix() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.is_next(operator)) {
            self.index += 1;
            left = Expression::Binary(operator, Box::new(left), Box::new(self.binary(level + 1)?));
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Parsed<Expression> {
        if self.take("not") {
            return Ok(Expression::Not(Box::new(self.prefix()?)));
        }
        if self.take("-") {
            return Ok(Expression::Negate(Box::new(self.prefix()?)));
        }
        let mut value = self.primary()?;
        loop {
            if self.take(".") {
                let name = self.name()?;
                self.expect("(")?;
                value = Expression::Method(Box::new(value), name, self.list_until(")")?);
            } else if self.take("[") {
                let index = self.expression()?;
                self.expect("]")?;
                value = Expression::Index(Box::new(value), Box::new(index));
            } else {
                return Ok(value);
            }
        }
    }

    fn list_until(&mut self, end: &str) -> Parsed<Vec<Expression>> {
        let mut values = Vec::new();
        self.skip_newlines();
        while !self.take(end) {
            values.push(self.expression()?);
            self.skip_newlines();
            if !self.take(",") && !self.is_next(end) {
                return self.error(format!("Expected {end}, found {:?}", self.peek()));
            }
            self.skip_newlines();
        }
        Ok(values)
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let at = self.at();
        match self.advance() {
            Token::Int(value) => Ok(Expression::Int(value)),
            Token::Str(value) => Ok(Expression::Str(value)),
            Token::Symbol("(") => {
                let value = self.expression()?;
                self.skip_newlines();
                self.expect(")")?;
                Ok(value)
            }
            Token::Symbol("[") => Ok(Expression::List(self.list_until("]")?)),
            Token::Word(word) => self.word(word, at),
            other => Err(ParseError { message: format!("Unexpected token in expression: {other:?}"), at }),
        }
    }

    fn word(&mut self, word: String, at: Position) -> Parsed<Expression> {
        match word.as_str() {
            "true" | "false" => Ok(Expression::Bool(word == "true")),
            "if" => self.condition(),
            "match" | "for" | "fn" | "type" | "loop" | "import" | "else" => {
                Err(ParseError { message: format!("Unexpected token in expression: {word}"), at })
            }
            _ if self.take("(") => Ok(Expression::Call(word, self.list_until(")")?, at)),
            _ => Ok(Expression::Name(word, at)),
        }
    }

    fn condition(&mut self) -> Parsed<Expression> {
        let condition = self.expression()?;
        let then = self.block()?;
        let before = self.index;
        self.skip_newlines();
        if !self.take("else") {
            self.index = before;
            return Ok(Expression::If(Box::new(condition), then, Vec::new()));
        }
        let otherwise = if self.take("if") { vec![Statement::Value(self.condition()?)] } else { self.block()? };
        Ok(Expression::If(Box::new(condition), then, otherwise))
    }
}
