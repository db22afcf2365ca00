//! Runs a program within its limits.

mod value;

use std::collections::HashMap;
pub use value::Value;
use vox_syntax::{Expression, Function, Program, Statement};

#[derive(Debug)]
pub enum Failure {
    AssertionFailed(String),
    UndefinedVariable(String),
    ArityMismatch { expected: usize, found: usize },
    TypeError { expected: &'static str, found: &'static str },
    Budget,
    Memory,
    CapabilityDenied(String),
}

pub struct Limits {
    pub steps: u64,
    pub memory: usize,
    /// None grants everything.
    pub capabilities: Option<Vec<String>>,
}

/// How a statement ends: with a value, or by leaving the function with one.
enum Flow {
    Value(Value),
    Return(Value),
}

type Outcome<T> = Result<T, Failure>;
type Scope = HashMap<String, Value>;

const MAX_DEPTH: usize = 1024;

pub fn run(program: &Program, limits: Limits) -> Outcome<Value> {
    let functions = program.functions.iter().map(|function| (function.name.as_str(), function)).collect();
    let mut machine = Machine { functions, limits, steps: 0, depth: 0 };
    machine.call("main", Vec::new())
}

struct Machine<'a> {
    functions: HashMap<&'a str, &'a Function>,
    limits: Limits,
    steps: u64,
    depth: usize,
}

impl Machine<'_> {
    fn step(&mut self) -> Outcome<()> {
        self.steps += 1;
        if self.steps >= self.limits.steps { Err(Failure::Budget) } else { Ok(()) }
    }

    fn call(&mut self, name: &str, arguments: Vec<Value>) -> Outcome<Value> {
        let Some(function) = self.functions.get(name).copied() else {
            return Err(Failure::UndefinedVariable(name.to_string()));
        };
        let expected = function.parameters.len();
        if expected != arguments.len() {
            return Err(Failure::ArityMismatch { expected, found: arguments.len() });
        }
        if self.depth > MAX_DEPTH {
            return Err(Failure::Budget);
        }
        self.depth += 1;
        let mut scope: Scope = function.parameters.iter().cloned().zip(arguments).collect();
        let flow = self.block(&function.body, &mut scope)?;
        self.depth -= 1;
        let (Flow::Value(value) | Flow::Return(value)) = flow;
        Ok(value)
    }

    fn block(&mut self, statements: &[Statement], scope: &mut Scope) -> Outcome<Flow> {
        let mut last = Value::Null;
        for statement in statements {
            match self.statement(statement, scope)? {
                Flow::Value(value) => last = value,
                leaving => return Ok(leaving),
            }
        }
        Ok(Flow::Value(last))
    }

    fn statement(&mut self, statement: &Statement, scope: &mut Scope) -> Outcome<Flow> {
        self.step()?;
        match statement {
            Statement::Let(name, value) | Statement::Assign(name, value) => {
                let value = self.evaluate(value, scope)?;
                scope.insert(name.clone(), value);
            }
            Statement::Return(None) => return Ok(Flow::Return(Value::Null)),
            Statement::Return(Some(value)) => return Ok(Flow::Return(self.evaluate(value, scope)?)),
            Statement::While(condition, body) => {
                while self.is_true(condition, scope)? {
                    if let Flow::Return(value) = self.block(body, scope)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Statement::Value(Expression::If(condition, then, otherwise)) => {
                let taken = if self.is_true(condition, scope)? { then } else { otherwise };
                return self.block(taken, scope);
            }
            Statement::Value(Expression::Method(receiver, name, arguments)) if name == "push" => {
                self.push(receiver, arguments, scope)?;
            }
            Statement::Value(value) => return Ok(Flow::Value(self.evaluate(value, scope)?)),
        }
        Ok(Flow::Value(Value::Null))
    }

    /// A method statement writes its result back to the variable.
    fn push(&mut self, receiver: &Expression, arguments: &[Expression], scope: &mut Scope) -> Outcome<()> {
        let (Expression::Name(name, _), [argument]) = (receiver, arguments) else {
            return Err(Failure::AssertionFailed("Method push not found".to_string()));
        };
        let item = self.evaluate(argument, scope)?;
        match scope.get_mut(name) {
            Some(Value::List(values)) => values.push(item),
            _ => return Err(Failure::AssertionFailed("Method push not found".to_string())),
        }
        Ok(())
    }

    fn is_true(&mut self, condition: &Expression, scope: &mut Scope) -> Outcome<bool> {
        match self.evaluate(condition, scope)? {
            Value::Bool(value) => Ok(value),
            other => Err(Failure::TypeError { expected: "bool", found: other.kind() }),
        }
    }

    fn evaluate(&mut self, expression: &Expression, scope: &mut Scope) -> Outcome<Value> {
        self.step()?;
        match expression {
            Expression::Int(value) => Ok(Value::Int(*value)),
            Expression::Str(value) => Ok(Value::Str(value.clone())),
            Expression::Bool(value) => Ok(Value::Bool(*value)),
            Expression::Name(name, _) => match (name.as_str(), scope.get(name)) {
                (_, Some(value)) => Ok(value.clone()),
                ("None", None) => Ok(Value::Option(None)),
                ("null", None) => Ok(Value::Null),
                _ => Err(Failure::UndefinedVariable(name.clone())),
            },
            Expression::List(items) => Ok(Value::List(self.evaluate_all(items, scope)?)),
            Expression::Not(inner) => Ok(Value::Bool(!self.is_true(inner, scope)?)),
            Expression::Negate(inner) => match self.evaluate(inner, scope)? {
                Value::Int(value) => arithmetic(value.checked_neg()),
                other => Err(Failure::TypeError { expected: "int", found: other.kind() }),
            },
            Expression::Binary("and", left, right) => {
                Ok(Value::Bool(self.is_true(left, scope)? && self.is_true(right, scope)?))
            }
            Expression::Binary("or", left, right) => {
                Ok(Value::Bool(self.is_true(left, scope)? || self.is_true(right, scope)?))
            }
            Expression::Binary(operator, left, right) => {
                let left = self.evaluate(left, scope)?;
                let right = self.evaluate(right, scope)?;
                self.binary(operator, left, right)
            }
            Expression::Call(name, arguments, _) => {
                let arguments = self.evaluate_all(arguments, scope)?;
                match built_in(name, &arguments)? {
                    Some(value) => Ok(value),
                    None => self.call(name, arguments),
                }
            }
            Expression::Method(receiver, name, arguments) => match receiver.as_ref() {
                Expression::Name(namespace, _) if namespace == "fs" => self.file_system(name, arguments, scope),
                _ => {
                    let receiver = self.evaluate(receiver, scope)?;
                    method(receiver, name, self.evaluate_all(arguments, scope)?)
                }
            },
            Expression::Index(list, index) => {
                let list = self.evaluate(list, scope)?;
                match (list, self.evaluate(index, scope)?) {
                    (Value::List(values), Value::Int(index)) => {
                        let found = usize::try_from(index).ok().and_then(|index| values.get(index).cloned());
                        Ok(Value::Option(found.map(Box::new)))
                    }
                    (other, _) => Err(Failure::TypeError { expected: "list", found: other.kind() }),
                }
            }
            Expression::If(condition, then, otherwise) => {
                let taken = if self.is_true(condition, scope)? { then } else { otherwise };
                let (Flow::Value(value) | Flow::Return(value)) = self.block(taken, scope)?;
                Ok(value)
            }
        }
    }

    fn evaluate_all(&mut self, expressions: &[Expression], scope: &mut Scope) -> Outcome<Vec<Value>> {
        expressions.iter().map(|expression| self.evaluate(expression, scope)).collect()
    }

    fn file_system(&mut self, name: &str, arguments: &[Expression], scope: &mut Scope) -> Outcome<Value> {
        let is_denied = self.limits.capabilities.as_ref().is_some_and(|granted| !granted.iter().any(|one| one == "fs"));
        if is_denied {
            return Err(Failure::CapabilityDenied(format!("fs.{name}")));
        }
        match (name, self.evaluate_all(arguments, scope)?.as_slice()) {
            ("read", [Value::Str(path)]) => match std::fs::read_to_string(path) {
                Ok(text) => Ok(Value::Str(text)),
                Err(error) => Err(Failure::AssertionFailed(format!("fs.read: {error}"))),
            },
            _ => Err(Failure::AssertionFailed(format!("Method {name} not found"))),
        }
    }

    fn binary(&self, operator: &str, left: Value, right: Value) -> Outcome<Value> {
        use Value::{Bool, Int, Str};
        match (operator, &left, &right) {
            ("is" | "==", _, _) => Ok(Bool(left == right)),
            ("isnt" | "!=", _, _) => Ok(Bool(left != right)),
            ("+", Int(a), Int(b)) => arithmetic(a.checked_add(*b)),
            ("-", Int(a), Int(b)) => arithmetic(a.checked_sub(*b)),
            ("*", Int(a), Int(b)) => arithmetic(a.checked_mul(*b)),
            ("/", Int(a), Int(b)) => arithmetic(a.checked_div(*b)),
            ("%", Int(a), Int(b)) => arithmetic(a.checked_rem(*b)),
            ("<", Int(a), Int(b)) => Ok(Bool(a < b)),
            (">", Int(a), Int(b)) => Ok(Bool(a > b)),
            ("<=", Int(a), Int(b)) => Ok(Bool(a <= b)),
            (">=", Int(a), Int(b)) => Ok(Bool(a >= b)),
            ("+", Str(a), b) if a.len() + b.to_string().len() > self.limits.memory => Err(Failure::Memory),
            ("+", Str(a), b) => Ok(Str(format!("{a}{b}"))),
            _ => Err(Failure::AssertionFailed(format!(
                "unsupported binary op `{operator}` for operands {} and {}",
                left.kind(),
                right.kind()
            ))),
        }
    }
}

fn arithmetic(result: Option<i64>) -> Outcome<Value> {
    result.map(Value::Int).ok_or_else(|| Failure::AssertionFailed("integer overflow or division by zero".to_string()))
}

/// None when there is no such built-in.
fn built_in(name: &str, arguments: &[Value]) -> Outcome<Option<Value>> {
    let [argument] = arguments else { return Ok(None) };
    Ok(Some(match name {
        "print" => {
            println!("{argument}");
            Value::Null
        }
        "assert" if *argument == Value::Bool(true) => Value::Null,
        "assert" => {
            eprintln!("assertion failed: Assertion failed");
            return Err(Failure::AssertionFailed("assert failed".to_string()));
        }
        "str" => Value::Str(argument.to_string()),
        "len" => return method(argument.clone(), "len", Vec::new()).map(Some),
        "Some" => Value::some(argument.clone()),
        _ => return Ok(None),
    }))
}

fn method(receiver: Value, name: &str, arguments: Vec<Value>) -> Outcome<Value> {
    match (receiver, name, arguments.as_slice()) {
        (Value::Option(inner), "unwrap_or", [otherwise]) => Ok(inner.map_or(otherwise.clone(), |value| *value)),
        (Value::Option(Some(inner)), "unwrap", []) => Ok(*inner),
        (Value::Option(inner), "is_none", []) => Ok(Value::Bool(inner.is_none())),
        (Value::Option(inner), "is_some", []) => Ok(Value::Bool(inner.is_some())),
        (Value::List(values), "len", []) => Ok(Value::Int(values.len() as i64)),
        (Value::Str(text), "len", []) => Ok(Value::Int(text.chars().count() as i64)),
        (Value::List(mut values), "append", [item]) => {
            values.push(item.clone());
            Ok(Value::List(values))
        }
        _ => Err(Failure::AssertionFailed(format!("Method {name} not found"))),
    }
}
