(** * The N-check: no sum of heaps is silent

    A heap of a sum is silent when neither the sum nor an option at this heap has its value among the P-positions. [D] of a heap is
    the set of values of the rest beside which it is silent. The search shows that no sum of heaps is silent at all its heaps. *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Search Monoid.
Import ListNotations.

(** Sets of elements are lists of booleans, one for each element. *)
Definition has (D : list bool) (x : N) : bool := nth (N.to_nat x) D false.

Fixpoint contained (D E : list bool) : bool :=
  match D, E with
  | [], _ => true
  | a :: D', b :: E' => implb a b && contained D' E'
  | a :: D', [] => negb a && contained D' []
  end.

Lemma contained_spec D : forall E, contained D E = true -> forall x, has D x = true -> has E x = true.
Proof.
  assert (forall D E i, contained D E = true -> nth i D false = true -> nth i E false = true) as H.
  { clear D. induction D as [|a D IH]; intros [|b E] [|i] C T; simpl in *; try discriminate; auto.
    - apply andb_true_iff in C. destruct C as [C _]. subst. discriminate.
    - apply andb_true_iff in C. destruct C as [_ C]. specialize (IH [] i C T). now destruct i.
    - apply andb_true_iff in C. destruct C as [C _]. subst. exact C.
    - apply andb_true_iff in C. destruct C as [_ C]. eauto. }
  intros E C x. apply H. exact C.
Qed.

Fixpoint both (t u : tree bool) (l m : list N) : list bool :=
  match l, m with
  | a :: l', b :: m' => (if look false t a then look false u b else false) :: both t u l' m'
  | _, _ => []
  end.

(** A table of the true entries alone: where there are few, a question ends early. *)
Fixpoint truths_from (i : positive) (D : list bool) : tree bool :=
  match D with
  | [] => Leaf
  | true :: D' => set i true (truths_from (Pos.succ i) D')
  | false :: D' => truths_from (Pos.succ i) D'
  end.

Definition truths (D : list bool) : tree bool := truths_from xH D.

Lemma get_truths D : forall i q, get q (truths_from i D) =
  if Pos.ltb q i then None else match nth_error D (N.to_nat (N.pos q - N.pos i)) with Some true => Some true | _ => None end.
Proof.
  assert (leaf : forall q, @get bool q Leaf = None) by now intros [].
  induction D as [|a D IH]; intros i q; cbn [truths_from].
  - rewrite leaf. destruct (Pos.ltb q i); auto. now destruct (N.to_nat _).
  - assert (E : q <> i -> get q (truths_from (Pos.succ i) D) =
      if Pos.ltb q i then None
      else match nth_error (a :: D) (N.to_nat (N.pos q - N.pos i)) with Some true => Some true | _ => None end).
    { intros Q. rewrite IH. destruct (Pos.ltb_spec q (Pos.succ i)), (Pos.ltb_spec q i); try lia; auto.
      now replace (N.to_nat (N.pos q - N.pos i)) with (S (N.to_nat (N.pos q - N.pos (Pos.succ i)))) by lia. }
    destruct (Pos.eqb_spec q i) as [->|Q].
    + rewrite Pos.ltb_irrefl, N.sub_diag. cbn [N.to_nat nth_error]. destruct a.
      * now rewrite get_set, Pos.eqb_refl.
      * rewrite IH. now rewrite (proj2 (Pos.ltb_lt i (Pos.succ i))) by lia.
    + destruct a; [rewrite get_set, (proj2 (Pos.eqb_neq q i) Q)|]; now apply E.
Qed.

Lemma look_has D x : look false (truths D) x = has D x.
Proof.
  unfold look, truths. rewrite get_truths. destruct (Pos.ltb_spec (N.succ_pos x) 1); [lia|].
  replace (N.pos (N.succ_pos x) - 1)%N with x by (rewrite N.succ_pos_spec; lia). unfold has.
  destruct (nth_error D (N.to_nat x)) as [[|]|] eqn:E.
  - symmetry. now apply nth_error_nth.
  - symmetry. now apply nth_error_nth.
  - symmetry. apply nth_overflow. now apply nth_error_None.
Qed.

Record kind := Kind { kind_value : N; kind_silent : list bool }.

Section Silence.
  Variable order : N.
  Variable mul : N -> N -> N.
  Variable row : N -> list N.
  Hypothesis order_pos : (0 < order)%N.
  Hypothesis mul_range : forall x y, (x < order)%N -> (y < order)%N -> (mul x y < order)%N.
  Hypothesis mul_comm : forall x y, (x < order)%N -> (y < order)%N -> mul x y = mul y x.
  Hypothesis mul_assoc : forall x y z, (x < order)%N -> (y < order)%N -> (z < order)%N -> mul (mul x y) z = mul x (mul y z).
  Hypothesis mul_unit : forall x, (x < order)%N -> mul 0%N x = x.
  Hypothesis row_spec : forall y, (y < order)%N -> row y = map (fun x => mul x y) (elements order).

  Lemma both_spec D E f v c : (f < order)%N -> (v < order)%N -> (c < order)%N ->
    has (both (truths D) (truths E) (row f) (row v)) c = has D (mul c f) && has E (mul c v).
  Proof.
    intros F V C. rewrite !row_spec by auto.
    assert (forall l i, i < length l ->
      nth i (both (truths D) (truths E) (map (fun x => mul x f) l) (map (fun x => mul x v) l)) false =
      has D (mul (nth i l 0%N) f) && has E (mul (nth i l 0%N) v)) as G.
    { induction l as [|x l IH]; intros i Hi; simpl in *; [lia|]. destruct i as [|i].
      - rewrite !look_has. now destruct (has D _).
      - apply IH. lia. }
    unfold has at 1. rewrite G by (rewrite length_elements; lia). rewrite nth_elements by lia. now rewrite N2Nat.id.
  Qed.

  Variable kinds : list kind.
  Hypothesis kinds_range : forall k, In k kinds -> (kind_value k < order)%N.
  Variable D0 : list bool.

  Definition ready (k : kind) : N * list N * tree bool := (kind_value k, row (kind_value k), truths (kind_silent k)).

  Definition state := (N * list bool)%type.

  Fixpoint extend (l : list (N * list N * tree bool)) (v : N) (rv : list N) (t : tree bool) (acc : list state) : option (list state) :=
    match l with
    | [] => Some acc
    | (f, rf, E) :: l' =>
        let D := both t E rf rv in
        match D with
        | true :: _ => None
        | _ => extend l' v rv t ((mul v f, D) :: acc)
        end
    end.

  Definition next_states (prepared : list (N * list N * tree bool)) (s : state) : option (list state) :=
    extend prepared (fst s) (row (fst s)) (truths (snd s)) [].

  Definition store := tree (list (list bool)).
  Definition state_covered (s : state) (t : store) : bool :=
    match get (N.succ_pos (fst s)) t with None => false | Some l => existsb (contained (snd s)) l end.
  Definition state_insert (s : state) (t : store) : store :=
    set (N.succ_pos (fst s)) (snd s :: match get (N.succ_pos (fst s)) t with None => [] | Some l => l end) t.

  Definition check_silence (fuel : nat) : bool :=
    let prepared := map ready kinds in
    search (next_states prepared) Leaf state_covered state_insert fuel [(0%N, D0)].

  Definition below (s s' : state) : Prop := fst s = fst s' /\ forall x, has (snd s) x = true -> has (snd s') x = true.

  Lemma covered_insert s s' t : state_covered s (state_insert s' t) = true -> state_covered s t = true \/ below s s'.
  Proof.
    unfold state_covered, state_insert. rewrite get_set.
    destruct (Pos.eqb_spec (N.succ_pos (fst s)) (N.succ_pos (fst s'))) as [E|E]; auto.
    simpl. rewrite orb_true_iff. intros [C|C].
    - right. split; [now apply succ_pos_inj|]. now apply contained_spec.
    - left. rewrite E. now destruct (get (N.succ_pos (fst s')) t).
  Qed.

  Lemma extend_spec l v rv t : forall acc r, extend l v rv t acc = Some r ->
    incl acc r /\ forall f rf E, In (f, rf, E) l -> In (mul v f, both t E rf rv) r /\ nth 0 (both t E rf rv) false = false.
  Proof.
    induction l as [|[[f rf] E] l IH]; intros acc r H; simpl in H.
    - injection H as <-. split; [apply incl_refl|]. intros f rf E [].
    - destruct (both t E rf rv) as [|[|] D] eqn:B; try discriminate; apply IH in H; destruct H as [H1 H2].
      all: split; [intros s I; apply H1; now right|].
      all: intros f' rf' E' [Q|I]; [injection Q as <- <- <-; rewrite B; split; auto; apply H1; now left|auto].
  Qed.

  (** The product of the values of a list of kinds, and the contexts beside which all of them are silent. *)
  Definition product (w : list kind) : N := fold_right (fun k v => mul (kind_value k) v) 0%N w.

  Definition silent (w : list kind) (c : N) : Prop :=
    has D0 (mul c (product w)) = true /\
    forall u k v, w = u ++ k :: v -> has (kind_silent k) (mul c (product (u ++ v))) = true.

  Lemma product_range w : incl w kinds -> (product w < order)%N.
  Proof.
    induction w as [|k w IH]; intros I; simpl; auto. apply mul_range; [apply kinds_range, I; now left|].
    apply IH. intros a Ha. apply I. now right.
  Qed.

  Lemma silent_cons k w c : incl (k :: w) kinds -> (c < order)%N -> silent (k :: w) c ->
    silent w (mul c (kind_value k)) /\ has (kind_silent k) (mul c (product w)) = true.
  Proof.
    intros I C [H1 H2]. assert (Ik : (kind_value k < order)%N) by (apply kinds_range, I; now left).
    assert (Iw : incl w kinds) by (intros a Ha; apply I; now right). split; [split|].
    - simpl in H1. rewrite mul_assoc; auto. now apply product_range.
    - intros u h v E. specialize (H2 (k :: u) h v). rewrite E in H2. specialize (H2 eq_refl). simpl in H2.
      rewrite mul_assoc; auto. apply product_range. rewrite E in Iw. intros a Ha. apply Iw.
      apply in_app_or in Ha. apply in_or_app. destruct Ha; [now left|]. right. now right.
    - apply (H2 [] k w eq_refl).
  Qed.

  Theorem silence fuel : check_silence fuel = true -> forall w, incl w kinds -> w <> [] -> ~ silent w 0%N.
  Proof.
    intros H. apply (search_invariant below) in H; auto.
    2: { intros s s' t. apply covered_insert. }
    2: { intros s. split; auto. }
    destruct H as (V & I1 & I2).
    assert (G : forall w, incl w kinds -> exists D, V (product w, D) /\ forall c, (c < order)%N -> silent w c -> has D c = true).
    { induction w as [|k w IH]; intros I.
      - destruct (I1 (0%N, D0) (or_introl eq_refl)) as ([v D] & Vs & E & L). simpl in E, L. subst v. exists D.
        split; auto. intros c C [S _]. apply L. simpl in S. rewrite mul_comm, mul_unit in S; auto.
      - assert (Iw : incl w kinds) by (intros a Ha; apply I; now right).
        assert (Ik : In k kinds) by (apply I; now left).
        destruct (IH Iw) as (D & VD & HD). destruct (I2 _ VD) as (l & E & L). unfold next_states in E. simpl in E.
        apply extend_spec in E. destruct E as [_ E].
        destruct (E (kind_value k) (row (kind_value k)) (truths (kind_silent k))) as [E1 _].
        { change (In (ready k) (map ready kinds)). now apply in_map. }
        destruct (L _ E1) as ([v D'] & VD' & Q & LD). simpl in Q, LD.
        exists D'. simpl. rewrite mul_comm in Q; auto; [|now apply product_range]. rewrite Q. split; auto.
        intros c C S. apply silent_cons in S; auto. destruct S as [S1 S2]. apply LD.
        rewrite both_spec; auto using product_range. rewrite S2, HD; auto. }
    intros [|k w] I N S; [congruence|].
    assert (Iw : incl w kinds) by (intros a Ha; apply I; now right).
    assert (Ik : In k kinds) by (apply I; now left).
    destruct (G w Iw) as (D & VD & HD). destruct (I2 _ VD) as (l & E & L). unfold next_states in E. simpl in E.
    apply extend_spec in E. destruct E as [_ E].
    destruct (E (kind_value k) (row (kind_value k)) (truths (kind_silent k))) as [_ E2].
    { change (In (ready k) (map ready kinds)). now apply in_map. }
    apply silent_cons in S; auto. destruct S as [S1 S2].
    change (nth 0 (both (truths D) (truths (kind_silent k)) (row (kind_value k)) (row (product w))) false)
      with (has (both (truths D) (truths (kind_silent k)) (row (kind_value k)) (row (product w))) 0%N) in E2.
    rewrite both_spec in E2; auto using product_range. rewrite S2, HD in E2; auto. discriminate.
  Qed.
End Silence.
