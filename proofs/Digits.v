(** * Reading vectors digit by digit

    A vector is read in binary, lowest digits first and coordinate by coordinate. Reading one digit turns the vector: the first
    coordinate gives its lowest digit away and goes to the end. So no coordinate is ever named, and negative numbers (of which all
    digits far to the left are 1) need no special care. *)

From Coq Require Import List Arith NArith ZArith Bool Lia.
From Impartial Require Import Games.
Import ListNotations.
Local Open Scope Z_scope.

Definition digit (y : list Z) : bool := match y with a :: _ => Z.odd a | [] => false end.
Definition turn (y : list Z) : list Z := match y with a :: r => r ++ [Z.div2 a] | [] => [] end.

Fixpoint turns (n : nat) (y : list Z) : list Z := match n with O => y | S n' => turns n' (turn y) end.

Definition halved (k : nat) (a : Z) : Z := a / 2 ^ Z.of_nat k.

Lemma length_turn y : length (turn y) = length y.
Proof. destruct y; simpl; auto. rewrite app_length. simpl. lia. Qed.

Lemma length_turns n : forall y, length (turns n y) = length y.
Proof. induction n; intros y; simpl; auto. now rewrite IHn, length_turn. Qed.

Lemma length_plus y : forall c, length c = length y -> length (plus y c) = length y.
Proof. induction y; intros [|b c] H; simpl in *; try lia. f_equal. auto. Qed.

Lemma turns_add m n : forall y, turns (m + n) y = turns n (turns m y).
Proof. induction m; intros y; simpl; auto. Qed.

Lemma turns_app u : forall v, turns (length u) (u ++ v) = v ++ map Z.div2 u.
Proof.
  induction u as [|a u IH]; intros v; simpl; [now rewrite app_nil_r|].
  rewrite <- app_assoc, IH, <- app_assoc. reflexivity.
Qed.

Lemma turns_block y : turns (length y) y = map Z.div2 y.
Proof. rewrite <- (app_nil_r y) at 2. now rewrite turns_app. Qed.

Lemma halved_S k a : halved (S k) a = halved k (Z.div2 a).
Proof.
  unfold halved. rewrite Z.div2_div, Nat2Z.inj_succ, Z.pow_succ_r by lia.
  rewrite <- Z.div_div by lia. reflexivity.
Qed.

Lemma turns_blocks k : forall y, turns (k * length y) y = map (halved k) y.
Proof.
  induction k as [|k IH]; intros y; simpl.
  - unfold halved. simpl. rewrite <- (map_id y) at 1. apply map_ext. intros. now rewrite Z.div_1_r.
  - rewrite turns_add, turns_block, <- (map_length Z.div2 y), IH, map_map. apply map_ext.
    intros a. symmetry. apply halved_S.
Qed.

(** [k] digits are enough for [y]. *)
Definition fits (k : nat) (y : list Z) : Prop := Forall (fun a => - 2 ^ Z.of_nat k <= a < 2 ^ Z.of_nat k) y.

Lemma fits_more k m y : (k <= m)%nat -> fits k y -> fits m y.
Proof.
  intros H. unfold fits. apply Forall_impl. intros a Ha.
  assert (2 ^ Z.of_nat k <= 2 ^ Z.of_nat m) by (apply Z.pow_le_mono_r; lia). lia.
Qed.

Lemma fits_exists y : exists k, fits k y.
Proof.
  induction y as [|a y [k IH]].
  - exists 0%nat. constructor.
  - exists (Nat.max k (Z.to_nat (Z.abs a))). constructor.
    + assert (Z.abs a < 2 ^ (Z.abs a)) by (apply Z.pow_gt_lin_r; lia).
      assert (2 ^ Z.abs a <= 2 ^ Z.of_nat (Nat.max k (Z.to_nat (Z.abs a)))) by (apply Z.pow_le_mono_r; lia). lia.
    + eapply fits_more; [|exact IH]. lia.
Qed.

Lemma fits_list (l : list (list Z)) : exists k, Forall (fits k) l.
Proof.
  induction l as [|y l [k IH]]; [exists 0%nat; constructor|]. destruct (fits_exists y) as [m Hm].
  exists (Nat.max k m). constructor; [eapply fits_more; [|exact Hm]; lia|].
  eapply Forall_impl; [|exact IH]. intros z. apply fits_more. lia.
Qed.

Lemma halved_small k a : - 2 ^ Z.of_nat k <= a < 2 ^ Z.of_nat k -> halved k a = if a <? 0 then -1 else 0.
Proof.
  intros H. unfold halved. destruct (Z.ltb_spec a 0).
  - symmetry. apply (Z.div_unique a _ (-1) (a + 2 ^ Z.of_nat k)); lia.
  - apply Z.div_small. lia.
Qed.

Definition zeros (y : list Z) : Prop := Forall (eq 0) y.

Lemma fits_turns k y : fits k y -> turns (k * length y) y = map (fun a => if a <? 0 then -1 else 0) y.
Proof. rewrite turns_blocks. induction 1; simpl; f_equal; auto. now apply halved_small. Qed.

Lemma fits_zeros k y : Forall (Z.le 0) y -> fits k y -> zeros (turns (k * length y) y).
Proof.
  intros P F. rewrite fits_turns by auto. clear F. induction P; simpl; constructor; auto.
  destruct (Z.ltb_spec x 0); lia.
Qed.

(** ** Automata, and vectors that are sums of one that is read and a carry *)
Section Automata.
  Variable delta : N -> bool -> N.

  Fixpoint run (n : nat) (q : N) (y : list Z) : N :=
    match n with O => q | S n' => run n' (delta q (digit y)) (turn y) end.

  Lemma run_add m n : forall q y, run (m + n) q y = run n (run m q y) (turns m y).
  Proof. induction m; intros q y; simpl; auto. Qed.

  Definition advance (t : N * list Z) (e : bool) : N * list Z :=
    match snd t with
    | c :: r => let s := c + Z.b2z e in (delta (fst t) (Z.odd s), r ++ [Z.div2 s])
    | [] => t
    end.

  Fixpoint track (n : nat) (t : N * list Z) (y : list Z) : N * list Z :=
    match n with O => t | S n' => track n' (advance t (digit y)) (turn y) end.

  Lemma plus_app u : forall v u' v', length u = length u' -> plus (u ++ v) (u' ++ v') = plus u u' ++ plus v v'.
  Proof. induction u; intros v [|b u'] v' H; simpl in *; try lia; auto. f_equal. apply IHu. lia. Qed.

  Lemma carry a c : Z.odd (a + c) = Z.odd (c + Z.b2z (Z.odd a)) /\ Z.div2 (a + c) = Z.div2 a + Z.div2 (c + Z.b2z (Z.odd a)).
  Proof.
    pose proof (Z.div2_odd a) as E.
    assert (a + c = c + Z.b2z (Z.odd a) + Z.div2 a * 2) as E' by lia.
    rewrite E'. split.
    - rewrite Z.odd_add, (Z.odd_mul _ 2), andb_false_r, xorb_false_r. reflexivity.
    - rewrite !Z.div2_div, Z.div_add by lia. lia.
  Qed.

  Lemma advance_spec q c y : length c = length y -> y <> [] ->
    fst (advance (q, c) (digit y)) = delta q (digit (plus y c)) /\
    plus (turn y) (snd (advance (q, c) (digit y))) = turn (plus y c) /\
    length (snd (advance (q, c) (digit y))) = length c.
  Proof.
    destruct y as [|a y]; [congruence|]. destruct c as [|b c]; simpl; [lia|]. intros L _.
    destruct (carry a b) as [E1 E2]. rewrite E1, E2. split; auto. split.
    - rewrite plus_app by lia. reflexivity.
    - rewrite app_length. simpl. lia.
  Qed.

  Lemma track_spec n : forall q c y, length c = length y -> y <> [] ->
    fst (track n (q, c) y) = run n q (plus y c) /\
    plus (turns n y) (snd (track n (q, c) y)) = turns n (plus y c) /\
    length (snd (track n (q, c) y)) = length c.
  Proof.
    induction n as [|n IH]; intros q c y L N; simpl; auto.
    destruct (advance_spec q c y L N) as (E1 & E2 & E3).
    destruct (advance (q, c) (digit y)) as [q' c'] eqn:A. simpl in *.
    destruct (IH q' c' (turn y)) as (F1 & F2 & F3).
    - rewrite length_turn. lia.
    - intros Y. apply (f_equal (@length Z)) in Y. rewrite length_turn in Y. destruct y; simpl in *; congruence.
    - rewrite F1, F2, F3, E1, E2. auto.
  Qed.
End Automata.

(** ** Rows [a·y + b >= 0] *)

Definition even_row (a : list Z) : bool := forallb Z.even a.

Definition row_step (row : list Z * Z) (e : bool) : list Z * Z :=
  match fst row with
  | a :: r =>
      let b := snd row + a * Z.b2z e in
      let r' := r ++ [2 * a] in
      if even_row r' then (map Z.div2 r', Z.div2 b) else (r', b)
  | [] => row
  end.

Fixpoint row_steps (n : nat) (row : list Z * Z) (y : list Z) : list Z * Z :=
  match n with O => row | S n' => row_steps n' (row_step row (digit y)) (turn y) end.

Definition holds (row : list Z * Z) (y : list Z) : Prop := 0 <= dot (fst row) y + snd row.

Lemma dot_app a : forall b x y, length a = length x -> dot (a ++ b) (x ++ y) = dot a x + dot b y.
Proof. induction a; intros b [|x1 x] y H; simpl in *; try lia. rewrite IHa by lia. lia. Qed.

Lemma dot_even a : even_row a = true -> forall x, dot a x = 2 * dot (map Z.div2 a) x.
Proof.
  induction a as [|a1 a IH]; [reflexivity|]. intros H [|x1 x]; [reflexivity|]. cbn [dot map].
  unfold even_row in *. cbn [forallb] in H. apply andb_true_iff in H. destruct H as [E H].
  rewrite (IH H). rewrite Z.even_spec in E. destruct E as [m ->].
  replace (Z.div2 (2 * m)) with m; [lia|]. rewrite Z.div2_div, (Z.mul_comm 2 m), Z.div_mul; lia.
Qed.

Lemma row_step_spec row y : length (fst row) = length y ->
  (holds (row_step row (digit y)) (turn y) <-> holds row y) /\ length (fst (row_step row (digit y))) = length (turn y).
Proof.
  destruct row as [a b]. unfold holds. destruct y as [|y1 y], a as [|a1 a]; intros L; cbn [fst length] in L; try lia.
  { simpl. split; [tauto|auto]. }
  unfold row_step. cbn [fst snd digit turn].
  assert (dot (a1 :: a) (y1 :: y) + b = dot (a ++ [2 * a1]) (y ++ [Z.div2 y1]) + (b + a1 * Z.b2z (Z.odd y1))) as E.
  { rewrite dot_app by lia. cbn [dot]. pose proof (Z.div2_odd y1) as D. set (m := Z.div2 y1) in *. set (o := Z.b2z (Z.odd y1)) in *.
    rewrite D at 1. ring. }
  destruct (even_row (a ++ [2 * a1])) eqn:V; cbn [fst snd].
  - split.
    + rewrite E, (dot_even _ V). rewrite Z.div2_div.
      set (u := dot (map Z.div2 (a ++ [2 * a1])) (y ++ [Z.div2 y1])). set (w := b + a1 * Z.b2z (Z.odd y1)).
      pose proof (Z.div_mod w 2). pose proof (Z.mod_pos_bound w 2). lia.
    + rewrite map_length, !app_length. simpl. lia.
  - split; [rewrite E; tauto|]. rewrite !app_length. simpl. lia.
Qed.

Lemma row_steps_spec n : forall row y, length (fst row) = length y ->
  (holds (row_steps n row y) (turns n y) <-> holds row y) /\ length (fst (row_steps n row y)) = length y.
Proof.
  induction n as [|n IH]; intros row y L; simpl; [tauto|].
  destruct (row_step_spec row y L) as [H1 H2]. destruct (IH (row_step row (digit y)) (turn y) H2) as [H3 H4].
  rewrite length_turn in H4. split; auto. now rewrite H3.
Qed.

Lemma dot_zeros a : forall y, zeros y -> dot a y = 0.
Proof. induction a; intros y Z; destruct Z; simpl; auto. subst. rewrite IHa; auto. lia. Qed.

(** ** Finite lists of points *)

Definition points_step (D : list (list Z)) (e : bool) : list (list Z) :=
  map turn (filter (fun q => Bool.eqb (digit q) e) D).

Fixpoint points_steps (n : nat) (D : list (list Z)) (y : list Z) : list (list Z) :=
  match n with O => D | S n' => points_steps n' (points_step D (digit y)) (turn y) end.

Lemma turn_inj x y : length x = length y -> digit x = digit y -> turn x = turn y -> x = y.
Proof.
  destruct x as [|a x], y as [|b y]; simpl; intros L D T; try lia; auto.
  apply app_inj_tail in T. destruct T as [-> T]. f_equal.
  rewrite (Z.div2_odd a), (Z.div2_odd b), D, T. reflexivity.
Qed.

Lemma points_step_spec D y : Forall (fun q => length q = length y) D ->
  (In (turn y) (points_step D (digit y)) <-> In y D) /\ Forall (fun q => length q = length (turn y)) (points_step D (digit y)).
Proof.
  rewrite Forall_forall. intros L. unfold points_step. split.
  - rewrite in_map_iff. split.
    + intros (q & T & I). apply filter_In in I. destruct I as [I E]. apply Bool.eqb_prop in E.
      assert (q = y) by (apply turn_inj; auto). now subst.
    + intros I. exists y. split; auto. apply filter_In. split; auto. apply Bool.eqb_reflx.
  - apply Forall_forall. intros q. rewrite in_map_iff. intros (q' & <- & I). apply filter_In in I.
    rewrite !length_turn. apply L. tauto.
Qed.

Lemma points_steps_spec n : forall D y, Forall (fun q => length q = length y) D ->
  (In (turns n y) (points_steps n D y) <-> In y D).
Proof.
  induction n as [|n IH]; intros D y L; simpl; [tauto|].
  destruct (points_step_spec D y L) as [H1 H2]. now rewrite IH.
Qed.
