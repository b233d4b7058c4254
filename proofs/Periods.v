(** * Sequences that repeat, and heaps whose options have the same values *)

From Coq Require Import List Arith NArith Bool Lia Wf_nat.
From Impartial Require Import Games Heaps.
Import ListNotations.

Definition periodic_index (n0 p n : nat) : nat := if n <? n0 + p then n else n0 + (n - n0) mod p.

(** The sequence that begins with [L] and has the period [p] from [n0] on. *)
Definition continued (n0 p : nat) (L : list N) (n : nat) : N := nth (periodic_index n0 p n) L 0%N.

Lemma continued_period n0 p L m : 0 < p -> n0 <= m -> continued n0 p L (m + p) = continued n0 p L m.
Proof.
  intros P M. unfold continued, periodic_index.
  destruct (Nat.ltb_spec (m + p) (n0 + p)); [lia|].
  replace (m + p - n0) with (m - n0 + 1 * p) by lia. rewrite Nat.mod_add by lia.
  destruct (Nat.ltb_spec m (n0 + p)); auto. rewrite Nat.mod_small by lia. f_equal. lia.
Qed.

Fixpoint starts_with (l q : list N) : bool :=
  match q, l with
  | [], _ => true
  | b :: q', a :: l' => N.eqb a b && starts_with l' q'
  | _ :: _, [] => false
  end.

Lemma starts_with_nth l q : starts_with l q = true -> forall i, i < length q -> nth i q 0%N = nth i l 0%N.
Proof.
  revert l. induction q as [|b q IH]; intros [|a l] H i Hi; simpl in *; try lia; try discriminate.
  apply andb_true_iff in H. destruct H as [E H]. apply N.eqb_eq in E. destruct i; auto. apply IH; auto. lia.
Qed.

Lemma nth_skipn_N (L : list N) k i : nth i (skipn k L) 0%N = nth (k + i) L 0%N.
Proof.
  revert L. induction k as [|k IH]; intros [|a L]; simpl; auto. now destruct i.
Qed.

(** [L] itself repeats as far as it goes. *)
Definition repeats (n0 p : nat) (L : list N) : bool := starts_with (skipn n0 L) (skipn (n0 + p) L).

Lemma repeats_continued n0 p L : 0 < p -> repeats n0 p L = true ->
  forall n, n < length L -> nth n L 0%N = continued n0 p L n.
Proof.
  intros P H n. induction n as [n IH] using lt_wf_ind. intros Hn.
  destruct (lt_dec n (n0 + p)) as [S|S].
  - unfold continued, periodic_index. destruct (Nat.ltb_spec n (n0 + p)); [auto|lia].
  - replace n with (n - p + p) at 2 by lia. rewrite continued_period by lia. rewrite <- IH by lia.
    pose proof (starts_with_nth _ _ H (n - n0 - p)) as E. rewrite skipn_length, !nth_skipn_N in E.
    replace (n0 + p + (n - n0 - p)) with n in E by lia. replace (n0 + (n - n0 - p)) with (n - p) in E by lia.
    apply E. lia.
Qed.

Lemma continued_far n0 p L n j : 0 < p -> n0 <= n -> continued n0 p L (n + j * p) = continued n0 p L n.
Proof.
  intros P M. induction j; simpl; [f_equal; lia|].
  replace (n + (p + j * p)) with (n + j * p + p) by lia. rewrite continued_period by lia. exact IHj.
Qed.

Lemma big_part t b : length t * b < beans t -> exists u x v, t = u ++ x :: v /\ b < x.
Proof.
  induction t as [|a t IH]; simpl; [lia|]. intros H. destruct (lt_dec b a) as [L|L].
  - exists [], a, t. auto.
  - destruct IH as (u & x & v & -> & B); [lia|]. exists (a :: u), x, v. auto.
Qed.

(** A code that ends: it takes at most [last] beans and leaves at most [most] heaps. *)
Definition last (c : code) : nat := fold_right (fun kd m => Nat.max (fst kd) m) 0 (digits c).
Definition most (c : code) : nat := Nat.max 1 (width c - 1).
Definition ends (c : code) : bool := match block c with [] => true | _ => false end.

Lemma allowed_last c k j : ends c = true -> allowed c k j -> k <= last c.
Proof.
  unfold ends. destruct (block c) eqn:B; [|discriminate]. intros _ [(d & I & _)|(N & _)]; [|congruence].
  unfold last. clear B. induction (digits c) as [|kd l IH]; simpl in *; [tauto|].
  destruct I as [->|I]; simpl; [lia|]. specialize (IH I). lia.
Qed.

Lemma allowed_most c k j : allowed c k j -> j <= most c.
Proof. intros A. apply allowed_width in A. unfold most. lia. Qed.

Section SameOptions.
  Variable op : N -> N -> N.
  Variable c : code.
  Variables n0 p : nat.
  Variable phi : nat -> N.
  Hypothesis p_pos : 0 < p.
  Hypothesis c_ends : ends c = true.
  Hypothesis phi_period : forall m, n0 <= m -> phi (m + p) = phi m.

  Definition option_value (n : nat) (v : N) : Prop := exists t, take_and_break c n t /\ value op phi t = v.

  (** No move of a heap beyond this one is special. A move may leave no heap at all. *)
  Definition far : nat := (width c - 1) * (Nat.max n0 1 + p - 1) + last c.
  Definition near : nat := Nat.max (n0 + p - 1) (Nat.max far (p + last c)).

  Lemma value_replace u x y v : phi x = phi y -> value op phi (u ++ x :: v) = value op phi (u ++ y :: v).
  Proof. intros E. induction u; simpl; congruence. Qed.

  Lemma same_options n v : far < n + p -> last c < n -> (option_value (n + p) v <-> option_value n v).
  Proof.
    intros Hf Hl. unfold far in Hf. split; intros (t & (k & E & F & A & Z) & V).
    - pose proof (allowed_last c k _ c_ends A). pose proof (allowed_width _ _ _ A).
      destruct (big_part t (Nat.max n0 1 + p - 1)) as (u & x & w & -> & B); [nia|].
      exists (u ++ (x - p) :: w). split.
      + exists k. rewrite beans_app in *. simpl in *. apply Forall_app in F. destruct F as [F1 F2]. inversion F2; subst.
        split; [lia|]. split; [apply Forall_app; split; auto; constructor; auto; lia|].
        rewrite app_length in *. simpl in *. auto.
      + rewrite <- V. apply value_replace. rewrite <- (phi_period (x - p)) by lia. f_equal. lia.
    - pose proof (allowed_last c k _ c_ends A). pose proof (allowed_width _ _ _ A).
      destruct (big_part t (Nat.max n0 1 - 1)) as (u & x & w & -> & B).
      { destruct t as [|a t]; [simpl in *; lia|]. assert (1 <= length (a :: t)) by (simpl; lia). nia. }
      exists (u ++ (x + p) :: w). split.
      + exists k. rewrite beans_app in *. simpl in *. apply Forall_app in F. destruct F as [F1 F2]. inversion F2; subst.
        split; [lia|]. split; [apply Forall_app; split; auto; constructor; auto; lia|].
        rewrite app_length in *. simpl in *. auto.
      + rewrite <- V. apply value_replace. apply phi_period. lia.
  Qed.

  (** Every heap has the value and the option values of one that is not far. *)
  Lemma near_heap n : exists n', n' <= near /\ phi n' = phi n /\
    (forall v, option_value n v <-> option_value n' v) /\ (n <= near -> n' = n).
  Proof.
    induction n as [n IH] using lt_wf_ind.
    destruct (le_lt_dec n near) as [L|L]; unfold near in L.
    - exists n. repeat split; auto.
    - assert (n0 <= n - p) by lia.
      destruct (IH (n - p)) as (n' & B & E & O & _); [lia|]. exists n'. split; auto. split; [|split].
      + rewrite E. replace n with (n - p + p) at 2 by lia. now rewrite phi_period.
      + intros v. rewrite <- O. replace n with (n - p + p) at 1 by lia. apply same_options; lia.
      + unfold near; lia.
  Qed.
End SameOptions.
