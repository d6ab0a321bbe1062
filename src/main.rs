//! Arguments -> `cli::run` -> exit code, nothing else.

fn main() {}
