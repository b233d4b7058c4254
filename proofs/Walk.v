(** * One walk that checks a law at every vector of [N^d]

    The automaton reads a vector [y]; beside it run one track for each rule [g], which reads [y - g], the rows of the board, and
    the points that are defeated. All combinations that are reached are visited once. *)

From Coq Require Import List Arith NArith ZArith Bool Lia.
From Impartial Require Import Games Search Digits.
Import ListNotations.

Record walk := Walk {
  phase : nat;
  main : N;
  tracks : list (N * list Z);
  walk_rows : list (list Z * Z);
  points : list (list Z)
}.

Fixpoint list_same {A} (eq : A -> A -> bool) (l m : list A) : bool :=
  match l, m with
  | [], [] => true
  | a :: l', b :: m' => eq a b && list_same eq l' m'
  | _, _ => false
  end.

Lemma list_same_eq A (eq : A -> A -> bool) : (forall a b, eq a b = true -> a = b) ->
  forall l m, list_same eq l m = true -> l = m.
Proof.
  intros H. induction l; intros [|b m] E; simpl in E; try discriminate; auto.
  apply andb_true_iff in E. destruct E. f_equal; auto.
Qed.

Definition same_vector : list Z -> list Z -> bool := list_same Z.eqb.
Definition same_walk (v w : walk) : bool :=
  N.eqb (main v) (main w) &&
  list_same (fun s t => N.eqb (fst s) (fst t)) (tracks v) (tracks w) &&
  Nat.eqb (phase v) (phase w) &&
  list_same (fun s t => N.eqb (fst s) (fst t) && same_vector (snd s) (snd t)) (tracks v) (tracks w) &&
  list_same (fun s t => same_vector (fst s) (fst t) && Z.eqb (snd s) (snd t)) (walk_rows v) (walk_rows w) &&
  list_same same_vector (points v) (points w).

Lemma same_vector_eq u v : same_vector u v = true -> u = v.
Proof. apply list_same_eq. intros a b. apply Z.eqb_eq. Qed.

Lemma same_walk_eq v w : same_walk v w = true -> v = w.
Proof.
  unfold same_walk. rewrite !andb_true_iff, N.eqb_eq, Nat.eqb_eq. intros [[[[[E1 _] E2] E3] E4] E5].
  destruct v, w. simpl in *. f_equal; auto.
  - eapply list_same_eq; [|exact E3]. intros [q c] [q' c']. simpl. rewrite andb_true_iff, N.eqb_eq.
    intros [-> H]. f_equal. now apply same_vector_eq.
  - eapply list_same_eq; [|exact E4]. intros [q c] [q' c']. simpl. rewrite andb_true_iff, Z.eqb_eq.
    intros [H ->]. f_equal. now apply same_vector_eq.
  - eapply list_same_eq; [|exact E5]. intros. now apply same_vector_eq.
Qed.

(** A key for the store. Nothing depends on it but the time. *)
Fixpoint low_bits (k : nat) (p q : positive) : positive :=
  match k with
  | O => q
  | S k' => match p with xH => xI q | xO p' => low_bits k' p' (xO q) | xI p' => low_bits k' p' (xI q) end
  end.
Definition number_key (v : N) (q : positive) : positive := match v with N0 => xO q | Npos p => low_bits 10 p q end.
Definition integer_key (v : Z) (q : positive) : positive :=
  match v with Z0 => q | Zneg _ => xO (xO q) | Zpos p => low_bits 3 p (xI q) end.
Definition walk_key (w : walk) : positive :=
  let q := number_key (main w) xH in
  let q := fold_left (fun q t => fold_left (fun q c => integer_key c q) (snd t) (number_key (fst t) q)) (tracks w) q in
  fold_left (fun q r => integer_key (snd r) q) (walk_rows w) q.

Section Law.
  Variable d : nat.
  Variable delta : N -> bool -> N.
  Variable out : N -> option N.
  (** [law b m l]: is it right that a vector on the board or not ([b]) has the output [m], and its options the outputs [l]? *)
  Variable law : bool -> option N -> list (option N) -> bool.

  Definition advance_walk (w : walk) (e : bool) : walk :=
    {| phase := if Nat.eqb (S (phase w)) d then 0 else S (phase w);
       main := delta (main w) e;
       tracks := map (fun t => advance delta t e) (tracks w);
       walk_rows := map (fun r => row_step r e) (walk_rows w);
       points := points_step (points w) e |}.

  Definition all_zero (c : list Z) : bool := forallb (Z.eqb 0) c.
  Definition settled (c : list Z) : bool := forallb (fun a => Z.eqb 0 a || Z.eqb (-1) a) c.

  Definition track_out (t : N * list Z) : option N := if all_zero (snd t) then out (fst t) else None.

  Definition on_board_here (w : walk) : bool :=
    forallb (fun r => Z.leb 0 (snd r)) (walk_rows w) && negb (existsb all_zero (points w)).

  Definition same_out (a b : option N) : bool :=
    match a, b with Some u, Some v => N.eqb u v | None, None => true | _, _ => false end.

  Definition good_here (w : walk) : bool :=
    if Nat.eqb (phase w) 0
    then same_out (out (main w)) (out (run delta d (main w) (repeat 0%Z d))) &&
         if forallb (fun t => settled (snd t)) (tracks w)
         then law (on_board_here w) (out (main w)) (map track_out (tracks w))
         else true
    else true.

  Definition next_walks (w : walk) : option (list walk) :=
    if good_here w then Some [advance_walk w false; advance_walk w true] else None.

  Variable Gamma : list (list Z).
  Variable board : list (list Z * Z).
  Variable D : list (list Z).

  Definition first_walk : walk :=
    {| phase := 0; main := 0%N; tracks := map (fun g => (0%N, map Z.opp g)) Gamma; walk_rows := board; points := D |}.

  Definition shapes : bool :=
    negb (Nat.eqb d 0) &&
    forallb (fun g => Nat.eqb (length g) d) Gamma && forallb (fun r => Nat.eqb (length (fst r)) d) board &&
    forallb (fun q => Nat.eqb (length q) d) D.

  Definition check_law (fuel : nat) : bool :=
    shapes &&
    search next_walks Leaf (bucket_covered walk_key same_walk) (bucket_insert walk_key) fuel [first_walk].

  (** The output of the automaton on a vector, read to [k] digits; vectors with a negative entry have none. *)
  Definition output (k : nat) (y : list Z) : option N :=
    if forallb (Z.leb 0) y then out (run delta (k * length y) 0%N y) else None.

  Definition on_inner_board (y : list Z) : Prop := Forall (fun r => holds r y) board /\ ~ In y D.

  (** ** The walk along one vector *)
  Fixpoint walk_along (n : nat) (w : walk) (y : list Z) : walk :=
    match n with O => w | S n' => walk_along n' (advance_walk w (digit y)) (turn y) end.

  Lemma along_parts n : forall w y,
    main (walk_along n w y) = run delta n (main w) y /\
    tracks (walk_along n w y) = map (fun t => track delta n t y) (tracks w) /\
    walk_rows (walk_along n w y) = map (fun r => row_steps n r y) (walk_rows w) /\
    points (walk_along n w y) = points_steps n (points w) y.
  Proof.
    induction n as [|n IH]; intros w y; simpl.
    - rewrite !map_id. auto.
    - destruct (IH (advance_walk w (digit y)) (turn y)) as (H1 & H2 & H3 & H4).
      rewrite H1, H2, H3, H4. simpl. rewrite !map_map. auto.
  Qed.

  Hypothesis d_pos : d <> 0.

  Lemma along_phase n : forall w y, phase w < d -> phase (walk_along n w y) = (phase w + n) mod d.
  Proof.
    induction n as [|n IH]; intros w y H; cbn [walk_along].
    - rewrite Nat.add_0_r, Nat.mod_small; auto.
    - rewrite IH; cbn [advance_walk phase].
      + destruct (Nat.eqb_spec (S (phase w)) d) as [E|E].
        * replace (phase w + S n) with (n + 1 * d) by lia. now rewrite Nat.mod_add.
        * f_equal. lia.
      + destruct (Nat.eqb_spec (S (phase w)) d); lia.
  Qed.

  Lemma along_visited (V : walk -> Prop) :
    (forall w, V w -> exists l, next_walks w = Some l /\ forall w', In w' l -> V w') ->
    forall n w y, V w -> V (walk_along n w y).
  Proof.
    intros H. induction n as [|n IH]; intros w y Vw; simpl; auto. apply IH.
    destruct (H w Vw) as (l & E & L). unfold next_walks in E. destruct (good_here w); [|discriminate].
    injection E as <-. apply L. destruct (digit y); simpl; auto.
  Qed.

  Lemma all_zero_spec c : all_zero c = true <-> zeros c.
  Proof.
    unfold all_zero, zeros. rewrite forallb_forall, Forall_forall. split; intros H x I; specialize (H x I); now apply Z.eqb_eq.
  Qed.

  Lemma zeros_turn_plus r c : length c = length r -> zeros r -> plus r c = c.
  Proof.
    intros L Z. revert c L. induction Z; intros [|b c] L; simpl in *; try lia; auto. subst. f_equal. auto.
  Qed.

  Lemma zeros_unique r q : length q = length r -> zeros r -> (zeros q <-> q = r).
  Proof.
    intros L Z. split.
    - revert q L. induction Z; intros [|b q] L Q; simpl in *; try lia; auto. inversion Q; subst. f_equal. auto.
    - now intros ->.
  Qed.

  Lemma zeros_repeat r : zeros r -> r = repeat 0%Z (length r).
  Proof. induction 1; simpl; auto. subst. now f_equal. Qed.

  Lemma points_steps_length n : forall L y, Forall (fun q => length q = length y) L ->
    Forall (fun q => length q = length y) (points_steps n L y).
  Proof.
    induction n as [|n IH]; intros L y H; simpl; auto.
    destruct (points_step_spec L y H) as [_ H2]. apply IH in H2. now rewrite length_turn in H2.
  Qed.

  Section Found.
    Variable fuel : nat.
    Hypothesis checked : check_law fuel = true.

    Lemma shapes_ok : Forall (fun g => length g = d) Gamma /\ Forall (fun r => length (fst r) = d) board /\
      Forall (fun q => length q = d) D.
    Proof.
      unfold check_law in checked. apply andb_true_iff in checked. destruct checked as [S _]. unfold shapes in S.
      rewrite !andb_true_iff, !forallb_forall in S. destruct S as [[[_ S1] S2] S3].
      rewrite !Forall_forall. repeat split; intros x I; apply Nat.eqb_eq; auto.
    Qed.

    Lemma good_along n y : good_here (walk_along n first_walk y) = true.
    Proof.
      unfold check_law in checked. apply andb_true_iff in checked. destruct checked as [_ S].
      eapply (search_invariant eq) in S; auto using bucket_covered_nothing.
      - destruct S as (V & I1 & I2).
        assert (step : forall w, V w -> exists l, next_walks w = Some l /\ forall w', In w' l -> V w').
        { intros w Vw. destruct (I2 w Vw) as (l & E & L). exists l. split; auto. intros w' I.
          destruct (L w' I) as (w'' & Vw' & ->). exact Vw'. }
        assert (V (walk_along n first_walk y)) as Vn.
        { apply along_visited; auto. destruct (I1 first_walk (or_introl eq_refl)) as (w & Vw & ->). exact Vw. }
        destruct (step _ Vn) as (l & E & _). unfold next_walks in E. now destruct (good_here _).
      - intros s s' t. apply bucket_covered_insert. apply same_walk_eq.
    Qed.

    Variable y : list Z.
    Hypothesis y_length : length y = d.
    Hypothesis y_pos : Forall (Z.le 0) y.

    Lemma phase_blocks k : phase (walk_along (k * d) first_walk y) = 0.
    Proof. rewrite along_phase; cbn [first_walk phase]; [|lia]. now apply Nat.mod_mul. Qed.

    (** More digits do not change the output. *)
    Lemma output_more k : fits k y -> output (S k) y = output k y.
    Proof.
      intros F. pose proof (good_along (k * d) y) as G. unfold good_here in G. rewrite phase_blocks in G. simpl in G.
      apply andb_true_iff in G. destruct G as [G _]. rewrite (proj1 (along_parts _ _ _)) in G. simpl in G.
      unfold output. destruct (forallb (Z.leb 0) y); auto. rewrite y_length.
      replace (S k * d) with (k * d + d) by lia. rewrite run_add.
      pose proof (fits_zeros k y y_pos F) as Z. rewrite y_length in Z. apply zeros_repeat in Z.
      rewrite length_turns, y_length in Z. rewrite Z.
      revert G. unfold same_out. destruct (out (run delta (k * d) 0%N y)), (out _); try discriminate; auto.
      intros E. apply N.eqb_eq in E. now subst.
    Qed.

    Lemma output_any k m : fits k y -> fits m y -> output k y = output m y.
    Proof.
      assert (up : forall i k, fits k y -> output (i + k) y = output k y).
      { induction i; intros j F; simpl; auto. rewrite output_more; auto. eapply fits_more; [|exact F]. lia. }
      intros F1 F2. destruct (le_lt_dec k m).
      - replace m with (m - k + k) by lia. now rewrite up.
      - replace k with (k - m + m) by lia. now rewrite up.
    Qed.

    Lemma law_here k : fits k y -> Forall (fun g => fits k (plus y (map Z.opp g))) Gamma ->
      exists b, (b = true <-> on_inner_board y) /\
      law b (output k y) (map (fun g => output k (plus y (map Z.opp g))) Gamma) = true.
    Proof.
      intros F FG. destruct shapes_ok as (S1 & S2 & S3).
      pose proof (good_along (k * d) y) as G. unfold good_here in G. rewrite phase_blocks in G. simpl in G.
      apply andb_true_iff in G. destruct G as [_ G].
      set (w := walk_along (k * d) first_walk y) in *.
      destruct (along_parts (k * d) first_walk y) as (P1 & P2 & P3 & P4). fold w in P1, P2, P3, P4. simpl in P1, P2, P3, P4.
      rewrite map_map in P2.
      pose proof (fits_zeros k y y_pos F) as Z. rewrite y_length in Z.
      assert (yn : y <> []) by (intros ->; simpl in *; congruence).
      assert (T : forall g, In g Gamma -> let t := track delta (k * d) (0%N, map Z.opp g) y in
        settled (snd t) = true /\ track_out t = output k (plus y (map Z.opp g))).
      { intros g I t. rewrite Forall_forall in S1, FG. specialize (S1 g I). specialize (FG g I).
        destruct (track_spec delta (k * d) 0%N (map Z.opp g) y) as (T1 & T2 & T3); auto; [rewrite map_length; lia|].
        fold t in T1, T2, T3. rewrite zeros_turn_plus in T2; auto; [|rewrite T3, map_length, length_turns; lia].
        set (z := plus y (map Z.opp g)) in *.
        assert (length z = d) as Lz by (unfold z; rewrite length_plus; auto; rewrite map_length; lia).
        pose proof (fits_turns k z FG) as Ft. rewrite Lz, <- T2 in Ft. split.
        - rewrite Ft. unfold settled. rewrite forallb_forall. intros b J. apply in_map_iff in J. destruct J as (a & <- & _).
          now destruct (Z.ltb a 0).
        - unfold track_out, output. rewrite T1, Lz, Ft.
          replace (all_zero _) with (forallb (Z.leb 0) z); auto.
          unfold all_zero. clear. induction z as [|a z IH]; auto. cbn [forallb map]. rewrite IH. f_equal.
          destruct (Z.leb_spec 0 a), (Z.ltb_spec a 0); auto; lia. }
      replace (forallb (fun t => settled (snd t)) (tracks w)) with true in G.
      2: { symmetry. rewrite P2, forallb_forall. intros t I. apply in_map_iff in I. destruct I as (g & <- & I).
           now apply T. }
      exists (on_board_here w). split.
      - unfold on_board_here, on_inner_board. rewrite andb_true_iff, negb_true_iff, P3, P4.
        rewrite forallb_forall, Forall_forall. split.
        + intros [H1 H2]. split.
          * intros r I. rewrite Forall_forall in S2. specialize (S2 r I).
            apply (row_steps_spec (k * d) r y); [lia|].
            assert (In (row_steps (k * d) r y) (map (fun r => row_steps (k * d) r y) board)) as I' by (apply in_map_iff; eauto).
            apply H1, Z.leb_le in I'. unfold holds. rewrite dot_zeros; auto.
          * intros I. apply (points_steps_spec (k * d)) in I; [|eapply Forall_impl; [|exact S3]; simpl; lia].
            assert (existsb all_zero (points_steps (k * d) D y) = true); [|congruence].
            apply existsb_exists. eexists. split; [exact I|]. now apply all_zero_spec.
        + intros [H1 H2]. split.
          * intros r I. apply in_map_iff in I. destruct I as (r' & <- & I). rewrite Forall_forall in S2. specialize (S2 r' I).
            specialize (H1 r' I). apply (row_steps_spec (k * d) r' y) in H1; [|lia].
            unfold holds in H1. rewrite dot_zeros in H1; auto. now apply Z.leb_le.
          * apply not_true_iff_false. intros E. apply H2. apply existsb_exists in E. destruct E as (q & I & E).
            apply all_zero_spec in E.
            assert (Forall (fun q => length q = length y) D) as S3' by (eapply Forall_impl; [|exact S3]; simpl; lia).
            apply (points_steps_spec (k * d)); auto.
            assert (length q = length (turns (k * d) y)) as Lq.
            { rewrite length_turns. pose proof (points_steps_length (k * d) D y S3') as A.
              rewrite Forall_forall in A. now apply A. }
            apply (zeros_unique (turns (k * d) y) q Lq Z) in E. now rewrite <- E.
      - rewrite <- G. f_equal.
        + unfold output. rewrite P1, y_length. replace (forallb (Z.leb 0) y) with true; auto.
          symmetry. rewrite forallb_forall. rewrite Forall_forall in y_pos. intros a I. apply Z.leb_le. auto.
        + rewrite P2, map_map. apply map_ext_in. intros g I. symmetry. now apply T.
    Qed.
  End Found.
End Law.
