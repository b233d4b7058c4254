(** * The theorem of Sprague and Grundy for sums of heaps *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Games Laws Heaps.
Import ListNotations.

Local Open Scope N_scope.
Local Arguments N.lxor : simpl never.
Local Arguments N.mul : simpl never.
Local Arguments N.testbit : simpl never.

Lemma shift_bit a i : N.shiftr a i = 2 * N.shiftr a (N.succ i) + N.b2n (N.testbit a i).
Proof.
  rewrite N.shiftr_succ_r, <- (N.add_0_l i), <- N.shiftr_spec' with (n := i) (m := 0), N.bit0_odd, N.add_0_l.
  apply N.div2_odd.
Qed.

Lemma lt_by_bit a b i : N.testbit a i = false -> N.testbit b i = true ->
  (forall j, i < j -> N.testbit a j = N.testbit b j) -> a < b.
Proof.
  intros Ha Hb H. apply N.nle_gt. intros L.
  assert (N.shiftr b i <= N.shiftr a i) as M.
  { rewrite !N.shiftr_div_pow2. apply N.div_le_mono; auto. now apply N.pow_nonzero. }
  rewrite (shift_bit a i), (shift_bit b i), Ha, Hb in M.
  assert (N.shiftr a (N.succ i) = N.shiftr b (N.succ i)) as E.
  { apply N.bits_inj. intros j. rewrite !N.shiftr_spec'. apply H. lia. }
  rewrite E in M. simpl in M. lia.
Qed.

Lemma xor_lower x d : d <> 0 -> N.testbit x (N.log2 d) = true -> N.lxor x d < x.
Proof.
  intros D T. apply (lt_by_bit _ _ (N.log2 d)); auto.
  - rewrite N.lxor_spec, T, N.bit_log2; auto.
  - intros j J. rewrite N.lxor_spec, (N.bits_above_log2 d j J). apply xorb_false_r.
Qed.

Lemma xor_top s v : v < s -> N.testbit s (N.log2 (N.lxor s v)) = true.
Proof.
  intros L. assert (N.lxor s v <> 0) as D by (intros E; apply N.lxor_eq in E; lia).
  destruct (N.testbit s (N.log2 (N.lxor s v))) eqn:E; auto.
  exfalso. assert (s < v); [|lia]. apply (lt_by_bit _ _ (N.log2 (N.lxor s v))); auto.
  - pose proof (N.bit_log2 _ D) as B. rewrite N.lxor_spec, E in B. now destruct (N.testbit v _).
  - intros j J. apply N.bits_above_log2 in J. rewrite N.lxor_spec in J. now apply xorb_eq.
Qed.

Lemma nim_sum_app g u v : nim_sum g (u ++ v) = N.lxor (nim_sum g u) (nim_sum g v).
Proof. induction u as [|h u IH]; simpl; [now rewrite N.lxor_0_l|]. now rewrite IH, N.lxor_assoc. Qed.

Lemma nim_sum_bit g w i : N.testbit (nim_sum g w) i = true -> exists h, In h w /\ N.testbit (g h) i = true.
Proof.
  induction w as [|h w IH]; simpl.
  - rewrite N.bits_0. discriminate.
  - rewrite N.lxor_spec. destruct (N.testbit (g h) i) eqn:E.
    + eauto.
    + rewrite xorb_false_l. intros H. destruct (IH H) as (h' & I & T). eauto.
Qed.

Lemma nim_sum_value g : value N.lxor g = nim_sum g.
Proof. reflexivity. Qed.

Section SpragueGrundy.
  Variable c : code.
  Variable A : nat -> Prop.
  Variable g : nat -> N.
  Hypothesis closed : forall h t, A h -> take_and_break c h t -> Forall A t.
  Hypothesis no_equal : forall h t, A h -> take_and_break c h t -> nim_sum g t <> g h.
  Hypothesis all_smaller : forall h v, A h -> v < g h -> exists t, take_and_break c h t /\ nim_sum g t = v.

  Lemma sums_closed x y : Forall A x -> heap_move c x y -> Forall A y.
  Proof.
    intros Ax M. apply move_inv in M. destruct M as (u & h & v & t & -> & -> & O).
    apply Forall_app in Ax. destruct Ax as [Au Av]. inversion Av; subst.
    apply Forall_app. split; auto. apply Forall_app. split; eauto.
  Qed.

  Theorem sprague_grundy : forall w, Forall A w -> grundy (heap_move c) w (nim_sum g w).
  Proof.
    apply (mex_law (heap_move c) (Forall A) weight).
    - apply sums_closed.
    - intros x y _. apply heap_move_weight.
    - intros x y Ax M E. apply move_inv in M. destruct M as (u & h & v & t & -> & -> & O).
      apply Forall_app in Ax. destruct Ax as [_ Av]. inversion Av; subst.
      apply (no_equal h t); auto. rewrite !nim_sum_app in E. simpl in E.
      apply N.bits_inj. intros j. apply (f_equal (fun z => N.testbit z j)) in E. rewrite !N.lxor_spec in E.
      destruct (N.testbit (nim_sum g u) j), (N.testbit (nim_sum g v) j), (N.testbit (g h) j), (N.testbit (nim_sum g t) j);
        simpl in E; congruence.
    - intros x v Ax L. pose proof (xor_top _ _ L) as T. apply nim_sum_bit in T. destruct T as (h & I & T).
      set (d := N.lxor (nim_sum g x) v) in *.
      assert (d <> 0) as D by (unfold d; intros E; apply N.lxor_eq in E; lia).
      apply in_split in I. destruct I as (u & w & ->).
      apply Forall_app in Ax. destruct Ax as [_ Av]. inversion Av; subst.
      destruct (all_smaller h (N.lxor (g h) d)) as (t & O & E); auto; [now apply xor_lower|].
      exists (u ++ t ++ w). split; [now constructor|].
      rewrite !nim_sum_app, E. unfold d. rewrite nim_sum_app. simpl.
      apply N.bits_inj. intros j. rewrite !N.lxor_spec.
      destruct (N.testbit (nim_sum g u) j), (N.testbit (nim_sum g w) j), (N.testbit (g h) j), (N.testbit v j); reflexivity.
  Qed.
End SpragueGrundy.
