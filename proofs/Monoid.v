(** * Finite commutative monoids given by commuting maps *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Search.
Import ListNotations.

(** [x, x + 1, …]: [k] numbers. *)
Fixpoint numbers_from (k : nat) (x : N) : list N :=
  match k with O => [] | S k' => x :: numbers_from k' (N.succ x) end.

Lemma numbers_from_seq k : forall i, numbers_from k (N.of_nat i) = map N.of_nat (seq i k).
Proof. induction k as [|k IH]; intros i; simpl; auto. rewrite <- IH. f_equal. f_equal. lia. Qed.

Lemma in_numbers k : forall x u, In u (numbers_from k x) <-> (x <= u < x + N.of_nat k)%N.
Proof. induction k as [|k IH]; intros x u; cbn [numbers_from In]; [lia|]. rewrite IH. lia. Qed.

Section Monoid.
  (** [order] elements 0, 1, …; each generator is a map, given as the list of its values; 0 is the identity. *)
  Variable order : N.
  Variable steps : list (list N).

  Definition elements : list N := numbers_from (N.to_nat order) 0.

  Lemma elements_seq : elements = map N.of_nat (seq 0 (N.to_nat order)).
  Proof. exact (numbers_from_seq (N.to_nat order) 0). Qed.

  Lemma in_elements x : In x elements <-> (x < order)%N.
  Proof.
    rewrite elements_seq, in_map_iff. split.
    - intros (i & <- & I). apply in_seq in I. lia.
    - intros H. exists (N.to_nat x). split; [lia|]. apply in_seq. lia.
  Qed.

  Lemma length_elements : length elements = N.to_nat order.
  Proof. rewrite elements_seq. now rewrite map_length, seq_length. Qed.

  Lemma nth_elements i : i < N.to_nat order -> nth i elements 0%N = N.of_nat i.
  Proof.
    intros H. rewrite elements_seq. change 0%N with (N.of_nat 0) at 1. rewrite map_nth, seq_nth; auto.
  Qed.

  Definition act (g : tree N) (x : N) : N := look 0%N g x.
  Definition act_all (gs : list (tree N)) (x : N) : N := fold_left (fun x g => act g x) gs x.

  Definition maps_ok (gens : list (tree N)) : bool :=
    forallb (fun g => forallb (fun x => N.ltb (act g x) order) elements) gens &&
    forallb (fun g => forallb (fun h => forallb (fun x => N.eqb (act g (act h x)) (act h (act g x))) elements) gens) gens.

  (** Rows of the multiplication table: the row of [y] lists [x·y] for all [x]. *)
  Definition rows_table := tree (list N).

  Fixpoint visit (gens : list (tree N)) (r : list N) (todo : list N) (t : rows_table) (y : N) : list N * rows_table :=
    match gens with
    | [] => (todo, t)
    | g :: gens' =>
        let z := act g y in
        match get (N.succ_pos z) t with
        | Some _ => visit gens' r todo t y
        | None => visit gens' r (z :: todo) (set (N.succ_pos z) (map (act g) r) t) y
        end
    end.

  Fixpoint explore (fuel : nat) (gens : list (tree N)) (todo : list N) (t : rows_table) : rows_table :=
    match fuel, todo with
    | S fuel', y :: todo' =>
        match get (N.succ_pos y) t with
        | None => explore fuel' gens todo' t
        | Some r => let (todo'', t') := visit gens r todo' t y in explore fuel' gens todo'' t'
        end
    | _, _ => t
    end.

  Definition gens : list (tree N) := map table steps.
  Definition all_rows : rows_table := explore (N.to_nat order) gens [0%N] (set xH elements Leaf).

  Definition row_of (rows : rows_table) (y : N) : list N := match get (N.succ_pos y) rows with Some r => r | None => [] end.

  (** The whole table. A product is found by walking along a row: only the few products of values of heaps are asked for so. *)
  Definition multiplication (rows : rows_table) : tree (list N) := table (map (row_of rows) elements).

  Definition monoid_ok (rows : rows_table) : bool :=
    N.ltb 0 order && maps_ok gens &&
    forallb (fun y => match get (N.succ_pos y) rows with Some _ => true | None => false end) elements.

  Definition mul (mt : tree (list N)) (x y : N) : N := nth (N.to_nat x) (look [] mt y) 0%N.

  Definition from_word (y : N) (r : list N) : Prop :=
    exists w, incl w gens /\ r = map (act_all w) elements /\ act_all w 0%N = y.

  Definition rows_good (t : rows_table) : Prop := forall y r, get (N.succ_pos y) t = Some r -> from_word y r.

  Lemma succ_pos_inj x y : N.succ_pos x = N.succ_pos y -> x = y.
  Proof. intros H. apply (f_equal N.pos) in H. rewrite !N.succ_pos_spec in H. lia. Qed.

  Lemma visit_good gs r y : forall todo t, incl gs gens -> from_word y r -> rows_good t -> rows_good (snd (visit gs r todo t y)).
  Proof.
    induction gs as [|g gs IH]; intros todo t I F G; simpl; auto.
    destruct (get (N.succ_pos (act g y)) t) eqn:E.
    - apply IH; auto. intros a Ha. apply I. now right.
    - apply IH; auto; [intros a Ha; apply I; now right|].
      intros z r' H. rewrite get_set in H. destruct (Pos.eqb_spec (N.succ_pos z) (N.succ_pos (act g y))) as [Q|Q]; [|auto].
      apply succ_pos_inj in Q. injection H as <-. destruct F as (w & Iw & -> & <-).
      exists (w ++ [g]). split; [|split].
      + apply incl_app; auto. intros a [<-|[]]. apply I. now left.
      + rewrite map_map. apply map_ext. intros x. unfold act_all. now rewrite fold_left_app.
      + unfold act_all. rewrite fold_left_app. simpl. symmetry. exact Q.
  Qed.

  Lemma explore_good fuel : forall todo t, rows_good t -> rows_good (explore fuel gens todo t).
  Proof.
    induction fuel as [|fuel IH]; intros todo t G; simpl; auto.
    destruct todo as [|y todo]; auto. destruct (get (N.succ_pos y) t) as [r|] eqn:E; auto.
    pose proof (visit_good gens r y todo t (incl_refl _) (G y r E) G) as V.
    destruct (visit gens r todo t y) as [todo' t']. auto.
  Qed.

  Lemma all_rows_good : rows_good all_rows.
  Proof.
    apply explore_good. intros y r H. rewrite get_set in H.
    destruct (Pos.eqb_spec (N.succ_pos y) 1) as [Q|Q].
    - injection H as <-. exists []. split; [intros a []|]. split; [symmetry; apply map_id|].
      simpl. apply (f_equal N.pos) in Q. rewrite N.succ_pos_spec in Q. lia.
    - simpl in H. discriminate.
  Qed.

  Section Laws.
    Let rows := all_rows.
    Let mt := multiplication rows.
    Hypothesis good : monoid_ok rows = true.

    Lemma order_pos : (0 < order)%N.
    Proof. unfold monoid_ok in good. rewrite !andb_true_iff, N.ltb_lt in good. tauto. Qed.

    Lemma gen_range g x : In g gens -> (x < order)%N -> (act g x < order)%N.
    Proof.
      unfold monoid_ok, maps_ok in good. rewrite !andb_true_iff, !forallb_forall in good.
      destruct good as [[_ [H _]] _]. intros I X. specialize (H g I). rewrite forallb_forall in H.
      apply N.ltb_lt, H. now apply in_elements.
    Qed.

    Lemma gen_commute g h x : In g gens -> In h gens -> (x < order)%N -> act g (act h x) = act h (act g x).
    Proof.
      unfold monoid_ok, maps_ok in good. rewrite !andb_true_iff, !forallb_forall in good.
      destruct good as [[_ [_ H]] _]. intros I J X. specialize (H g I). rewrite forallb_forall in H. specialize (H h J).
      rewrite forallb_forall in H. apply N.eqb_eq, H. now apply in_elements.
    Qed.

    Lemma words_range w : forall x, incl w gens -> (x < order)%N -> (act_all w x < order)%N.
    Proof.
      induction w as [|g w IH]; intros x I X; simpl; auto. apply IH; [intros a Ha; apply I; now right|].
      apply gen_range; auto. apply I. now left.
    Qed.

    Lemma word_gen w : forall g x, incl w gens -> In g gens -> (x < order)%N -> act_all w (act g x) = act g (act_all w x).
    Proof.
      induction w as [|h w IH]; intros g x I J X; simpl; auto.
      assert (In h gens) by (apply I; now left). assert (incl w gens) by (intros a Ha; apply I; now right).
      rewrite gen_commute by auto. apply IH; auto. now apply gen_range.
    Qed.

    Lemma words_commute v w : forall x, incl v gens -> incl w gens -> (x < order)%N ->
      act_all v (act_all w x) = act_all w (act_all v x).
    Proof.
      induction v as [|g v IH]; intros x I J X; simpl; auto.
      assert (In g gens) by (apply I; now left). assert (incl v gens) by (intros a Ha; apply I; now right).
      rewrite <- IH by (auto; now apply gen_range). f_equal. symmetry. now apply word_gen.
    Qed.

    (** Every element is a word of generators, and multiplying with it is following the word. *)
    Lemma mul_word y : (y < order)%N -> exists w, incl w gens /\ act_all w 0%N = y /\
      row_of rows y = map (act_all w) elements /\ forall x, (x < order)%N -> mul mt x y = act_all w x.
    Proof.
      intros Y. assert (exists r, get (N.succ_pos y) rows = Some r) as [r E].
      { unfold monoid_ok in good. rewrite !andb_true_iff, !forallb_forall in good. destruct good as [_ H].
        specialize (H y (proj2 (in_elements y) Y)). destruct (get (N.succ_pos y) rows); [eauto|discriminate]. }
      destruct (all_rows_good y r E) as (w & I & -> & W). exists w. split; auto. split; auto.
      unfold row_of. rewrite E. split; auto. intros x X.
      unfold mul, mt, multiplication. rewrite look_table.
      rewrite nth_indep with (d' := row_of rows 0%N).
      2: { rewrite map_length, length_elements. lia. }
      rewrite (map_nth (row_of rows)), nth_elements by lia. rewrite N2Nat.id.
      unfold row_of. rewrite E.
      rewrite nth_indep with (d' := act_all w 0%N) by (rewrite map_length, length_elements; lia).
      rewrite (map_nth (act_all w)), nth_elements by lia. now rewrite N2Nat.id.
    Qed.

    Lemma mul_range x y : (x < order)%N -> (y < order)%N -> (mul mt x y < order)%N.
    Proof. intros X Y. destruct (mul_word y Y) as (w & I & _ & _ & M). rewrite M by auto. now apply words_range. Qed.

    Lemma mul_unit_l y : (y < order)%N -> mul mt 0%N y = y.
    Proof. intros Y. destruct (mul_word y Y) as (w & I & W & _ & M). rewrite M; auto. apply order_pos. Qed.

    Lemma mul_comm x y : (x < order)%N -> (y < order)%N -> mul mt x y = mul mt y x.
    Proof.
      intros X Y. destruct (mul_word y Y) as (w & I & W & _ & M). destruct (mul_word x X) as (v & J & V & _ & L).
      rewrite M, L by auto. transitivity (act_all w (act_all v 0%N)); [now rewrite V|].
      transitivity (act_all v (act_all w 0%N)); [|now rewrite W]. apply words_commute; auto. apply order_pos.
    Qed.

    Lemma mul_assoc x y z : (x < order)%N -> (y < order)%N -> (z < order)%N -> mul mt (mul mt x y) z = mul mt x (mul mt y z).
    Proof.
      intros X Y Z. rewrite (mul_comm x (mul mt y z)) by auto using mul_range.
      destruct (mul_word x X) as (u & Iu & U & _ & Mu). destruct (mul_word y Y) as (v & Iv & V & _ & Mv).
      destruct (mul_word z Z) as (w & Iw & W & _ & Mw).
      rewrite (Mw (mul mt x y)), (Mv x), (Mu (mul mt y z)), (Mw y) by auto using mul_range.
      transitivity (act_all w (act_all v (act_all u 0%N))); [now rewrite U|].
      transitivity (act_all u (act_all w (act_all v 0%N))); [|now rewrite V].
      rewrite (words_commute u w) by auto using words_range, order_pos. f_equal.
      apply words_commute; auto using order_pos.
    Qed.

    Lemma mul_unit_r x : (x < order)%N -> mul mt x 0%N = x.
    Proof. intros X. rewrite mul_comm by auto using order_pos. now apply mul_unit_l. Qed.

    (** The list of all products [x·y], in the order of [x]. *)
    Lemma row_mul y : (y < order)%N -> row_of rows y = map (fun x => mul mt x y) elements.
    Proof.
      intros Y. destruct (mul_word y Y) as (w & I & _ & R & M). rewrite R. apply map_ext_in.
      intros x X. symmetry. apply M. now apply in_elements.
    Qed.
  End Laws.
End Monoid.
