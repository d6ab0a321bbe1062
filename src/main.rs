//! Arguments -> `cli::run` -> exit code, nothing else.

fn main() -> std::process::ExitCode {
    umpire::cli::run()
}
