(** * Infinite quotients: a counter none of whose multiples are indistinguishable *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Games Laws Search Heaps Monoid Silence Quotient Walk Machine Follow Counters.
Import ListNotations.

(** [a + k·u]. *)
Definition plus_times (a : list N) (k : N) (u : list N) : list N := vadd a (map (N.mul k) u).

Lemma length_plus_times a k u : length u = length a -> length (plus_times a k u) = length a.
Proof. intros L. unfold plus_times. rewrite length_vadd; auto. now rewrite map_length. Qed.

Lemma plus_times_nth a k u j : length u = length a -> nth j (plus_times a k u) 0%N = (nth j a 0 + k * nth j u 0)%N.
Proof.
  intros L. unfold plus_times. rewrite vadd_nth by now rewrite map_length. f_equal.
  replace 0%N with (k * 0)%N at 1 by lia. apply map_nth.
Qed.

Lemma vsub_nth a : forall b j, length b = length a -> nth j (vsub a b) 0%N = (nth j a 0 - nth j b 0)%N.
Proof. induction a as [|x a IH]; intros [|y b] [|j] L; simpl in *; try lia; auto. Qed.

Lemma vector_eq a b : length a = length b -> (forall j, nth j a 0%N = nth j b 0%N) -> a = b.
Proof. intros L H. apply (nth_ext _ _ 0%N 0%N); auto. Qed.

Lemma supported_all r : forall a, length a = r -> supported (repeat true r) a.
Proof. induction r as [|r IH]; intros [|x a] L; simpl in *; try lia; auto. split; [discriminate|]. apply IH. lia. Qed.

Lemma supported_one i k r : forall s,
  supported (map (fun j => Nat.eqb j i) (seq s r)) (map (N.mul k) (map (fun j => if Nat.eqb j i then 1%N else 0%N) (seq s r))).
Proof. induction r as [|r IH]; intros s; cbn [seq map supported]; auto. split; auto. intros ->. lia. Qed.

(** ** The argument, for any function of vectors *)
Section Argument.
  Variable r : nat.
  Variable f : list N -> bool.
  Variables unit v from x : list N.
  Variables p far : N.
  Hypothesis lengths : length unit = r /\ length v = r /\ length from = r /\ length x = r.
  Hypothesis below : forall j, (nth j unit 0 <= nth j v 0)%N.
  Hypothesis beyond : forall j, (nth j from 0 <= nth j x 0)%N.
  Hypothesis divides : exists l, far = (p * l)%N.
  Hypothesis p_pos : (0 < p)%N.
  (** Far enough, [v] changes nothing; along [unit], from [far] on, neither does [p]. *)
  Hypothesis step : forall a, length a = r -> f (vadd a from) = f (vadd (vadd a from) v).
  Hypothesis repeats : forall k, f (plus_times x (far + k) unit) = f (plus_times x (far + p + k) unit).
  Hypothesis differs : f x <> f (plus_times x far unit).
  Variables m q : nat.
  Hypothesis q_pos : 0 < q.
  Hypothesis same : forall a, length a = r -> f (plus_times a (N.of_nat m) unit) = f (plus_times a (N.of_nat (m + q)) unit).

  Definition high (z : list N) : Prop := length z = r /\ forall j, (nth j from 0 <= nth j z 0)%N.

  Ltac vectors := apply vector_eq; [rewrite ?length_plus_times, ?length_vadd, ?length_vsub; rewrite ?length_plus_times, ?length_vadd, ?length_vsub; lia|];
    let j := fresh "j" in intros j; rewrite ?plus_times_nth, ?vadd_nth, ?vsub_nth; rewrite ?plus_times_nth, ?vadd_nth, ?vsub_nth;
    rewrite ?length_plus_times, ?length_vadd, ?length_vsub; try lia.

  Lemma high_times z k u : high z -> length u = r -> high (plus_times z k u).
  Proof.
    intros [L H] Lu. split; [rewrite length_plus_times; lia|]. intros j. rewrite plus_times_nth by lia. specialize (H j). lia.
  Qed.

  Lemma add_v k : forall z, high z -> f z = f (plus_times z (N.of_nat k) v).
  Proof.
    destruct lengths as (L1 & L2 & L3 & L4). induction k as [|k IH]; intros z H.
    - f_equal. destruct H as [L _]. apply vector_eq; [rewrite length_plus_times; lia|]. intros j. rewrite plus_times_nth by lia. lia.
    - rewrite (IH z H). pose proof (high_times z (N.of_nat k) v H L2) as [Lz Hz]. set (y := plus_times z (N.of_nat k) v) in *.
      assert (y = vadd (vsub y from) from) as E.
      { apply vector_eq; [rewrite length_vadd; rewrite length_vsub; lia|]. intros j.
        rewrite vadd_nth, vsub_nth by (rewrite ?length_vsub; lia). specialize (Hz j). lia. }
      rewrite E, step by (rewrite length_vsub; lia). rewrite <- E. f_equal. destruct H as [L _].
      apply vector_eq; [rewrite length_vadd, length_plus_times; lia|]. intros j.
      rewrite vadd_nth by lia. unfold y. rewrite !plus_times_nth by lia. lia.
  Qed.

  Lemma add_q z : high z -> f z = f (plus_times z (N.of_nat q) unit).
  Proof.
    destruct lengths as (L1 & L2 & L3 & L4). intros H.
    pose proof (high_times z (N.of_nat q) unit H L1) as Hq.
    rewrite (add_v m z H), (add_v m _ Hq). destruct H as [Lz _].
    set (a := vsub (plus_times z (N.of_nat m) v) (map (N.mul (N.of_nat m)) unit)).
    assert (La : length a = r) by (unfold a; rewrite length_vsub, length_plus_times; rewrite ?map_length, ?length_plus_times; lia).
    assert (Na : forall j, (nth j a 0 + N.of_nat m * nth j unit 0 = nth j z 0 + N.of_nat m * nth j v 0)%N).
    { intros j. unfold a. rewrite vsub_nth by (rewrite map_length, length_plus_times; lia). rewrite plus_times_nth by lia.
      replace (nth j (map (N.mul (N.of_nat m)) unit) 0%N) with (N.of_nat m * nth j unit 0)%N.
      - specialize (below j). nia.
      - symmetry. replace 0%N with (N.of_nat m * 0)%N at 1 by lia. apply map_nth. }
    transitivity (f (plus_times a (N.of_nat m) unit)); [|transitivity (f (plus_times a (N.of_nat (m + q)) unit)); [now apply same|]].
    - f_equal. apply vector_eq; [rewrite !length_plus_times; lia|]. intros j. rewrite !plus_times_nth by lia. specialize (Na j). lia.
    - f_equal. apply vector_eq; [rewrite !length_plus_times; rewrite ?length_plus_times; lia|]. intros j.
      rewrite !plus_times_nth by (rewrite ?length_plus_times; lia). specialize (Na j). lia.
  Qed.

  Theorem no_repetition : False.
  Proof.
    destruct lengths as (L1 & L2 & L3 & L4).
    assert (Q : forall j, f x = f (plus_times x (N.of_nat (j * q)) unit)).
    { induction j as [|j IH].
      - f_equal. apply vector_eq; [rewrite length_plus_times; lia|]. intros i. rewrite plus_times_nth by lia. simpl. lia.
      - rewrite IH, add_q by (apply high_times; auto; split; auto). f_equal.
        apply vector_eq; [rewrite !length_plus_times; rewrite ?length_plus_times; lia|]. intros i.
        rewrite !plus_times_nth by (rewrite ?length_plus_times; lia). simpl. lia. }
    assert (R : forall t, f (plus_times x far unit) = f (plus_times x (far + N.of_nat t * p) unit)).
    { induction t as [|t IH].
      - do 2 f_equal. lia.
      - rewrite IH, repeats. do 2 f_equal. lia. }
    destruct divides as (l & E). apply differs.
    rewrite (Q (N.to_nat p * N.to_nat far)), (R (N.to_nat l * (N.to_nat p * q - 1))). do 2 f_equal.
    assert (Ef : far = N.of_nat (N.to_nat p * N.to_nat l)) by lia. assert (Ep : p = N.of_nat (N.to_nat p)) by lia.
    rewrite Ef, Ep, !Nat2N.id, <- Nat2N.inj_mul, <- Nat2N.inj_add. f_equal.
    assert (0 < N.to_nat p) as P0 by lia. revert P0. generalize (N.to_nat p) (N.to_nat l). intros P l' P0.
    assert (exists t, P * q = S t) as (t & Et) by (exists (P * q - 1); nia). rewrite Et.
    replace (P * (P * l') * q) with (P * q * (P * l')) by ring. rewrite Et. replace (S t - 1) with t by lia. ring.
  Qed.
End Argument.

(** ** The check *)

(** The claim of a file, with a word of heaps that has the value [(f_element, 0)] and tells the two slices apart. *)
Record infinity := Infinity {
  f_step : list N;
  f_from : list N;
  f_counter : nat;
  f_at : list N;
  f_period : N;
  f_far : N;
  f_element : N;
  f_word : list nat
}.

Section Check.
  Variable c : code.
  Variable n : counted.
  Variable fuel : nat.
  Variable i : infinity.
  Let r := length (n_counters n).
  Let u := unit_vector r (f_counter i).

  Definition same_slices (t : list N) : bool :=
    match t with [a; b] => same_bools (slice n a) (slice n b) | _ => false end.

  Definition always_same (Z : list bool) (o1 o2 : list N) : bool :=
    match tuples (n_next_state n) (n_out n) Z [o1; o2] fuel with
    | None => false
    | Some T => forallb same_slices T
    end.

  Definition counter_ok (j : nat) : bool :=
    let h := nth j (n_counters n) 0 in
    Nat.ltb h (length (n_entries n)) && match entry_of n h with Count k => Nat.eqb k j | _ => false end.

  Fixpoint at_most (a b : list N) : bool :=
    match a, b with
    | [], [] => true
    | x :: a', y :: b' => N.leb x y && at_most a' b'
    | _, _ => false
    end.

  Definition check_infinite : bool :=
    let m := n_mul n in
    let v := sum_value n m (f_word i) in
    Nat.ltb (f_counter i) r && Nat.eqb (length (f_step i)) r && Nat.eqb (length (f_from i)) r && Nat.eqb (length (f_at i)) r &&
    at_most u (f_step i) && at_most (f_from i) (f_at i) &&
    N.ltb 0 (f_period i) && N.eqb (f_far i mod f_period i) 0 &&
    forallb counter_ok (seq 0 r) &&
    forallb (fun h => Nat.ltb h (length (n_entries n))) (f_word i) &&
    N.ltb (f_element i) (n_order n) && N.eqb (fst v) (f_element i) && same_numbers (snd v) (vzero r) &&
    always_same (repeat true r) (f_from i) (vadd (f_from i) (f_step i)) &&
    always_same (map (fun j => Nat.eqb j (f_counter i)) (seq 0 r))
      (plus_times (f_at i) (f_far i) u) (plus_times (f_at i) (f_far i + f_period i) u) &&
    negb (Bool.eqb (predicted n (f_element i, f_at i)) (predicted n (f_element i, plus_times (f_at i) (f_far i) u))).

  Hypothesis ok : check_counters c n fuel = true.
  Hypothesis good : check_infinite = true.

  Let A (h : nat) : Prop := h < length (n_entries n).
  Let f (a : list N) : bool := predicted n (f_element i, a).

  Lemma at_most_nth a : forall b, at_most a b = true -> forall j, (nth j a 0 <= nth j b 0)%N.
  Proof.
    induction a as [|x a IH]; intros [|y b] H [|j]; simpl in *; try discriminate; try lia;
      apply andb_true_iff in H; destruct H as [H1 H2]; [now apply N.leb_le|auto].
  Qed.

  Lemma length_unit j : length (unit_vector r j) = r.
  Proof. unfold unit_vector. now rewrite map_length, seq_length. Qed.

  Lemma unit_nth j k : k < r -> nth k (unit_vector r j) 0%N = if Nat.eqb k j then 1%N else 0%N.
  Proof.
    intros H. unfold unit_vector. rewrite nth_indep with (d' := (fun j' => if Nat.eqb j' j then 1%N else 0%N) 0).
    - rewrite (map_nth (fun j' => if Nat.eqb j' j then 1%N else 0%N)), seq_nth; auto.
    - now rewrite map_length, seq_length.
  Qed.

  Lemma facts : f_counter i < r /\ length (f_step i) = r /\ length (f_from i) = r /\ length (f_at i) = r /\
    at_most u (f_step i) = true /\ at_most (f_from i) (f_at i) = true /\ (0 < f_period i)%N /\ (f_far i mod f_period i = 0)%N /\
    (forall j, j < r -> counter_ok j = true) /\ Forall A (f_word i) /\ (f_element i < n_order n)%N /\
    sum_value n (n_mul n) (f_word i) = (f_element i, vzero r) /\
    always_same (repeat true r) (f_from i) (vadd (f_from i) (f_step i)) = true /\
    always_same (map (fun j => Nat.eqb j (f_counter i)) (seq 0 r))
      (plus_times (f_at i) (f_far i) u) (plus_times (f_at i) (f_far i + f_period i) u) = true /\
    f (f_at i) <> f (plus_times (f_at i) (f_far i) u).
  Proof.
    unfold check_infinite in good. cbv zeta in good.
    rewrite !andb_true_iff, negb_true_iff, !Nat.eqb_eq, Nat.ltb_lt, !N.ltb_lt, !N.eqb_eq, !forallb_forall in good.
    destruct good as [[[[[[[[[[[[[[[G1 G2] G3] G4] G5] G6] G7] G8] G9] G10] G11] G12] G13] G14] G15] G16].
    repeat (split; [first [assumption|idtac]|]); try assumption.
    - intros j J. apply G9. apply in_seq. lia.
    - apply Forall_forall. intros h I. apply Nat.ltb_lt. auto.
    - rewrite (surjective_pairing (sum_value n (n_mul n) (f_word i))), G12. f_equal. now apply same_numbers_eq.
    - intros E. unfold f in E. rewrite E, Bool.eqb_reflx in G16. discriminate.
  Qed.

  (** One more counter in a sum. *)
  Lemma counter_cons j w g a : j < r -> (g < n_order n)%N -> length a = r -> sum_value n (n_mul n) w = (g, a) ->
    A (nth j (n_counters n) 0) /\ sum_value n (n_mul n) (nth j (n_counters n) 0 :: w) = (g, vadd (unit_vector r j) a).
  Proof.
    intros J G L E. destruct facts as (_ & _ & _ & _ & _ & _ & _ & _ & K & _). specialize (K j J). unfold counter_ok in K.
    rewrite andb_true_iff, Nat.ltb_lt in K. destruct K as [K1 K2]. split; [exact K1|].
    unfold sum_value in *. cbn [pval fold_right]. change (fold_right _ _ w) with (pval pair (pmul (n_mul n)) (pone n) (heap_value n) w).
    rewrite E. unfold heap_value at 1. destruct (entry_of n (nth j (n_counters n) 0)); try discriminate.
    apply Nat.eqb_eq in K2. subst. cbn [entry_value]. unfold pmul. cbn [fst snd]. f_equal.
    apply (mul_unit_l (n_order n) (n_steps n) (ok_monoid c n fuel ok)). exact G.
  Qed.

  Lemma counters_repeat j k : j < r -> forall w g a, (g < n_order n)%N -> length a = r -> sum_value n (n_mul n) w = (g, a) -> Forall A w ->
    Forall A (repeat (nth j (n_counters n) 0) k ++ w) /\
    sum_value n (n_mul n) (repeat (nth j (n_counters n) 0) k ++ w) = (g, plus_times a (N.of_nat k) (unit_vector r j)).
  Proof.
    intros J. induction k as [|k IH]; intros w g a G L E W.
    - cbn [repeat app]. split; auto. rewrite E. f_equal. apply vector_eq; [rewrite length_plus_times; rewrite ?length_unit; lia|].
      intros t. rewrite plus_times_nth by (rewrite length_unit; lia). lia.
    - destruct (IH w g a G L E W) as [W' E']. cbn [repeat app].
      assert (Lp : length (plus_times a (N.of_nat k) (unit_vector r j)) = r) by (rewrite length_plus_times; rewrite ?length_unit; lia).
      destruct (counter_cons j _ g _ J G Lp E') as [K1 K2].
      split; [now constructor|]. rewrite K2. f_equal.
      apply vector_eq; [rewrite length_vadd; rewrite ?length_plus_times; rewrite ?length_unit; lia|]. intros t.
      rewrite vadd_nth by (rewrite length_plus_times; rewrite ?length_unit; lia).
      rewrite !plus_times_nth by (rewrite length_unit; lia). lia.
  Qed.

  Lemma zero_or_not a : a = vzero (length a) \/ exists j, j < length a /\ (0 < nth j a 0)%N.
  Proof.
    induction a as [|x a [E|(j & J & H)]]; [now left| |].
    - destruct (N.eq_dec x 0) as [->|N].
      + left. unfold vzero in *. simpl. now rewrite <- E.
      + right. exists 0. simpl. lia.
    - right. exists (S j). simpl. split; [lia|auto].
  Qed.

  (** Every vector of counts occurs beside the element. *)
  Lemma reached : forall k a, length a = r -> (fold_right N.add 0 a <= N.of_nat k)%N ->
    exists w, Forall A w /\ sum_value n (n_mul n) w = (f_element i, a).
  Proof.
    destruct facts as (_ & _ & _ & _ & _ & _ & _ & _ & _ & W & G & E & _).
    assert (Z : forall a, a = vzero (length a) -> length a = r -> exists w, Forall A w /\ sum_value n (n_mul n) w = (f_element i, a)).
    { intros a Ea L. exists (f_word i). split; auto. rewrite E. f_equal. rewrite Ea. now rewrite L. }
    induction k as [|k IH]; intros a L S; destruct (zero_or_not a) as [Ea|(j & J & H)]; auto.
    - exfalso. assert (forall l t, (nth t l 0 <= fold_right N.add 0 l)%N) as B.
      { clear. induction l as [|x l IH]; intros [|t]; simpl; try lia. specialize (IH t). lia. }
      specialize (B a j). lia.
    - rewrite L in J. set (b := vsub a (unit_vector r j)).
      assert (Lb : length b = r) by (unfold b; rewrite length_vsub; rewrite ?length_unit; lia).
      assert (E' : a = vadd (unit_vector r j) b).
      { apply vector_eq; [rewrite length_vadd; rewrite ?length_unit; lia|]. intros t.
        rewrite vadd_nth by (rewrite length_unit; lia). unfold b. rewrite vsub_nth by (rewrite length_unit; lia).
        destruct (lt_dec t r) as [T|T].
        - rewrite unit_nth by auto. destruct (Nat.eqb_spec t j); subst; lia.
        - rewrite !nth_overflow by (rewrite ?length_unit; lia). reflexivity. }
      assert (sum_add : forall p q, length p = length q -> fold_right N.add 0%N (vadd p q) = (fold_right N.add 0 p + fold_right N.add 0 q)%N).
      { clear. induction p as [|x p IH]; intros [|y q] L; simpl in *; try lia. rewrite IH by lia. lia. }
      assert (B : forall l t, (nth t l 0 <= fold_right N.add 0 l)%N).
      { clear. induction l as [|x l IH]; intros [|t]; simpl; try lia. specialize (IH t). lia. }
      destruct (IH b Lb) as (w & Aw & Ew).
      { rewrite E', sum_add in S by (rewrite length_unit; lia). specialize (B (unit_vector r j) j). rewrite unit_nth, Nat.eqb_refl in B by auto. lia. }
      destruct (counter_cons j w (f_element i) b J G Lb Ew) as [K1 K2].
      exists (nth j (n_counters n) 0 :: w). split; [now constructor|]. now rewrite K2, <- E'.
  Qed.

  Lemma always_same_spec Z o1 o2 : always_same Z o1 o2 = true -> forall a, supported Z a -> length o1 = length a -> length o2 = length a ->
    f (vadd a o1) = f (vadd a o2).
  Proof.
    unfold always_same. destruct (tuples _ _ Z [o1; o2] fuel) as [T|] eqn:E; [|discriminate]. rewrite forallb_forall. intros H a S L1 L2.
    pose proof (tuple_occurs c n fuel ok Z [o1; o2] T a E S) as I. cbn [map] in I.
    apply H in I; [|auto]. cbn [same_slices] in I. apply same_bools_eq in I. unfold f, predicted. cbn [fst snd]. now rewrite I.
  Qed.

  Theorem infinite : forall m q, 0 < q ->
    ~ indistinguishable c A (repeat (nth (f_counter i) (n_counters n) 0) m) (repeat (nth (f_counter i) (n_counters n) 0) (m + q)).
  Proof.
    intros m q Q I. destruct facts as (J & L1 & L2 & L3 & M1 & M2 & P & D & K & W & G & E & S1 & S2 & N).
    assert (Lu : length u = r) by apply length_unit.
    apply (no_repetition r f u (f_step i) (f_from i) (f_at i) (f_period i) (f_far i)) with (m := m) (q := q); auto.
    - now apply at_most_nth.
    - now apply at_most_nth.
    - exists (f_far i / f_period i)%N. rewrite (N.div_mod (f_far i) (f_period i)) at 1 by lia. lia.
    - intros a La. rewrite vadd_assoc. apply (always_same_spec _ _ _ S1).
      + now apply supported_all.
      + lia.
      + rewrite length_vadd; lia.
    - intros k. pose proof (always_same_spec _ _ _ S2 (map (N.mul k) u) (supported_one _ k r 0)) as X.
      rewrite !length_plus_times, map_length in X by lia. specialize (X ltac:(lia) ltac:(lia)).
      replace (plus_times (f_at i) (f_far i + k) u) with (vadd (map (N.mul k) u) (plus_times (f_at i) (f_far i) u)).
      2: { apply vector_eq; [rewrite length_vadd; rewrite ?map_length, ?length_plus_times; lia|]. intros j.
           rewrite vadd_comm. fold (plus_times (plus_times (f_at i) (f_far i) u) k u). rewrite !plus_times_nth by (rewrite ?length_plus_times; lia). lia. }
      rewrite X. apply (f_equal f). apply vector_eq; [rewrite length_vadd; rewrite ?map_length, ?length_plus_times; lia|]. intros j.
      rewrite vadd_comm. fold (plus_times (plus_times (f_at i) (f_far i + f_period i) u) k u). rewrite !plus_times_nth by (rewrite ?length_plus_times; lia). lia.
    - intros a La. destruct (reached (N.to_nat (fold_right N.add 0%N a)) a La ltac:(lia)) as (w & Aw & Ew).
      destruct (counters_repeat (f_counter i) m J w _ a G La Ew Aw) as [A1 E1].
      destruct (counters_repeat (f_counter i) (m + q) J w _ a G La Ew Aw) as [A2 E2].
      specialize (I w Aw). destruct (counters_correct c n fuel ok _ A1) as [P1 N1]. destruct (counters_correct c n fuel ok _ A2) as [P2 N2].
      rewrite E1 in P1, N1. rewrite E2 in P2, N2. fold u in P1, N1, P2, N2.
      change (predicted n (f_element i, plus_times a (N.of_nat m) u)) with (f (plus_times a (N.of_nat m) u)) in *.
      change (predicted n (f_element i, plus_times a (N.of_nat (m + q)) u)) with (f (plus_times a (N.of_nat (m + q)) u)) in *.
      destruct (f (plus_times a (N.of_nat m) u)), (f (plus_times a (N.of_nat (m + q)) u)); auto; exfalso.
      + apply (misereP_not_misereN _ _ (proj1 I (P1 eq_refl))). apply N2. discriminate.
      + apply (misereP_not_misereN _ _ (proj2 I (P2 eq_refl))). apply N1. discriminate.
  Qed.
End Check.

(** No two different multiples of the counter are indistinguishable: the misère quotient of the heaps is infinite. *)
Theorem infinite_correct c n i fuel : check_counters c n fuel = true -> check_infinite n fuel i = true ->
  let h := nth (f_counter i) (n_counters n) 0 in
  forall m k, m <> k -> ~ indistinguishable c (fun h => h < length (n_entries n)) (repeat h m) (repeat h k).
Proof.
  intros ok good h m k N I. destruct (lt_dec m k) as [L|L].
  - apply (infinite c n fuel i ok good m (k - m)); [lia|]. now replace (m + (k - m)) with k by lia.
  - apply (infinite c n fuel i ok good k (m - k)); [lia|]. replace (k + (m - k)) with m by lia. intros w W. symmetry. now apply I.
Qed.

(** The same among sums of heaps of any size: the misère quotient of the whole game is infinite. *)
Theorem infinite_all_heaps c n i fuel : check_counters c n fuel = true -> check_infinite n fuel i = true ->
  let h := nth (f_counter i) (n_counters n) 0 in
  forall m k, m <> k -> ~ indistinguishable c (fun _ => True) (repeat h m) (repeat h k).
Proof.
  intros ok good h m k N I. apply (infinite_correct c n i fuel ok good m k N). intros w _. apply I. now apply Forall_forall.
Qed.
