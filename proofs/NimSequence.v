(** * Nim sequences: the values of all heaps, by the theorem of Guy and Smith *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Games Laws Search Heaps Nimbers Periods Monoid Values Sparse.
Import ListNotations.

(** [k] more entries: [rest], then the block again and again. *)
Fixpoint fill (k : nat) (rest again : list N) : list N :=
  match k with
  | O => []
  | S k' => match rest with
            | a :: rest' => a :: fill k' rest' again
            | [] => match again with a :: rest' => a :: fill k' rest' again | [] => [] end
            end
  end.

Fixpoint same_list (l m : list N) : bool :=
  match l, m with
  | [], [] => true
  | a :: l', b :: m' => N.eqb a b && same_list l' m'
  | _, _ => false
  end.

Lemma same_list_refl l : same_list l l = true.
Proof. induction l; simpl; auto. now rewrite N.eqb_refl. Qed.

(** The least period: no proper divisor [d] of [p] moves the block into itself. *)
Definition no_shorter (p : nat) (again : list N) : bool :=
  let P := N.of_nat p in
  forallb (fun e => if N.eqb (N.modulo P e) 0
                    then let d := N.to_nat e in negb (same_list again (skipn d again ++ firstn d again)) else true) (numbers_from (p - 1) 1).

(** The least preperiod. *)
Definition no_earlier (n0 p : nat) (vals : list N) : bool :=
  match n0 with O => true | S m => negb (N.eqb (nth m vals 0%N) (nth (m + p) vals 0%N)) end.

Definition guy_smith_bound (c : code) (n0 p : nat) : nat :=
  most c * Nat.max n0 1 + most c * p + last c.

(** The hint [s] saves time, and is trusted in nothing. *)
Definition check_nim_sequence (s : space) (c : code) (n0 p : nat) (vals : list N) : bool :=
  ends c && Nat.ltb 0 p && Nat.eqb (length vals) (n0 + p) &&
  no_earlier n0 p vals && no_shorter p (skipn n0 vals) &&
  let L := fill (guy_smith_bound c n0 p) vals (skipn n0 vals) in
  Nat.eqb (length L) (guy_smith_bound c n0 p) && starts_with L vals && repeats n0 p L && check_values_fast s c L.

Section Leastness.
  Variables n0 p : nat.
  Variable vals : list N.
  Hypothesis p_pos : 0 < p.
  Hypothesis len : length vals = n0 + p.
  Let g := continued n0 p vals.

  Lemma block_nth i : i < p -> nth i (skipn n0 vals) 0%N = g (n0 + i).
  Proof.
    intros H. rewrite nth_skipn_N. unfold g, continued, periodic_index.
    destruct (Nat.ltb_spec (n0 + i) (n0 + p)); auto; lia.
  Qed.

  Lemma shifted_nth d i : d < p -> i < p -> nth i (skipn d (skipn n0 vals) ++ firstn d (skipn n0 vals)) 0%N = g (n0 + i + d).
  Proof.
    intros D H. assert (length (skipn n0 vals) = p) as B by (rewrite skipn_length; lia).
    assert (length (skipn d (skipn n0 vals)) = p - d) as B' by (rewrite skipn_length; lia).
    destruct (lt_dec i (p - d)) as [L|L].
    - rewrite app_nth1 by lia. rewrite nth_skipn_N, block_nth by lia. f_equal. lia.
    - rewrite app_nth2 by lia. rewrite B'.
      assert (forall j, j < d -> nth j (firstn d (skipn n0 vals)) 0%N = nth j (skipn n0 vals) 0%N) as F.
      { intros j J. rewrite <- (firstn_skipn d (skipn n0 vals)) at 2. rewrite app_nth1; auto.
        rewrite firstn_length. lia. }
      rewrite F, block_nth by lia. unfold g. replace (n0 + i + d) with (n0 + (i - (p - d)) + p) by lia.
      now rewrite continued_period by lia.
  Qed.

  Theorem least_period : no_earlier n0 p vals = true -> no_shorter p (skipn n0 vals) = true ->
    forall q n1, 0 < q -> (forall n, n1 <= n -> g (n + q) = g n) -> p <= q /\ n0 <= n1.
  Proof.
    intros E S q n1 Q H.
    assert (far : forall j n, n1 <= n -> g (n + j * q) = g n).
    { induction j; intros n Hn; simpl; [f_equal; lia|].
      replace (n + (q + j * q)) with (n + j * q + q) by lia. rewrite H by lia. auto. }
    assert (farp : forall j n, n0 <= n -> g (n + j * p) = g n) by (intros; now apply continued_far).
    set (d := Nat.gcd p q).
    assert (period_d : forall n, n0 <= n -> g (n + d) = g n).
    { intros n Hn. destruct (Nat.gcd_bezout_pos p q p_pos) as (a & b & B). fold d in B.
      set (m := n + n1 * p). assert (n1 <= m) by (unfold m; nia).
      rewrite <- (farp n1 (n + d)), <- (farp n1 n) by lia.
      replace (n + d + n1 * p) with (m + d) by (unfold m; lia). fold m.
      rewrite <- (far b (m + d)) by lia. replace (m + d + b * q) with (m + a * p) by lia.
      apply farp. unfold m. lia. }
    destruct (Nat.gcd_divide_l p q) as (j & J). fold d in J.
    assert (d <> 0) as D0 by (intros Z; rewrite Z in J; lia).
    assert (d = p) as D.
    { destruct (Nat.eq_dec d p) as [|N]; auto. exfalso.
      assert (d <= p) by (apply Nat.divide_pos_le; auto; now exists j). assert (d < p) as L by lia. unfold no_shorter in S. rewrite forallb_forall in S.
      specialize (S (N.of_nat d)). assert (In (N.of_nat d) (numbers_from (p - 1) 1)) as I by (apply in_numbers; lia). specialize (S I).
      assert (p mod d = 0) as M by (rewrite J; apply Nat.mod_mul; auto). rewrite <- Nat2N.inj_mod, M, Nat2N.id in S. simpl in S.
      apply negb_true_iff in S. enough (skipn n0 vals = skipn d (skipn n0 vals) ++ firstn d (skipn n0 vals)) as X.
      { rewrite <- X, same_list_refl in S. discriminate. }
      assert (length (skipn n0 vals) = p) as B by (rewrite skipn_length; lia).
      apply (nth_ext _ _ 0%N 0%N).
      - rewrite app_length, (skipn_length d), firstn_length, B. lia.
      - intros i Hi. rewrite shifted_nth, block_nth by lia. symmetry. apply period_d. lia. }
    assert (exists k, q = k * p /\ 0 < k) as (k & K & K0).
    { destruct (Nat.gcd_divide_r p q) as (k & K). fold d in K. rewrite D in K. exists k. split; auto. nia. }
    split; [nia|].
    destruct n0 as [|m] eqn:N0; [lia|]. destruct (le_lt_dec (Datatypes.S m) n1) as [|L]; auto. exfalso.
    simpl in E. apply negb_true_iff, N.eqb_neq in E. apply E.
    assert (forall i, i < Datatypes.S m + p -> nth i vals 0%N = g i) as G.
    { intros i Hi. unfold g, continued, periodic_index. destruct (Nat.ltb_spec i (Datatypes.S m + p)); auto; lia. }
    rewrite !G by lia. rewrite <- (H m) by lia.
    replace (m + q) with (m + p + (k - 1) * p) by nia. apply farp. lia.
  Qed.
End Leastness.

(** A checked nim sequence: the values of all heaps and of all sums of heaps, the period, and both numbers are least. *)
Theorem nim_sequence_correct s c n0 p vals : check_nim_sequence s c n0 p vals = true ->
  let g := continued n0 p vals in
  (forall w, grundy (heap_move c) w (nim_sum g w)) /\
  (forall n, n0 <= n -> g (n + p) = g n) /\
  (forall q n1, 0 < q -> (forall n, n1 <= n -> g (n + q) = g n) -> p <= q /\ n0 <= n1).
Proof.
  unfold check_nim_sequence. cbv zeta. set (B := guy_smith_bound c n0 p). set (L := fill B vals (skipn n0 vals)).
  rewrite !andb_true_iff, Nat.ltb_lt, !Nat.eqb_eq. intros [[[[[E P] V] LE] LS] [[[LL SW] R] C]]. set (g := continued n0 p vals).
  assert (HB : n0 + p <= B /\ near c n0 p < B).
  { unfold B, guy_smith_bound, near, far. assert (1 <= most c /\ width c - 1 <= most c) by (unfold most; lia). nia. }
  assert (G : forall n, n < B -> nth n L 0%N = g n).
  { intros n Hn. rewrite (repeats_continued n0 p L P R) by lia. unfold g, continued.
    symmetry. apply starts_with_nth; auto. unfold periodic_index. destruct (Nat.ltb_spec n (n0 + p)); [lia|].
    pose proof (Nat.mod_upper_bound (n - n0) p). lia. }
  assert (nims : forall h t, h < B -> take_and_break c h t -> nim_sum (fun h => nth h L 0%N) t = nim_sum g t).
  { intros h t Hh O. pose proof (fun x => option_smaller c h t x O) as S. clear O.
    induction t as [|x t IH]; simpl; auto. rewrite IH, G; auto.
    - specialize (S x (or_introl eq_refl)). lia.
    - intros y I. apply S. now right. }
  split; [|split].
  - intros w. apply (sprague_grundy c (fun _ => True)); [| | |now apply Forall_forall].
    + intros. now apply Forall_forall.
    + intros h t _ O.
      destruct (near_heap N.lxor c n0 p g P E (fun m => continued_period n0 p vals m P) h) as (n & Hn & En & On & _).
      destruct (proj1 (On (nim_sum g t))) as (t' & O' & V'); [exists t; auto|].
      rewrite <- En, <- V'. change (value N.lxor g t') with (nim_sum g t').
      rewrite <- (nims n t'), <- (G n) by (auto; lia). apply (check_values_fast_mex s c L C n); auto; lia.
    + intros h v _ Hv.
      destruct (near_heap N.lxor c n0 p g P E (fun m => continued_period n0 p vals m P) h) as (n & Hn & En & On & _).
      rewrite <- En, <- (G n) in Hv by lia.
      destruct (proj2 (check_values_fast_mex s c L C n ltac:(lia)) v Hv) as (t & O & Vt).
      rewrite (nims n) in Vt by (auto; lia).
      destruct (proj2 (On v)) as (t' & O' & V'); [exists t; auto|]. exists t'. auto.
  - intros n Hn. now apply continued_period.
  - apply least_period; auto.
Qed.

(** Outcomes of normal play, from the values. *)
Corollary nim_sequence_outcome s c n0 p vals : check_nim_sequence s c n0 p vals = true -> forall w,
  (nim_sum (continued n0 p vals) w = 0%N -> isP (heap_move c) w) /\
  (nim_sum (continued n0 p vals) w <> 0%N -> isN (heap_move c) w).
Proof. intros H w. apply grundy_outcome. now apply (nim_sequence_correct s). Qed.
