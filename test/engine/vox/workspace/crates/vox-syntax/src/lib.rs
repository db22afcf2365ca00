//! Text to syntax tree, for a small part of Vox. What it does not know is a parse error.

mod lexer;
mod parser;

pub use parser::parse;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

#[derive(Debug)]
pub struct ParseError {
    pub message: String,
    pub at: Position,
}

#[derive(Debug)]
pub struct Program {
    pub functions: Vec<Function>,
}

#[derive(Debug)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<String>,
    pub body: Vec<Statement>,
}

#[derive(Debug)]
pub enum Statement {
    Let(String, Expression),
    Assign(String, Expression),
    Return(Option<Expression>),
    While(Expression, Vec<Statement>),
    Value(Expression),
}

#[derive(Debug)]
pub enum Expression {
    Int(i64),
    Str(String),
    Bool(bool),
    Name(String, Position),
    List(Vec<Expression>),
    Not(Box<Expression>),
    Negate(Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Call(String, Vec<Expression>, Position),
    Method(Box<Expression>, String, Vec<Expression>),
    Index(Box<Expression>, Box<Expression>),
    If(Box<Expression>, Vec<Statement>, Vec<Statement>),
}
