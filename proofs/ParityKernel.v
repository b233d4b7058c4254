(** * Form "parity-kernel" of lattice games: squarefree games in normal play *)

From Coq Require Import List Arith NArith ZArith Bool Lia.
From Impartial Require Import Games Laws Search Nimbers Values NimSequence Digits Lattice Automaton.
Import ListNotations.

(** The nim-sum of the values of the odd coordinates. *)
Fixpoint parity_value (g : list N) (x : list Z) : N :=
  match g, x with
  | v :: g', a :: x' => N.lxor (if Z.odd a then v else 0%N) (parity_value g' x')
  | _, _ => 0%N
  end.

(** The coordinate of the only positive entry of a squarefree rule, which is 1. *)
Fixpoint head (r : list Z) : option nat :=
  match r with
  | [] => None
  | a :: r' => if Z.eqb a 1 then (if forallb (fun b => Z.leb b 0) r' then Some 0 else None)
               else if Z.leb a 0 then option_map S (head r') else None
  end.

Definition has_head (i : nat) (r : list Z) : bool := match head r with Some j => Nat.eqb i j | None => false end.

Definition kernel_values (G : lattice_game) (i : nat) (v : N) (g : list N) : list N :=
  map (fun r => N.lxor (parity_value g r) v) (filter (has_head i) (rules G)).

Definition check_parity (G : lattice_game) (g : list N) (functional : list Z) : bool :=
  match rows G with None => true | Some _ => false end && match defeated G with [] => true | _ => false end &&
  Nat.eqb (length g) (dimension G) && forallb (Z.leb 0) functional && rules_fall G functional &&
  forallb (fun r => match head r with Some _ => true | None => false end) (rules G) &&
  forallb (fun iv => is_mex (snd iv) (set_of (kernel_values G (fst iv) (snd iv) g))) (combine (seq 0 (length g)) g).

Lemma parity_minus g : forall x r, length r = length x ->
  parity_value g (minus x r) = N.lxor (parity_value g x) (parity_value g r).
Proof.
  induction g as [|v g IH]; intros [|a x] [|b r] L; simpl in L; try lia; try reflexivity. cbn [minus parity_value].
  rewrite IH by lia. replace (Z.odd (a - b)) with (xorb (Z.odd a) (Z.odd b)) by (symmetry; apply Z.odd_sub).
  apply N.bits_inj. intros j. rewrite !N.lxor_spec.
  destruct (Z.odd a), (Z.odd b); cbn [xorb]; rewrite ?N.bits_0; destruct (N.testbit v j), (N.testbit (parity_value g x) j), (N.testbit (parity_value g r) j); reflexivity.
Qed.

Lemma parity_bit g : forall x j, N.testbit (parity_value g x) j = true ->
  exists i, i < length g /\ i < length x /\ Z.odd (nth i x 0%Z) = true /\ N.testbit (nth i g 0%N) j = true.
Proof.
  induction g as [|v g IH]; intros [|a x] j H; cbn [parity_value] in H; try (rewrite N.bits_0 in H; discriminate).
  rewrite N.lxor_spec in H. destruct (Z.odd a) eqn:O.
  - destruct (N.testbit v j) eqn:T.
    + exists 0. simpl. repeat split; auto; lia.
    + rewrite xorb_false_l in H. destruct (IH x j H) as (i & H1 & H2 & H3 & H4). exists (S i). simpl. repeat split; auto; lia.
  - rewrite N.bits_0, xorb_false_l in H. destruct (IH x j H) as (i & H1 & H2 & H3 & H4).
    exists (S i). simpl. repeat split; auto; lia.
Qed.

Lemma minus_nonpos x : forall r, length r = length x -> Forall (Z.le 0) x -> forallb (fun b => Z.leb b 0) r = true ->
  Forall (Z.le 0) (minus x r).
Proof.
  induction x as [|a x IH]; intros [|b r] L P H; simpl in *; try lia; [constructor|]. inversion P; subst.
  apply andb_true_iff in H. destruct H as [B1 B2]. apply Z.leb_le in B1. constructor; [lia|]. apply IH; auto.
Qed.

Lemma head_minus r : forall i x, head r = Some i -> length r = length x -> Forall (Z.le 0) x -> Z.odd (nth i x 0%Z) = true ->
  Forall (Z.le 0) (minus x r).
Proof.
  induction r as [|a r IH]; intros i [|b x] H L P O; simpl in L; try lia; cbn [head] in H; [discriminate|].
  inversion P; subst. cbn [minus]. destruct (Z.eqb_spec a 1) as [->|N].
  - destruct (forallb _ r) eqn:F; [|discriminate]. injection H as <-. cbn [nth] in O. constructor.
    + destruct b; try discriminate; lia.
    + apply minus_nonpos; auto.
  - destruct (Z.leb_spec a 0); [|discriminate]. destruct (head r) as [j|] eqn:E; [|discriminate]. injection H as <-.
    constructor; [lia|]. apply (IH j); auto.
Qed.

Lemma head_nth r : forall i, head r = Some i -> i < length r.
Proof.
  induction r as [|a r IH]; intros i; cbn [head]; [discriminate|]. destruct (Z.eqb a 1).
  - destruct (forallb _ r); [|discriminate]. intros [= <-]. simpl. lia.
  - destruct (Z.leb a 0); [|discriminate]. destruct (head r); [|discriminate]. intros [= <-]. specialize (IH n eq_refl). simpl. lia.
Qed.

(** A checked parity kernel: the Grundy value of every point is the nim-sum over its odd coordinates. *)
Theorem parity_kernel_correct G g functional : check_parity G g functional = true ->
  forall x, on_board G x -> grundy (lattice_move G) x (parity_value g x).
Proof.
  unfold check_parity. rewrite !andb_true_iff, Nat.eqb_eq, !forallb_forall.
  intros [[[[[[R D] L] F] U] Hd] M].
  assert (rows G = None) as R' by now destruct (rows G). assert (defeated G = []) as D' by now destruct (defeated G).
  pose proof (rules_fall_spec G functional U) as RF.
  assert (ins : forall x, on_board G x <-> length x = dimension G /\ Forall (Z.le 0) x).
  { intros x. unfold on_board, inside. rewrite R', D'. simpl. tauto. }
  assert (mexs : forall i, i < length g -> is_mex (nth i g 0%N) (set_of (kernel_values G i (nth i g 0%N) g)) = true).
  { intros i Hi. apply (M (i, nth i g 0%N)).
    replace (i, nth i g 0%N) with (nth i (combine (seq 0 (length g)) g) (0, 0%N)).
    - apply nth_In. rewrite combine_length, seq_length. lia.
    - rewrite combine_nth by apply seq_length. now rewrite seq_nth. }
  apply (mex_law (lattice_move G) (on_board G) (fun x => Z.to_nat (dot functional x))).
  - intros x y _ (r & _ & _ & B). exact B.
  - intros x y Bx (r & I & -> & By). apply ins in Bx, By. destruct (RF r I) as [Lr Fr].
    rewrite dot_minus by lia.
    assert (0 <= dot functional (minus x r))%Z as P.
    { apply dot_pos; [|tauto]. apply Forall_forall. intros a Ia. apply Z.leb_le. auto. }
    rewrite dot_minus in P by lia. lia.
  - intros x y Bx (r & I & -> & By) E. apply ins in Bx. destruct (RF r I) as [Lr _].
    rewrite parity_minus in E by lia. specialize (Hd r I). destruct (head r) as [i|] eqn:Hr; [|discriminate].
    assert (parity_value g r = 0%N) as Z.
    { apply N.bits_inj. intros j. apply (f_equal (fun z => N.testbit z j)) in E. rewrite N.lxor_spec in E. rewrite N.bits_0.
      destruct (N.testbit (parity_value g x) j), (N.testbit (parity_value g r) j); simpl in E; congruence. }
    assert (i < length g) as Hi by (apply head_nth in Hr; lia).
    pose proof (is_mex_spec _ _ (mexs i Hi)) as [X _]. apply not_true_iff_false in X. apply X. apply mem_set_of.
    unfold kernel_values. apply in_map_iff. exists r. split; [now rewrite Z, N.lxor_0_l|].
    apply filter_In. split; auto. unfold has_head. rewrite Hr. apply Nat.eqb_refl.
  - intros x v Bx Hv. apply ins in Bx. destruct Bx as [Lx Px].
    pose proof (xor_top _ _ Hv) as T. apply parity_bit in T. destruct T as (i & Hi & Hx & O & T).
    set (d := N.lxor (parity_value g x) v) in *.
    assert (d <> 0%N) as Dn by (unfold d; intros E; apply N.lxor_eq in E; lia).
    pose proof (is_mex_spec _ _ (mexs i Hi)) as [_ X].
    specialize (X (N.lxor (nth i g 0%N) d) (xor_lower _ _ Dn T)). apply mem_set_of in X.
    unfold kernel_values in X. apply in_map_iff in X. destruct X as (r & E & I). apply filter_In in I. destruct I as [I Q].
    unfold has_head in Q. destruct (head r) as [i'|] eqn:Hr; [|discriminate]. apply Nat.eqb_eq in Q. subst i'.
    destruct (RF r I) as [Lr _]. exists (minus x r). split.
    + exists r. split; auto. split; auto. apply ins. split; [rewrite length_minus; lia|].
      eapply head_minus; eauto. lia.
    + rewrite parity_minus by lia. replace (parity_value g r) with d.
      * unfold d. now rewrite <- N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_l.
      * apply N.bits_inj. intros j. apply (f_equal (fun z => N.testbit z j)) in E. rewrite !N.lxor_spec in E.
        destruct (N.testbit (parity_value g r) j), (N.testbit (nth i g 0%N) j), (N.testbit d j); simpl in E; congruence.
Qed.
