(** * The checker as an OCaml program

    Only booleans, pairs, lists and options become OCaml's own; numbers stay the inductive types of the proofs, so that nothing
    can overflow. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Impartial Require Import Games Values Sparse NimSequence Induction Automaton Modules Series Quotient Kernel Counters Infinite ParityKernel Table.

Extraction Language OCaml.
Extraction "core.ml"
  Code check_values Space check_values_fast check_nim_sequence check_induction
  LatticeGame check_automaton check_automaton_board check_grundy check_grundy_board check_stratification check_stratification_board check_series check_series_board check_parity
  squares check_poset check_chomp
  check_quotient check_periodic_quotient check_kernel check_counters check_periodic_counters Infinity check_infinite.
