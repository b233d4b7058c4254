(** * Automata that read all digits of a vector of counts at once, and all tuples of outputs that occur *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Search Walk.
Import ListNotations.
Local Open Scope N_scope.

Fixpoint vadd (a b : list N) : list N :=
  match a, b with x :: a', y :: b' => x + y :: vadd a' b' | _, _ => [] end.
Fixpoint vsub (a b : list N) : list N :=
  match a, b with x :: a', y :: b' => x - y :: vsub a' b' | _, _ => [] end.
Definition vzero (r : nat) : list N := repeat 0 r.

Lemma length_vadd a : forall b, length b = length a -> length (vadd a b) = length a.
Proof. induction a; intros [|y b] H; simpl in *; try lia. f_equal. auto. Qed.
Lemma length_vsub a : forall b, length b = length a -> length (vsub a b) = length a.
Proof. induction a; intros [|y b] H; simpl in *; try lia. f_equal. auto. Qed.
Lemma vadd_comm a : forall b, vadd a b = vadd b a.
Proof. induction a; intros [|y b]; simpl; auto. f_equal; auto. lia. Qed.
Lemma vadd_assoc a : forall b d, vadd (vadd a b) d = vadd a (vadd b d).
Proof. induction a; intros [|y b] [|z d]; simpl; auto. f_equal; auto. lia. Qed.
Lemma vadd_zero a : vadd (vzero (length a)) a = a.
Proof. induction a; simpl; auto. f_equal. auto. Qed.

Definition same_numbers : list N -> list N -> bool := list_same N.eqb.
Lemma same_numbers_eq a b : same_numbers a b = true -> a = b.
Proof. apply list_same_eq. intros x y. apply N.eqb_eq. Qed.
Lemma same_numbers_refl a : same_numbers a a = true.
Proof. unfold same_numbers. induction a; simpl; auto. now rewrite N.eqb_refl. Qed.

Definition low (x : N) : N := if N.odd x then 1 else 0.
Definition lows : list N -> list N := map low.
Definition halve : list N -> list N := map N.div2.
Fixpoint halves (k : nat) (a : list N) : list N := match k with O => a | S k' => halves k' (halve a) end.
Fixpoint letter (a : list N) : N := match a with [] => 0 | x :: a' => low x + 2 * letter a' end.

Lemma low_div x : x = low x + 2 * N.div2 x.
Proof. rewrite (N.div2_odd x) at 1. unfold low. destruct (N.odd x); simpl N.b2n; lia. Qed.

Lemma carry_N x d : low (x + d) = low (d + low x) /\ N.div2 (x + d) = N.div2 x + N.div2 (d + low x).
Proof.
  rewrite (low_div x) at 1 3. replace (low x + 2 * N.div2 x + d) with (d + low x + 2 * N.div2 x) by lia. split.
  - unfold low at 1 3. now rewrite N.odd_add_mul_2.
  - rewrite !N.div2_div. replace (d + low x + 2 * (x / 2)) with (d + low x + x / 2 * 2) by lia. rewrite N.div_add by lia. lia.
Qed.

Lemma letter_carry a : forall o, length o = length a -> letter (vadd a o) = letter (vadd o (lows a)).
Proof.
  induction a as [|x a IH]; intros [|d o] H; simpl in H; try lia; auto. cbn [vadd lows map letter].
  rewrite (proj1 (carry_N x d)). f_equal. f_equal. apply IH. lia.
Qed.

Lemma halve_carry a : forall o, length o = length a -> vadd (halve a) (halve (vadd o (lows a))) = halve (vadd a o).
Proof.
  induction a as [|x a IH]; intros [|d o] H; simpl in H; try lia; auto. cbn [vadd lows map halve].
  rewrite (proj2 (carry_N x d)). f_equal. apply IH. lia.
Qed.

Definition small (k : nat) (a : list N) : Prop := Forall (fun x => x < 2 ^ N.of_nat k) a.
Definition bits (a : list N) : nat := fold_right (fun x k => Nat.max k (N.to_nat (N.size x))) 0%nat a.

Lemma small_more j k a : (j <= k)%nat -> small j a -> small k a.
Proof.
  intros H. apply Forall_impl. intros x X. assert (2 ^ N.of_nat j <= 2 ^ N.of_nat k) by (apply N.pow_le_mono_r; lia). lia.
Qed.

Lemma small_bits a : small (bits a) a.
Proof.
  induction a as [|x a IH]; simpl; constructor.
  - pose proof (N.size_gt x). assert (2 ^ N.size x <= 2 ^ N.of_nat (Nat.max (bits a) (N.to_nat (N.size x)))) by (apply N.pow_le_mono_r; lia). lia.
  - eapply small_more; [|exact IH]. lia.
Qed.

Lemma small_halve k a : small (S k) a -> small k (halve a).
Proof.
  unfold small, halve. rewrite Forall_map. apply Forall_impl. intros x X. rewrite N.div2_div.
  rewrite Nat2N.inj_succ, N.pow_succ_r in X by lia. apply N.div_lt_upper_bound; lia.
Qed.

Lemma small_halves k : forall a, small k a -> halves k a = vzero (length a).
Proof.
  induction k as [|k IH]; intros a S; simpl.
  - induction S as [|x a X _ IH]; [reflexivity|]. change (2 ^ N.of_nat 0) with 1 in X.
    cbn [length vzero repeat]. f_equal; [lia|exact IH].
  - rewrite IH by now apply small_halve. unfold halve. now rewrite map_length.
Qed.

Lemma length_halves k : forall a, length (halves k a) = length a.
Proof. induction k; intros a; simpl; auto. rewrite IHk. unfold halve. apply map_length. Qed.

Section Machine.
  Variable r : nat.
  Variable states : N.
  Variable next : N -> N -> N.
  Variable out : N -> N.
  Hypothesis states_pos : 0 < states.
  Hypothesis next_range : forall s e, s < states -> next s e < states.
  Hypothesis out_zero : forall s, s < states -> out (next s 0) = out s.

  Fixpoint mrun (k : nat) (s : N) (a : list N) : N :=
    match k with O => s | S k' => mrun k' (next s (letter a)) (halve a) end.

  (** The output of a vector. *)
  Definition reading (a : list N) : N := out (mrun (bits a) 0 a).

  Lemma mrun_add j k : forall s a, mrun (j + k) s a = mrun k (mrun j s a) (halves j a).
  Proof. induction j; intros s a; simpl; auto. Qed.

  Lemma mrun_range k : forall s a, s < states -> mrun k s a < states.
  Proof. induction k; intros s a S; simpl; auto. Qed.

  Lemma letter_zero n : letter (vzero n) = 0.
  Proof. induction n as [|n IH]; [reflexivity|]. cbn [vzero repeat letter]. fold (vzero n). now rewrite IH. Qed.

  Lemma halve_zero n : halve (vzero n) = vzero n.
  Proof. induction n as [|n IH]; [reflexivity|]. cbn [vzero repeat halve map]. f_equal. exact IH. Qed.

  Lemma mrun_zero k n : forall s, s < states -> out (mrun k s (vzero n)) = out s.
  Proof.
    induction k as [|k IH]; intros s S; cbn [mrun]; auto. rewrite halve_zero, letter_zero, IH by auto. now apply out_zero.
  Qed.

  Lemma mrun_reading k a : small k a -> out (mrun k 0 a) = reading a.
  Proof.
    intros S. unfold reading.
    assert (up : forall j k, small j a -> (j <= k)%nat -> out (mrun k 0 a) = out (mrun j 0 a)).
    { intros j m Sj L. replace m with (j + (m - j))%nat by lia. rewrite mrun_add, small_halves by auto.
      apply mrun_zero. now apply mrun_range. }
    destruct (le_lt_dec k (bits a)) as [L|L].
    - symmetry. now apply up.
    - apply up; [apply small_bits|lia].
  Qed.

  (** ** Several sums [a + o] at once *)
  Definition joint := list (N * list N).
  Definition madvance (t : N * list N) (e : list N) : N * list N :=
    let u := vadd (snd t) e in (next (fst t) (letter u), halve u).

  Fixpoint mtrack (k : nat) (t : N * list N) (a : list N) : N * list N :=
    match k with O => t | S k' => mtrack k' (madvance t (lows a)) (halve a) end.

  Lemma mtrack_spec k : forall s o a, length o = length a ->
    fst (mtrack k (s, o) a) = mrun k s (vadd a o) /\
    vadd (halves k a) (snd (mtrack k (s, o) a)) = halves k (vadd a o) /\
    length (snd (mtrack k (s, o) a)) = length a.
  Proof.
    induction k as [|k IH]; intros s o a L; cbn [mtrack mrun halves]; auto.
    unfold madvance. cbn [fst snd].
    assert (L1 : length (vadd o (lows a)) = length a) by (unfold lows; rewrite length_vadd; auto; rewrite map_length; lia).
    destruct (IH (next s (letter (vadd o (lows a)))) (halve (vadd o (lows a))) (halve a)) as (E1 & E2 & E3).
    { unfold halve. rewrite !map_length. exact L1. }
    rewrite E1, E2, E3, halve_carry, (letter_carry a o) by auto. split; [reflexivity|]. split; [reflexivity|].
    unfold halve. apply map_length.
  Qed.

  Fixpoint letters (Z : list bool) : list (list N) :=
    match Z with
    | [] => [[]]
    | b :: Z' => let l := letters Z' in map (cons 0) l ++ if b then map (cons 1) l else []
    end.

  (** The entries outside of [Z] are 0. *)
  Fixpoint supported (Z : list bool) (a : list N) : Prop :=
    match Z, a with
    | [], [] => True
    | b :: Z', x :: a' => (b = false -> x = 0) /\ supported Z' a'
    | _, _ => False
    end.

  Lemma lows_letters Z : forall a, supported Z a -> In (lows a) (letters Z).
  Proof.
    induction Z as [|b Z IH]; intros [|x a] S; simpl in S; try tauto; [now left|]. destruct S as [B S].
    cbn [letters lows map]. apply in_or_app. destruct b.
    - unfold low. destruct (N.odd x); [right|left]; apply in_map; now apply IH.
    - left. rewrite B by auto. apply in_map. now apply IH.
  Qed.

  Lemma supported_halve Z : forall a, supported Z a -> supported Z (halve a).
  Proof. induction Z as [|b Z IH]; intros [|x a] S; simpl in *; try tauto. destruct S as [B S]. split; auto. intros E. now rewrite B. Qed.

  Lemma supported_length Z : forall a, supported Z a -> length a = length Z.
  Proof. induction Z as [|b Z IH]; intros [|x a] S; simpl in *; try tauto. f_equal. now apply IH. Qed.

  Definition same_joint (j l : joint) : bool :=
    list_same (fun s t => N.eqb (fst s) (fst t) && same_numbers (snd s) (snd t)) j l.
  Lemma same_joint_eq j l : same_joint j l = true -> j = l.
  Proof.
    apply list_same_eq. intros [s o] [t u]. simpl. rewrite andb_true_iff, N.eqb_eq. intros [-> E].
    f_equal. now apply same_numbers_eq.
  Qed.
  Definition joint_key (j : joint) : positive :=
    fold_left (fun q t => fold_left (fun q x => match x with N0 => q | Npos p => low_bits 2 p (xI q) end) (snd t) (number_key (fst t) q)) j xH.

  Definition next_joints (Z : list bool) (j : joint) : option (list joint) :=
    Some (map (fun e => map (fun t => madvance t e) j) (letters Z)).

  Definition settled_joint (j : joint) : bool := forallb (fun t => forallb (N.eqb 0) (snd t)) j.

  (** All tuples of outputs of [a + o], [o] in [offsets], that occur for vectors [a] with support [Z]. *)
  Definition tuples (Z : list bool) (offsets : list (list N)) (fuel : nat) : option (list (list N)) :=
    match explored (next_joints Z) Leaf (bucket_covered joint_key same_joint) (bucket_insert joint_key) fuel
            [map (fun o => (0, o)) offsets] with
    | None => None
    | Some seen => Some (map (map (fun t => out (fst t))) (filter settled_joint seen))
    end.

  Fixpoint joint_along (k : nat) (j : joint) (a : list N) : joint :=
    match k with O => j | S k' => joint_along k' (map (fun t => madvance t (lows a)) j) (halve a) end.

  Lemma joint_tracks k : forall j a, joint_along k j a = map (fun t => mtrack k t a) j.
  Proof. induction k as [|k IH]; intros j a; simpl; [now rewrite map_id|]. rewrite IH, map_map. reflexivity. Qed.

  Theorem tuples_spec Z offsets fuel T a : tuples Z offsets fuel = Some T -> supported Z a ->
    Forall (fun o => length o = length a) offsets -> In (map (fun o => reading (vadd a o)) offsets) T.
  Proof.
    unfold tuples. destruct (explored _ _ _ _ _ _) as [seen|] eqn:E; [|discriminate]. intros [= <-] S L.
    eapply (explored_invariant eq) in E; auto using bucket_covered_nothing.
    2: { intros s s' t. apply bucket_covered_insert. apply same_joint_eq. }
    destruct E as [I1 I2].
    assert (along : forall k j b, In j seen -> supported Z b -> In (joint_along k j b) seen).
    { induction k as [|k IH]; intros j b J Sb; simpl; auto. apply IH; [|now apply supported_halve].
      destruct (I2 j J) as (l & El & Hl). injection El as <-.
      destruct (Hl (map (fun t => madvance t (lows b)) j)) as (j' & J' & ->); auto.
      apply in_map_iff. exists (lows b). split; auto. now apply lows_letters. }
    destruct (I1 _ (or_introl eq_refl)) as (j0 & J0 & E0).
    assert (exists k, small k a /\ Forall (fun o => small k (vadd a o)) offsets) as (k & Sa & So).
    { clear -offsets. induction offsets as [|o l (k & Sa & So)]; [exists (bits a); split; auto using small_bits|].
      exists (Nat.max k (bits (vadd a o))). split; [eapply small_more; [|exact Sa]; lia|]. constructor.
      - eapply small_more; [|apply small_bits]. lia.
      - eapply Forall_impl; [|exact So]. intros u. apply small_more. lia. }
    pose proof (along k j0 a J0 S) as J. rewrite <- E0, joint_tracks, map_map in J.
    apply in_map_iff. exists (map (fun o => mtrack k (0, o) a) offsets). rewrite Forall_forall in *. split.
    - rewrite map_map. apply map_ext_in. intros o Io.
      destruct (mtrack_spec k 0 o a (L o Io)) as (F1 & _). rewrite F1. apply mrun_reading. now apply So.
    - apply filter_In. split; auto. unfold settled_joint. apply forallb_forall. intros t It.
      apply in_map_iff in It. destruct It as (o & <- & Io). destruct (mtrack_spec k 0 o a (L o Io)) as (_ & F2 & F3).
      rewrite small_halves, small_halves in F2 by auto. rewrite length_vadd in F2 by now apply L.
      rewrite <- F3 in F2 at 1. rewrite vadd_zero in F2. rewrite F2. apply forallb_forall. intros x Ix.
      apply repeat_spec in Ix. subst. reflexivity.
  Qed.
End Machine.
