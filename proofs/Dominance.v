(** * One heap may outweigh all others: the theorem and the lemmas of [docs/theory/dominance.md]

    Heaps have weights, and here also strengths that are no larger; the page takes the weights themselves for them. The excess of a sum is twice its
    largest strength without the weight of all; when it is positive, one heap outweighs all others together. What a strategy by weights claims follows from four laws of its states (the theorem); what a move does to the excess is told by three
    lemmas. *)

From Coq Require Import List Arith NArith ZArith Bool Lia.
From Impartial Require Import Games Laws Heaps.
Import ListNotations.

(** ** Whether a heap has a move *)

Definition has_option (c : code) (h : nat) : bool :=
  existsb (fun kd => existsb (fun j => leaves (fst kd) (snd kd) j && Nat.leb j (h - fst kd) && (negb (Nat.eqb j 0) || Nat.eqb h (fst kd)))
    (seq 0 (width c))) (moves_up_to c h).

Lemma moves_small c n k d : In (k, d) (moves_up_to c n) -> k <= n.
Proof.
  unfold moves_up_to. intros I. apply in_app_or in I. destruct I as [I|I].
  - apply filter_In in I. now apply Nat.leb_le.
  - destruct (block c); [destruct I|]. apply in_map_iff in I. destruct I as (y & E & I). apply in_seq in I. injection E as <- _. lia.
Qed.

Lemma has_option_spec c h : has_option c h = true <-> exists t, take_and_break c h t.
Proof.
  unfold has_option. rewrite existsb_exists. split.
  - intros ((k & d) & I & H). apply existsb_exists in H. destruct H as (j & J & H). cbn [fst snd] in H.
    rewrite !andb_true_iff, orb_true_iff, negb_true_iff, Nat.leb_le, Nat.eqb_neq, Nat.eqb_eq in H. destruct H as [[B L] Z].
    pose proof (moves_small c h k d I). unfold leaves in B. apply andb_true_iff in B. destruct B as [B K].
    assert (forall n, beans (repeat 1 n) = n /\ Forall (fun x => 0 < x) (repeat 1 n)) as R.
    { induction n as [|n (R1 & R2)]; simpl; [auto|]. split; [lia|constructor; auto]. }
    destruct j as [|j].
    + exists []. exists k. destruct Z as [Z|Z]; [congruence|]. split; [simpl; lia|]. split; auto. split; [apply (in_moves c h); eauto|].
      intros ->. destruct (Nat.eqb_spec 0 0); simpl in K; [discriminate|congruence].
    + exists (h - k - j :: repeat 1 j). destruct (R j) as [R1 R2]. exists k. split; [simpl; lia|]. split; [constructor; [lia|auto]|].
      cbn [length]. rewrite repeat_length. split; [apply (in_moves c h); eauto|].
      intros ->. simpl Nat.eqb in K. cbn [negb orb] in K. apply Nat.leb_le in K. exact K.
  - intros (t & k & E & F & A & Z). pose proof (allowed_width _ _ _ A) as W. pose proof (beans_length t F).
    assert (k <= h) as K by lia. destruct (proj1 (in_moves c h k (length t) K) A) as (d & I & B). exists (k, d). split; auto.
    apply existsb_exists. exists (length t). split; [apply in_seq; lia|]. cbn [fst snd]. unfold leaves. rewrite B.
    rewrite !andb_true_iff, !orb_true_iff, !negb_true_iff, !Nat.leb_le, !Nat.eqb_neq, !Nat.eqb_eq. repeat split.
    + destruct k; [right; auto|left; lia].
    + lia.
    + destruct t; [right; simpl in *; lia|left; simpl; lia].
Qed.

(** A heap that is dead has no move. *)
Definition dead (c : code) (h : nat) : Prop := forall t, ~ take_and_break c h t.

Lemma sum_moves c u : (exists v, heap_move c u v) \/ Forall (dead c) u.
Proof.
  induction u as [|h u [(v & H)|H]]; [now right| |].
  - left. inversion H as [a h' b t O]; subst. exists (h :: a ++ t ++ b). apply (move_one _ (h :: a) h' b t O).
  - destruct (has_option c h) eqn:E.
    + apply has_option_spec in E. destruct E as (t & O). left. exists (t ++ u). apply (move_one _ [] h u t O).
    + right. constructor; auto. intros t O. assert (has_option c h = true) by (apply has_option_spec; eauto). congruence.
Qed.

Lemma dead_no_move c u : Forall (dead c) u -> forall v, ~ heap_move c u v.
Proof.
  intros D v H. inversion H as [a h b t O]; subst. apply Forall_app in D. destruct D as [_ D]. inversion D; subst. now apply (H2 t).
Qed.

(** ** The theorem: four laws of states give the outcomes of all sums *)
Theorem dominance_outcomes {state : Type} (c : code) (state_of : list nat -> state) (listed : state -> bool) :
  (* D0 and D1 *)
  (forall u, Forall (dead c) u -> state_of u = state_of []) -> listed (state_of []) = false ->
  (* D3 *)
  (forall u v, heap_move c u v -> listed (state_of u) = true -> listed (state_of v) = false) ->
  (* D4 *)
  (forall u, (exists v, heap_move c u v) -> listed (state_of u) = false -> exists v, heap_move c u v /\ listed (state_of v) = true) ->
  forall u, (listed (state_of u) = true -> misereP (heap_move c) u) /\ (listed (state_of u) = false -> misereN (heap_move c) u).
Proof.
  intros D0 D1 D3 D4 u.
  destruct (misere_law (heap_move c) (fun _ => True) weight (fun _ _ _ _ => I) (fun x y _ => heap_move_weight c x y)
    (fun u => listed (state_of u) = true)) with (x := u) as [HP HN]; auto.
  - intros x _. destruct (listed (state_of x)); auto.
  - intros x _ S. split.
    + destruct (sum_moves c x) as [M|D]; auto. rewrite (D0 x D), D1 in S. discriminate.
    + intros y M. rewrite (D3 x y M S). discriminate.
  - intros x _ S M. apply D4; auto. now apply not_true_is_false.
  - intros x _. destruct (sum_moves c x) as [M|D]; auto. right. now apply dead_no_move.
  - split; auto. intros S. apply HN. now rewrite S.
Qed.

(** ** The lemmas: what a move does to the excess *)
Section Weights.
  Variables w q : nat -> nat.
  Hypothesis q_le_w : forall h, q h <= w h.

  Definition all_weight (u : list nat) : Z := fold_right (fun h s => (Z.of_nat (w h) + s)%Z) 0%Z u.
  Definition strongest (u : list nat) : Z := fold_right (fun h m => Z.max (Z.of_nat (q h)) m) 0%Z u.
  Definition excess (u : list nat) : Z := (2 * strongest u - all_weight u)%Z.

  (** What a heap can outweigh: twice its strength without its weight; and that it outweighs the heaps of [x] together. *)
  Definition outweighs (h : nat) : Z := (2 * Z.of_nat (q h) - Z.of_nat (w h))%Z.
  Definition dominates (h : nat) (x : list nat) : Prop := (all_weight x < outweighs h)%Z.

  Lemma all_weight_app u v : all_weight (u ++ v) = (all_weight u + all_weight v)%Z.
  Proof. induction u as [|h u IH]; simpl; lia. Qed.

  Lemma strongest_app u v : strongest (u ++ v) = Z.max (strongest u) (strongest v).
  Proof. induction u as [|h u IH]; simpl; [|lia]. enough (0 <= strongest v)%Z by lia. induction v; simpl; lia. Qed.

  Lemma strongest_range u : (0 <= strongest u <= all_weight u)%Z.
  Proof. induction u as [|h u IH]; simpl; [lia|]. pose proof (q_le_w h). lia. Qed.

  Lemma strongest_in u : (0 < strongest u)%Z -> exists a h b, u = a ++ h :: b /\ Z.of_nat (q h) = strongest u.
  Proof.
    induction u as [|h u IH]; simpl; [lia|]. intros H. destruct (Z.max_spec (Z.of_nat (q h)) (strongest u)) as [[L E]|[L E]]; rewrite E in *.
    - destruct IH as (a & k & b & -> & K); [lia|]. exists (h :: a), k, b. auto.
    - exists [], h, u. auto.
  Qed.

  (** A sum [a + h + b], its rest [a + b], and what it is after a move of [h] to [t]. *)
  Lemma excess_of a h b t : let x := a ++ b in
    all_weight (a ++ h :: b) = (Z.of_nat (w h) + all_weight x)%Z /\ strongest (a ++ h :: b) = Z.max (Z.of_nat (q h)) (strongest x) /\
    all_weight (a ++ t ++ b) = (all_weight t + all_weight x)%Z /\ strongest (a ++ t ++ b) = Z.max (strongest t) (strongest x).
  Proof.
    cbv zeta. rewrite !all_weight_app, !strongest_app. cbn [all_weight strongest fold_right].
    fold (all_weight b). fold (strongest b). repeat split; lia.
  Qed.

  (** With a positive excess a heap dominates, and the excess is what it outweighs without the weight of the others. *)
  Theorem excess_dominates u : (1 <= excess u)%Z -> exists a h b, u = a ++ h :: b /\ dominates h (a ++ b) /\
    excess u = (outweighs h - all_weight (a ++ b))%Z.
  Proof.
    unfold excess. intros H. pose proof (strongest_range u). destruct (strongest_in u) as (a & h & b & -> & E); [lia|].
    exists a, h, b. destruct (excess_of a h b []) as (E1 & E2 & _). pose proof (strongest_range (a ++ b)). unfold dominates, outweighs.
    repeat split; lia.
  Qed.

  Theorem dominates_excess a h b : dominates h (a ++ b) -> excess (a ++ h :: b) = (outweighs h - all_weight (a ++ b))%Z.
  Proof.
    unfold dominates, excess, outweighs. destruct (excess_of a h b []) as (E1 & E2 & _). pose proof (strongest_range (a ++ b)).
    pose proof (q_le_w h). lia.
  Qed.

  (** No two heaps dominate: another heap weighs less than what dominates it, and outweighs no more than it weighs. *)
  Theorem dominates_alone h x k y : dominates h (k :: x) -> ~ dominates k (h :: y).
  Proof.
    unfold dominates, outweighs. cbn [all_weight fold_right]. fold (all_weight x) (all_weight y).
    pose proof (q_le_w h). pose proof (q_le_w k). pose proof (strongest_range x). pose proof (strongest_range y). lia.
  Qed.

  Variables (a b t : list nat) (h : nat).
  Let x := a ++ b.
  Let u := a ++ h :: b.
  Let u' := a ++ t ++ b.
  Let lost := (Z.of_nat (w h) - all_weight t)%Z.

  (** Lemma 1: the heap that moves does not dominate; no part of the option is stronger than the weight of the heap and one (D2). *)
  Theorem move_beside : (strongest t <= Z.of_nat (w h) + 1)%Z -> ~ dominates h x ->
    ((1 <= excess u)%Z -> excess u' = (excess u + lost)%Z /\ strongest u' = strongest x) /\
    ((excess u <= 0)%Z -> (excess u' <= Z.max 0 lost)%Z \/
      (excess u' = 2 * strongest t - all_weight u + lost /\ strongest u' = strongest t /\
       2 * strongest t - all_weight u <= 2 * strongest t - Z.max (Z.of_nat (w h)) (2 * Z.of_nat (q h)))%Z).
  Proof.
    unfold dominates, excess, outweighs, u, u', x, lost. destruct (excess_of a h b t) as (E1 & E2 & E3 & E4). cbv zeta in *.
    pose proof (strongest_range (a ++ b)). pose proof (q_le_w h). intros D2 N. split; intros H1; rewrite ?E1, ?E2, ?E3, ?E4 in *.
    - destruct (strongest_in (a ++ b)) as (a' & d & b' & E & Q); [lia|].
      assert (all_weight (a ++ b) = Z.of_nat (w d) + all_weight (a' ++ b'))%Z as W by (rewrite E; apply (excess_of a' d b' [])).
      pose proof (q_le_w d). pose proof (strongest_range (a' ++ b')). lia.
    - lia.
  Qed.

  (** Another heap is as strong as the strongest of all; or the heap that moves is the only strongest one. *)
  Theorem move_beside_same : strongest x = strongest u ->
    excess u' = Z.max (excess u + lost) (2 * strongest t - all_weight u + lost).
  Proof.
    unfold excess, u, u', x, lost. destruct (excess_of a h b t) as (E1 & E2 & E3 & E4). cbv zeta in *.
    intros S. rewrite ?E1, ?E2, ?E3, ?E4 in *. lia.
  Qed.

  Theorem move_beside_only : (strongest x < strongest u)%Z ->
    (excess u' <= lost + Z.min (excess u - 2) (- excess u - 2 * (Z.of_nat (w h) - Z.of_nat (q h))) \/
     excess u' = lost + excess u + 2 * strongest t - 2 * Z.of_nat (q h) /\ strongest u' = strongest t)%Z.
  Proof.
    unfold excess, u, u', x, lost. destruct (excess_of a h b t) as (E1 & E2 & E3 & E4). cbv zeta in *.
    pose proof (strongest_range (a ++ b)). intros S. rewrite ?E1, ?E2, ?E3, ?E4 in *. lia.
  Qed.

  (** Lemma 2: it dominates, [r] being the weight of the others. *)
  Theorem move_dominating : dominates h x -> let r := (outweighs h - excess u)%Z in
    r = all_weight x /\
    ((r < strongest t)%Z -> excess u' = (2 * strongest t - all_weight u')%Z /\ strongest u' = strongest t) /\
    ((strongest t <= r)%Z -> (excess u' <= r - all_weight t)%Z).
  Proof.
    intros D. pose proof (dominates_excess a h b D) as E. fold x u in E. unfold dominates in D.
    unfold excess at 2 3. unfold u', x in *. destruct (excess_of a h b t) as (E1 & E2 & E3 & E4). cbv zeta in *.
    pose proof (strongest_range (a ++ b)). split; [lia|]. split; intros H0; rewrite ?E3, ?E4; lia.
  Qed.
End Weights.

(** Lemma 3: a heap that dominates leaves the parts [j] and [i]. *)
Theorem common_option w q a h b j i : (forall k, q k <= w k) -> dominates w q h (a ++ b) -> 2 * q i <= w j ->
  let e := excess w q (a ++ h :: b) in let e' := excess w q (a ++ [j; i] ++ b) in
  let f := (e - (outweighs w q h - outweighs w q j) - Z.of_nat (w i))%Z in
  ((1 <= f)%Z -> e' = f /\ dominates w q j (i :: a ++ b)) /\
  ((f <= 0)%Z -> (e' <= Z.max 0 (outweighs w q h - Z.of_nat (w j) - e - Z.of_nat (w i)))%Z).
Proof.
  intros Q D L. cbv zeta. rewrite (dominates_excess w q Q a h b D). unfold dominates, excess, outweighs in *.
  destruct (excess_of w q a h b [j; i]) as (E1 & E2 & E3 & E4). cbv zeta in *. pose proof (strongest_range w q Q (a ++ b)).
  rewrite E3, E4. cbn [all_weight strongest fold_right]. fold (all_weight w (a ++ b)). pose proof (Q i). pose proof (Q j). pose proof (Q h).
  split; intros F; lia.
Qed.

Theorem split_option w q a h b i j : (forall k, q k <= w k) -> dominates w q h (a ++ b) ->
  let e := excess w q (a ++ h :: b) in let e' := excess w q (a ++ [i; j] ++ b) in
  let old := (outweighs w q h - e - Z.of_nat (w i) - Z.of_nat (w j))%Z in
  ((e' <= 0)%Z \/ (dominates w q i (j :: a ++ b) /\ e' = e - outweighs w q h + outweighs w q i - Z.of_nat (w j))%Z \/
   (dominates w q j (i :: a ++ b) /\ e' = e - outweighs w q h + outweighs w q j - Z.of_nat (w i))%Z \/ (e' <= old)%Z) /\
  forall beta, (outweighs w q i - Z.of_nat (w j) <= beta)%Z -> (outweighs w q j - Z.of_nat (w i) <= beta)%Z ->
    (e' <= Z.max (Z.max 0 beta) old)%Z.
Proof.
  intros Q D. cbv zeta. rewrite (dominates_excess w q Q a h b D). unfold dominates, excess, outweighs in *.
  destruct (excess_of w q a h b [i; j]) as (E1 & E2 & E3 & E4). cbv zeta in *. pose proof (strongest_range w q Q (a ++ b)).
  rewrite E3, E4. cbn [all_weight strongest fold_right]. fold (all_weight w (a ++ b)). pose proof (Q i). pose proof (Q j). pose proof (Q h).
  set (A := all_weight w (a ++ b)) in *. set (M := strongest q (a ++ b)) in *. split; [|intros beta B1 B2]; lia.
Qed.
