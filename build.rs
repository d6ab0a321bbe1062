//! Campaigns, sample orders and templates are built into the binary: a file added to one of their folders must be noticed.

fn main() {
    for folder in ["campaigns", "orders", "templates"] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
