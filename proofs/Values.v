(** * The values of finitely many heaps *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Games Laws Search Heaps Nimbers.
Import ListNotations.

(** [v] is the least number that is not in the set. *)
Definition is_mex (v : N) (s : nset) : bool :=
  negb (mem v s) && N.leb v (N.of_nat (length (snd s))) &&
  forallb (fun i => mem (N.of_nat i) s) (seq 0 (N.to_nat v)).

Definition mex_test (v : N) (s : nset) : option unit := if is_mex v s then Some tt else None.

Lemma is_mex_spec v s : is_mex v s = true -> mem v s = false /\ forall u, (u < v)%N -> mem u s = true.
Proof.
  unfold is_mex. rewrite !andb_true_iff, negb_true_iff, forallb_forall. intros [[H1 _] H2]. split; auto.
  intros u Hu. specialize (H2 (N.to_nat u)). rewrite N2Nat.id in H2. apply H2, in_seq. lia.
Qed.

Definition check_values (c : code) (vals : list N) : bool :=
  match survey N.lxor mex_test c vals with Some _ => true | None => false end.

Lemma check_values_mex c vals : check_values c vals = true -> forall h, h < length vals ->
  (forall t, take_and_break c h t -> nim_sum (fun h => nth h vals 0%N) t <> nth h vals 0%N) /\
  (forall v, (v < nth h vals 0)%N -> exists t, take_and_break c h t /\ nim_sum (fun h => nth h vals 0%N) t = v).
Proof.
  unfold check_values. destruct (survey N.lxor mex_test c vals) as [l|] eqn:E; [|discriminate]. intros _ h Hh.
  destruct (proj2 (survey_ok _ _ _ _ _ _ E) h Hh) as (s & a & _ & Ef & _ & M). unfold mex_test in Ef.
  destruct (is_mex (nth h vals 0%N) s) eqn:X; [|discriminate]. apply is_mex_spec in X. destruct X as [X1 X2]. split.
  - intros t O V. assert (mem (nth h vals 0%N) s = true) by (apply M; eauto). congruence.
  - intros v Hv. apply M. auto.
Qed.

(** The values of heaps up to a bound are right, and so are the values of their sums. *)
Theorem values_correct c vals : check_values c vals = true ->
  forall w, Forall (fun h => h < length vals) w -> grundy (heap_move c) w (nim_sum (fun h => nth h vals 0%N) w).
Proof.
  intros H. apply sprague_grundy.
  - intros h t Hh O. apply Forall_forall. intros x I. pose proof (option_smaller c h t x O I). lia.
  - intros h t Hh. apply (check_values_mex c vals H h Hh).
  - intros h v Hh. apply (check_values_mex c vals H h Hh).
Qed.
