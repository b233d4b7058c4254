(** * Forms "automaton" and "grundy-automaton": on the orthant, and on boards with a chart *)

From Coq Require Import List Arith NArith ZArith Bool Lia.
From Impartial Require Import Games Laws Search Digits Walk Lattice.
Import ListNotations.

Lemma dot_pos a : forall x, Forall (Z.le 0) a -> Forall (Z.le 0) x -> (0 <= dot a x)%Z.
Proof.
  induction a as [|a1 a IH]; intros [|x1 x] Ha Hx; simpl; try lia. inversion Ha; inversion Hx; subst.
  assert (0 <= dot a x)%Z by auto. nia.
Qed.

Section Checks.
  Variable G : lattice_game.
  Variable A : automaton.
  Variable law : bool -> option N -> list (option N) -> bool.
  Variable functional : list Z.
  Variable fuel : nat.
  Let d := dimension G.

  Definition rules_fall : bool := forallb (fun g => Nat.eqb (length g) d && Z.ltb 0 (dot functional g)) (rules G).

  Lemma rules_fall_spec : rules_fall = true -> forall g, In g (rules G) -> length g = d /\ (0 < dot functional g)%Z.
  Proof.
    unfold rules_fall. rewrite forallb_forall. intros H g I. specialize (H g I).
    rewrite andb_true_iff, Nat.eqb_eq, Z.ltb_lt in H. exact H.
  Qed.

  (** ** The orthant *)
  Definition check_orthant : bool :=
    match rows G with None => true | Some _ => false end &&
    forallb (Z.leb 0) functional && rules_fall && inner_check G A law (rules G) [] (defeated G) fuel.

  Lemma orthant_facts : check_orthant = true ->
    rows G = None /\ Forall (Z.le 0) functional /\ rules_fall = true /\ inner_check G A law (rules G) [] (defeated G) fuel = true.
  Proof.
    unfold check_orthant. rewrite !andb_true_iff, forallb_forall. intros [[[H1 H2] H3] H4].
    split; [now destruct (rows G)|]. split; auto. apply Forall_forall. intros a I. apply Z.leb_le. auto.
  Qed.

  Ltac orthant H R F U K :=
    destruct (orthant_facts H) as (R & F & U & K).

  Lemma orthant_inside x : rows G = None -> (inside G x <-> length x = d /\ Forall (Z.le 0) x).
  Proof. intros R. unfold inside. rewrite R. tauto. Qed.

  Theorem orthant_outcome : law = outcome_law -> check_orthant = true -> forall x k, on_board G x -> fits k x ->
    (reads A k x <> None -> isP (lattice_move G) x) /\ (reads A k x = None -> isN (lattice_move G) x).
  Proof.
    intros E H x k B F. orthant H R P U K.
    assert (length x = d) as L by apply B.
    rewrite (reads_says G A law (rules G) [] (defeated G) fuel K k x L F).
    eapply (inner_outcome G A law (fun x => x) (rules G) [] (defeated G) (fun g => g) fuel K) with (functional := functional) (bottom := 0%Z); eauto.
    - intros g I. now apply rules_fall_spec.
    - now rewrite map_id.
    - intros. apply minus_plus.
    - intros z I. now apply orthant_inside in I.
    - intros z Lz Pz. rewrite orthant_inside by auto. split; auto.
    - tauto.
    - intros g I. now apply rules_fall_spec.
    - intros z I. apply orthant_inside in I; auto. now apply dot_pos.
  Qed.

  Theorem orthant_grundy : law = value_law -> check_orthant = true -> forall x k, on_board G x -> fits k x ->
    exists v, reads A k x = Some v /\ grundy (lattice_move G) x v.
  Proof.
    intros E H x k B F. orthant H R P U K.
    assert (length x = d) as L by apply B.
    rewrite (reads_says G A law (rules G) [] (defeated G) fuel K k x L F).
    eapply (inner_grundy G A law (fun x => x) (rules G) [] (defeated G) (fun g => g) fuel K) with (functional := functional) (bottom := 0%Z); eauto.
    - intros g I. now apply rules_fall_spec.
    - now rewrite map_id.
    - intros. apply minus_plus.
    - intros z I. now apply orthant_inside in I.
    - intros z Lz Pz. rewrite orthant_inside by auto. split; auto.
    - tauto.
    - intros g I. now apply rules_fall_spec.
    - intros z I. apply orthant_inside in I; auto. now apply dot_pos.
  Qed.
End Checks.

(** ** Charts: inner coordinates [y = M x + s] of a board *)

Record chart := Chart {
  matrix : list (list Z);
  inverse : list (list Z);
  shift : list Z;
  bounds : list (Z * list Z);
  functional_bound : Z * list Z
}.

Definition inner_of (ch : chart) (x : list Z) : list Z := plus (image (matrix ch) x) (shift ch).

Fixpoint identity (n : nat) : list (list Z) :=
  match n with O => [] | S m => (1%Z :: repeat 0%Z m) :: map (cons 0%Z) (identity m) end.

Lemma image_identity x : image (identity (length x)) x = x.
Proof.
  induction x as [|x1 x IH]; [reflexivity|]. cbn [length identity image map]. f_equal.
  - cbn [dot]. rewrite dot_repeat. lia.
  - unfold image in *. rewrite map_map. rewrite <- IH at 2. apply map_ext. intros r. cbn [dot]. lia.
Qed.

(** [t·a = Σ λⱼ·aⱼ] with [t >= 1] and all [λⱼ >= 0]. *)
Definition combines (d : nat) (l : list (list Z * Z)) (bound : Z * list Z) (a : list Z) : bool :=
  Z.leb 1 (fst bound) && forallb (Z.leb 0) (snd bound) && Nat.eqb (length (snd bound)) (length l) &&
  same_vector (combination d (snd bound) (map fst l)) (map (Z.mul (fst bound)) a).

Lemma dot_rows l x : Forall (fun row => 0 <= dot (fst row) x + snd row)%Z l ->
  forall lam, Forall (Z.le 0) lam -> (0 <= dot lam (image (map fst l) x) + dot lam (map snd l))%Z.
Proof.
  induction 1 as [|[a b] l H _ IH]; intros [|c lam] P; cbn [dot image map fst snd]; try lia.
  inversion P; subst. specialize (IH lam H3). cbn [fst snd] in H. unfold image in *. nia.
Qed.

Lemma combines_spec d l bound a x : Forall (fun row => length (fst row) = d) l -> combines d l bound a = true ->
  Forall (fun row => 0 <= dot (fst row) x + snd row)%Z l ->
  (1 <= fst bound /\ 0 <= fst bound * dot a x + dot (snd bound) (map snd l))%Z.
Proof.
  intros L. unfold combines. rewrite !andb_true_iff, Z.leb_le, forallb_forall. intros [[[T P] _] E] H. split; auto.
  apply same_vector_eq in E. rewrite <- dot_scale, <- E, dot_combination by now apply Forall_map.
  apply dot_rows; auto. apply Forall_forall. intros c I. apply Z.leb_le. auto.
Qed.

Section Charts.
  Variable G : lattice_game.
  Variable A : automaton.
  Variable law : bool -> option N -> list (option N) -> bool.
  Variable functional : list Z.
  Variable ch : chart.
  Variable fuel : nat.
  Let d := dimension G.

  Definition inner_row (row : list Z * Z) : list Z * Z :=
    let a := combination d (fst row) (inverse ch) in (a, (snd row - dot a (shift ch))%Z).

  Fixpoint bounds_ok (l : list (list Z * Z)) (M : list (list Z)) (s : list Z) (bs : list (Z * list Z)) : bool :=
    match M, s, bs with
    | [], [], [] => true
    | r :: M', s1 :: s', b :: bs' =>
        combines d l b r && Z.ltb (dot (snd b) (map snd l)) (fst b * (s1 + 1)) && bounds_ok l M' s' bs'
    | _, _, _ => false
    end.

  Definition check_board : bool :=
    match rows G with
    | None => false
    | Some l =>
        forallb (fun row => Nat.eqb (length (fst row)) d) l &&
        Nat.eqb (length (matrix ch)) d && forallb (fun r => Nat.eqb (length r) d) (matrix ch) &&
        Nat.eqb (length (shift ch)) d &&
        forallb (fun q => Nat.eqb (length q) d) (defeated G) &&
        list_same same_vector (map (fun u => combination d u (matrix ch)) (inverse ch)) (identity d) &&
        forallb (fun row => same_vector (combination d (fst (inner_row row)) (matrix ch)) (fst row)) l &&
        bounds_ok l (matrix ch) (shift ch) (bounds ch) &&
        combines d l (functional_bound ch) functional &&
        rules_fall G functional &&
        inner_check G A law (map (image (matrix ch)) (rules G)) (map inner_row l) (map (inner_of ch) (defeated G)) fuel
    end.

  Section Facts.
    Variable l : list (list Z * Z).
    Hypothesis R : rows G = Some l.
    Hypothesis Ll : Forall (fun row => length (fst row) = d) l.
    Hypothesis LM : length (matrix ch) = d.
    Hypothesis LMr : Forall (fun r => length r = d) (matrix ch).
    Hypothesis Ls : length (shift ch) = d.
    Hypothesis inv : map (fun u => combination d u (matrix ch)) (inverse ch) = identity d.
    Hypothesis rows_back : forall row, In row l -> combination d (fst (inner_row row)) (matrix ch) = fst row.

    Lemma inner_length x : length (inner_of ch x) = d.
    Proof. unfold inner_of. rewrite length_plus; unfold image; rewrite map_length; lia. Qed.

    Lemma inner_row_holds x row : In row l -> (holds (inner_row row) (inner_of ch x) <-> 0 <= dot (fst row) x + snd row)%Z.
    Proof.
      intros I. unfold holds, inner_of. rewrite dot_plus_r by (unfold image; rewrite map_length; lia).
      rewrite <- dot_combination with (d := d) by auto. rewrite rows_back by auto. unfold inner_row. cbn [fst snd]. lia.
    Qed.

    Lemma plus_cancel u : forall v s, length u = length s -> length v = length s -> plus u s = plus v s -> u = v.
    Proof.
      induction u; intros [|b v] [|s1 s] H1 H2 E; simpl in *; try lia; auto. injection E as E1 E2. f_equal; [lia|].
      apply (IHu v s); auto.
    Qed.

    Lemma image_back x : length x = d -> image (inverse ch) (image (matrix ch) x) = x.
    Proof.
      intros L. transitivity (image (identity d) x); [|rewrite <- L; apply image_identity].
      rewrite <- inv. unfold image at 1 3. rewrite map_map. apply map_ext. intros u. symmetry. now apply dot_combination.
    Qed.

    Lemma inner_inj x z : length x = d -> length z = d -> inner_of ch x = inner_of ch z -> x = z.
    Proof.
      intros Lx Lz E. apply plus_cancel in E; try (unfold image; rewrite map_length; lia).
      rewrite <- (image_back x Lx), <- (image_back z Lz), E. reflexivity.
    Qed.

    Lemma bounds_pos x : Forall (fun row => 0 <= dot (fst row) x + snd row)%Z l -> forall M s bs,
      bounds_ok l M s bs = true -> Forall (Z.le 0) (plus (image M x) s).
    Proof.
      intros H. induction M as [|r M IH]; intros [|s1 s] [|b bs] B; simpl in B; try discriminate; [constructor|].
      rewrite !andb_true_iff, Z.ltb_lt in B. destruct B as [[B1 B2] B3].
      simpl. constructor; [|now apply (IH s bs)].
      destruct (combines_spec d l b r x Ll B1 H) as [T C]. nia.
    Qed.
  End Facts.

  Lemma board_facts : check_board = true -> exists l bottom, rows G = Some l /\
    rules_fall G functional = true /\
    inner_check G A law (map (image (matrix ch)) (rules G)) (map inner_row l) (map (inner_of ch) (defeated G)) fuel = true /\
    (forall x g, length x = d -> length g = d ->
       inner_of ch (minus x g) = plus (inner_of ch x) (map Z.opp (image (matrix ch) g))) /\
    (forall x, length (inner_of ch x) = d) /\
    (forall x, inside G x -> Forall (Z.le 0) (inner_of ch x)) /\
    (forall x, length x = d -> (Forall (fun r => holds r (inner_of ch x)) (map inner_row l) <-> inside G x)) /\
    (forall x, length x = d -> (In (inner_of ch x) (map (inner_of ch) (defeated G)) <-> In x (defeated G))) /\
    (forall x, inside G x -> (bottom <= dot functional x)%Z) /\
    (forall x z, length x = d -> length z = d -> inner_of ch x = inner_of ch z -> x = z) /\
    length (matrix ch) = d.
  Proof.
    unfold check_board. destruct (rows G) as [l|] eqn:R; [|discriminate].
    rewrite !andb_true_iff, !Nat.eqb_eq, !forallb_forall.
    intros [[[[[[[[[[H1 H2] H3] H4] H5] H6] H7] H8] H9] H10] H11].
    assert (Ll : Forall (fun row => length (fst row) = d) l) by (apply Forall_forall; intros r I; apply Nat.eqb_eq; auto).
    assert (LMr : Forall (fun r => length r = d) (matrix ch)) by (apply Forall_forall; intros r I; apply Nat.eqb_eq; auto).
    assert (inv : map (fun u => combination d u (matrix ch)) (inverse ch) = identity d)
      by (eapply list_same_eq; [|exact H6]; apply same_vector_eq).
    assert (back : forall row, In row l -> combination d (fst (inner_row row)) (matrix ch) = fst row)
      by (intros row I; apply same_vector_eq; auto).
    exists l, (- Z.abs (dot (snd (functional_bound ch)) (map snd l)))%Z.
    assert (ins : forall x, inside G x <-> length x = d /\ Forall (fun row => 0 <= dot (fst row) x + snd row)%Z l)
      by (intros x; unfold inside; rewrite R; tauto).
    split; [auto|]. split; [auto|]. split; [auto|]. split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]].
    - intros x g L Lg. unfold inner_of. apply image_minus; lia.
    - intros x. now apply inner_length.
    - intros x I. apply ins in I. eapply bounds_pos; try eassumption. tauto.
    - intros x L. rewrite ins, !Forall_forall. split.
      + intros F. split; auto. intros row I. apply inner_row_holds with (l := l); auto. apply F. now apply in_map.
      + intros [_ F] r I. apply in_map_iff in I. destruct I as (row & <- & I).
        apply inner_row_holds with (l := l); auto.
    - intros x L. split.
      + intros I. apply in_map_iff in I. destruct I as (q & E & I).
        assert (length q = d) by (apply Nat.eqb_eq; auto).
        rewrite <- (inner_inj H2 LMr H4 inv q x); auto.
      + intros I. now apply in_map.
    - intros x I. apply ins in I. destruct I as [_ I].
      destruct (combines_spec d l (functional_bound ch) functional x Ll H9 I) as [T C]. nia.
    - intros x z. now apply inner_inj.
    - exact H2.
  Qed.

  Theorem board_outcome : law = outcome_law -> check_board = true -> forall x k, on_board G x -> fits k (inner_of ch x) ->
    (reads A k (inner_of ch x) <> None -> isP (lattice_move G) x) /\
    (reads A k (inner_of ch x) = None -> isN (lattice_move G) x).
  Proof.
    intros E H x k B F. destruct (board_facts H) as (l & bottom & R & U & K & F1 & F2 & F3 & F4 & F5 & F6 & _).
    erewrite (reads_says G A law _ _ _ fuel K k (inner_of ch x) (F2 x) F).
    eapply (inner_outcome G A law (inner_of ch) _ _ _ (image (matrix ch)) fuel K); eauto;
      try (intros z g L I; apply F1; auto); try intros g I; now apply (rules_fall_spec G functional).
  Qed.

  Theorem board_grundy : law = value_law -> check_board = true -> forall x k, on_board G x -> fits k (inner_of ch x) ->
    exists v, reads A k (inner_of ch x) = Some v /\ grundy (lattice_move G) x v.
  Proof.
    intros E H x k B F. destruct (board_facts H) as (l & bottom & R & U & K & F1 & F2 & F3 & F4 & F5 & F6 & _).
    erewrite (reads_says G A law _ _ _ fuel K k (inner_of ch x) (F2 x) F).
    eapply (inner_grundy G A law (inner_of ch) _ _ _ (image (matrix ch)) fuel K); eauto;
      try (intros z g L I; apply F1; auto); try intros g I; now apply (rules_fall_spec G functional).
  Qed.
End Charts.

(** ** The four checks of the two forms, and their theorems *)

Definition check_automaton (G : lattice_game) (A : automaton) (functional : list Z) (fuel : nat) : bool :=
  check_orthant G A outcome_law functional fuel.
Definition check_automaton_board (G : lattice_game) (A : automaton) (functional : list Z) (ch : chart) (fuel : nat) : bool :=
  check_board G A outcome_law functional ch fuel.
Definition check_grundy (G : lattice_game) (A : automaton) (functional : list Z) (fuel : nat) : bool :=
  check_orthant G A value_law functional fuel.
Definition check_grundy_board (G : lattice_game) (A : automaton) (functional : list Z) (ch : chart) (fuel : nat) : bool :=
  check_board G A value_law functional ch fuel.

(** Every position of the orthant: P when the automaton accepts it (read to any number of digits that suffices), else N. *)
Theorem automaton_correct G A functional fuel : check_automaton G A functional fuel = true ->
  forall x k, on_board G x -> fits k x ->
  (reads A k x <> None -> isP (lattice_move G) x) /\ (reads A k x = None -> isN (lattice_move G) x).
Proof. now apply orthant_outcome. Qed.

(** The same on a board [a·x + b >= 0], in the coordinates of the chart. *)
Theorem automaton_board_correct G A functional ch fuel : check_automaton_board G A functional ch fuel = true ->
  forall x k, on_board G x -> fits k (inner_of ch x) ->
  (reads A k (inner_of ch x) <> None -> isP (lattice_move G) x) /\
  (reads A k (inner_of ch x) = None -> isN (lattice_move G) x).
Proof. now apply board_outcome. Qed.

(** The output of the automaton is the Grundy value. *)
Theorem grundy_automaton_correct G A functional fuel : check_grundy G A functional fuel = true ->
  forall x k, on_board G x -> fits k x -> exists v, reads A k x = Some v /\ grundy (lattice_move G) x v.
Proof. now apply orthant_grundy. Qed.

Theorem grundy_automaton_board_correct G A functional ch fuel : check_grundy_board G A functional ch fuel = true ->
  forall x k, on_board G x -> fits k (inner_of ch x) ->
  exists v, reads A k (inner_of ch x) = Some v /\ grundy (lattice_move G) x v.
Proof. now apply board_grundy. Qed.
