(** * One walk that checks a law at every vector of [N^d]

    The automaton reads a vector [y]; beside it run one track for each rule [g], which reads [y - g], the rows of the board, and
    the points that are defeated. All combinations that are reached are visited once, with numbers for what is left of the tracks. *)

From Coq Require Import List Arith NArith ZArith Bool Lia.
From Impartial Require Import Games Search Digits.
From Impartial Require Export Parts.
Import ListNotations.

Record walk := Walk {
  phase : nat;
  main : N;
  tracks : list (N * list Z);
  walk_rows : list (list Z * Z);
  points : list (list Z)
}.

(** The same with numbers for the residuals of the tracks. *)
Record lean := Lean {
  l_phase : nat;
  l_main : N;
  l_tracks : list N;
  l_rows : list (list Z * Z);
  l_points : list (list Z)
}.

Definition same_lean (v w : lean) : bool :=
  N.eqb (l_main v) (l_main w) && list_same N.eqb (l_tracks v) (l_tracks w) && Nat.eqb (l_phase v) (l_phase w) &&
  list_same (fun s t => same_vector (fst s) (fst t) && Z.eqb (snd s) (snd t)) (l_rows v) (l_rows w) &&
  list_same same_vector (l_points v) (l_points w).

Lemma same_lean_eq v w : same_lean v w = true -> v = w.
Proof.
  unfold same_lean. rewrite !andb_true_iff, N.eqb_eq, Nat.eqb_eq. intros [[[[E1 E2] E3] E4] E5].
  destruct v, w. simpl in *. f_equal; auto.
  - eapply list_same_eq; [|exact E2]. intros a b. apply N.eqb_eq.
  - eapply list_same_eq; [|exact E4]. intros [q c] [q' c']. simpl. rewrite andb_true_iff, Z.eqb_eq.
    intros [H ->]. f_equal. now apply same_vector_eq.
  - eapply list_same_eq; [|exact E5]. intros. now apply same_vector_eq.
Qed.

(** A key for the store: [b] digits of each number. Nothing depends on it but the time. *)
Definition lean_key (b : nat) (w : lean) : positive :=
  let q := number_key (l_main w) xH in
  let q := fold_left (fun q i => match i with N0 => xO q | Npos p => low_bits b p q end) (l_tracks w) q in
  fold_left (fun q r => integer_key (snd r) q) (l_rows w) q.

Fixpoint stops_at (Ss : list (tree stop)) (is : list N) : list stop :=
  match Ss, is with Z :: Ss', i :: is' => look no_stop Z i :: stops_at Ss' is' | _, _ => [] end.

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

  Definition on_board_here (w : walk) : bool :=
    forallb (fun r => Z.leb 0 (snd r)) (walk_rows w) && negb (existsb all_zero (points w)).

  Definition same_out (a b : option N) : bool :=
    match a, b with Some u, Some v => N.eqb u v | None, None => true | _, _ => false end.

  Definition good_here (w : walk) : bool :=
    if Nat.eqb (phase w) 0
    then same_out (out (main w)) (out (run delta d (main w) (repeat 0%Z d))) &&
         if forallb (fun t => settled (snd t)) (tracks w)
         then law (on_board_here w) (out (main w)) (map (track_out out) (tracks w))
         else true
    else true.

  Definition lean_advance (w : lean) (stops : list stop) (e : bool) : lean :=
    {| l_phase := if Nat.eqb (S (l_phase w)) d then 0 else S (l_phase w);
       l_main := delta (l_main w) e;
       l_tracks := map (if e then if_1 else if_0) stops;
       l_rows := map (fun r => row_step r e) (l_rows w);
       l_points := points_step (l_points w) e |}.

  Definition lean_good (w : lean) (stops : list stop) : bool :=
    if Nat.eqb (l_phase w) 0
    then same_out (out (l_main w)) (out (run delta d (l_main w) (repeat 0%Z d))) &&
         if forallb at_rest stops
         then law (forallb (fun r => Z.leb 0 (snd r)) (l_rows w) && negb (existsb all_zero (l_points w))) (out (l_main w)) (map says_here stops)
         else true
    else true.

  Definition lean_next (Ss : list (tree stop)) (w : lean) : option (list lean) :=
    let stops := stops_at Ss (l_tracks w) in
    if lean_good w stops then Some [lean_advance w stops false; lean_advance w stops true] else None.

  Variable Gamma : list (list Z).
  Variable board : list (list Z * Z).
  Variable D : list (list Z).

  Definition first_walk : walk :=
    {| phase := 0; main := 0%N; tracks := map (fun g => (0%N, map Z.opp g)) Gamma; walk_rows := board; points := D |}.

  Definition shapes : bool :=
    negb (Nat.eqb d 0) &&
    forallb (fun g => Nat.eqb (length g) d) Gamma && forallb (fun r => Nat.eqb (length (fst r)) d) board &&
    forallb (fun q => Nat.eqb (length q) d) D.

  Fixpoint parts_of (fuel : nat) (ts : list residual) : option (list (N * tree stop)) :=
    match ts with
    | [] => Some []
    | t :: ts' => match part delta out fuel t, parts_of fuel ts' with Some P, Some l => Some (P :: l) | _, _ => None end
    end.

  Definition first_lean (is : list N) : lean :=
    {| l_phase := 0; l_main := 0%N; l_tracks := is; l_rows := board; l_points := D |}.

  Definition check_law (fuel : nat) : bool :=
    shapes &&
    match parts_of fuel (tracks first_walk) with
    | None => false
    | Some ps =>
        let key := lean_key (2 + Nat.div 18 (S (length ps))) in
        search (lean_next (map snd ps)) Leaf (bucket_covered key same_lean) (bucket_insert key) fuel [first_lean (map fst ps)]
    end.

  (** ** Numbers and what they stand for *)

  Fixpoint represent (Ss : list (tree stop)) (is : list N) (ts : list residual) : Prop :=
    match Ss, is, ts with
    | [], [], [] => True
    | Z :: Ss', i :: is', t :: ts' => (exists R, numbering delta out Z R /\ R i t) /\ represent Ss' is' ts'
    | _, _, _ => False
    end.

  Lemma parts_represent fuel ts : forall ps, parts_of fuel ts = Some ps -> represent (map snd ps) (map fst ps) ts.
  Proof.
    induction ts as [|t ts IH]; intros ps H; cbn [parts_of] in H; [injection H as <-; exact I|].
    destruct (part delta out fuel t) as [[i Z]|] eqn:P; [|discriminate]. destruct (parts_of fuel ts) as [l|]; [|discriminate].
    injection H as <-. cbn [map represent fst snd]. split; auto. exact (part_spec _ _ _ _ _ _ P).
  Qed.

  Lemma represent_stops Ss : forall is ts, represent Ss is ts ->
    forallb at_rest (stops_at Ss is) = forallb (fun t => settled (snd t)) ts /\
    map says_here (stops_at Ss is) = map (track_out out) ts /\
    forall e : bool, represent Ss (map (if e then if_1 else if_0) (stops_at Ss is)) (map (fun t => advance delta t e) ts).
  Proof.
    induction Ss as [|Z Ss IH]; intros [|i is] [|t ts] H; try destruct H; [repeat split|].
    destruct H as (R & N & Rt). destruct (IH is ts) as (A & B & C); auto. destruct (N i t Rt) as (N1 & N2 & N3 & N4).
    cbn [stops_at forallb map represent]. rewrite A, B, N1, N2. split; auto. split; auto. intros e. split; [|apply C].
    exists R. split; auto. destruct e; auto.
  Qed.

  Definition similar (Ss : list (tree stop)) (v : lean) (w : walk) : Prop :=
    l_phase v = phase w /\ l_main v = main w /\ l_rows v = walk_rows w /\ l_points v = points w /\ represent Ss (l_tracks v) (tracks w).

  Lemma similar_good Ss v w : similar Ss v w -> lean_good v (stops_at Ss (l_tracks v)) = good_here w.
  Proof.
    intros (E1 & E2 & E3 & E4 & H). destruct (represent_stops _ _ _ H) as (A & B & _).
    unfold lean_good, good_here, on_board_here. now rewrite E1, E2, E3, E4, A, B.
  Qed.

  Lemma similar_advance Ss v w e : similar Ss v w -> similar Ss (lean_advance v (stops_at Ss (l_tracks v)) e) (advance_walk w e).
  Proof.
    intros (E1 & E2 & E3 & E4 & H). destruct (represent_stops _ _ _ H) as (_ & _ & C).
    unfold similar, lean_advance, advance_walk. cbn. rewrite E1, E2, E3, E4. auto.
  Qed.

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

  Lemma along_visited Ss (V : lean -> Prop) :
    (forall v, V v -> exists l, lean_next Ss v = Some l /\ forall v', In v' l -> V v') ->
    forall n v w y, V v -> similar Ss v w -> exists v', V v' /\ similar Ss v' (walk_along n w y).
  Proof.
    intros H. induction n as [|n IH]; intros v w y Vv E; cbn [walk_along]; eauto.
    apply (IH (lean_advance v (stops_at Ss (l_tracks v)) (digit y))); [|now apply similar_advance].
    destruct (H v Vv) as (l & N & L). unfold lean_next in N. destruct (lean_good _ _); [|discriminate].
    injection N as <-. apply L. destruct (digit y); simpl; auto.
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
      destruct (parts_of fuel (tracks first_walk)) as [ps|] eqn:P; [|discriminate]. cbv zeta in S.
      set (key := lean_key _) in S. clearbody key. set (Ss := map snd ps) in *.
      eapply (search_invariant eq) in S; auto using bucket_covered_nothing.
      - destruct S as (V & I1 & I2).
        assert (step : forall v, V v -> exists l, lean_next Ss v = Some l /\ forall v', In v' l -> V v').
        { intros v Vv. destruct (I2 v Vv) as (l & E & L). exists l. split; auto. intros v' I.
          destruct (L v' I) as (v'' & Vv' & ->). exact Vv'. }
        destruct (I1 _ (or_introl eq_refl)) as (v0 & V0 & <-).
        destruct (along_visited Ss V step n _ first_walk y V0) as (v & Vv & E).
        { split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|]. exact (parts_represent _ _ _ P). }
        destruct (step _ Vv) as (l & N & _). unfold lean_next in N. rewrite (similar_good _ _ _ E) in N. destruct (good_here (walk_along n first_walk y)); [reflexivity|discriminate N].
      - intros s s' t. apply bucket_covered_insert. apply same_lean_eq.
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
        settled (snd t) = true /\ track_out out t = output k (plus y (map Z.opp g))).
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
