use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Int(i64),
    Str(String),
    Bool(bool),
    List(Vec<Value>),
    Option(Option<Box<Value>>),
    Null,
}

impl Value {
    pub fn some(value: Value) -> Value {
        Value::Option(Some(Box::new(value)))
    }

    pub fn kind(&self) -> &'static str {
        match self {
            Value::Int(_) => "Int",
            Value::Str(_) => "Str",
            Value::Bool(_) => "Bool",
            Value::List(_) => "List",
            Value::Option(_) => "Option",
            Value::Null => "Null",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Int(value) => write!(out, "{value}"),
            Value::Str(value) => write!(out, "{value}"),
            Value::Bool(value) => write!(out, "{value}"),
            Value::List(values) => {
                let parts: Vec<String> = values.iter().map(Value::to_string).collect();
                write!(out, "[{}]", parts.join(", "))
            }
            Value::Option(Some(value)) => write!(out, "Some({value})"),
            Value::Option(None) => write!(out, "None"),
            Value::Null => write!(out, "null"),
        }
    }
}
