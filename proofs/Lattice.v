(** * Lattice games: from a checked walk to the outcome, or the Grundy value, of every position *)

From Coq Require Import List Arith NArith ZArith Bool Lia.
From Impartial Require Import Games Laws Search Digits Walk.
Import ListNotations.

(** ** The two laws *)

Definition is_some (o : option N) : bool := match o with Some _ => true | None => false end.

Lemma is_some_iff o : is_some o = true <-> o <> None.
Proof. destruct o; simpl; split; congruence. Qed.

(** Outcomes: a vector of the set lies on the board and has no option in it; any other one of the board has one. *)
Definition outcome_law (b : bool) (m : option N) (l : list (option N)) : bool :=
  if b then xorb (is_some m) (existsb is_some l) else negb (is_some m).

(** Grundy values: the value is the least one that no option has. *)
Definition value_law (b : bool) (m : option N) (l : list (option N)) : bool :=
  match m with
  | None => negb b
  | Some v => b && negb (existsb (same_out (Some v)) l) && N.leb v (N.of_nat (length l)) &&
              forallb (fun i => existsb (same_out (Some (N.of_nat i))) l) (seq 0 (N.to_nat v))
  end.

(** ** Linear algebra over lists *)

Definition image (M : list (list Z)) (x : list Z) : list Z := map (fun r => dot r x) M.

Fixpoint combination (d : nat) (v : list Z) (M : list (list Z)) : list Z :=
  match v, M with
  | c :: v', r :: M' => plus (map (Z.mul c) r) (combination d v' M')
  | _, _ => repeat 0%Z d
  end.

Lemma dot_plus u : forall v x, length u = length v -> dot (plus u v) x = (dot u x + dot v x)%Z.
Proof. induction u; intros [|b v] [|x1 x] H; simpl in *; try lia. rewrite IHu by lia. lia. Qed.

Lemma dot_scale c u : forall x, dot (map (Z.mul c) u) x = (c * dot u x)%Z.
Proof. induction u; intros [|x1 x]; cbn [dot map]; try lia. rewrite IHu. lia. Qed.

Lemma dot_repeat d : forall x, dot (repeat 0%Z d) x = 0%Z.
Proof. induction d; intros [|x1 x]; simpl; auto. Qed.

Lemma length_combination d v : forall M, Forall (fun r => length r = d) M -> length (combination d v M) = d.
Proof.
  induction v; intros [|r M] H; simpl; try apply repeat_length. inversion H; subst.
  rewrite length_plus; rewrite map_length; auto.
Qed.

Lemma dot_combination d v : forall M x, Forall (fun r => length r = d) M ->
  dot (combination d v M) x = dot v (image M x).
Proof.
  induction v; intros [|r M] x H; simpl; try apply dot_repeat. inversion H; subst.
  rewrite dot_plus, dot_scale, IHv; auto. rewrite map_length, length_combination; auto.
Qed.

Lemma length_minus x : forall g, length g = length x -> length (minus x g) = length x.
Proof. induction x; intros [|b g] H; simpl in *; try lia. f_equal. auto. Qed.

Lemma minus_plus x : forall g, minus x g = plus x (map Z.opp g).
Proof. induction x; intros [|b g]; simpl; auto. f_equal; auto. Qed.

Lemma dot_minus a : forall x g, length g = length x -> dot a (minus x g) = (dot a x - dot a g)%Z.
Proof. induction a; intros [|x1 x] [|g1 g] H; simpl in *; try lia. rewrite IHa by lia. lia. Qed.

Lemma dot_plus_r a : forall x g, length g = length x -> dot a (plus x g) = (dot a x + dot a g)%Z.
Proof. induction a; intros [|x1 x] [|g1 g] H; simpl in *; try lia. rewrite IHa by lia. lia. Qed.

Lemma image_minus M : forall x g s, length g = length x -> length s = length M ->
  plus (image M (minus x g)) s = plus (plus (image M x) s) (map Z.opp (image M g)).
Proof.
  induction M as [|r M IH]; intros x g [|s1 s] H1 H2; simpl in *; try lia; auto.
  rewrite dot_minus by auto. f_equal; [lia|]. apply IH; auto.
Qed.

(** ** Automata from tables *)

Definition delta_of (t : tree (N * N)) (q : N) (e : bool) : N :=
  let st := look (0%N, 0%N) t q in if e then snd st else fst st.

Record automaton := Automaton { table_of : list (N * N); outputs_of : list (option N) }.

Section Read.
  Variable A : automaton.
  (** What the automaton says of the vector [y], read to [k] digits in every coordinate. *)
  Definition reads (k : nat) (y : list Z) : option N :=
    output (delta_of (table (table_of A))) (look None (table (outputs_of A))) k y.
End Read.

(** ** A set of vectors in inner coordinates *)
Section Inner.
  Variable G : lattice_game.
  Variable A : automaton.
  Variable law : bool -> option N -> list (option N) -> bool.
  Variable inner : list Z -> list Z.
  Variable inner_rules : list (list Z).
  Variable inner_rows : list (list Z * Z).
  Variable inner_points : list (list Z).
  Variable lin : list Z -> list Z.
  Variable fuel : nat.
  Let d := dimension G.

  Definition inner_check : bool :=
    check_law d (delta_of (table (table_of A))) (look None (table (outputs_of A))) law inner_rules inner_rows inner_points fuel.

  Hypothesis checked : inner_check = true.
  Hypothesis rules_length : forall g, In g (rules G) -> length g = d.
  Hypothesis rules_inner : inner_rules = map lin (rules G).
  Hypothesis inner_minus : forall x g, length x = d -> In g (rules G) -> inner (minus x g) = plus (inner x) (map Z.opp (lin g)).
  Hypothesis inner_length : forall x, length x = d -> length (inner x) = d.
  Hypothesis inner_pos : forall x, inside G x -> Forall (Z.le 0) (inner x).
  Hypothesis inner_inside : forall x, length x = d -> Forall (Z.le 0) (inner x) ->
    (Forall (fun r => holds r (inner x)) inner_rows <-> inside G x).
  Hypothesis inner_defeated : forall x, length x = d -> (In (inner x) inner_points <-> In x (defeated G)).
  Variable functional : list Z.
  Variable bottom : Z.
  Hypothesis falls : forall g, In g (rules G) -> (0 < dot functional g)%Z.
  Hypothesis bounded : forall x, inside G x -> (bottom <= dot functional x)%Z.

  Definition enough (y : list Z) : nat := fold_right (fun a k => Nat.max k (Z.to_nat (Z.abs a))) 0 y.

  Lemma enough_fits y : fits (enough y) y.
  Proof.
    induction y as [|a y IH]; simpl; constructor.
    - assert (Z.abs a < 2 ^ (Z.abs a))%Z by (apply Z.pow_gt_lin_r; lia).
      assert (2 ^ Z.abs a <= 2 ^ Z.of_nat (Nat.max (enough y) (Z.to_nat (Z.abs a))))%Z by (apply Z.pow_le_mono_r; lia). lia.
    - eapply fits_more; [|exact IH]. lia.
  Qed.

  Definition says (y : list Z) : option N := reads A (enough y) y.

  Lemma d_not_0 : d <> 0.
  Proof.
    unfold inner_check, check_law, shapes in checked. rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq in checked. tauto.
  Qed.

  Lemma reads_says k y : length y = d -> fits k y -> reads A k y = says y.
  Proof.
    intros L F. unfold says, reads.
    destruct (forallb (Z.leb 0) y) eqn:P.
    - eapply output_any with (d := d); eauto using d_not_0, enough_fits.
      rewrite forallb_forall in P. apply Forall_forall. intros a I. apply Z.leb_le. auto.
    - unfold output. now rewrite P.
  Qed.

  Lemma law_all y : length y = d -> Forall (Z.le 0) y -> exists b, (b = true <-> on_inner_board inner_rows inner_points y) /\
    law b (says y) (map (fun g => says (plus y (map Z.opp g))) inner_rules) = true.
  Proof.
    intros L P. destruct (fits_list (y :: map (fun g => plus y (map Z.opp g)) inner_rules)) as [k F].
    inversion F as [|? ? F1 F2]; subst. rewrite Forall_forall in F2.
    assert (SL : Forall (fun g => length g = d) inner_rules).
    { eapply (proj1 (shapes_ok _ _ _ _ _ _ _ _ checked)). }
    destruct (law_here d _ _ law inner_rules inner_rows inner_points d_not_0 fuel checked y L P k F1) as (b & B & H).
    - apply Forall_forall. intros g I. apply F2. apply in_map_iff. eauto.
    - exists b. split; auto. rewrite <- H. f_equal.
      + symmetry. now apply reads_says.
      + apply map_ext_in. intros g I. symmetry. apply reads_says.
        * rewrite length_plus; auto. rewrite map_length. rewrite Forall_forall in SL. rewrite (SL g I). auto.
        * apply F2. apply in_map_iff. eauto.
  Qed.

  Lemma says_pos y : says y <> None -> Forall (Z.le 0) y.
  Proof.
    unfold says, reads, output. destruct (forallb (Z.leb 0) y) eqn:P; [|congruence]. intros _.
    rewrite forallb_forall in P. apply Forall_forall. intros a I. apply Z.leb_le. auto.
  Qed.

  Definition mu (x : list Z) : nat := Z.to_nat (dot functional x - bottom).

  Lemma moves_fall x y : on_board G x -> lattice_move G x y -> mu y < mu x.
  Proof.
    intros [[L Ix] _] (g & I & -> & [Iy _]). unfold mu. pose proof (bounded _ Iy). pose proof (falls g I).
    rewrite dot_minus in * by (rewrite rules_length; auto). lia.
  Qed.

  Lemma board_inner x : on_board G x -> on_inner_board inner_rows inner_points (inner x).
  Proof.
    intros [I N]. assert (length x = d) as L by apply I. split.
    - apply inner_inside; auto.
    - now rewrite inner_defeated.
  Qed.

  Lemma inner_board x : length x = d -> Forall (Z.le 0) (inner x) -> on_inner_board inner_rows inner_points (inner x) -> on_board G x.
  Proof. intros L P [R N]. split; [now apply inner_inside|]. now rewrite inner_defeated in N. Qed.

  (** An option that has an output is a position: off the board nothing has one. *)
  Lemma option_on_board x g : (forall l v, law false (Some v) l = false) -> length x = d -> In g (rules G) ->
    says (plus (inner x) (map Z.opp (lin g))) <> None -> on_board G (minus x g).
  Proof.
    intros off L I N. rewrite <- inner_minus in N by auto. pose proof (says_pos _ N) as P.
    assert (length (minus x g) = d) as L' by (rewrite length_minus; auto; rewrite rules_length; auto).
    apply inner_board; auto.
    destruct (law_all (inner (minus x g))) as (b & B & H); auto. apply B. destruct b; auto.
    destruct (says (inner (minus x g))); [|congruence]. rewrite off in H. discriminate.
  Qed.

  Theorem inner_outcome : law = outcome_law -> forall x, on_board G x ->
    (says (inner x) <> None -> isP (lattice_move G) x) /\ (says (inner x) = None -> isN (lattice_move G) x).
  Proof.
    intros E x Bx.
    assert (off : forall l v, law false (Some v) l = false) by (rewrite E; auto).
    assert (H : (says (inner x) <> None -> isP (lattice_move G) x) /\ (~ says (inner x) <> None -> isN (lattice_move G) x)).
    { revert x Bx. apply (normal_law (lattice_move G) (on_board G) mu).
      - intros x y _ (g & _ & _ & By). exact By.
      - apply moves_fall.
      - intros x _. destruct (says (inner x)); [left|right]; congruence.
      - intros x y Bx Ox (g & I & -> & By) Oy.
        assert (length x = d) as L by apply Bx.
        destruct (law_all (inner x)) as (b & B & H); auto; [now apply inner_pos, Bx|].
        rewrite (proj2 B (board_inner x Bx)) in H. rewrite E in H. unfold outcome_law in H.
        rewrite inner_minus in Oy by auto.
        replace (existsb is_some _) with true in H.
        + destruct (says (inner x)); simpl in *; congruence.
        + symmetry. apply existsb_exists. eexists. split.
          * apply in_map_iff. exists (lin g). split; [reflexivity|]. rewrite rules_inner. now apply in_map.
          * now apply is_some_iff.
      - intros x Bx Ox. assert (length x = d) as L by apply Bx.
        destruct (law_all (inner x)) as (b & B & H); auto; [now apply inner_pos, Bx|].
        rewrite (proj2 B (board_inner x Bx)) in H. rewrite E in H. unfold outcome_law in H.
        destruct (says (inner x)); [exfalso; apply Ox; discriminate|]. rewrite xorb_false_l in H.
        apply existsb_exists in H. destruct H as (o & I & S). apply in_map_iff in I. destruct I as (g' & <- & I).
        rewrite rules_inner in I. apply in_map_iff in I. destruct I as (g & <- & I).
        assert (says (plus (inner x) (map Z.opp (lin g))) <> None) as S' by (now apply is_some_iff).
        exists (minus x g). split.
        + exists g. split; auto. split; auto. now apply option_on_board.
        + now rewrite inner_minus. }
    split; [apply H|]. intros N. apply H. congruence.
  Qed.

  Lemma same_out_eq a b : same_out a b = true <-> a = b.
  Proof.
    destruct a, b; simpl; split; intros H; try congruence.
    - apply N.eqb_eq in H. congruence.
    - injection H as <-. apply N.eqb_refl.
  Qed.

  Theorem inner_grundy : law = value_law -> forall x, on_board G x ->
    exists v, says (inner x) = Some v /\ grundy (lattice_move G) x v.
  Proof.
    intros E.
    assert (off : forall l v, law false (Some v) l = false) by (rewrite E; auto).
    assert (facts : forall x, on_board G x -> exists v, says (inner x) = Some v /\
      (forall g, In g (rules G) -> says (plus (inner x) (map Z.opp (lin g))) <> Some v) /\
      (forall u, (u < v)%N -> exists g, In g (rules G) /\ says (plus (inner x) (map Z.opp (lin g))) = Some u)).
    { intros x Bx. assert (length x = d) as L by apply Bx.
      destruct (law_all (inner x)) as (b & B & H); auto; [now apply inner_pos, Bx|].
      rewrite (proj2 B (board_inner x Bx)) in H. rewrite E in H. unfold value_law in H.
      destruct (says (inner x)) as [v|]; [|discriminate]. exists v. split; auto.
      rewrite !andb_true_iff, negb_true_iff, forallb_forall in H. destruct H as [[[_ H1] _] H2]. split.
      - intros g I Og. apply not_true_iff_false in H1. apply H1. apply existsb_exists. exists (Some v).
        split; [|now apply same_out_eq]. rewrite <- Og. apply (in_map (fun g => says (plus (inner x) (map Z.opp g)))).
        rewrite rules_inner. now apply in_map.
      - intros u U. specialize (H2 (N.to_nat u)). rewrite N2Nat.id in H2.
        assert (In (N.to_nat u) (seq 0 (N.to_nat v))) as I by (apply in_seq; lia). apply H2 in I.
        apply existsb_exists in I. destruct I as (o & I & S). apply same_out_eq in S. subst o.
        apply in_map_iff in I. destruct I as (g' & S & I). rewrite rules_inner in I. apply in_map_iff in I.
        destruct I as (g & <- & I). eauto. }
    intros x Bx. destruct (facts x Bx) as (v & Ov & _). exists v. split; auto.
    set (gr := fun x => match says (inner x) with Some v => v | None => 0%N end).
    replace v with (gr x) by (unfold gr; now rewrite Ov). clear v Ov.
    revert x Bx. apply (mex_law (lattice_move G) (on_board G) mu).
    - intros x y _ (g & _ & _ & By). exact By.
    - apply moves_fall.
    - intros x y Bx (g & I & -> & By). destruct (facts x Bx) as (v & Ov & F1 & _).
      destruct (facts _ By) as (w & Ow & _). unfold gr. rewrite Ov, Ow.
      assert (length x = d) as L by apply Bx. rewrite inner_minus in Ow by auto. intros ->. now apply (F1 g).
    - intros x u Bx U. destruct (facts x Bx) as (v & Ov & _ & F2). unfold gr in U. rewrite Ov in U.
      destruct (F2 u U) as (g & I & Og). assert (length x = d) as L by apply Bx. exists (minus x g). split.
      + exists g. split; auto. split; auto. apply option_on_board; auto. congruence.
      + unfold gr. rewrite inner_minus by auto. now rewrite Og.
  Qed.
End Inner.
