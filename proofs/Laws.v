(** * From a law that holds at every position to outcomes and Grundy values *)

From Coq Require Import List ZArith NArith Bool Lia Wf_nat.
From Impartial Require Import Games.
Import ListNotations.

Section Laws.
  Context {position : Type} (move : position -> position -> Prop).

  Scheme isP_ind' := Induction for isP Sort Prop
    with isN_ind' := Induction for isN Sort Prop.
  Scheme misereP_ind' := Induction for misereP Sort Prop
    with misereN_ind' := Induction for misereN Sort Prop.

  (** A position has at most one outcome. *)
  Theorem isP_not_isN x : isP move x -> ~ isN move x.
  Proof.
    intros HP. induction HP as [x H IH|x y m H IH] using isP_ind' with (P0 := fun x _ => ~ isP move x).
    - intros HN. inversion HN; subst. eapply IH; eauto.
    - intros HP. inversion HP as [? all]; subst. exact (IH (all y m)).
  Qed.

  Theorem misereP_not_misereN x : misereP move x -> ~ misereN move x.
  Proof.
    intros HP. induction HP as [x e H IH|x n|x y m H IH] using misereP_ind' with (P0 := fun x _ => ~ misereP move x).
    - intros HN. inversion HN as [? n|? y m]; subst.
      + destruct e as [y Hy]. exact (n y Hy).
      + eapply IH; eauto.
    - intros HP. inversion HP as [? [y Hy] all]; subst. exact (n y Hy).
    - intros HP. inversion HP as [? e all]; subst. exact (IH (all y m)).
  Qed.

  (** A Grundy value tells the outcome of normal play, and there is at most one. *)
  Theorem grundy_outcome : forall x v, grundy move x v -> (v = 0%N -> isP move x) /\ (v <> 0%N -> isN move x).
  Proof.
    fix IH 3. intros x v H. destruct H as [x v Hne Hall]. split; intros Hv.
    - constructor. intros y Hy. destruct (Hne y Hy) as [w [Hw Gw]].
      apply (proj2 (IH _ _ Gw)). congruence.
    - destruct (Hall 0%N) as [y [Hy Gy]]; [lia|].
      apply (N_some move x y Hy). exact (proj1 (IH _ _ Gy) eq_refl).
  Qed.

  Theorem grundy_unique : forall x v, grundy move x v -> forall w, grundy move x w -> v = w.
  Proof.
    fix IH 3. intros x v H. destruct H as [x v Hne Hall]. intros w Hw.
    inversion Hw as [x' w' Hne' Hall']; subst.
    destruct (N.lt_trichotomy v w) as [L|[E|L]]; [|exact E|].
    - destruct (Hall' v L) as [y [Hy Gy]]. destruct (Hne y Hy) as [u [Hu Gu]].
      exfalso. apply Hu. exact (IH _ _ Gu _ Gy).
    - destruct (Hall w L) as [y [Hy Gy]]. destruct (Hne' y Hy) as [u [Hu Gu]].
      exfalso. apply Hu. symmetry. exact (IH _ _ Gy _ Gu).
  Qed.

  (** In the rest [A] is a set of positions that no move leaves, and [mu] falls with every move. *)
  Variable A : position -> Prop.
  Variable mu : position -> nat.
  Hypothesis closed : forall x y, A x -> move x y -> A y.
  Hypothesis falls : forall x y, A x -> move x y -> mu y < mu x.

  Lemma along_play (Q : position -> Prop) :
    (forall x, A x -> (forall y, move x y -> Q y) -> Q x) -> forall x, A x -> Q x.
  Proof.
    intros H x. induction x as [x IH] using (induction_ltof1 _ mu). intros Ax.
    apply H; auto. intros y Hy. apply IH; [|eauto]. unfold ltof. eauto.
  Qed.

  Theorem normal_law (S : position -> Prop) :
    (forall x, A x -> S x \/ ~ S x) ->
    (forall x y, A x -> S x -> move x y -> ~ S y) ->
    (forall x, A x -> ~ S x -> exists y, move x y /\ S y) ->
    forall x, A x -> (S x -> isP move x) /\ (~ S x -> isN move x).
  Proof.
    intros dec law1 law2. apply along_play. intros x Ax IH. split; intros Sx.
    - constructor. intros y Hy. apply (IH y Hy). eauto.
    - destruct (law2 x Ax Sx) as [y [Hy Sy]]. apply (N_some move x y Hy). now apply (IH y Hy).
  Qed.

  Theorem misere_law (S : position -> Prop) :
    (forall x, A x -> S x \/ ~ S x) ->
    (forall x, A x -> S x -> (exists y, move x y) /\ forall y, move x y -> ~ S y) ->
    (forall x, A x -> ~ S x -> (exists y, move x y) -> exists y, move x y /\ S y) ->
    (forall x, A x -> (exists y, move x y) \/ forall y, ~ move x y) ->
    forall x, A x -> (S x -> misereP move x) /\ (~ S x -> misereN move x).
  Proof.
    intros dec law1 law2 law3. apply along_play. intros x Ax IH. split; intros Sx.
    - destruct (law1 x Ax Sx) as [E L]. constructor; auto. intros y Hy. apply (IH y Hy). auto.
    - destruct (law3 x Ax) as [E|E].
      + destruct (law2 x Ax Sx E) as [y [Hy Sy]]. apply (misereN_some move x y Hy). now apply (IH y Hy).
      + now apply misereN_end.
  Qed.

  Theorem mex_law (g : position -> N) :
    (forall x y, A x -> move x y -> g y <> g x) ->
    (forall x v, A x -> (v < g x)%N -> exists y, move x y /\ g y = v) ->
    forall x, A x -> grundy move x (g x).
  Proof.
    intros law1 law2. apply along_play. intros x Ax IH. constructor.
    - intros y Hy. exists (g y). split; eauto.
    - intros w Hw. destruct (law2 x w Ax Hw) as [y [Hy E]]. exists y. split; auto.
      rewrite <- E. auto.
  Qed.
End Laws.
