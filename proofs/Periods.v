(** * Sequences that repeat, and heaps whose options have the same values *)

From Coq Require Import List Arith NArith Bool Lia Wf_nat.
From Impartial Require Import Games Laws Heaps.
Import ListNotations.

Definition periodic_index (n0 p n : nat) : nat := if n <? n0 + p then n else n0 + (n - n0) mod p.

(** The sequence that begins with [L] and has the period [p] from [n0] on. *)
Definition continued (n0 p : nat) (L : list N) (n : nat) : N := nth (periodic_index n0 p n) L 0%N.

Lemma periodic_index_period n0 p m : 0 < p -> n0 <= m -> periodic_index n0 p (m + p) = periodic_index n0 p m.
Proof.
  intros P M. unfold periodic_index.
  destruct (Nat.ltb_spec (m + p) (n0 + p)); [lia|].
  replace (m + p - n0) with (m - n0 + 1 * p) by lia. rewrite Nat.mod_add by lia.
  destruct (Nat.ltb_spec m (n0 + p)); auto. rewrite Nat.mod_small by lia. lia.
Qed.

Lemma periodic_index_below n0 p m : 0 < p -> periodic_index n0 p m < n0 + p.
Proof.
  intros P. unfold periodic_index. destruct (Nat.ltb_spec m (n0 + p)); auto.
  pose proof (Nat.mod_upper_bound (m - n0) p). lia.
Qed.

Lemma continued_period n0 p L m : 0 < p -> n0 <= m -> continued n0 p L (m + p) = continued n0 p L m.
Proof. intros P M. unfold continued. now rewrite periodic_index_period. Qed.

(** A function that repeats below [n] is the one that repeats for ever there. *)
Lemma periodic_index_repeats {V} (f : nat -> V) n0 p n : 0 < p -> (forall m, n0 <= m -> m + p < n -> f (m + p) = f m) ->
  forall m, m < n -> f (periodic_index n0 p m) = f m.
Proof.
  intros P H m. induction m as [m IH] using lt_wf_ind. intros M. destruct (lt_dec m (n0 + p)) as [S|S].
  - unfold periodic_index. destruct (Nat.ltb_spec m (n0 + p)); [auto|lia].
  - replace m with (m - p + p) by lia. rewrite periodic_index_period, IH, H by lia. reflexivity.
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

(** No move of a heap beyond this one is special. A move may leave no heap at all. *)
Definition far (c : code) (n0 p : nat) : nat := (width c - 1) * (Nat.max n0 1 + p - 1) + last c.
Definition near (c : code) (n0 p : nat) : nat := Nat.max (n0 + p - 1) (Nat.max (far c n0 p) (p + last c)).

(** Values of any type, and any value of sums that depends on the values of the heaps alone. *)
Section SameOptions.
  Variable c : code.
  Variables n0 p : nat.
  Variables One Whole : Type.
  Variable phi : nat -> One.
  Variable val : list nat -> Whole.
  Hypothesis p_pos : 0 < p.
  Hypothesis c_ends : ends c = true.
  Hypothesis phi_period : forall m, n0 <= m -> phi (m + p) = phi m.
  Hypothesis val_replace : forall u x y v, phi x = phi y -> val (u ++ x :: v) = val (u ++ y :: v).

  Definition an_option_has (n : nat) (v : Whole) : Prop := exists t, take_and_break c n t /\ val t = v.

  Lemma same_options n v : far c n0 p < n + p -> last c < n -> (an_option_has (n + p) v <-> an_option_has n v).
  Proof.
    intros Hf Hl. unfold far in Hf. split; intros (t & (k & E & F & A & Z) & V).
    - pose proof (allowed_last c k _ c_ends A). pose proof (allowed_width _ _ _ A).
      destruct (big_part t (Nat.max n0 1 + p - 1)) as (u & x & w & -> & B); [nia|].
      exists (u ++ (x - p) :: w). split.
      + exists k. rewrite beans_app in *. simpl in *. apply Forall_app in F. destruct F as [F1 F2]. inversion F2; subst.
        split; [lia|]. split; [apply Forall_app; split; auto; constructor; auto; lia|].
        rewrite app_length in *. simpl in *. auto.
      + rewrite <- V. apply val_replace. rewrite <- (phi_period (x - p)) by lia. f_equal. lia.
    - pose proof (allowed_last c k _ c_ends A). pose proof (allowed_width _ _ _ A).
      destruct (big_part t (Nat.max n0 1 - 1)) as (u & x & w & -> & B).
      { destruct t as [|a t]; [simpl in *; lia|]. assert (1 <= length (a :: t)) by (simpl; lia). nia. }
      exists (u ++ (x + p) :: w). split.
      + exists k. rewrite beans_app in *. simpl in *. apply Forall_app in F. destruct F as [F1 F2]. inversion F2; subst.
        split; [lia|]. split; [apply Forall_app; split; auto; constructor; auto; lia|].
        rewrite app_length in *. simpl in *. auto.
      + rewrite <- V. apply val_replace. apply phi_period. lia.
  Qed.

  (** Every heap has the value and the option values of one that is not far. *)
  Lemma near_heap_any n : exists n', n' <= near c n0 p /\ phi n' = phi n /\
    (forall v, an_option_has n v <-> an_option_has n' v) /\ (n <= near c n0 p -> n' = n).
  Proof.
    induction n as [n IH] using lt_wf_ind.
    destruct (le_lt_dec n (near c n0 p)) as [L|L]; unfold near in L.
    - exists n. repeat split; auto.
    - assert (n0 <= n - p) by lia.
      destruct (IH (n - p)) as (n' & B & E & O & _); [lia|]. exists n'. split; auto. split; [|split].
      + rewrite E. replace n with (n - p + p) at 2 by lia. now rewrite phi_period.
      + intros v. rewrite <- O. replace n with (n - p + p) at 1 by lia. apply same_options; lia.
      + unfold near; lia.
  Qed.
End SameOptions.

Definition option_value (op : N -> N -> N) (c : code) (phi : nat -> N) (n : nat) (v : N) : Prop :=
  exists t, take_and_break c n t /\ value op phi t = v.

Lemma value_replace op phi u x y v : phi x = phi y -> value op phi (u ++ x :: v) = value op phi (u ++ y :: v).
Proof. intros E. induction u; simpl; congruence. Qed.

Lemma near_heap op c n0 p phi : 0 < p -> ends c = true -> (forall m, n0 <= m -> phi (m + p) = phi m) ->
  forall n, exists n', n' <= near c n0 p /\ phi n' = phi n /\
    (forall v, option_value op c phi n v <-> option_value op c phi n' v) /\ (n <= near c n0 p -> n' = n).
Proof. intros P E H. exact (near_heap_any c n0 p N N phi (value op phi) P E H (value_replace op phi)). Qed.

(** ** Outcomes of all sums, from those of the heaps that are listed: Theorem 2b of docs/theory/misere.md *)
Section AllHeaps.
  Variable c : code.
  Variables One Whole : Type.
  Variable phi : nat -> One.
  Variable act : One -> Whole -> Whole.
  Variable one : Whole.
  Variable inP : Whole -> bool.

  Definition folded (w : list nat) : Whole := fold_right (fun h v => act (phi h) v) one w.

  Hypothesis folded_app : forall t t' v, folded t = folded t' -> folded (t ++ v) = folded (t' ++ v).
  Variable size : nat.

  Definition alike (h h' : nat) : Prop :=
    phi h' = phi h /\ forall v, an_option_has c Whole folded h v <-> an_option_has c Whole folded h' v.

  Hypothesis listed : forall h, exists h', h' < size /\ alike h h'.
  Hypothesis known : forall w, Forall (fun h => h < size) w ->
    (inP (folded w) = true -> misereP (heap_move c) w) /\ (inP (folded w) <> true -> misereN (heap_move c) w).

  Lemma alike_sym h h' : alike h h' -> alike h' h.
  Proof. intros [E O]. split; auto. intros v. symmetry. apply O. Qed.

  Lemma alike_folded w w' : Forall2 alike w w' -> folded w = folded w'.
  Proof. induction 1 as [|h h' w w' [E _] _ IH]; auto. simpl. now rewrite E, IH. Qed.

  Lemma alike_all_sym w w' : Forall2 alike w w' -> Forall2 alike w' w.
  Proof. induction 1; constructor; auto. now apply alike_sym. Qed.

  Lemma folded_prefix u u' z z' : Forall2 alike u u' -> folded z = folded z' -> folded (u ++ z) = folded (u' ++ z').
  Proof. intros F E. induction F as [|h h' u u' [Eh _] _ IH]; auto. simpl. now rewrite Eh, IH. Qed.

  Lemma alike_all w : exists w', Forall (fun h => h < size) w' /\ Forall2 alike w w' /\ Forall2 alike w' w.
  Proof.
    induction w as [|h w (w' & S & F & B)]; [exists []; auto|].
    destruct (listed h) as (h' & L & E). exists (h' :: w'). repeat split; constructor; auto. now apply alike_sym.
  Qed.

  Lemma alike_moves w w' y : Forall2 alike w w' -> heap_move c w y -> exists y', heap_move c w' y' /\ folded y' = folded y.
  Proof.
    intros F M. apply move_inv in M. destruct M as (u & h & v & t & -> & -> & O).
    apply Forall2_app_inv_l in F. destruct F as (u' & r & Fu & Fr & ->). inversion Fr as [|? h' ? v' [_ E] Fv]; subst.
    destruct (proj1 (E (folded t)) (ex_intro _ t (conj O eq_refl))) as (t' & O' & Et).
    exists (u' ++ t' ++ v'). split; [now constructor|].
    apply (folded_prefix u' u); [now apply alike_all_sym|]. transitivity (folded (t ++ v')); [now apply folded_app|].
    unfold folded. rewrite !fold_right_app. f_equal. symmetry. exact (alike_folded v v' Fv).
  Qed.

  Theorem all_outcomes w :
    (inP (folded w) = true -> misereP (heap_move c) w) /\ (inP (folded w) <> true -> misereN (heap_move c) w).
  Proof.
    assert (K : forall w, Forall (fun h => h < size) w -> (misereP (heap_move c) w -> inP (folded w) = true)).
    { intros x S P. destruct (inP (folded x)) eqn:E; auto. exfalso. apply (misereP_not_misereN _ _ P). apply known; auto. congruence. }
    assert (closed : forall x y, Forall (fun h => h < size) x -> heap_move c x y -> Forall (fun h => h < size) y).
    { intros x y S M. apply move_inv in M. destruct M as (u & h & v & t & -> & -> & O). apply Forall_app in S. destruct S as [Su Sv].
      inversion Sv; subst. apply Forall_app. split; auto. apply Forall_app. split; auto. apply Forall_forall. intros x I.
      pose proof (option_smaller c h t x O I). lia. }
    revert w. enough (H : forall w, True ->
      (inP (folded w) = true -> misereP (heap_move c) w) /\ (inP (folded w) <> true -> misereN (heap_move c) w)) by (intros w; now apply H).
    apply (misere_law (heap_move c) (fun _ => True) weight).
    - auto.
    - intros x y _. apply heap_move_weight.
    - intros x _. destruct (inP (folded x)); auto.
    - intros x _ S. destruct (alike_all x) as (x' & L & F & B). rewrite (alike_folded x x' F) in S.
      apply known in S; auto. inversion S as [? (y' & M') all]; subst. split.
      + destruct (alike_moves x' x y' B M') as (y & M & _). eauto.
      + intros y M Q. destruct (alike_moves x x' y F M) as (z & Mz & E). rewrite <- E in Q.
        apply (misereP_not_misereN (heap_move c) z); auto. apply known; eauto.
    - intros x _ S [y M]. destruct (alike_all x) as (x' & L & F & B). rewrite (alike_folded x x' F) in S.
      apply known in S; auto. destruct (alike_moves x x' y F M) as (y' & M' & _).
      inversion S as [? none|? z Mz Pz]; subst; [now destruct (none y')|].
      destruct (alike_moves x' x z B Mz) as (z' & Mz' & E). exists z'. split; auto. rewrite E. apply K; eauto.
    - intros x _. destruct (alike_all x) as (x' & L & F & B).
      assert (D : (exists y, heap_move c x' y) \/ forall y, ~ heap_move c x' y).
      { destruct (known x' L) as [P N]. destruct (inP (folded x')).
        - destruct (P eq_refl). auto.
        - assert (false <> true) as Q by discriminate. destruct (N Q); eauto. }
      destruct D as [[y M]|none].
      + left. destruct (alike_moves x' x y B M) as (z & Mz & _). eauto.
      + right. intros y M. destruct (alike_moves x x' y F M) as (z & Mz & _). now apply (none z).
  Qed.

  Theorem folded_indistinguishable u v : folded u = folded v -> indistinguishable c (fun _ => True) u v.
  Proof.
    assert (P : forall w, misereP (heap_move c) w <-> inP (folded w) = true).
    { intros w. destruct (all_outcomes w) as [H1 H2]. split; auto. intros M. destruct (inP (folded w)); auto.
      exfalso. apply (misereP_not_misereN _ _ M). apply H2. discriminate. }
    intros E w _. rewrite !P. now rewrite (folded_app u v w E).
  Qed.
End AllHeaps.
