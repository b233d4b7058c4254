(** * Poset games: the value of every position, from a table *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Games Laws Search Values.
Import ListNotations.

Lemma kept_unique {E} (Q : E -> Prop) u v : kept Q u v -> forall w, kept Q u w -> v = w.
Proof.
  induction 1 as [|x u v q K IH|x u v q K IH]; intros w H; inversion H; subst; try tauto; auto. f_equal. auto.
Qed.

(** Sets of elements as numbers: one bit for each element. *)
Fixpoint pick_bits {E} (l : list E) (m : N) : list E :=
  match l with
  | [] => []
  | e :: l' => if N.odd m then e :: pick_bits l' (N.div2 m) else pick_bits l' (N.div2 m)
  end.

Fixpoint mask_of (l : list bool) : N :=
  match l with [] => 0%N | b :: l' => if b then N.succ_double (mask_of l') else N.double (mask_of l') end.

Lemma mask_cons b l : N.odd (mask_of (b :: l)) = b /\ N.div2 (mask_of (b :: l)) = mask_of l.
Proof. simpl. destruct b; destruct (mask_of l); auto. Qed.

Lemma pick_all_bits {E} (l : list E) : pick_bits l (mask_of (map (fun _ => true) l)) = l.
Proof.
  induction l as [|e l IH]; [reflexivity|]. cbn [map pick_bits]. destruct (mask_cons true (map (fun _ => true) l)) as [-> ->]. now rewrite IH.
Qed.

Lemma odd_ldiff a b : N.odd (N.ldiff a b) = N.odd a && negb (N.odd b).
Proof. rewrite <- !N.bit0_odd. apply N.ldiff_spec. Qed.

Lemma div2_ldiff a b : N.div2 (N.ldiff a b) = N.ldiff (N.div2 a) (N.div2 b).
Proof. rewrite !N.div2_spec. apply N.shiftr_ldiff. Qed.

Section Table.
  Context {E : Type}.
  Variable le : E -> E -> Prop.

  (** [u] marks the elements of [l] that are above [x]. *)
  Fixpoint row_ok (x : E) (u : N) (l : list E) : Prop :=
    match l with [] => True | e :: l' => (N.odd u = true <-> le x e) /\ row_ok x (N.div2 u) l' end.

  Lemma kept_ldiff x l : forall u m, row_ok x u l -> kept (fun y => ~ le x y) (pick_bits l m) (pick_bits l (N.ldiff m u)).
  Proof.
    induction l as [|e l IH]; intros u m H; cbn [pick_bits]; [constructor|]. destruct H as [H1 H2].
    rewrite odd_ldiff, div2_ldiff. specialize (IH (N.div2 u) (N.div2 m) H2). destruct (N.odd m); cbn [andb]; [|exact IH].
    destruct (N.odd u); cbn [negb].
    - apply kept_no; auto. intros X. apply X. now apply H1.
    - apply kept_yes; auto. intros X. apply H1 in X. discriminate.
  Qed.

  Variable els : list E.
  Variable ups : list N.
  Hypothesis ups_ok : Forall2 (fun x u => row_ok x u els) els ups.

  (** What the moves from the set [all] leave, [m] being its bits from some element on. *)
  Fixpoint leaves_of (all : N) (us : list N) (m : N) : list N :=
    match us with
    | [] => []
    | u :: us' => if N.odd m then N.ldiff all u :: leaves_of all us' (N.div2 m) else leaves_of all us' (N.div2 m)
    end.

  Lemma leaves_from all l us : Forall2 (fun x u => row_ok x u els) l us -> forall m,
    (forall x, In x (pick_bits l m) -> exists u, In (N.ldiff all u) (leaves_of all us m) /\ row_ok x u els) /\
    (forall a, In a (leaves_of all us m) -> exists x u, In x (pick_bits l m) /\ a = N.ldiff all u /\ row_ok x u els).
  Proof.
    induction 1 as [|e u l us R F IH]; intros m; cbn [pick_bits leaves_of]; [simpl; tauto|].
    destruct (IH (N.div2 m)) as [I1 I2]. destruct (N.odd m); [|auto]. split.
    - intros x [<-|I]; [exists u; split; auto; now left|]. destruct (I1 x I) as (u' & J & K). exists u'. split; auto. now right.
    - intros a [<-|I]; [exists e, u; split; [now left|auto]|]. destruct (I2 a I) as (x & u' & J & K). exists x, u'. split; auto. now right.
  Qed.

  Notation move := (poset_move le).

  Lemma moves_of m : (forall v, move (pick_bits els m) v -> exists a, In a (leaves_of m ups m) /\ v = pick_bits els a) /\
    (forall a, In a (leaves_of m ups m) -> move (pick_bits els m) (pick_bits els a)).
  Proof.
    destruct (leaves_from m els ups ups_ok m) as [I1 I2]. split.
    - intros v (x & I & K). destruct (I1 x I) as (u & J & R). exists (N.ldiff m u). split; auto.
      apply (kept_unique _ _ _ K). now apply kept_ldiff.
    - intros a I. destruct (I2 a I) as (x & u & J & -> & R). exists x. split; auto. now apply kept_ldiff.
  Qed.

  (** The table of values so far. *)
  Definition value_at (t : tree N) (m : N) : option N := get (N.succ_pos m) t.

  Fixpoint values_at (t : tree N) (l : list N) : option (list N) :=
    match l with
    | [] => Some []
    | m :: l' => match value_at t m, values_at t l' with Some v, Some vs => Some (v :: vs) | _, _ => None end
    end.

  Lemma values_at_ok t l : forall vs, values_at t l = Some vs ->
    (forall m, In m l -> exists v, In v vs /\ value_at t m = Some v) /\ (forall v, In v vs -> exists m, In m l /\ value_at t m = Some v).
  Proof.
    induction l as [|m l IH]; intros vs H; simpl in H.
    - injection H as <-. simpl. split; intros ? [].
    - destruct (value_at t m) as [v|] eqn:V; [|discriminate]. destruct (values_at t l) as [ws|]; [|discriminate]. injection H as <-.
      destruct (IH ws eq_refl) as [A B]. split.
      + intros m' [<-|I]; [exists v; split; auto; now left|]. destruct (A m' I) as (w & J & K). exists w. split; auto. now right.
      + intros w [<-|I]; [exists m; split; auto; now left|]. destruct (B w I) as (m' & J & K). exists m'. split; auto. now right.
  Qed.

  Variable misere : bool.

  Definition right_value (v : N) (vs : list N) : bool :=
    if misere then N.eqb v (match vs with [] => 1 | _ => if existsb (N.eqb 0) vs then 1 else 0 end)
    else is_mex v (set_of vs).

  Definition correct (u : list E) (v : N) : Prop :=
    if misere then (v = 0%N -> misereP move u) /\ (v <> 0%N -> misereN move u) else grundy move u v.

  Definition visit (m : N) (s : list N * tree N) : option (list N * tree N) :=
    match fst s with
    | [] => None
    | v :: vals =>
        match values_at (snd s) (leaves_of m ups m) with
        | Some vs => if right_value v vs then Some (vals, set (N.succ_pos m) v (snd s)) else None
        | None => None
        end
    end.

  (** All sets in increasing order: [rows] says which elements below each one must be kept with it, the last element first. It decides the order
      in which the sets are visited, and nothing else. *)
  Fixpoint both (l q : list bool) : list bool :=
    match l, q with a :: l', b :: q' => (a || b) :: both l' q' | _, _ => [] end.

  Fixpoint walk_sets (rows : list (list bool)) (needed : list bool) (m : N) (s : list N * tree N) : option (list N * tree N) :=
    match rows with
    | [] => visit m s
    | d :: rows' =>
        let rest := tl needed in
        if hd false needed then walk_sets rows' (both rest d) (N.succ_double m) s
        else match walk_sets rows' rest (N.double m) s with
             | None => None
             | Some s' => walk_sets rows' (both rest d) (N.succ_double m) s'
             end
    end.

  Definition full : N := mask_of (map (fun _ => true) els).

  Definition check_table (rows : list (list bool)) (vals : list N) : option (tree N) :=
    match walk_sets rows (map (fun _ => false) els) 0 (vals, Leaf) with
    | Some ([], t) => match value_at t full with Some _ => Some t | None => None end
    | _ => None
    end.

  Definition table_ok (t : tree N) : Prop :=
    (forall m v, value_at t m = Some v -> correct (pick_bits els m) v) /\
    (forall m v, value_at t m = Some v -> forall a, In a (leaves_of m ups m) -> exists w, value_at t a = Some w).

  Lemma right_value_ok t m v vs : table_ok t -> values_at t (leaves_of m ups m) = Some vs -> right_value v vs = true ->
    correct (pick_bits els m) v.
  Proof.
    intros [T _] V R. destruct (values_at_ok t _ vs V) as [A B]. destruct (moves_of m) as [M1 M2].
    unfold right_value in R. unfold correct in *. destruct misere.
    - apply N.eqb_eq in R. destruct vs as [|w vs].
      + subst v. split; [discriminate|]. intros _. apply misereN_end. intros y Hy. destruct (M1 y Hy) as (a & I & _).
        destruct (A a I) as (w & [] & _).
      + destruct (existsb (N.eqb 0) (w :: vs)) eqn:X; subst v.
        * split; [discriminate|]. intros _. apply existsb_exists in X. destruct X as (z & I & Z). apply N.eqb_eq in Z. subst z.
          destruct (B 0%N I) as (a & J & K). apply (misereN_some move _ (pick_bits els a)); auto. now apply (T a 0%N K).
        * split; [|congruence]. intros _. constructor.
          -- destruct (B w (or_introl eq_refl)) as (a & J & K). exists (pick_bits els a). auto.
          -- intros y Hy. destruct (M1 y Hy) as (a & I & ->). destruct (A a I) as (z & J & K). apply (T a z K). intros ->.
             assert (existsb (N.eqb 0) (w :: vs) = true) by (apply existsb_exists; exists 0%N; auto). congruence.
    - apply is_mex_spec in R. destruct R as [R1 R2]. constructor.
      + intros y Hy. destruct (M1 y Hy) as (a & I & ->). destruct (A a I) as (z & J & K). exists z. split; [|now apply T].
        intros ->. apply mem_set_of in J. congruence.
      + intros w Hw. apply R2, mem_set_of in Hw. destruct (B w Hw) as (a & J & K). exists (pick_bits els a). split; auto.
  Qed.

  Lemma value_set t m m' v : value_at (set (N.succ_pos m) v t) m' = if N.eqb m' m then Some v else value_at t m'.
  Proof.
    unfold value_at. rewrite get_set. destruct (N.eqb_spec m' m) as [->|D]; [now rewrite Pos.eqb_refl|].
    destruct (Pos.eqb_spec (N.succ_pos m') (N.succ_pos m)) as [E0|]; auto. exfalso. apply D. apply (f_equal Npos) in E0.
    rewrite !N.succ_pos_spec in E0. lia.
  Qed.

  Lemma visit_ok m s s' : table_ok (snd s) -> visit m s = Some s' -> table_ok (snd s').
  Proof.
    destruct s as [[|v vals] t]; cbn [fst snd visit]; [discriminate|]. unfold visit. cbn [fst snd]. intros T.
    destruct (values_at t (leaves_of m ups m)) as [vs|] eqn:V; [|discriminate]. destruct (right_value v vs) eqn:R; [|discriminate].
    intros [= <-]. cbn [snd]. pose proof (right_value_ok t m v vs T V R) as C. destruct (values_at_ok t _ vs V) as [A _]. destruct T as [T1 T2]. split.
    - intros m' v'. rewrite value_set. destruct (N.eqb_spec m' m) as [->|]; [intros [= <-]; auto|auto].
    - intros m' v' H a I. rewrite value_set in *. destruct (N.eqb_spec a m); [eauto|]. destruct (N.eqb_spec m' m) as [->|].
      + destruct (A a I) as (w & _ & W). eauto.
      + eauto.
  Qed.

  Lemma walk_ok rows : forall needed m s s', table_ok (snd s) -> walk_sets rows needed m s = Some s' -> table_ok (snd s').
  Proof.
    induction rows as [|d rows IH]; intros needed m s s' T H; cbn [walk_sets] in H; [now apply (visit_ok m s)|].
    destruct (hd false needed); [eauto|]. destruct (walk_sets rows (tl needed) (N.double m) s) as [s1|] eqn:W; [|discriminate]. eauto.
  Qed.

  Theorem checked_table rows vals t : check_table rows vals = Some t ->
    forall u, reached move els u -> exists m v, u = pick_bits els m /\ value_at t m = Some v /\ correct u v.
  Proof.
    unfold check_table. destruct (walk_sets rows _ 0 (vals, Leaf)) as [[[|] t']|] eqn:W; try discriminate.
    destruct (value_at t' full) as [v0|] eqn:F; [|discriminate]. intros [= <-].
    assert (table_ok t') as [T1 T2].
    { apply (walk_ok rows (map (fun _ => false) els) 0%N (vals, Leaf) ([], t')); auto.
      assert (forall m, value_at Leaf m = None) as Z by (intros m; unfold value_at; now destruct (N.succ_pos m)).
      split; intros m v H; rewrite Z in H; discriminate. }
    intros u. induction 1 as [|u w R (m & v & -> & V & C) M].
    - exists full, v0. unfold full at 1. rewrite pick_all_bits. repeat split; auto. rewrite <- (pick_all_bits els) at 1. now apply T1.
    - destruct (proj1 (moves_of m) w M) as (a & I & ->). destruct (T2 m v V a I) as (x & X). exists a, x. repeat split; auto.
  Qed.
End Table.

(** ** Posets given by covers *)

Fixpoint up_list (covers : list (nat * nat)) (x count : nat) : list N :=
  match count with
  | O => []
  | S count' =>
      let rest := up_list covers (S x) count' in
      fold_left (fun m xy => if Nat.eqb (fst xy) x then N.lor m (nth (snd xy - S x) rest 0%N) else m) covers (N.shiftl 1 (N.of_nat x)) :: rest
  end.

Definition covers_ok (covers : list (nat * nat)) (n : nat) : bool := forallb (fun xy => Nat.ltb (fst xy) (snd xy) && Nat.ltb (snd xy) n) covers.

Lemma up_fold (f : nat -> N) x covers j : forall m,
  N.testbit (fold_left (fun m xy => if Nat.eqb (fst xy) x then N.lor m (f (snd xy)) else m) covers m) j = true <->
  N.testbit m j = true \/ exists y, In (x, y) covers /\ N.testbit (f y) j = true.
Proof.
  induction covers as [|[a b] covers IH]; intros m; cbn [fold_left fst snd].
  - split; auto. intros [|(y & [] & _)]; auto.
  - rewrite IH. destruct (Nat.eqb_spec a x) as [->|D].
    + rewrite N.lor_spec, orb_true_iff. split.
      * intros [[H|H]|(y & I & H)]; auto; right; [exists b|exists y]; split; auto; [now left|now right].
      * intros [H|(y & [J|I] & H)]; auto; [injection J as ->; auto|]. right. exists y. auto.
    + split.
      * intros [H|(y & I & H)]; auto. right. exists y. split; auto. now right.
      * intros [H|(y & [J|I] & H)]; auto; [congruence|]. right. exists y. auto.
Qed.

Lemma up_list_ok covers n : covers_ok covers n = true -> forall count x, x + count = n ->
  length (up_list covers x count) = count /\
  forall i j, i < count -> (N.testbit (nth i (up_list covers x count) 0%N) (N.of_nat j) = true <-> generated covers (x + i) j).
Proof.
  intros C. unfold covers_ok in C. rewrite forallb_forall in C.
  induction count as [|count IH]; intros x Hx; cbn [up_list]; [split; auto; intros; lia|].
  destruct (IH (S x) ltac:(lia)) as [L H]. split; [cbn [length]; lia|]. intros [|i] j Hi.
  - cbn [nth]. rewrite (up_fold (fun y => nth (y - S x) (up_list covers (S x) count) 0%N)), Nat.add_0_r, N.shiftl_1_l, N.pow2_bits_eqb, N.eqb_eq. split.
    + intros [E|(y & I & B)]; [apply Nat2N.inj in E; subst j; constructor|].
      pose proof (C _ I) as K. rewrite andb_true_iff, !Nat.ltb_lt in K. cbn [fst snd] in K.
      apply H in B; [|lia]. replace (S x + (y - S x)) with y in B by lia. now apply (generated_step _ _ y).
    + intros G. inversion G as [|y z I G']; subst; auto. right. exists y. split; auto.
      pose proof (C _ I) as K. rewrite andb_true_iff, !Nat.ltb_lt in K. cbn [fst snd] in K.
      apply H; [lia|]. now replace (S x + (y - S x)) with y by lia.
  - cbn [nth]. rewrite H by lia. now replace (S x + i) with (x + S i) by lia.
Qed.

Lemma row_by_bits {E} (le : E -> E -> Prop) x l : forall u,
  (forall i e, nth_error l i = Some e -> (N.testbit u (N.of_nat i) = true <-> le x e)) -> row_ok le x u l.
Proof.
  induction l as [|e l IH]; intros u H; cbn [row_ok]; auto. split; [rewrite <- N.bit0_odd; now apply (H 0)|]. apply IH. intros i e' I.
  rewrite N.div2_spec, N.shiftr_spec'. replace (N.of_nat i + 1)%N with (N.of_nat (S i)) by lia. now apply (H (S i)).
Qed.

Lemma Forall2_nth {A B} (Q : A -> B -> Prop) l : forall q, length l = length q ->
  (forall i a b, nth_error l i = Some a -> nth_error q i = Some b -> Q a b) -> Forall2 Q l q.
Proof.
  induction l as [|a l IH]; intros [|b q] E H; try discriminate; constructor; [apply (H 0); auto|].
  apply IH; auto. intros i x y. apply (H (S i)).
Qed.

Definition check_poset (n : nat) (covers : list (nat * nat)) (misere : bool) (rows : list (list bool)) (vals : list N) : option (tree N) :=
  if covers_ok covers n then check_table (seq 0 n) (up_list covers 0 n) misere rows vals else None.

(** Every position of the game has its value in the table; numbers stand for sets by their bits. *)
Theorem poset_correct n covers misere rows vals t : check_poset n covers misere rows vals = Some t ->
  forall u, reached (poset_move (generated covers)) (seq 0 n) u ->
  exists m v, u = pick_bits (seq 0 n) m /\ value_at t m = Some v /\ correct (generated covers) misere u v.
Proof.
  unfold check_poset. destruct (covers_ok covers n) eqn:C; [|discriminate]. apply checked_table.
  destruct (up_list_ok covers n C n 0 eq_refl) as [L H]. apply Forall2_nth; [now rewrite seq_length, L|].
  assert (forall i a, nth_error (seq 0 n) i = Some a -> a = i /\ i < n) as S.
  { intros i a I. assert (i < n) as Hi by (rewrite <- (seq_length n 0); apply nth_error_Some; congruence).
    apply (nth_error_nth _ _ 0) in I. rewrite seq_nth in I by auto. lia. }
  intros i a b I J. apply row_by_bits. intros j e K. destruct (S i a I) as [-> Hi]. destruct (S j e K) as [-> Hj].
  rewrite <- (H i j Hi). apply (nth_error_nth _ _ 0%N) in J. now rewrite J.
Qed.

(** ** Chomp *)

Definition square_leb (x y : nat * nat) : bool := Nat.leb (fst x) (fst y) && Nat.leb (snd x) (snd y).

Lemma row_mask {E} (le : E -> E -> Prop) (leb : E -> E -> bool) (ok : forall x y, leb x y = true <-> le x y) x l : row_ok le x (mask_of (map (leb x) l)) l.
Proof.
  induction l as [|e l IH]; cbn [row_ok]; auto. cbn [map]. destruct (mask_cons (leb x e) (map (leb x) l)) as [-> ->]. auto.
Qed.

Definition check_chomp (lengths : list nat) (misere : bool) (rows : list (list bool)) (vals : list N) : option (tree N) :=
  let els := squares lengths in
  check_table els (map (fun x => mask_of (map (square_leb x) els)) els) misere rows vals.

Theorem chomp_correct lengths misere rows vals t : check_chomp lengths misere rows vals = Some t ->
  forall u, reached (poset_move square_le) (squares lengths) u ->
  exists m v, u = pick_bits (squares lengths) m /\ value_at t m = Some v /\ correct square_le misere u v.
Proof.
  unfold check_chomp. apply checked_table. set (els := squares lengths).
  assert (ok : forall x y, square_leb x y = true <-> square_le x y) by (intros; unfold square_leb, square_le; now rewrite andb_true_iff, !Nat.leb_le).
  assert (forall l, Forall2 (fun x u => row_ok square_le x u els) l (map (fun x => mask_of (map (square_leb x) els)) l)) as F.
  { induction l; simpl; constructor; auto. now apply row_mask. }
  apply F.
Qed.
