//! Finds names that nothing defines. There is no type checker.

use std::collections::HashSet;
use vox_syntax::{Expression, Position, Program, Statement};

#[derive(Debug)]
pub struct Diagnostic {
    pub message: String,
    pub at: Position,
}

const BUILT_INS: [&str; 8] = ["print", "assert", "str", "Some", "None", "null", "fs", "len"];

pub fn check(program: &Program) -> Vec<Diagnostic> {
    let functions: HashSet<String> = program.functions.iter().map(|function| function.name.clone()).collect();
    let mut diagnostics = Vec::new();
    for function in &program.functions {
        let mut known = functions.clone();
        known.extend(BUILT_INS.map(String::from));
        known.extend(function.parameters.iter().cloned());
        block(&function.body, known, &mut diagnostics);
    }
    diagnostics
}

fn block(statements: &[Statement], mut known: HashSet<String>, out: &mut Vec<Diagnostic>) {
    for statement in statements {
        match statement {
            Statement::Let(name, value) => {
                expression(value, &known, out);
                known.insert(name.clone());
            }
            Statement::Assign(_, value) | Statement::Value(value) | Statement::Return(Some(value)) => {
                expression(value, &known, out)
            }
            Statement::Return(None) => {}
            Statement::While(condition, body) => {
                expression(condition, &known, out);
                block(body, known.clone(), out);
            }
        }
    }
}

fn expression(value: &Expression, known: &HashSet<String>, out: &mut Vec<Diagnostic>) {
    match value {
        Expression::Int(_) | Expression::Str(_) | Expression::Bool(_) => {}
        Expression::Name(name, at) => defined(name, *at, known, out),
        Expression::Call(name, arguments, at) => {
            defined(name, *at, known, out);
            arguments.iter().for_each(|argument| expression(argument, known, out));
        }
        Expression::List(values) => values.iter().for_each(|value| expression(value, known, out)),
        Expression::Not(inner) | Expression::Negate(inner) => expression(inner, known, out),
        Expression::Binary(_, left, right) | Expression::Index(left, right) => {
            expression(left, known, out);
            expression(right, known, out);
        }
        Expression::Method(receiver, _, arguments) => {
            expression(receiver, known, out);
            arguments.iter().for_each(|argument| expression(argument, known, out));
        }
        Expression::If(condition, then, otherwise) => {
            expression(condition, known, out);
            block(then, known.clone(), out);
            block(otherwise, known.clone(), out);
        }
    }
}

fn defined(name: &str, at: Position, known: &HashSet<String>, out: &mut Vec<Diagnostic>) {
    if !known.contains(name) {
        out.push(Diagnostic { message: format!("Undefined variable: {name}"), at });
    }
}
