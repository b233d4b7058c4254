(** * Quotients with a kernel: large heaps behave as in normal play (Theorem 2a of docs/theory/misere.md) *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Games Laws Search Heaps Nimbers Periods Values Sparse NimSequence Monoid Silence Quotient.
Import ListNotations.

(** What the check needs beside the quotient and the nim sequence. All of it is found by the front end and trusted in nothing:
    the Grundy value of each element, whether it lies in the kernel, the element of the kernel for each Grundy value, the
    last heap whose element lies outside of the kernel, and the hint for the nim sequence. *)
Record kernel := Kernel {
  k_gamma : list N;
  k_inside : list bool;
  k_element : list N;
  k_last : nat;
  k_space : space
}.

Section Check.
  Variable c : code.
  Variable q : quotient.
  Variables n0 p : nat.
  Variable gvals : list N.
  Variable k : kernel.
  Variable fuel : nat.

  Let order := q_order q.
  Let vals := q_values q.
  Let g := continued n0 p gvals.

  Definition some_move : bool :=
    existsb (fun kd => existsb (fun j => N.testbit_nat (snd kd) j && (negb (Nat.eqb (fst kd) 0) || Nat.leb 2 j)) (seq 1 (most c)))
      (digits c).

  Fixpoint kernel_generators (hs : list nat) (gs : list (tree N)) (gamma : tree N) (inside : tree bool) : bool :=
    match hs, gs with
    | [], [] => true
    | h :: hs', t :: gs' =>
        (if Nat.ltb h (length vals) then N.eqb (nth h vals 0%N) (act t 0%N)
         else look false inside (act t 0%N) && N.eqb (look 0%N gamma (act t 0%N)) (g h)) &&
        kernel_generators hs' gs' gamma inside
    | _, _ => false
    end.

  Definition check_kernel : bool :=
    let gs := gens (q_steps q) in
    let gamma := table (k_gamma k) in
    let inside := table (k_inside k) in
    let element := table (k_element k) in
    check_nim_sequence (k_space k) c n0 p gvals && check_outcomes c q fuel && some_move &&
    N.eqb (look 0%N gamma 0) 0 &&
    forallb (fun t => forallb (fun x =>
      N.eqb (look 0%N gamma (act t x)) (N.lxor (look 0%N gamma x) (look 0%N gamma (act t 0%N))) &&
      implb (look false inside x) (look false inside (act t x))) (elements order)) gs &&
    forallb (fun x => implb (look false inside x)
      (N.eqb (look 0%N element (look 0%N gamma x)) x && Bool.eqb (q_inP q x) (N.eqb (look 0%N gamma x) 0))) (elements order) &&
    forallb (fun v => let x := look 0%N element v in
      N.ltb x order && look false inside x && N.eqb (look 0%N gamma x) v) gvals &&
    starts_with (map (look 0%N gamma) vals) (map g (seq 0 (length vals))) &&
    forallb (fun x => look false inside x) (skipn (S (k_last k)) vals) &&
    Nat.ltb (most c * k_last k + last c + most c) (length vals) &&
    kernel_generators (q_generators q) gs gamma inside.

  Definition kernel_value (h : nat) : N := if Nat.ltb h (length vals) then nth h vals 0%N else nth (N.to_nat (g h)) (k_element k) 0%N.

  Hypothesis ok : check_kernel = true.

  Let gamma x := nth (N.to_nat x) (k_gamma k) 0%N.
  Let inside x := nth (N.to_nat x) (k_inside k) false.
  Let element v := nth (N.to_nat v) (k_element k) 0%N.
  Let val := value (q_mul q) kernel_value.

  Lemma facts :
    check_nim_sequence (k_space k) c n0 p gvals = true /\ check_outcomes c q fuel = true /\ some_move = true /\ gamma 0%N = 0%N /\
    (forall t x, In t (gens (q_steps q)) -> (x < order)%N ->
       gamma (act t x) = N.lxor (gamma x) (gamma (act t 0%N)) /\ (inside x = true -> inside (act t x) = true)) /\
    (forall x, (x < order)%N -> inside x = true -> element (gamma x) = x /\ (q_inP q x = true <-> gamma x = 0%N)) /\
    (forall v, In v gvals -> (element v < order)%N /\ inside (element v) = true /\ gamma (element v) = v) /\
    (forall h, h < length vals -> gamma (nth h vals 0%N) = g h) /\
    (forall h, k_last k < h < length vals -> inside (nth h vals 0%N) = true) /\
    most c * k_last k + last c + most c < length vals /\
    (forall t, In t (gens (q_steps q)) -> exists h, kernel_value h = act t 0%N).
  Proof.
    pose proof ok as H. unfold check_kernel in H. rewrite !andb_true_iff in H.
    destruct H as [[[[[[[[[[H1 H2] H3] H4] H5] H6] H7] H8] H9] H10] H11].
    rewrite !forallb_forall in *. rewrite N.eqb_eq, Nat.ltb_lt in *. rewrite look_table in H4.
    assert (K : forall x, (x < order)%N -> inside x = true -> element (gamma x) = x /\ (q_inP q x = true <-> gamma x = 0%N)).
    { intros x X I. specialize (H6 x (proj2 (in_elements order x) X)). rewrite !look_table in H6.
      fold (gamma x) in H6. fold (inside x) in H6. fold (element (gamma x)) in H6. rewrite I in H6. cbn [implb] in H6.
      rewrite andb_true_iff, N.eqb_eq in H6. destruct H6 as [E B]. split; auto. apply Bool.eqb_prop in B. rewrite B.
      apply N.eqb_eq. }
    split; auto. split; auto. split; auto. split; auto. split.
    { intros t x I X. specialize (H5 t I). rewrite forallb_forall in H5. specialize (H5 x (proj2 (in_elements order x) X)).
      rewrite !look_table, andb_true_iff, N.eqb_eq in H5. destruct H5 as [E B]. split; auto. intros J.
      fold (inside x) in B. rewrite J in B. exact B. }
    split; auto. split.
    { intros v I. specialize (H7 v I). cbv zeta in H7. rewrite !look_table in H7. rewrite !andb_true_iff, N.ltb_lt, N.eqb_eq in H7. tauto. }
    split.
    { intros h Hh. pose proof (starts_with_nth _ _ H8 h) as E. rewrite map_length, seq_length in E. specialize (E Hh).
      rewrite nth_indep with (d' := g 0) in E by (rewrite map_length, seq_length; auto).
      rewrite (map_nth g), seq_nth in E by auto.
      rewrite nth_indep with (d' := look 0%N (table (k_gamma k)) 0%N) in E by (rewrite map_length; auto).
      rewrite (map_nth (look 0%N (table (k_gamma k)))), look_table in E. symmetry. exact E. }
    split.
    { intros h Hh. unfold inside. rewrite <- look_table. apply H9. replace h with (S (k_last k) + (h - S (k_last k))) by lia.
      rewrite <- nth_skipn_N. apply nth_In. rewrite skipn_length. lia. }
    split; auto.
    assert (R : forall t, In t (gens (q_steps q)) -> (act t 0%N < order)%N).
    { intros t I. apply (gen_range _ _ (accepted_monoid c q fuel H2)); auto. exact (o_pos c q fuel H2). }
    revert R H11. generalize (q_generators q). generalize (gens (q_steps q)).
    induction l as [|t l IH]; intros [|h hs] R G t' I; simpl in G; try discriminate; [destruct I|].
    apply andb_true_iff in G. destruct G as [G1 G2].
    destruct I as [<-|I]; [|exact (IH hs (fun t J => R t (or_intror J)) G2 t' I)]. exists h. unfold kernel_value.
    destruct (Nat.ltb h (length vals)); [now apply N.eqb_eq|]. rewrite !look_table, andb_true_iff, N.eqb_eq in G1.
    destruct G1 as [I E]. fold (gamma (act t 0%N)) in E. fold (inside (act t 0%N)) in I.
    rewrite <- E. apply K; auto. apply R. now left.
  Qed.

  Lemma g_listed h : 0 < p -> length gvals = n0 + p -> In (g h) gvals.
  Proof.
    intros P L. unfold g, continued. apply nth_In. unfold periodic_index. destruct (Nat.ltb_spec h (n0 + p)); [lia|].
    pose proof (Nat.mod_upper_bound (h - n0) p). lia.
  Qed.

  Theorem kernel_outcomes :
    (forall w, (q_inP q (val w) = true -> misereP (heap_move c) w) /\ (q_inP q (val w) <> true -> misereN (heap_move c) w)) /\
    (forall u v, val u = val v <-> indistinguishable c (fun _ => True) u v).
  Proof.
    destruct facts as (nim & out & mv & g0 & hom & K & E & GV & KL & big & gen).
    pose proof (nim_sequence_correct _ c n0 p gvals nim) as [grundy_all _]. fold g in grundy_all.
    assert (0 < p /\ length gvals = n0 + p /\ ends c = true) as (P & L & C).
    { unfold check_nim_sequence in nim. rewrite !andb_true_iff, Nat.ltb_lt, !Nat.eqb_eq in nim. tauto. }
    assert (R : forall h, (kernel_value h < order)%N).
    { intros h. unfold kernel_value. destruct (Nat.ltb_spec h (length vals)).
      - now apply (accepted_values c q fuel out).
      - apply (E (g h)). now apply g_listed. }
    assert (gammaK : forall h, gamma (kernel_value h) = g h).
    { intros h. unfold kernel_value. destruct (Nat.ltb_spec h (length vals)); [now apply GV|].
      apply (E (g h)). now apply g_listed. }
    assert (far_inside : forall h, k_last k < h -> inside (kernel_value h) = true).
    { intros h H. unfold kernel_value. destruct (Nat.ltb_spec h (length vals)); [apply KL; lia|].
      apply (E (g h)). now apply g_listed. }
    assert (range : forall w, (val w < order)%N).
    { induction w; simpl; [exact (o_pos c q fuel out)|]. now apply (m_range c q fuel out). }
    (* The maps of words respect gamma and the kernel. *)
    assert (words : forall w x, incl w (gens (q_steps q)) -> (x < order)%N ->
      gamma (act_all w x) = N.lxor (gamma x) (gamma (act_all w 0%N)) /\ (inside x = true -> inside (act_all w x) = true)).
    { induction w as [|t w IH]; intros x I X; simpl.
      - split; auto. now rewrite g0, N.lxor_0_r.
      - assert (In t (gens (q_steps q))) as It by (apply I; now left).
        assert (Iw : incl w (gens (q_steps q))) by (intros a Ha; apply I; now right).
        pose proof (gen_range _ _ (accepted_monoid c q fuel out) t x It X) as X1.
        pose proof (gen_range _ _ (accepted_monoid c q fuel out) t 0%N It (o_pos c q fuel out)) as X0.
        destruct (IH (act t x) Iw X1) as [E1 E2]. destruct (IH (act t 0%N) Iw X0) as [E3 _].
        destruct (hom t x It X) as [E4 E5]. split; [|auto].
        rewrite E1, E3, E4. now rewrite N.lxor_assoc. }
    assert (gamma_mul : forall x y, (x < order)%N -> (y < order)%N -> gamma (q_mul q x y) = N.lxor (gamma x) (gamma y)).
    { intros x y X Y. destruct (mul_word order (q_steps q) (accepted_monoid c q fuel out) y Y) as (w & I & W & _ & M).
      unfold q_mul, q_rows. rewrite M by auto. rewrite (proj1 (words w x I X)). now rewrite W. }
    assert (inside_mul : forall x y, (x < order)%N -> (y < order)%N -> inside x = true -> inside (q_mul q x y) = true).
    { intros x y X Y I. destruct (mul_word order (q_steps q) (accepted_monoid c q fuel out) y Y) as (w & J & W & _ & M).
      unfold q_mul, q_rows. rewrite M by auto. now apply words. }
    assert (gamma_val : forall w, gamma (val w) = nim_sum g w).
    { induction w as [|h w IH]; simpl; auto. rewrite gamma_mul by auto. now rewrite gammaK, IH. }
    assert (inside_val : forall w h, In h w -> k_last k < h -> inside (val w) = true).
    { induction w as [|a w IH]; intros h I H; [destruct I|]. simpl. destruct I as [->|I].
      - apply inside_mul; auto.
      - rewrite (m_comm c q fuel out) by auto. apply inside_mul; eauto. }
    assert (P_inside : forall w h, In h w -> k_last k < h -> (q_inP q (val w) = true <-> nim_sum g w = 0%N)).
    { intros w h I H. rewrite <- gamma_val. apply K; auto. eapply inside_val; eauto. }
    assert (last_small : k_last k < length vals) by (assert (1 <= most c) by (unfold most; lia); nia).
    (* Sums of small heaps are known. *)
    assert (small : forall w, Forall (fun h => h < length vals) w ->
      (q_inP q (val w) = true -> misereP (heap_move c) w) /\ (q_inP q (val w) <> true -> misereN (heap_move c) w)).
    { intros w Aw. replace (val w) with (value (q_mul q) (fun h => nth h (q_values q) 0%N) w).
      - exact (quotient_outcomes c _ (fun h => nth h (q_values q) 0%N) (q_order q) (q_mul q) (q_inP q) (heap_kinds c q)
          (o_pos c q fuel out) (m_range c q fuel out) (m_comm c q fuel out) (m_assoc c q fuel out) (m_unit c q fuel out)
          (option_below c q) (accepted_known c q fuel out) (accepted_one c q fuel out) (accepted_silence c q fuel out) w Aw).
      - clear -Aw. induction Aw as [|h w H _ IH]; auto. simpl. rewrite IH. f_equal. unfold kernel_value.
        fold vals in H |- *. destruct (Nat.ltb_spec h (length vals)); auto; lia. }
    assert (H : forall w, (q_inP q (val w) = true -> misereP (heap_move c) w) /\ (q_inP q (val w) <> true -> misereN (heap_move c) w)).
    { intros w. pattern w. apply (along_play (heap_move c) (fun _ => True) weight); auto.
      { intros x y _. apply heap_move_weight. }
      clear w. intros w _ IH.
      destruct (Forall_dec (fun h => h < length vals) (fun h => lt_dec h (length vals)) w) as [S|S]; [now apply small|].
      apply neg_Forall_Exists_neg in S; [|intros h; apply lt_dec]. apply Exists_exists in S. destruct S as (n & I & Hn).
      assert (k_last k < n) as Kn by lia.
      pose proof (P_inside w n I Kn) as Pw.
      (* Every option still has a heap beyond the last one outside of the kernel. *)
      assert (opts : forall y, heap_move c w y -> q_inP q (val y) = true <-> nim_sum g y = 0%N).
      { intros y M. apply move_inv in M. destruct M as (u & h & v & t & -> & -> & O).
        apply in_app_or in I. destruct I as [I|[->|I]].
        - apply (P_inside _ n); auto. apply in_or_app. now left.
        - destruct O as (j & Ej & F & Al & Z). pose proof (allowed_last c j _ C Al). pose proof (allowed_most c _ _ Al).
          destruct (big_part t (k_last k)) as (u' & x & v' & -> & B); [nia|].
          apply (P_inside _ x); auto. apply in_or_app. right. apply in_or_app. left. apply in_or_app. right. now left.
        - apply (P_inside _ n); auto. apply in_or_app. right. apply in_or_app. now right. }
      pose proof (grundy_all w) as Gw. inversion Gw as [x v Ne All Ex Ev]. subst x v. split.
      - intros Q. apply Pw in Q. constructor.
        + (* The large heap has a move. *)
          apply in_split in I. destruct I as (u & v & ->).
          unfold some_move in mv. apply existsb_exists in mv. destruct mv as ([k0 d] & Id & T). apply existsb_exists in T.
          destruct T as (j & Ij & T). cbn [fst snd] in T. rewrite andb_true_iff in T. destruct T as [T Z]. apply in_seq in Ij.
          assert (Al : allowed c k0 j) by (left; eauto).
          pose proof (allowed_last c k0 _ C Al).
          exists (u ++ (repeat 1 (j - 1) ++ [n - k0 - (j - 1)]) ++ v). constructor. exists k0.
          assert (beans (repeat 1 (j - 1)) = j - 1) as B1 by (clear; induction (j - 1); simpl; lia).
          rewrite beans_app, B1, app_length, repeat_length. simpl. split; [nia|]. split; [|split].
          * apply Forall_app. split; [clear; induction (j - 1); simpl; auto|]. constructor; auto. nia.
          * replace (j - 1 + 1) with j by lia. exact Al.
          * intros ->. cbn [Nat.eqb negb orb] in Z. apply Nat.leb_le in Z. lia.
        + intros y M. apply (IH y M). intros Qy. apply (opts y M) in Qy.
          destruct (Ne y M) as (v & Hv & Gy). apply Hv. rewrite Q. rewrite <- Qy. symmetry.
          exact (grundy_unique _ _ _ (grundy_all y) _ Gy).
      - intros Q. assert (nim_sum g w <> 0%N) as Q' by tauto.
        destruct (All 0%N ltac:(lia)) as (y & M & Gy). apply (misereN_some _ w y M). apply (IH y M). apply (opts y M).
        exact (grundy_unique _ _ _ (grundy_all y) _ Gy). }
    split; [exact H|]. intros u v.
    assert (all : forall w : list nat, Forall (fun _ => True) w) by (intros; now apply Forall_forall).
    apply (exact_values c (fun _ => True) (q_order q) (q_mul q) (q_inP q) val (m_comm c q fuel out)); auto.
    - intros a b _ _. induction a as [|h a IH]; simpl; [symmetry; now apply (m_unit c q fuel out)|].
      rewrite IH. symmetry. now apply (m_assoc c q fuel out).
    - exact (accepted_reduced c q fuel out).
    - intros x. apply (generated_by c q fuel out). intros t I. destruct (gen t I) as (h & Hh). exists h. auto.
  Qed.
End Check.

(** A checked quotient with a kernel: the outcome of every sum of heaps of any sizes, and which sums are indistinguishable. *)
Theorem kernel_quotient_correct c q n0 p gvals k fuel : check_kernel c q n0 p gvals k fuel = true ->
  let val := value (q_mul q) (kernel_value q n0 p gvals k) in
  (forall w, (q_inP q (val w) = true -> misereP (heap_move c) w) /\ (q_inP q (val w) <> true -> misereN (heap_move c) w)) /\
  (forall u v, val u = val v <-> indistinguishable c (fun _ => True) u v).
Proof. apply kernel_outcomes. Qed.
