(** * Options that can be translated: part (A) of the induction on heaps

    If every value below that of each heap of one block is reached by an option that grows with the heap, it is so for all
    later heaps. ([docs/theory/periods.md], Theorem 2.) *)

From Coq Require Import List Arith NArith Bool Lia Wf_nat.
From Impartial Require Import Games Heaps Nimbers.
Import ListNotations.

Local Open Scope N_scope.

(** A number without bits where [R] has any is added to both sides alike. *)
Lemma add_multiple e : forall a w R, w < 2 ^ N.of_nat e -> (2 ^ N.of_nat e | R) -> N.lxor (a + R) w = N.lxor a w + R.
Proof.
  assert (halves : forall a b, a / 2 = b / 2 -> a mod 2 = b mod 2 -> a = b).
  { intros a b D M. rewrite (N.div_mod a 2), (N.div_mod b 2), D, M; lia. }
  assert (x2 : forall a b, N.lxor a b / 2 = N.lxor (a / 2) (b / 2)).
  { intros a b. rewrite <- !N.div2_div, !N.div2_spec. apply N.shiftr_lxor. }
  assert (xm : forall a b, N.lxor a b mod 2 = N.lxor (a mod 2) (b mod 2)).
  { intros a b. apply N.bits_inj. intros i. change 2 with (2 ^ 1). rewrite <- !N.land_ones, !N.land_spec, !N.lxor_spec, !N.land_spec.
    now destruct (N.testbit a i), (N.testbit b i), (N.testbit (N.ones 1) i). }
  induction e as [|e IH]; intros a w R W D.
  - assert (w = 0) as -> by (simpl in W; lia). now rewrite !N.lxor_0_r.
  - rewrite Nat2N.inj_succ, N.pow_succ_r' in W, D. destruct D as [r ->].
    replace (r * (2 * 2 ^ N.of_nat e)) with (r * 2 ^ N.of_nat e * 2) by lia.
    set (S := r * 2 ^ N.of_nat e). apply halves.
    + rewrite x2, !N.div_add, x2 by lia. apply IH; [|now exists r].
      apply N.div_lt_upper_bound; lia.
    + rewrite xm, !N.mod_add, xm by lia. reflexivity.
Qed.

Local Close Scope N_scope.

Section Reach.
  Variable c : code.
  Variable g : nat -> N.
  Variables low tail L : nat.
  Variable RL : N.
  Hypothesis far_allowed : forall k j, tail <= k -> allowed c k j -> allowed c (k + L) j.
  Hypothesis rise : forall n, low <= n -> g (n + L) = (g n + RL)%N.
  Hypothesis even_block : forall k j, allowed c k (2 + j) -> exists H, L = H + H.

  Definition takes (n k : nat) (t : list nat) : Prop :=
    n = k + beans t /\ Forall (fun x => 0 < x) t /\ allowed c k (length t) /\ (k = 0 -> 2 <= length t).

  (** A part grows with the heap, the others stay and lie below the power of two in the rise. *)
  Definition small (w : N) : Prop := RL = 0%N \/ exists e, (w < 2 ^ N.of_nat e)%N /\ (2 ^ N.of_nat e | RL)%N.
  Definition near (n : nat) (v : N) : Prop :=
    exists k x r, takes n k (x :: r) /\ low <= x /\ small (nim_sum g r) /\ v = N.lxor (g x) (nim_sum g r).

  (** The parts [r] stay; more beans are taken by a repeated digit, or two equal heaps grow. *)
  Definition padded (n : nat) (r : list nat) : Prop :=
    exists k, (tail <= k /\ takes n k r) \/ exists b, 0 < b /\ takes n k (b :: b :: r).
  Definition fixed (n : nat) (v : N) : Prop := exists r, padded n r /\ nim_sum g r = v.
  Definition late (n : nat) (v : N) : Prop := exists x r, padded n (x :: r) /\ low <= x /\ nim_sum g r = 0%N /\ v = g x.

  Lemma padded_far n r : padded n r -> padded (n + L) r.
  Proof.
    intros (k & [(K & E & F & A & Z)|(b & B & E & F & A & Z)]).
    - exists (k + L). left. split; [lia|]. split; [lia|]. split; auto. split; auto. intros ?. apply Z. lia.
    - destruct (even_block k (length r) A) as [H HL]. exists k. right. exists (b + H). split; [lia|].
      split; [simpl in *; lia|]. inversion F as [|? ? _ F']; subst. inversion F'; subst. split; auto.
      repeat (constructor; [lia|]); auto.
  Qed.

  Lemma padded_grow n x r : padded n (x :: r) -> padded (n + L) (x + L :: r).
  Proof.
    intros (k & [(K & E & F & A & Z)|(b & B & E & F & A & Z)]); exists k.
    - left. split; auto. split; [simpl in *; lia|]. inversion F; subst. split; [constructor; auto; lia|auto].
    - right. exists b. split; auto. split; [simpl in *; lia|]. inversion F as [|? ? ? F']; subst. inversion F' as [|? ? ? F'']; subst.
      inversion F''; subst. split; auto. repeat (constructor; [lia|]); auto.
  Qed.

  Lemma padded_option n r : padded n r -> exists t, take_and_break c n t /\ nim_sum g t = nim_sum g r.
  Proof.
    intros (k & [(_ & T)|(b & _ & T)]).
    - exists r. split; auto. now exists k.
    - exists (b :: b :: r). split; [now exists k|]. simpl. now rewrite <- N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_l.
  Qed.

  Lemma fixed_far n v : fixed n v -> fixed (n + L) v.
  Proof. intros (r & H & E). exists r. split; auto. now apply padded_far. Qed.

  Lemma late_fixed n v : late n v -> fixed n v.
  Proof. intros (x & r & H & _ & E & ->). exists (x :: r). split; auto. simpl. now rewrite E, N.lxor_0_r. Qed.

  Lemma late_far n v : late n v -> late (n + L) (v + RL)%N.
  Proof.
    intros (x & r & H & X & E & ->). exists (x + L), r. split; [now apply padded_grow|]. split; [lia|]. split; auto.
    now rewrite rise.
  Qed.

  Lemma near_far n v : near n v -> near (n + L) (v + RL)%N.
  Proof.
    intros (k & x & r & (E & F & A & Z) & X & S & ->). exists k, (x + L), r. inversion F; subst. split; [|split; [lia|split; auto]].
    - split; [simpl in *; lia|]. split; [constructor; auto; lia|auto].
    - rewrite rise by auto. destruct S as [->|(e & W & D)]; [now rewrite !N.add_0_r|]. symmetry. now apply (add_multiple e).
  Qed.

  Lemma near_option n v : near n v -> exists t, take_and_break c n t /\ nim_sum g t = v.
  Proof. intros (k & x & r & T & _ & _ & ->). exists (x :: r). split; auto. now exists k. Qed.

  Lemma fixed_option n v : fixed n v -> exists t, take_and_break c n t /\ nim_sum g t = v.
  Proof. intros (r & H & <-). now apply padded_option. Qed.

  Definition reaches (n : nat) : Prop :=
    (RL = 0%N /\ forall v, (v < g n)%N -> near n v \/ fixed n v) \/
    exists l, (RL <= l <= g n)%N /\ (forall v, (v < l)%N -> fixed n v) /\
      (forall v, (l - RL <= v < l)%N -> late n v) /\ forall v, (l <= v < g n)%N -> near n v.

  Lemma reaches_far n : low <= n -> reaches n -> reaches (n + L).
  Proof.
    intros Hn [(Z & H)|(l & Hl & HF & HL & HN)].
    - left. split; auto. rewrite (rise n Hn), Z, N.add_0_r. intros v Hv. destruct (H v Hv) as [X|X].
      + left. rewrite <- (N.add_0_r v), <- Z. now apply near_far.
      + right. now apply fixed_far.
    - right. exists (l + RL)%N. rewrite (rise n Hn). split; [lia|].
      assert (forall v, (l <= v < l + RL)%N -> late (n + L) v) as Later.
      { intros v Hv. replace v with (v - RL + RL)%N by lia. apply late_far, HL. lia. }
      split; [|split].
      + intros v Hv. destruct (N.lt_ge_cases v l); [now apply fixed_far, HF|]. apply late_fixed, Later. lia.
      + intros v Hv. apply Later. lia.
      + intros v Hv. replace v with (v - RL + RL)%N by lia. apply near_far, HN. lia.
  Qed.

  Theorem reaches_all base : 0 < L -> low <= base -> (forall n, base <= n < base + L -> reaches n) ->
    forall n, base <= n -> forall v, (v < g n)%N -> exists t, take_and_break c n t /\ nim_sum g t = v.
  Proof.
    intros HL HB H.
    assert (forall n, base <= n -> reaches n) as All.
    { induction n as [n IH] using lt_wf_ind. intros Hn. destruct (lt_dec n (base + L)); [apply H; lia|].
      replace n with (n - L + L) by lia. apply reaches_far; [lia|]. apply IH; lia. }
    intros n Hn v Hv. destruct (All n Hn) as [(_ & R)|(l & _ & HF & _ & HN)].
    - destruct (R v Hv); [now apply near_option|now apply fixed_option].
    - destruct (N.lt_ge_cases v l); [apply fixed_option, HF; auto|apply near_option, HN; auto].
  Qed.
End Reach.
