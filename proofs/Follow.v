(** * Sums of counters, elements and followers: the argument of Theorems 3 and 3a of docs/theory/misere.md

    The values of sums lie in any commutative monoid [M], of which [inS] are the P-positions. A follower is a heap that the N-check
    leaves out: wherever it is silent, some word of other heaps with the same value is silent too. Every such word must have a move. *)

From Coq Require Import List Arith Bool Lia.
From Impartial Require Import Games Laws Heaps.
Import ListNotations.

Section Follow.
  Variable c : code.
  Variable A : nat -> Prop.
  Hypothesis closed : forall h t, A h -> take_and_break c h t -> Forall A t.

  Variable M : Type.
  Variable good : M -> Prop.
  Variable mul : M -> M -> M.
  Variable one : M.
  Variable inS : M -> bool.
  Hypothesis good_one : good one.
  Hypothesis good_mul : forall x y, good x -> good y -> good (mul x y).
  Hypothesis mul_comm : forall x y, good x -> good y -> mul x y = mul y x.
  Hypothesis mul_assoc : forall x y z, good x -> good y -> good z -> mul (mul x y) z = mul x (mul y z).
  Hypothesis mul_one : forall x, good x -> mul one x = x.

  Variable hval : nat -> M.
  Hypothesis good_hval : forall h, A h -> good (hval h).
  Definition pval (w : list nat) : M := fold_right (fun h v => mul (hval h) v) one w.

  (** The values of the options of a heap. *)
  Variable opts : nat -> list M.
  Hypothesis opts_spec : forall h o, A h -> (In o (opts h) <-> exists t, take_and_break c h t /\ pval t = o).

  (** The words like a follower; other heaps have none. *)
  Variable follows : nat -> bool.
  Variable like : nat -> list (list nat).

  Definition at_a_heap (w : list nat) : Prop :=
    exists u h v o, w = u ++ h :: v /\ In o (opts h) /\ inS (mul (pval (u ++ v)) o) = true.

  Hypothesis dead : forall h, A h -> opts h = [] -> hval h = one.
  Hypothesis one_not_P : inS one = false.
  Hypothesis P_check : forall h x o, A h -> good x -> In o (opts h) -> inS (mul x (hval h)) = true -> inS (mul x o) = false.
  Hypothesis N_check : forall w, Forall A w -> Forall (fun h => follows h = false) w -> (exists h, In h w /\ opts h <> []) ->
    inS (pval w) = false -> at_a_heap w.
  Hypothesis follower : forall h x, A h -> follows h = true -> good x -> inS (mul x (hval h)) = false ->
    (exists o, In o (opts h) /\ inS (mul x o) = true) \/
    exists q, In q (like h) /\ forall u h' v o, q = u ++ h' :: v -> In o (opts h') -> inS (mul x (mul (pval (u ++ v)) o)) = false.
  Hypothesis like_words : forall h q, A h -> follows h = true -> In q (like h) ->
    Forall A q /\ Forall (fun h => follows h = false) q /\ pval q = hval h /\ exists h', In h' q /\ opts h' <> [].

  Lemma good_pval w : Forall A w -> good (pval w).
  Proof. induction 1; simpl; auto. Qed.

  Lemma pval_app u v : Forall A u -> Forall A v -> pval (u ++ v) = mul (pval u) (pval v).
  Proof.
    intros U V. pose proof (good_pval v V). induction U as [|h u Ah U IH]; simpl; [now rewrite mul_one|].
    rewrite IH, mul_assoc; auto. now apply good_pval.
  Qed.

  Lemma pval_mid u t v : Forall A u -> Forall A t -> Forall A v -> pval (u ++ t ++ v) = mul (pval (u ++ v)) (pval t).
  Proof.
    intros U T V. pose proof (good_pval u U). pose proof (good_pval v V). pose proof (good_pval t T).
    rewrite !pval_app by (auto; apply Forall_app; auto). rewrite mul_assoc by auto. f_equal. apply mul_comm; auto.
  Qed.

  Lemma pval_heap u h v : Forall A u -> A h -> Forall A v -> pval (u ++ h :: v) = mul (pval (u ++ v)) (hval h).
  Proof.
    intros U H V. change (u ++ h :: v) with (u ++ [h] ++ v). rewrite pval_mid; auto. f_equal. simpl.
    rewrite mul_comm, mul_one; auto.
  Qed.

  Lemma opts_good h o : A h -> In o (opts h) -> good o.
  Proof. intros H I. apply opts_spec in I; auto. destruct I as (t & O & <-). apply good_pval. eauto. Qed.

  Fixpoint followers (w : list nat) : nat :=
    match w with [] => 0 | h :: w' => (if follows h then 1 else 0) + followers w' end.

  Lemma followers_app u v : followers (u ++ v) = followers u + followers v.
  Proof. induction u; simpl; auto. lia. Qed.

  Lemma followers_zero w : followers w = 0 -> Forall (fun h => follows h = false) w.
  Proof. induction w as [|h w IH]; simpl; auto. destruct (follows h) eqn:E; [lia|]. auto. Qed.

  Lemma no_followers w : Forall (fun h => follows h = false) w -> followers w = 0.
  Proof. induction 1 as [|h w E _ IH]; simpl; auto. now rewrite E. Qed.

  Lemma followers_some w n : followers w = S n -> exists u h v, w = u ++ h :: v /\ follows h = true.
  Proof.
    induction w as [|h w IH]; simpl; [discriminate|]. destruct (follows h) eqn:E.
    - intros _. exists [], h, w. auto.
    - intros H. destruct (IH H) as (u & h' & v & -> & F). exists (h :: u), h', v. auto.
  Qed.

  (** The N-check for all sums, by replacing followers one after another. *)
  Lemma N_check_all n : forall w, followers w = n -> Forall A w -> (exists h, In h w /\ opts h <> []) ->
    inS (pval w) = false -> at_a_heap w.
  Proof.
    induction n as [|n IH]; intros w Fn Aw live S.
    { apply N_check; auto. now apply followers_zero. }
    destruct (followers_some w n Fn) as (u & h & v & -> & F).
    apply Forall_app in Aw. destruct Aw as [Au Av']. inversion Av' as [|? ? Ah Av]; subst.
    assert (Auv : Forall A (u ++ v)) by (apply Forall_app; auto).
    pose proof (good_pval _ Auv) as Gx. rewrite pval_heap in S by auto.
    destruct (follower h (pval (u ++ v)) Ah F Gx S) as [(o & Io & So)|(q & Iq & silent)].
    - exists u, h, v, o. auto.
    - destruct (like_words h q Ah F Iq) as (Aq & Nq & Eq & lq).
      assert (at_a_heap (q ++ u ++ v)) as (u1 & h1 & v1 & o & E & Io & So).
      { apply IH.
        - rewrite !followers_app in *. simpl in Fn. rewrite F in Fn. rewrite (no_followers q Nq). lia.
        - apply Forall_app; auto.
        - destruct lq as (h' & I & L). exists h'. split; auto. apply in_or_app. now left.
        - rewrite pval_app by auto. rewrite Eq, mul_comm; auto. }
      (* The heap that moves is one of the word, or one of the others. *)
      assert (cases : (exists q2, q = u1 ++ h1 :: q2 /\ v1 = q2 ++ u ++ v) \/
                      (exists s, u1 = q ++ s /\ u ++ v = s ++ h1 :: v1)).
      { clear -E. revert u1 E. induction q as [|a q IHq]; intros u1 E.
        - right. exists u1. auto.
        - destruct u1 as [|b u1]; simpl in E; injection E as <- E.
          + left. exists q. auto.
          + destruct (IHq u1 E) as [(q2 & -> & ->)|(s & -> & E')]; [left; exists q2; auto|right; exists s; auto]. }
      destruct cases as [(q2 & -> & ->)|(s & -> & E')].
      + exfalso. specialize (silent u1 h1 q2 o eq_refl Io). apply Forall_app in Aq. destruct Aq as [A1 A2'].
        inversion A2' as [|? ? A1h A2]; subst.
        assert (A12 : Forall A (u1 ++ q2)) by (apply Forall_app; auto).
        rewrite app_assoc, (pval_app (u1 ++ q2) (u ++ v)) in So by auto.
        pose proof (good_pval _ A12). pose proof (opts_good h1 o A1h Io).
        rewrite (mul_comm (pval (u1 ++ q2))) in So by auto. rewrite mul_assoc in So by auto. congruence.
      + assert (A1 : Forall A s /\ A h1 /\ Forall A v1).
        { rewrite E' in Auv. apply Forall_app in Auv. destruct Auv as [X Y]. inversion Y; auto. }
        destruct A1 as (As & A1 & Av1).
        assert (Asv : Forall A (s ++ v1)) by (apply Forall_app; auto).
        pose proof (opts_good h1 o A1 Io) as Go. pose proof (good_pval _ Asv) as Gs.
        rewrite <- app_assoc, pval_app in So by auto. rewrite Eq in So.
        (* The same move in the sum with the follower. *)
        assert (exists u2 v2, u ++ h :: v = u2 ++ h1 :: v2 /\ mul (pval (u2 ++ v2)) o = mul (mul (hval h) (pval (s ++ v1))) o)
          as (u2 & v2 & E2 & V2).
        { assert (sides : (exists d, u = s ++ h1 :: d /\ v1 = d ++ v) \/ (exists d, s = u ++ d /\ v = d ++ h1 :: v1)).
          { clear -E'. revert s E'. induction u as [|a u IHu]; intros s E'; simpl in E'.
            - right. exists s. auto.
            - destruct s as [|b s]; simpl in E'; injection E' as <- E'.
              + left. exists u. auto.
              + destruct (IHu s E') as [(d & -> & ->)|(d & -> & ->)]; [left|right]; exists d; auto. }
          destruct sides as [(d & -> & ->)|(d & -> & ->)].
          - exists s, (d ++ h :: v). split; [now rewrite <- app_assoc|]. f_equal.
            apply Forall_app in Av1. destruct Av1 as [Ad _]. rewrite app_assoc, pval_heap by (auto; apply Forall_app; auto).
            rewrite <- app_assoc. apply mul_comm; auto.
          - exists (u ++ h :: d), v1. split; [now rewrite <- app_assoc|]. f_equal.
            apply Forall_app in As. destruct As as [_ Ad]. rewrite <- app_assoc. simpl.
            rewrite pval_heap by (auto; apply Forall_app; auto). rewrite <- app_assoc in Gs |- *. apply mul_comm; auto. }
        exists u2, h1, v2, o. split; auto. split; auto. now rewrite V2.
  Qed.

  Lemma live_or_dead w : Forall A w -> (exists h, In h w /\ opts h <> []) \/ (forall h, In h w -> opts h = []).
  Proof.
    induction 1 as [|h w Ah _ [(h' & I & L)|D]]; [right; intros h []|left; exists h'; split; auto; now right|].
    destruct (opts h) eqn:E; [|left; exists h; split; [now left|congruence]].
    right. intros h' [<-|I]; auto.
  Qed.

  Theorem follow_outcomes w : Forall A w ->
    (inS (pval w) = true -> misereP (heap_move c) w) /\ (inS (pval w) <> true -> misereN (heap_move c) w).
  Proof.
    assert (moves : forall w, Forall A w -> (exists h, In h w /\ opts h <> []) -> exists y, heap_move c w y).
    { intros x Ax (h & I & L). rewrite Forall_forall in Ax. specialize (Ax h I). destruct (opts h) as [|o l] eqn:E; [congruence|].
      assert (In o (opts h)) as Io by (rewrite E; now left). apply opts_spec in Io; auto. destruct Io as (t & O & _).
      apply in_split in I. destruct I as (u & v & ->). exists (u ++ t ++ v). now constructor. }
    assert (stuck : forall w, Forall A w -> (forall h, In h w -> opts h = []) -> forall y, ~ heap_move c w y).
    { intros x Ax D y M0. apply move_inv in M0. destruct M0 as (u & h & v & t & -> & -> & O).
      assert (In h (u ++ h :: v)) as I by (apply in_or_app; right; now left).
      rewrite Forall_forall in Ax. assert (In (pval t) (opts h)) as J by (apply opts_spec; eauto).
      rewrite (D h I) in J. destruct J. }
    revert w. apply (misere_law (heap_move c) (Forall A) weight).
    - intros x y Ax M0. apply move_inv in M0. destruct M0 as (u & h & v & t & -> & -> & O).
      apply Forall_app in Ax. destruct Ax as [Au Av]. inversion Av; subst.
      apply Forall_app. split; auto. apply Forall_app. split; eauto.
    - intros x y _. apply heap_move_weight.
    - intros x _. destruct (inS (pval x)); auto.
    - intros x Ax S. split.
      + destruct (live_or_dead x Ax) as [L|D]; auto. exfalso.
        assert (pval x = one) as E.
        { clear S. induction Ax as [|h x Ah Ax IH]; auto. simpl. rewrite IH by (intros; apply D; now right).
          rewrite dead by (auto; apply D; now left). now apply mul_one. }
        rewrite E in S. congruence.
      + intros y M0. apply move_inv in M0. destruct M0 as (u & h & v & t & -> & -> & O).
        apply Forall_app in Ax. destruct Ax as [Au Av]. inversion Av as [|? ? Ah Av']; subst.
        assert (Forall A t) as At by eauto. rewrite pval_mid by auto. rewrite pval_heap in S by auto.
        assert (inS (mul (pval (u ++ v)) (pval t)) = false) as Q; [|rewrite Q; discriminate].
        apply (P_check h); auto.
        * apply good_pval. apply Forall_app. auto.
        * apply opts_spec; eauto.
    - intros x Ax NS [y M0]. destruct (live_or_dead x Ax) as [L|D]; [|exfalso; eapply stuck; eauto].
      assert (inS (pval x) = false) as S by now apply not_true_is_false.
      destruct (N_check_all (followers x) x eq_refl Ax L S) as (u & h & v & o & -> & Io & So).
      apply Forall_app in Ax. destruct Ax as [Au Av]. inversion Av as [|? ? Ah Av']; subst.
      apply opts_spec in Io; auto. destruct Io as (t & O & <-). exists (u ++ t ++ v). split; [now constructor|].
      rewrite pval_mid; eauto.
    - intros x Ax. destruct (live_or_dead x Ax) as [L|D]; [left; auto|right; now apply stuck].
  Qed.
End Follow.
