//! The command, tried from outside: one binary, one module a topic.

mod bad_input;
mod chains_certificates;
mod common;
mod console;
mod families;
mod found;
mod garbage;
mod lattice_commands;
mod lattice_files;
mod learning;
#[cfg(target_os = "linux")]
mod limits;
mod long_positions;
mod manners;
mod misere;
mod misere_sets;
mod nim_sequence;
mod papers;
mod parity_kernel_files;
mod posets;
mod presentations;
#[cfg(unix)]
mod proved;
mod rays;
mod series_certificates;
mod stratification;
mod survey_misere;
mod survey_octal;
mod table_certificates;
