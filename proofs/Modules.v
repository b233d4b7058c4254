(** * Form "stratification": the P-positions as a disjoint union of modules

    A module [F + N v1 + … + N vr] comes with automata for [F], [F + N v1], …; the law that leads from one to the next says
    that a vector is in the larger set exactly when it is in the smaller one, or [v] can be subtracted and what is left is in the larger one.
    Since [v] makes vectors larger, no other set has this law. The modules are joined one by one, and the last union has
    the law of outcomes. *)

From Coq Require Import List Arith NArith ZArith Bool Lia.
From Impartial Require Import Games Laws Search Digits Walk Lattice Automaton.
Import ListNotations.

(** ** Sets [S + N v] *)

Inductive more (S : list Z -> Prop) (v : list Z) : list Z -> Prop :=
| more_base x : S x -> more S v x
| more_step x : more S v x -> more S v (plus x v).

Lemma plus_minus x : forall v, length v = length x -> plus (minus x v) v = x.
Proof. induction x; intros [|b v] L; simpl in *; try lia; auto. f_equal; [lia|]. apply IHx. lia. Qed.

Lemma minus_plus_same x : forall v, length v = length x -> minus (plus x v) v = x.
Proof. induction x; intros [|b v] L; simpl in *; try lia; auto. f_equal; [lia|]. apply IHx. lia. Qed.

Lemma plus_swap x : forall v w, plus (plus x v) w = plus (plus x w) v.
Proof. induction x; intros [|b v] [|c w]; simpl; auto. f_equal; [lia|]. apply IHx. Qed.

(** The law of [S + N v] has one solution. *)
Section Unique.
  Variable d : nat.
  Variables S T : list Z -> Prop.
  Variable v : list Z.
  (** Where the law holds, and a number that [v] makes larger. *)
  Variable good : list Z -> Prop.
  Variable height : list Z -> Z.
  Hypothesis v_length : length v = d.
  Hypothesis good_length : forall x, good x -> length x = d.
  Hypothesis good_height : forall x, good x -> (0 <= height x)%Z.
  Hypothesis good_more : forall x, good x -> good (plus x v).
  Hypothesis higher : forall x, length x = d -> (height (minus x v) < height x)%Z.
  Hypothesis S_good : forall x, S x -> good x.
  Hypothesis T_good : forall x, T x -> good x.
  Hypothesis law : forall x, good x -> (T x <-> S x \/ T (minus x v)).

  Theorem more_unique x : T x <-> more S v x.
  Proof.
    split.
    - assert (forall n x, (height x < Z.of_nat n)%Z -> T x -> more S v x) as H.
      { induction n as [|n IH]; intros y B Ty; pose proof (T_good y Ty) as Gy; pose proof (good_height y Gy).
        - lia.
        - apply law in Ty; auto. pose proof (good_length y Gy) as Ly. destruct Ty as [Sy|Ty]; [now apply more_base|].
          rewrite <- (plus_minus y v) by lia. apply more_step. apply IH; auto. pose proof (higher y Ly). lia. }
      intros Tx. apply (H (Datatypes.S (Z.to_nat (height x))) x); auto. pose proof (good_height x (T_good x Tx)). lia.
    - induction 1 as [x Sx|x _ IH].
      + apply law; auto.
      + pose proof (T_good x IH) as G. apply law; auto. right. rewrite minus_plus_same; auto. pose proof (good_length x G). lia.
  Qed.
End Unique.

(** Adding generators one by one gives the module. *)
Lemma more_mono (S T : list Z -> Prop) v : (forall x, S x <-> T x) -> forall x, more S v x <-> more T v x.
Proof. intros H x. split; induction 1; [apply more_base; now apply H|now apply more_step| |]; [apply more_base; now apply H|now apply more_step]. Qed.

Lemma chain_closed vs : forall (S : list Z -> Prop) v, (forall x, S x -> S (plus x v)) ->
  forall x, fold_left more vs S x -> fold_left more vs S (plus x v).
Proof.
  induction vs as [|w vs IH]; intros S v C; simpl; auto. apply IH. intros x. induction 1 as [x Sx|x _ H].
  - apply more_base. auto.
  - rewrite plus_swap. now apply more_step.
Qed.

Lemma chain_base vs : forall (S : list Z -> Prop) x, S x -> fold_left more vs S x.
Proof. induction vs as [|w vs IH]; intros S x H; simpl; auto. apply IH. now apply more_base. Qed.

Lemma chain_steps vs : forall (S : list Z -> Prop) v, In v vs -> forall x, fold_left more vs S x -> fold_left more vs S (plus x v).
Proof.
  induction vs as [|w vs IH]; intros S v I; simpl; [destruct I|]. destruct I as [<-|I]; [|now apply IH].
  apply chain_closed. intros x. apply more_step.
Qed.

Lemma chain_module F vs x : fold_left more vs (fun x => In x F) x <-> in_module (Module vs F) x.
Proof.
  split.
  - assert (H : forall ws (S : list Z -> Prop), incl ws vs -> (forall x, S x -> in_module (Module vs F) x) ->
      forall x, fold_left more ws S x -> in_module (Module vs F) x).
    { induction ws as [|w ws IH]; intros S I HS; simpl; auto. apply IH; [intros a Ia; apply I; now right|].
      intros z. induction 1 as [z Sz|z _ Hz]; auto. apply module_more; auto. apply I. now left. }
    apply H; [apply incl_refl|]. intros z I. apply (module_base (Module vs F)). exact I.
  - induction 1 as [f I|z v _ H I].
    + apply chain_base. exact I.
    + apply chain_steps; auto.
Qed.

(** ** Machines: automata whose states are numbers, with a number as output; two of them side by side *)

Record machine := Machine { m_size : N; m_delta : N -> bool -> N; m_out : N -> N }.

Definition m_some (M : machine) (q : N) : option N := match m_out M q with N0 => None | v => Some v end.

Definition set_machine (A : automaton) : machine :=
  let t := table (table_of A) in
  let o := table (outputs_of A) in
  Machine (N.of_nat (length (table_of A))) (delta_of t) (fun q => if is_some (look None o q) then 1%N else 0%N).

Definition beside (w : N) (M1 M2 : machine) : machine :=
  let m := m_size M2 in
  Machine (m_size M1 * m) (fun q e => let (a, b) := N.div_eucl q m in (m_delta M1 a e * m + m_delta M2 b e)%N)
    (fun q => let (a, b) := N.div_eucl q m in (w * m_out M1 a + m_out M2 b)%N).

Definition bounded (M : machine) : Prop := (0 < m_size M)%N /\ forall q e, (m_delta M q e < m_size M)%N.

(** Whether the entries of a table are states of it. *)
Definition entries_ok (A : automaton) : bool :=
  let n := N.of_nat (length (table_of A)) in
  N.ltb 0 n && forallb (fun ab => N.ltb (fst ab) n && N.ltb (snd ab) n) (table_of A).

Lemma set_bounded A : entries_ok A = true -> bounded (set_machine A).
Proof.
  unfold entries_ok. rewrite andb_true_iff, N.ltb_lt, forallb_forall. intros [H1 H2]. split; [exact H1|].
  intros q e. unfold set_machine. cbn [m_delta m_size]. unfold delta_of. rewrite look_table.
  destruct (nth_in_or_default (N.to_nat q) (table_of A) (0%N, 0%N)) as [I| ->]; [|now destruct e].
  apply H2 in I. rewrite andb_true_iff, !N.ltb_lt in I. destruct e; tauto.
Qed.

Lemma div_eucl_pair a b m : (b < m)%N -> N.div_eucl (a * m + b) m = (a, b).
Proof.
  intros H. rewrite (surjective_pairing (N.div_eucl (a * m + b) m)). f_equal.
  - change (N.div (a * m + b) m = a). rewrite N.div_add_l by lia. rewrite N.div_small by lia. lia.
  - change (N.modulo (a * m + b) m = b). rewrite N.add_comm, N.mod_add by lia. now apply N.mod_small.
Qed.

Lemma beside_bounded w M1 M2 : bounded M1 -> bounded M2 -> bounded (beside w M1 M2).
Proof.
  intros [P1 B1] [P2 B2]. split; cbn [beside m_size m_delta]; [nia|]. intros q e.
  destruct (N.div_eucl q (m_size M2)) as [a b]. specialize (B1 a e). specialize (B2 b e). nia.
Qed.

Lemma beside_run w M1 M2 n : bounded M2 -> forall a b y, (b < m_size M2)%N ->
  run (m_delta (beside w M1 M2)) n (a * m_size M2 + b) y =
  (run (m_delta M1) n a y * m_size M2 + run (m_delta M2) n b y)%N /\ (run (m_delta M2) n b y < m_size M2)%N.
Proof.
  intros [P B]. induction n as [|n IH]; intros a b y H; [now split|]. cbn [run].
  cbn [beside m_delta] in IH |- *. rewrite div_eucl_pair by auto. apply IH. apply B.
Qed.

(** What a machine says of a vector, read to [k] digits. *)
Definition m_says (M : machine) (k : nat) (y : list Z) : N :=
  if forallb (Z.leb 0) y then m_out M (run (m_delta M) (k * length y) 0%N y) else 0%N.

Definition number_of (o : option N) : N := match o with Some v => v | None => 0%N end.

Lemma m_says_output M k y : number_of (output (m_delta M) (m_some M) k y) = m_says M k y.
Proof.
  unfold output, m_says, m_some. destruct (forallb (Z.leb 0) y); auto. now destruct (m_out M _).
Qed.

Lemma beside_says w M1 M2 k y : bounded M2 -> m_says (beside w M1 M2) k y = (w * m_says M1 k y + m_says M2 k y)%N.
Proof.
  intros B. unfold m_says. destruct (forallb (Z.leb 0) y); [|lia].
  destruct (beside_run w M1 M2 (k * length y) B 0%N 0%N y) as [E L]; [apply B|].
  replace (0 * m_size M2 + 0)%N with 0%N in E by lia. rewrite E. cbn [beside m_out]. now rewrite div_eucl_pair.
Qed.

Definition flag (b : bool) : N := if b then 1%N else 0%N.

Lemma set_says A k y : m_says (set_machine A) k y = flag (is_some (reads A k y)).
Proof. unfold m_says, reads, output, set_machine. destruct (forallb (Z.leb 0) y); auto. Qed.

(** ** Laws of sets *)

Section Sets.
  Variable d : nat.
  Variable fuel : nat.

  (** The table describes a set of vectors: more digits change nothing. *)
  Definition stable (A : automaton) : bool :=
    check_law d (delta_of (table (table_of A))) (look None (table (outputs_of A))) (fun _ _ _ => true) [] [] [] fuel && entries_ok A.

  Definition member (A : automaton) (y : list Z) : bool := is_some (says A y).

  Lemma stable_reads A : stable A = true -> forall y k, length y = d -> fits k y -> reads A k y = says A y.
  Proof.
    unfold stable. rewrite andb_true_iff. intros [H _] y k L F. unfold says, reads.
    assert (D : d <> 0) by (unfold check_law, shapes in H; rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq in H; tauto).
    destruct (forallb (Z.leb 0) y) eqn:P.
    - eapply output_any with (d := d); eauto.
      + apply Forall_forall. rewrite forallb_forall in P. intros a I. apply Z.leb_le. auto.
      + now apply (enough_fits (LatticeGame 0 [] None [])).
    - unfold output. now rewrite P.
  Qed.

  Definition machine_law (M : machine) (law : N -> list N -> bool) (Gamma : list (list Z)) : bool :=
    check_law d (m_delta M) (m_some M) (fun _ m l => law (number_of m) (map number_of l)) Gamma [] [] fuel.

  Lemma machine_law_holds M law Gamma : machine_law M law Gamma = true -> forall y, length y = d -> Forall (Z.le 0) y ->
    exists k, fits k y /\ Forall (fun g => fits k (plus y (map Z.opp g))) Gamma /\
    law (m_says M k y) (map (fun g => m_says M k (plus y (map Z.opp g))) Gamma) = true.
  Proof.
    intros H y L P. unfold machine_law in H.
    assert (D : d <> 0) by (unfold check_law, shapes in H; rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq in H; tauto).
    destruct (fits_list (y :: map (fun g => plus y (map Z.opp g)) Gamma)) as [k F].
    pose proof (Forall_inv F) as F1. pose proof (Forall_inv_tail F) as F2. exists k. split; auto.
    assert (F3 : Forall (fun g => fits k (plus y (map Z.opp g))) Gamma).
    { apply Forall_forall. intros g I. rewrite Forall_forall in F2. apply F2. apply in_map_iff. eauto. }
    split; auto. destruct (law_here _ _ _ _ _ _ _ D fuel H y L P k F1 F3) as (b & _ & E). cbv beta in E.
    rewrite m_says_output, map_map in E. rewrite <- E. f_equal. apply map_ext. intros g. symmetry. apply m_says_output.
  Qed.

  (** [y] is in the second set exactly when it is in the first, or [y - v] is in the second; with [apart] never both. *)
  Definition sum_law (apart : bool) (m : N) (l : list N) : bool :=
    match l with
    | [t] => let a := N.testbit m 1 in let b := N.testbit m 0 in let s := N.testbit t 0 in
             Bool.eqb b (a || s) && negb (apart && a && s)
    | _ => false
    end.

  Definition sum_ok (apart : bool) (A B : automaton) (v : list Z) : bool :=
    machine_law (beside 2 (set_machine A) (set_machine B)) (sum_law apart) [v].

  Lemma pair_bits a b : N.testbit (2 * flag a + flag b) 1 = a /\ N.testbit (2 * flag a + flag b) 0 = b.
  Proof. now destruct a, b. Qed.

  Lemma sum_holds apart A B v : stable A = true -> stable B = true -> sum_ok apart A B v = true -> length v = d ->
    forall y, length y = d -> Forall (Z.le 0) y ->
    member B y = member A y || member B (plus y (map Z.opp v)) /\
    (apart = true -> member A y && member B (plus y (map Z.opp v)) = false).
  Proof.
    intros SA SB H Lv y L P. destruct (machine_law_holds _ _ _ H y L P) as (k & F & FG & E).
    pose proof (Forall_inv FG) as Fv. cbn [map] in E.
    assert (Lz : length (plus y (map Z.opp v)) = length y) by (rewrite length_plus; auto; rewrite map_length; lia).
    assert (BB : bounded (set_machine B)) by (apply set_bounded; unfold stable in SB; now apply andb_true_iff in SB).
    rewrite !beside_says, !set_says, !(stable_reads A SA), !(stable_reads B SB) in E by (auto; lia).
    unfold sum_law in E. change (is_some (says A y)) with (member A y) in E. change (is_some (says B y)) with (member B y) in E.
    set (z := plus y (map Z.opp v)) in *.
    change (is_some (says A z)) with (member A z) in E. change (is_some (says B z)) with (member B z) in E.
    rewrite (proj1 (pair_bits (member A y) (member B y))), (proj2 (pair_bits (member A y) (member B y))),
      (proj2 (pair_bits (member A z) (member B z))) in E.
    rewrite andb_true_iff, negb_true_iff in E. destruct E as [E1 E2]. apply Bool.eqb_prop in E1. split; auto.
    intros ->. exact E2.
  Qed.

  (** The third set is the union of the first two, which have nothing in common. *)
  Definition union_law (m : N) (_ : list N) : bool :=
    let a := N.testbit m 2 in let b := N.testbit m 1 in Bool.eqb (N.testbit m 0) (a || b) && negb (a && b).

  Definition union_ok (A B C : automaton) : bool :=
    machine_law (beside 4 (set_machine A) (beside 2 (set_machine B) (set_machine C))) union_law [].

  Lemma union_holds A B C : stable A = true -> stable B = true -> stable C = true -> union_ok A B C = true ->
    forall y, length y = d -> Forall (Z.le 0) y ->
    member C y = member A y || member B y /\ member A y && member B y = false.
  Proof.
    intros SA SB SC H y L P. destruct (machine_law_holds _ _ _ H y L P) as (k & F & _ & E).
    assert (BB : bounded (set_machine B)) by (apply set_bounded; unfold stable in SB; now apply andb_true_iff in SB).
    assert (BC : bounded (set_machine C)) by (apply set_bounded; unfold stable in SC; now apply andb_true_iff in SC).
    rewrite !beside_says, !set_says, (stable_reads A SA), (stable_reads B SB), (stable_reads C SC) in E by auto using beside_bounded.
    unfold union_law in E. change (is_some (says A y)) with (member A y) in E. change (is_some (says B y)) with (member B y) in E.
    change (is_some (says C y)) with (member C y) in E.
    revert E. destruct (member A y), (member B y), (member C y); intros E; try discriminate E; auto.
  Qed.

  (** A finite set. *)
  Definition finite_law (b : bool) (m : option N) (_ : list (option N)) : bool := Bool.eqb (is_some m) (negb b).

  Definition finite_ok (A : automaton) (F : list (list Z)) : bool :=
    inner_check (LatticeGame d [] None []) A finite_law [] [] F fuel.

  Lemma finite_holds A F : finite_ok A F = true -> forall y, length y = d -> Forall (Z.le 0) y -> (member A y = true <-> In y F).
  Proof.
    intros H y L P. destruct (law_all (LatticeGame d [] None []) A finite_law [] [] F fuel H y L P) as (b & B & E).
    unfold finite_law in E. apply Bool.eqb_prop in E. unfold member. rewrite E, negb_true_iff. unfold on_inner_board in B. split.
    - intros ->. destruct (in_dec (list_eq_dec Z.eq_dec) y F) as [|N]; auto. exfalso. destruct B as [_ B]. discriminate B. split; auto.
    - intros I. destruct b; auto. destruct B as [B _]. destruct (B eq_refl) as [_ N]. now destruct N.
  Qed.

  Lemma member_pos A y : member A y = true -> Forall (Z.le 0) y.
  Proof. intros H. apply (says_pos A). now apply is_some_iff. Qed.
End Sets.

(** ** Modules *)

Definition total (y : list Z) : Z := fold_right Z.add 0%Z y.

Lemma total_plus y : forall c, length c = length y -> total (plus y c) = (total y + total c)%Z.
Proof. induction y; intros [|b c] L; simpl in *; try lia. rewrite IHy by lia. lia. Qed.

Lemma total_opp y : total (map Z.opp y) = (- total y)%Z.
Proof. induction y; simpl; lia. Qed.

Lemma total_pos y : Forall (Z.le 0) y -> (0 <= total y)%Z /\ (existsb (Z.ltb 0) y = true -> (0 < total y)%Z).
Proof.
  induction 1 as [|a y A _ [IH1 IH2]]; simpl; [split; [lia|discriminate]|]. split; [lia|].
  rewrite orb_true_iff, Z.ltb_lt. intros [H|H]; [|specialize (IH2 H)]; lia.
Qed.

Lemma plus_opp y c : length c = length y -> plus (plus y (map Z.opp c)) c = y.
Proof. intros L. rewrite <- minus_plus. now apply plus_minus. Qed.

Lemma forallb_pos y : forallb (Z.leb 0) y = true <-> Forall (Z.le 0) y.
Proof. rewrite forallb_forall, Forall_forall. split; intros H a I; apply Z.leb_le; auto. Qed.

(** A module with the automata of [F], [F + N v1], …, [F + N v1 + … + N vr]. *)
Record module_proof := ModuleProof { its_module : module; its_automata : list automaton }.

Definition last_automaton (P : module_proof) : automaton := List.last (its_automata P) (Automaton [] []).

Section Modules.
  Variable d : nat.
  Variable fuel : nat.
  Variable apart : bool.
  Variable inner lin : list Z -> list Z.

  Fixpoint sums_ok (A : automaton) (vs : list (list Z)) (As : list automaton) : bool :=
    match vs, As with
    | [], [] => true
    | v :: vs', B :: As' =>
        Nat.eqb (length v) d && forallb (Z.leb 0) (lin v) && existsb (Z.ltb 0) (lin v) &&
        stable d fuel B && sum_ok d fuel apart A B (lin v) && sums_ok B vs' As'
    | _, _ => false
    end.

  Definition module_ok (P : module_proof) : bool :=
    let M := its_module P in
    forallb (fun f => Nat.eqb (length f) d && forallb (Z.leb 0) (inner f)) (bases M) &&
    match its_automata P with
    | [] => false
    | A :: As => stable d fuel A && finite_ok d fuel A (map inner (bases M)) && sums_ok A (generators M) As
    end.

  Hypothesis inner_minus : forall x g, length x = d -> length g = d -> inner (minus x g) = plus (inner x) (map Z.opp (lin g)).
  Hypothesis inner_length : forall x, length x = d -> length (inner x) = d.
  Hypothesis lin_length : forall x, length x = d -> length (lin x) = d.
  Hypothesis inner_inj : forall x z, length x = d -> length z = d -> inner x = inner z -> x = z.

  (** The set of an automaton, in the game's own coordinates. *)
  Definition holds_of (A : automaton) (x : list Z) : Prop := length x = d /\ member A (inner x) = true.

  Lemma sum_more A B v : stable d fuel A = true -> stable d fuel B = true -> sum_ok d fuel apart A B (lin v) = true ->
    length v = d -> Forall (Z.le 0) (lin v) -> existsb (Z.ltb 0) (lin v) = true ->
    forall x, holds_of B x <-> more (holds_of A) v x.
  Proof.
    intros SA SB H Lv Pv Nv.
    apply (more_unique d (holds_of A) (holds_of B) v (fun x => length x = d /\ Forall (Z.le 0) (inner x)) (fun x => total (inner x))).
    - exact Lv.
    - tauto.
    - intros x [L P]. now apply total_pos.
    - intros x [L P]. assert (Lz : length (plus x v) = d) by (rewrite length_plus; lia). split; auto.
      assert (E : inner x = plus (inner (plus x v)) (map Z.opp (lin v))).
      { rewrite <- inner_minus, minus_plus_same by lia. reflexivity. }
      assert (inner (plus x v) = plus (inner x) (lin v)) as ->.
      { rewrite E, plus_opp; auto. rewrite inner_length, lin_length; auto. }
      clear - P Pv. revert P Pv. generalize (inner x) (lin v). intros y c P Pv. revert c Pv.
      induction P; intros c Pv; destruct Pv; simpl; constructor; auto. lia.
    - intros x L. rewrite inner_minus by auto. rewrite total_plus, total_opp by (rewrite map_length, lin_length, inner_length; auto).
      pose proof (proj2 (total_pos _ Pv) Nv). lia.
    - intros x [L E]. split; auto. now apply (member_pos A).
    - intros x [L E]. split; auto. now apply (member_pos B).
    - intros x [L P]. destruct (sum_holds d fuel apart A B (lin v) SA SB H (lin_length v Lv) (inner x) (inner_length x L) P) as [E _].
      unfold holds_of. rewrite E, orb_true_iff, inner_minus by auto. rewrite length_minus by lia. tauto.
  Qed.

  Lemma sums_more vs : forall A As, stable d fuel A = true -> sums_ok A vs As = true ->
    (forall x, holds_of (List.last As A) x <-> fold_left more vs (holds_of A) x) /\ stable d fuel (List.last As A) = true.
  Proof.
    induction vs as [|v vs IH]; intros A [|B As] SA H; simpl in H; try discriminate; [simpl; tauto|].
    rewrite !andb_true_iff, Nat.eqb_eq, forallb_pos in H. destruct H as [[[[[L P] N] SB] O] R].
    destruct (IH B As SB R) as [E S].
    assert (Q : List.last (B :: As) A = List.last As B).
    { clear. revert B. induction As as [|C As IH]; intros B; auto. change (List.last (C :: As) A = List.last (C :: As) B).
      rewrite (IH C). destruct As; auto. clear. revert C a. induction As; intros; simpl in *; auto. }
    rewrite Q. split; auto. intros x. rewrite E. simpl.
    enough (X : forall ws (S T : list Z -> Prop), (forall x, S x <-> T x) -> forall x, fold_left more ws S x <-> fold_left more ws T x).
    { apply X. intros z. now apply sum_more. }
    clear. induction ws as [|w ws IH]; intros S T H; simpl; auto. apply IH. now apply more_mono.
  Qed.

  Theorem module_exact P : module_ok P = true ->
    (forall x, holds_of (last_automaton P) x <-> in_module (its_module P) x) /\ stable d fuel (last_automaton P) = true.
  Proof.
    unfold module_ok, last_automaton. rewrite andb_true_iff, forallb_forall. intros [F H].
    destruct (its_automata P) as [|A As]; [discriminate|]. rewrite !andb_true_iff in H. destruct H as [[SA FA] R].
    destruct (sums_more _ A As SA R) as [E S].
    assert (Q : List.last (A :: As) (Automaton [] []) = List.last As A).
    { clear. revert A. induction As as [|C As IH]; intros A; auto.
      change (List.last (C :: As) (Automaton [] []) = List.last (C :: As) A). rewrite (IH C).
      destruct As; auto. clear. revert C a. induction As; intros; simpl in *; auto. }
    rewrite Q. split; auto. intros x. rewrite E.
    destruct (its_module P) as [V Fs] eqn:EM. cbn [generators bases] in *. rewrite <- chain_module.
    enough (X : forall ws (S T : list Z -> Prop), (forall x, S x <-> T x) -> forall x, fold_left more ws S x <-> fold_left more ws T x).
    { apply X. intros z. unfold holds_of. split.
      - intros [L M]. pose proof (member_pos A _ M) as P0.
        apply (finite_holds d fuel A _ FA (inner z) (inner_length z L) P0) in M. apply in_map_iff in M. destruct M as (f & Ef & I).
        rewrite <- (inner_inj f z); auto. specialize (F f I). rewrite andb_true_iff, Nat.eqb_eq in F. tauto.
      - intros I. specialize (F z I). rewrite andb_true_iff, Nat.eqb_eq, forallb_pos in F. destruct F as [L P0]. split; auto.
        apply (finite_holds d fuel A _ FA (inner z) (inner_length z L) P0). now apply in_map. }
    clear. induction ws as [|w ws IH]; intros S T H; simpl; auto. apply IH. now apply more_mono.
  Qed.

  (** [U] is the union of what came before; the modules that follow are joined to it one by one. *)
  Fixpoint unions_ok (U : automaton) (l : list module_proof) (us : list automaton) : bool :=
    match l, us with
    | [], [] => true
    | P :: l', U' :: us' => module_ok P && stable d fuel U' && union_ok d fuel U (last_automaton P) U' && unions_ok U' l' us'
    | _, _ => false
    end.

  Definition strata_ok (l : list module_proof) (us : list automaton) : bool :=
    match l, us with
    | [], [] => true
    | [], _ => false
    | P :: l', _ => module_ok P && unions_ok (last_automaton P) l' us
    end.

  Lemma nothing_member y : member (Automaton [] []) y = false.
  Proof. unfold member, says, reads, output. rewrite look_table. cbn [outputs_of]. destruct (N.to_nat _), (forallb _ y); reflexivity. Qed.

  Definition whole (l : list module_proof) (us : list automaton) : automaton :=
    List.last us (match l with [] => Automaton [] [] | P :: _ => last_automaton P end).

  Definition in_some (l : list module) (x : list Z) : Prop := exists M, In M l /\ in_module M x.

  Lemma unions_exact l : forall (S : list Z -> Prop) U us, stable d fuel U = true -> (forall x, holds_of U x <-> S x) ->
    unions_ok U l us = true ->
    (forall x, holds_of (List.last us U) x <-> S x \/ in_some (map its_module l) x) /\
    (forall x M, In M (map its_module l) -> S x -> ~ in_module M x) /\
    (forall x i j M N, nth_error (map its_module l) i = Some M -> nth_error (map its_module l) j = Some N ->
       in_module M x -> in_module N x -> i = j).
  Proof.
    induction l as [|P l IH]; intros S U [|U' us] SU ES H; simpl in H; try discriminate.
    - simpl. split; [|split].
      + intros x. rewrite ES. split; [now left|]. intros [A|(M & [] & _)]. exact A.
      + intros x M [].
      + intros x i j M N I. destruct i; discriminate.
    - rewrite !andb_true_iff in H. destruct H as [[[HP SU'] HU] R]. destruct (module_exact P HP) as [EP SP].
      assert (EU : forall x, (holds_of U' x <-> S x \/ in_module (its_module P) x) /\ ~ (S x /\ in_module (its_module P) x)).
      { assert (V : forall x, length x = d -> Forall (Z.le 0) (inner x) ->
          member U' (inner x) = member U (inner x) || member (last_automaton P) (inner x) /\
          member U (inner x) && member (last_automaton P) (inner x) = false).
        { intros x L Px. apply (union_holds d fuel U (last_automaton P) U' SU SP SU' HU (inner x)); auto. }
        intros x. rewrite <- ES, <- EP. unfold holds_of. split.
        - split.
          + intros [L M]. destruct (V x L (member_pos U' _ M)) as [E _]. rewrite E, orb_true_iff in M. tauto.
          + intros [[L M]|[L M]]; split; auto; destruct (V x L (member_pos _ _ M)) as [E _]; rewrite E, M; auto using orb_true_r.
        - intros [[L M] [_ N]]. destruct (V x L (member_pos U _ M)) as [_ E]. rewrite M, N in E. discriminate. }
      destruct (IH (fun x => S x \/ in_module (its_module P) x) U' us SU' (fun x => proj1 (EU x)) R) as (E1 & E2 & E3).
      assert (Q : List.last (U' :: us) U = List.last us U').
      { clear. revert U'. induction us as [|C us IH]; intros B; auto. change (List.last (C :: us) U = List.last (C :: us) B).
        rewrite (IH C). destruct us; auto. clear. revert C a. induction us; intros; simpl in *; auto. }
      rewrite Q. cbn [map]. split; [|split].
      + intros x. rewrite E1. unfold in_some. cbn [In]. split.
        * intros [[|]|(M & I & J)]; eauto.
        * intros [|(M & [<-|I] & J)]; eauto.
      + intros x M [<-|I] Sx J; [now apply (proj2 (EU x))|]. now apply (E2 x M I); auto.
      + intros x [|i] [|j] M N I J; cbn [nth_error] in I, J; intros XM XN; auto.
        * injection I as <-. exfalso. apply (E2 x N (nth_error_In _ _ J)); auto.
        * injection J as <-. exfalso. apply (E2 x M (nth_error_In _ _ I)); auto.
        * f_equal. now apply (E3 x i j M N).
  Qed.

  Theorem strata_exact l us : strata_ok l us = true ->
    (forall x, holds_of (whole l us) x <-> in_some (map its_module l) x) /\
    (forall x i j M N, nth_error (map its_module l) i = Some M -> nth_error (map its_module l) j = Some N ->
       in_module M x -> in_module N x -> i = j).
  Proof.
    unfold strata_ok, whole. destruct l as [|P l].
    { destruct us as [|u us]; [|discriminate]. intros _. split.
      - intros x. split; [intros [_ M]|intros (M & [] & _)]. cbn [List.last] in M. now rewrite nothing_member in M.
      - intros x [|i]; discriminate. }
    rewrite andb_true_iff. intros [HP H].
    destruct (module_exact P HP) as [EP SP].
    destruct (unions_exact l (in_module (its_module P)) (last_automaton P) us SP EP H) as (E1 & E2 & E3). cbn [map]. split.
    - intros x. rewrite E1. unfold in_some. cbn [In]. split.
      + intros [|(M & I & J)]; eauto.
      + intros (M & [<-|I] & J); eauto.
    - intros x [|i] [|j] M N I J; cbn [nth_error] in I, J; intros XM XN; auto.
      + injection I as <-. exfalso. apply (E2 x N (nth_error_In _ _ J)); auto.
      + injection J as <-. exfalso. apply (E2 x M (nth_error_In _ _ I)); auto.
      + f_equal. now apply (E3 x i j M N).
  Qed.
End Modules.

(** ** The checks *)

Definition check_stratification (G : lattice_game) (l : list module_proof) (us : list automaton) (functional : list Z) (fuel : nat) : bool :=
  strata_ok (dimension G) fuel false (fun x => x) (fun x => x) l us && check_automaton G (whole l us) functional fuel.

Definition check_stratification_board (G : lattice_game) (l : list module_proof) (us : list automaton) (functional : list Z) (ch : chart)
    (fuel : nat) : bool :=
  strata_ok (dimension G) fuel false (inner_of ch) (image (matrix ch)) l us && check_automaton_board G (whole l us) functional ch fuel.

(** The P-positions are exactly the elements of the modules, and no vector lies in two of these. *)
Definition stratified (G : lattice_game) (l : list module) : Prop :=
  (forall x, on_board G x ->
    ((exists M, In M l /\ in_module M x) -> isP (lattice_move G) x) /\
    ((forall M, In M l -> ~ in_module M x) -> isN (lattice_move G) x)) /\
  (forall x M, In M l -> in_module M x -> on_board G x) /\
  (forall x i j M N, nth_error l i = Some M -> nth_error l j = Some N -> in_module M x -> in_module N x -> i = j).

Lemma stratified_by G l A inner :
  (forall x, on_board G x -> (says A (inner x) <> None -> isP (lattice_move G) x) /\ (says A (inner x) = None -> isN (lattice_move G) x)) ->
  (forall x, length x = dimension G -> says A (inner x) <> None -> on_board G x) ->
  (forall x, holds_of (dimension G) inner A x <-> in_some l x) ->
  (forall x i j M N, nth_error l i = Some M -> nth_error l j = Some N -> in_module M x -> in_module N x -> i = j) ->
  stratified G l.
Proof.
  intros O B E U. split; [|split; auto].
  - intros x Bx. destruct (O x Bx) as [O1 O2]. assert (length x = dimension G) as L by apply Bx. split.
    + intros H. apply O1. apply E in H. destruct H as [_ H]. now apply is_some_iff.
    + intros H. apply O2. destruct (says A (inner x)) eqn:S; auto. exfalso.
      destruct (proj1 (E x)) as (M & I & J); [split; auto; unfold member; now rewrite S|]. now apply (H M).
  - intros x M I J. destruct (proj2 (E x)) as [L H]; [exists M; auto|]. apply B; auto. now apply is_some_iff.
Qed.

Theorem stratification_correct G l us functional fuel : check_stratification G l us functional fuel = true ->
  stratified G (map its_module l).
Proof.
  unfold check_stratification. rewrite andb_true_iff. intros [H1 H2]. set (A := whole l us) in *.
  destruct (orthant_facts G A outcome_law functional fuel H2) as (R & P & U & K).
  destruct (strata_exact (dimension G) fuel false (fun x => x) (fun x => x)) with (l := l) (us := us) as [E D]; auto.
  { intros. apply minus_plus. }
  apply (stratified_by G (map its_module l) A (fun x => x)); auto.
  - intros x Bx. exact (automaton_correct G A functional fuel H2 x (enough x) Bx (enough_fits G x)).
  - intros x L S. pose proof (says_pos A x S) as Px.
    destruct (law_all G A outcome_law (rules G) [] (defeated G) fuel K x L Px) as (b & B & H).
    destruct b; [|unfold outcome_law in H; now destruct (says A x)].
    destruct (proj1 B eq_refl) as [_ B2]. split; auto. now apply (orthant_inside G x R).
Qed.

Theorem stratification_board_correct G l us functional ch fuel : check_stratification_board G l us functional ch fuel = true ->
  stratified G (map its_module l).
Proof.
  unfold check_stratification_board. rewrite andb_true_iff. intros [H1 H2]. set (A := whole l us) in *.
  destruct (board_facts G A outcome_law functional ch fuel H2) as (rs & bottom & R & U & K & F1 & F2 & F3 & F4 & F5 & F6 & F7 & F8).
  destruct (strata_exact (dimension G) fuel false (inner_of ch) (image (matrix ch))) with (l := l) (us := us) as [E D]; auto.
  { intros z _. unfold image. now rewrite map_length. }
  apply (stratified_by G (map its_module l) A (inner_of ch)); auto.
  - intros x Bx. exact (automaton_board_correct G A functional ch fuel H2 x (enough (inner_of ch x)) Bx (enough_fits G _)).
  - intros x L S. pose proof (says_pos A _ S) as Px.
    destruct (law_all G A outcome_law _ _ _ fuel K (inner_of ch x) (F2 x) Px) as (b & B & H).
    destruct b; [|unfold outcome_law in H; now destruct (says A (inner_of ch x))].
    destruct (proj1 B eq_refl) as [B1 B2]. split; [now apply F4|]. now rewrite F5 in B2.
Qed.
