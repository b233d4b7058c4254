(** * Two equations in natural numbers without a solution: part (E) of the induction on heaps

    [q = balance + sum of the qi + m] and [w xor (f1 + u q1) xor … = whole + u q], read from the lowest digits on. What is left of
    the equations after some digits is a state of the same kind, so a search over finitely many states decides them. *)

From Coq Require Import List Arith NArith ZArith Bool Lia Wf_nat.
From Impartial Require Import Games Search.
Import ListNotations.

Record carries := Carries { growing : list N; with_m : bool; balance : Z; fixed_part : N; whole : N }.

Section Equations.
  Variable u : N.

  Fixpoint xor_growing (fs qs : list N) : N :=
    match fs, qs with f :: fs', q :: qs' => N.lxor (f + u * q) (xor_growing fs' qs') | _, _ => 0%N end.
  Definition total (qs : list N) : N := fold_right N.add 0%N qs.

  Definition solves (s : carries) (qs : list N) (m q : N) : Prop :=
    length qs = length (growing s) /\ (with_m s = false -> m = 0%N) /\
    Z.of_N q = (balance s + Z.of_N (total qs + m))%Z /\
    N.lxor (fixed_part s) (xor_growing (growing s) qs) = (whole s + u * q)%N.

  (** All choices of one digit for each [qi]: how many are 1, the parity of the sum, and what is left. *)
  Fixpoint choices (fs : list N) : list (Z * bool * list N) :=
    match fs with
    | [] => [(0%Z, false, [])]
    | f :: fs' =>
        let f0 := N.div2 f in let o0 := N.odd f in
        let f1 := N.div2 (f + u) in let o1 := N.odd (f + u) in
        flat_map (fun '(n, o, l) => [(n, xorb o0 o, f0 :: l); (Z.succ n, xorb o1 o, f1 :: l)]) (choices fs')
    end.

  Definition final (s : carries) : bool :=
    Z.eqb (balance s) 0 && N.eqb (fold_left N.lxor (growing s) (fixed_part s)) (whole s).

  Definition with_digit (s : carries) (n : Z) (o : bool) (l : list N) : list carries :=
    let b := (balance s + n)%Z in
    let v := if Z.odd b then (whole s + u)%N else whole s in
    if xorb (xorb (N.odd (fixed_part s)) o) (N.odd v) then []
    else [Carries l (with_m s) (Z.div2 b) (N.div2 (fixed_part s)) (N.div2 v)].

  Definition after (s : carries) : option (list carries) :=
    if final s then None
    else Some (flat_map (fun '(n, o, l) => with_digit s n o l ++ if with_m s then with_digit s (Z.succ n) o l else []) (choices (growing s))).

  Lemma odd_lxor a b : N.odd (N.lxor a b) = xorb (N.odd a) (N.odd b).
  Proof. rewrite <- !N.bit0_odd. apply N.lxor_spec. Qed.

  Lemma div2_lxor a b : N.div2 (N.lxor a b) = N.lxor (N.div2 a) (N.div2 b).
  Proof. rewrite !N.div2_spec. apply N.shiftr_lxor. Qed.

  Lemma digit f q : exists b : bool, q = (2 * N.div2 q + N.b2n b)%N /\
    N.odd (f + u * q) = N.odd (f + u * N.b2n b) /\ N.div2 (f + u * q) = (N.div2 (f + u * N.b2n b) + u * N.div2 q)%N.
  Proof.
    exists (N.odd q). pose proof (N.div2_odd q) as E. split; auto.
    set (h := N.div2 q) in *. set (b := N.b2n (N.odd q)) in *. clearbody h b. subst q.
    replace (f + u * (2 * h + b))%N with (f + u * b + 2 * (u * h))%N by lia. split.
    - rewrite N.odd_add, N.odd_mul. now rewrite xorb_false_r.
    - rewrite !N.div2_div, (N.mul_comm 2 (u * h)), N.div_add by lia. reflexivity.
  Qed.

  Lemma choices_spec fs : forall qs, length qs = length fs -> exists n o l, In (n, o, l) (choices fs) /\
    length l = length fs /\ Z.of_N (total qs) = (n + 2 * Z.of_N (total (map N.div2 qs)))%Z /\
    N.odd (xor_growing fs qs) = o /\ N.div2 (xor_growing fs qs) = xor_growing l (map N.div2 qs).
  Proof.
    induction fs as [|f fs IH]; intros [|q qs] E; try discriminate.
    - exists 0%Z, false, []. simpl. auto.
    - injection E as E. destruct (IH qs E) as (n & o & l & I & Hl & Ht & Ho & Hd).
      destruct (digit f q) as (b & Eq & Eo & Ed). cbn [xor_growing map total fold_right choices].
      fold (total qs). fold (total (map N.div2 qs)). set (h := N.div2 q) in *. clearbody h.
      exists (n + Z.of_N (N.b2n b))%Z, (xorb (N.odd (f + u * N.b2n b)) o), (N.div2 (f + u * N.b2n b) :: l).
      split; [|split; [simpl; lia|split; [|split]]].
      + apply in_flat_map. exists (n, o, l). split; auto. destruct b; cbn [N.b2n].
        * right. left. rewrite N.mul_1_r. reflexivity.
        * left. rewrite N.mul_0_r, !N.add_0_r, Z.add_0_r. reflexivity.
      + destruct b; cbn [N.b2n] in *; lia.
      + now rewrite odd_lxor, Eo, Ho.
      + rewrite div2_lxor, Ed, Hd. reflexivity.
  Qed.

  Lemma with_digit_spec s n o l qs qs' m m' q : solves s qs m q -> length l = length qs' ->
    (with_m s = false -> m' = 0%N) ->
    Z.of_N (total qs + m) = (n + 2 * Z.of_N (total qs' + m'))%Z ->
    N.odd (xor_growing (growing s) qs) = o -> N.div2 (xor_growing (growing s) qs) = xor_growing l qs' ->
    exists s', In s' (with_digit s n o l) /\ solves s' qs' m' (N.div2 q).
  Proof.
    intros (_ & _ & Hq & Hx) El Hm Ht Ho Hd.
    assert (Z.odd (balance s + n) = N.odd q) as Odd.
    { rewrite Ht in Hq. replace (balance s + n)%Z with (Z.of_N q + 2 * - Z.of_N (total qs' + m'))%Z by lia.
      rewrite Z.odd_add_mul_2. now destruct q as [|[]]. }
    destruct (digit (whole s) q) as (b & Eq & Eo & Ed).
    assert (N.odd q = b) as Eb.
    { rewrite Eq, N.odd_add, N.odd_mul. simpl. now destruct b. }
    unfold with_digit. rewrite Odd, Eb.
    assert ((if b then whole s + u else whole s) = whole s + u * N.b2n b)%N as -> by (destruct b; simpl; lia).
    assert (xorb (xorb (N.odd (fixed_part s)) o) (N.odd (whole s + u * N.b2n b)) = false) as ->.
    { rewrite <- Eo, <- Hx, odd_lxor, Ho. now destruct (N.odd (fixed_part s)), o. }
    eexists. split; [now left|]. split; [cbn; lia|]. split; [auto|]. split; cbn [balance fixed_part growing whole].
    - assert (Z.of_N q = 2 * Z.of_N (N.div2 q) + Z.of_N (N.b2n b))%Z as E2 by (rewrite Eq at 1; lia).
      rewrite Z.div2_div. symmetry. rewrite <- Z.add_opp_r with (n := 0%Z) || idtac.
      assert (balance s + n = Z.of_N (N.b2n b) + (Z.of_N (N.div2 q) - Z.of_N (total qs' + m')) * 2)%Z as -> by lia.
      rewrite Z.div_add by lia. destruct b; cbn [N.b2n]; change (Z.of_N 1 / 2)%Z with 0%Z; change (Z.of_N 0 / 2)%Z with 0%Z; lia.
    - rewrite <- Ed, <- Hx, div2_lxor, Hd. reflexivity.
  Qed.

  Lemma after_spec s l qs m q : after s = Some l -> solves s qs m q ->
    exists s', In s' l /\ solves s' (map N.div2 qs) (N.div2 m) (N.div2 q).
  Proof.
    unfold after. destruct (final s); [discriminate|]. intros [= <-] S. pose proof S as (El & Hm & _).
    destruct (choices_spec (growing s) qs El) as (n & o & l & I & Hl & Ht & Ho & Hd).
    assert (exists b : bool, m = (2 * N.div2 m + N.b2n b)%N) as (b & Eb) by (exists (N.odd m); apply N.div2_odd).
    assert (with_m s = false -> N.div2 m = 0%N) as Hm' by (intros W; now rewrite (Hm W)).
    assert (forall s', In s' (with_digit s n o l ++ if with_m s then with_digit s (Z.succ n) o l else []) ->
      In s' (flat_map (fun '(n, o, l) => with_digit s n o l ++ if with_m s then with_digit s (Z.succ n) o l else []) (choices (growing s)))) as Up.
    { intros s' Hs. apply in_flat_map. exists (n, o, l). auto. }
    destruct b; cbn [N.b2n] in Eb.
    - destruct (with_m s) eqn:W; [|specialize (Hm eq_refl); lia].
      destruct (with_digit_spec s (Z.succ n) o l qs (map N.div2 qs) m (N.div2 m) q) as (s' & Hs & Hs'); auto; [rewrite map_length; lia|congruence|lia|].
      exists s'. split; auto. apply Up, in_or_app. now right.
    - destruct (with_digit_spec s n o l qs (map N.div2 qs) m (N.div2 m) q) as (s' & Hs & Hs'); auto; [rewrite map_length; lia|lia|].
      exists s'. split; auto. apply Up, in_or_app. now left.
  Qed.

  Lemma half_le q : (N.div2 q <= q)%N.
  Proof. pose proof (N.div2_odd q) as E. set (h := N.div2 q) in *. lia. Qed.

  Lemma half_lt q : q <> 0%N -> (N.div2 q < q)%N.
  Proof. pose proof (N.div2_odd q) as E. intros. set (h := N.div2 q) in *. destruct (N.odd q); cbn [N.b2n] in E; lia. Qed.

  Lemma total_half qs : (total (map N.div2 qs) <= total qs)%N /\ (total qs <> 0%N -> (total (map N.div2 qs) < total qs)%N).
  Proof.
    induction qs as [|q qs [IH1 IH2]]; cbn [map total fold_right]; [lia|].
    fold (total qs). fold (total (map N.div2 qs)). pose proof (half_le q). split; [lia|]. intros H0.
    destruct (N.eq_dec q 0) as [->|Hq]; [simpl in *; apply IH2 in H0; lia|]. pose proof (half_lt q Hq). lia.
  Qed.

  Lemma final_zero s qs : total qs = 0%N -> solves s qs 0%N 0%N -> final s = true.
  Proof.
    intros T (El & _ & Hq & Hx). unfold final. rewrite T in Hq. replace (balance s) with 0%Z by lia. simpl.
    rewrite N.mul_0_r, N.add_0_r in Hx. rewrite <- Hx. apply N.eqb_eq. clear Hq Hx. revert qs El T. generalize (fixed_part s).
    induction (growing s) as [|f fs IH]; intros w [|q qs] El T; try discriminate; cbn [fold_left xor_growing].
    - now rewrite N.lxor_0_r.
    - cbn [total fold_right] in T. fold (total qs) in T. injection El as El. assert (q = 0%N) as -> by lia.
      rewrite (IH (N.lxor w f) qs) by (auto; lia). now rewrite N.mul_0_r, N.add_0_r, N.lxor_assoc.
  Qed.

  (** A set of states without a final one that no step leaves has no solutions. *)
  Theorem no_solution (V : carries -> Prop) :
    (forall s, V s -> exists l, after s = Some l /\ forall s', In s' l -> V s') ->
    forall s qs m q, V s -> ~ solves s qs m q.
  Proof.
    intros H s qs m q. remember (N.to_nat (total qs + m + q)) as k eqn:K. revert s qs m q K.
    induction k as [k IH] using lt_wf_ind. intros s qs m q -> Vs S.
    destruct (H s Vs) as (l & A & C).
    destruct (after_spec s l qs m q A S) as (s' & I & S').
    destruct (N.eq_dec (total qs + m + q) 0) as [Z|Z].
    - assert (m = 0%N) as -> by lia. assert (q = 0%N) as -> by lia.
      unfold after in A. rewrite (final_zero s qs) in A by (auto; lia). discriminate.
    - apply (IH (N.to_nat (total (map N.div2 qs) + N.div2 m + N.div2 q))) with (s := s') (qs := map N.div2 qs) (m := N.div2 m) (q := N.div2 q); auto.
      destruct (total_half qs) as [T1 T2]. pose proof (half_le m). pose proof (half_le q). pose proof (half_lt m). pose proof (half_lt q). lia.
  Qed.

  (** The search. *)
  Fixpoint same_numbers (l m : list N) : bool :=
    match l, m with
    | [], [] => true
    | a :: l', b :: m' => N.eqb a b && same_numbers l' m'
    | _, _ => false
    end.

  Lemma same_numbers_eq l : forall m, same_numbers l m = true -> l = m.
  Proof.
    induction l as [|a l IH]; intros [|b m]; simpl; try discriminate; auto.
    rewrite andb_true_iff, N.eqb_eq. intros [-> E]. f_equal. auto.
  Qed.

  Definition same_carries (s t : carries) : bool :=
    Z.eqb (balance s) (balance t) && N.eqb (whole s) (whole t) && N.eqb (fixed_part s) (fixed_part t) &&
    Bool.eqb (with_m s) (with_m t) && same_numbers (growing s) (growing t).

  Lemma same_carries_eq s t : same_carries s t = true -> s = t.
  Proof.
    unfold same_carries. rewrite !andb_true_iff, Z.eqb_eq, !N.eqb_eq, Bool.eqb_true_iff. intros [[[[A B] C] D] E].
    apply same_numbers_eq in E. destruct s, t; simpl in *; congruence.
  Qed.

  Fixpoint digits_then (p rest : positive) : positive :=
    match p with xH => xO (xO rest) | xO p' => xO (xI (digits_then p' rest)) | xI p' => xI (xI (digits_then p' rest)) end.
  Definition key_of (s : carries) : positive :=
    fold_left (fun k n => digits_then (N.succ_pos n) k) (growing s)
      (digits_then (N.succ_pos (Z.abs_N (balance s))) (digits_then (N.succ_pos (whole s)) (digits_then (N.succ_pos (fixed_part s)) xH))).

  Definition no_solutions (fuel : nat) (todo : list carries) : bool :=
    search after Leaf (bucket_covered key_of same_carries) (bucket_insert key_of) fuel todo.

  Theorem no_solutions_correct fuel todo : no_solutions fuel todo = true -> forall s, In s todo ->
    final s = false /\ forall qs m q, ~ solves s qs m q.
  Proof.
    unfold no_solutions. intros H. apply (search_invariant eq) in H; auto using bucket_covered_nothing.
    - destruct H as (V & H1 & H2).
      assert (forall s, V s -> exists l, after s = Some l /\ forall s', In s' l -> V s') as closed.
      { intros s Vs. destruct (H2 s Vs) as (l & E & C). exists l. split; auto. intros s' I. destruct (C s' I) as (x & Vx & ->). exact Vx. }
      intros s I. destruct (H1 s I) as (x & Vx & ->). split; [|intros; now apply (no_solution V)].
      destruct (closed x Vx) as (l & E & _). unfold after in E. now destruct (final x).
    - intros s s' t. apply bucket_covered_insert, same_carries_eq.
  Qed.
End Equations.
