(** * The N-check: no sum of heaps is silent

    A heap of a sum is silent when neither the sum nor an option at this heap has its value among the P-positions. [D] of a heap is
    the set of values of the rest beside which it is silent. The search shows that no sum of heaps is silent at all its heaps. *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Search Monoid.
Import ListNotations.

(** Sets of elements are lists of booleans, one for each element; in the search, where they are small, lists of their members. *)
Definition has (D : list bool) (x : N) : bool := nth (N.to_nat x) D false.

(** A table of the true entries alone: where there are few, a question ends early. *)
Definition truths (D : list bool) : tree bool := tree_of (fun b : bool => if b then Some true else None) D.

Lemma look_has D x : look false (truths D) x = has D x.
Proof.
  rewrite look_get. unfold truths. rewrite get_tree_of. unfold picked, has.
  replace (Pos.to_nat (N.succ_pos x) - 1) with (N.to_nat x).
  2: { pose proof (N.succ_pos_spec x) as E. apply (f_equal N.to_nat) in E. cbn [N.to_nat] in E. rewrite E. lia. }
  destruct (nth_error D (N.to_nat x)) as [[|]|] eqn:E.
  - symmetry. now apply nth_error_nth.
  - symmetry. now apply nth_error_nth.
  - symmetry. apply nth_overflow. now apply nth_error_None.
Qed.

Record kind := Kind { kind_value : N; kind_silent : list bool }.

Section Silence.
  Variable order : N.
  Variable mul : N -> N -> N.
  Variable row : N -> list N.
  Hypothesis order_pos : (0 < order)%N.
  Hypothesis mul_range : forall x y, (x < order)%N -> (y < order)%N -> (mul x y < order)%N.
  Hypothesis mul_comm : forall x y, (x < order)%N -> (y < order)%N -> mul x y = mul y x.
  Hypothesis mul_assoc : forall x y z, (x < order)%N -> (y < order)%N -> (z < order)%N -> mul (mul x y) z = mul x (mul y z).
  Hypothesis mul_unit : forall x, (x < order)%N -> mul 0%N x = x.
  Hypothesis row_spec : forall y, (y < order)%N -> row y = map (fun x => mul x y) (elements order).

  (** For each element the list of those that [f] takes to it. *)
  Fixpoint origins_from (c : N) (l : list N) (t : tree (list N)) : tree (list N) :=
    match l with
    | [] => t
    | z :: l' => origins_from (N.succ c) l' (set (N.succ_pos z) (c :: bucket (N.succ_pos z) t) t)
    end.
  Definition origins (f : N) : tree (list N) := origins_from 0 (row f) Leaf.

  Lemma in_origins_from l : forall c0 t c d, In c (bucket (N.succ_pos d) (origins_from c0 l t)) <->
    In c (bucket (N.succ_pos d) t) \/ exists i, nth_error l i = Some d /\ c = (c0 + N.of_nat i)%N.
  Proof.
    induction l as [|z l IH]; intros c0 t c d; cbn [origins_from].
    - split; auto. intros [|(i & H & _)]; auto. now destruct i.
    - rewrite IH. unfold bucket at 1. rewrite get_set. destruct (Pos.eqb_spec (N.succ_pos d) (N.succ_pos z)) as [E|E].
      + apply succ_pos_inj in E. subst z. cbn [In]. split.
        * intros [[<-|H]|(i & H & ->)]; auto; right; [exists 0|exists (S i)]; split; auto; lia.
        * intros [H|([|i] & H & ->)]; auto; [left; left; lia|]. right. exists i. split; auto. lia.
      + change (match get (N.succ_pos d) t with Some l0 => l0 | None => [] end) with (bucket (N.succ_pos d) t). split.
        * intros [H|(i & H & ->)]; auto. right. exists (S i). split; auto. lia.
        * intros [H|([|i] & H & ->)]; auto; [injection H as ->; now destruct E|]. right. exists i. split; auto. lia.
  Qed.

  Lemma in_origins f c d : (f < order)%N -> (In c (bucket (N.succ_pos d) (origins f)) <-> (c < order)%N /\ mul c f = d).
  Proof.
    intros F. unfold origins. rewrite in_origins_from, row_spec by auto. rewrite elements_seq, map_map. split.
    - intros [H|(i & H & ->)]; [unfold bucket in H; destruct (N.succ_pos d); now destruct H|].
      rewrite nth_error_map in H. destruct (nth_error (seq 0 (N.to_nat order)) i) as [j|] eqn:E; [|discriminate].
      cbn [option_map] in H. injection H as H. assert (i < N.to_nat order) as Li.
      { rewrite <- (seq_length (N.to_nat order) 0). apply nth_error_Some. congruence. }
      apply nth_error_nth with (d := 0) in E. rewrite seq_nth in E by auto. subst j. simpl in *. split; [lia|auto].
    - intros [C E]. right. exists (N.to_nat c). split; [|lia]. rewrite nth_error_map.
      rewrite (nth_error_nth' (seq 0 (N.to_nat order)) 0) by (rewrite seq_length; lia). rewrite seq_nth by lia. cbn [option_map].
      simpl. now rewrite N2Nat.id, E.
  Qed.

  (** The members [c] of the new set: [c·f] in [D] and [c·v] in [E]; [rv] holds the products with [v]. *)
  Fixpoint keep (E : tree bool) (rv : tree N) (l acc : list N) : list N :=
    match l with [] => acc | c :: l' => keep E rv l' (if look false E (look 0%N rv c) then c :: acc else acc) end.

  Lemma in_keep E rv c l : forall acc, In c (keep E rv l acc) <-> In c acc \/ (In c l /\ look false E (look 0%N rv c) = true).
  Proof.
    induction l as [|a l IH]; intros acc; cbn [keep In]; [tauto|]. rewrite IH.
    destruct (look false E (look 0%N rv a)) eqn:T; cbn [In]; intuition; subst; auto; congruence.
  Qed.

  Lemma look_row v c : (v < order)%N -> (c < order)%N -> look 0%N (table (row v)) c = mul c v.
  Proof.
    intros V C. rewrite look_table, row_spec by auto.
    rewrite nth_indep with (d' := mul 0%N v) by (rewrite map_length, length_elements; lia).
    rewrite (map_nth (fun x => mul x v)), nth_elements by lia. now rewrite N2Nat.id.
  Qed.

  Variable kinds : list kind.
  Hypothesis kinds_range : forall k, In k kinds -> (kind_value k < order)%N.
  Variable D0 : list bool.

  (** The product of the values of a list of kinds, and the contexts beside which all of them are silent. *)
  Definition product (w : list kind) : N := fold_right (fun k v => mul (kind_value k) v) 0%N w.

  Definition silent (w : list kind) (c : N) : Prop :=
    has D0 (mul c (product w)) = true /\
    forall u k v, w = u ++ k :: v -> has (kind_silent k) (mul c (product (u ++ v))) = true.

  Lemma product_range w : incl w kinds -> (product w < order)%N.
  Proof.
    induction w as [|k w IH]; intros I; simpl; auto. apply mul_range; [apply kinds_range, I; now left|].
    apply IH. intros a Ha. apply I. now right.
  Qed.

  Lemma silent_cons k w c : incl (k :: w) kinds -> (c < order)%N -> silent (k :: w) c ->
    silent w (mul c (kind_value k)) /\ has (kind_silent k) (mul c (product w)) = true.
  Proof.
    intros I C [H1 H2]. assert (Ik : (kind_value k < order)%N) by (apply kinds_range, I; now left).
    assert (Iw : incl w kinds) by (intros a Ha; apply I; now right). split; [split|].
    - simpl in H1. rewrite mul_assoc; auto. now apply product_range.
    - intros u h v E. specialize (H2 (k :: u) h v). rewrite E in H2. specialize (H2 eq_refl). simpl in H2.
      rewrite mul_assoc; auto. apply product_range. rewrite E in Iw. intros a Ha. apply Iw.
      apply in_app_or in Ha. apply in_or_app. destruct Ha; [now left|]. right. now right.
    - apply (H2 [] k w eq_refl).
  Qed.

  (** ** The search

      It visits pairs [(v, c)]: some sum of heaps has the value [v], and all its heaps are silent beside [c]. A heap of kind [k] more
      leads from [(v, c·f)] to [(v·f, c)], where [f] is its value, when [k] is silent beside [c·v]. Each pair is visited once. No pair with
      [c = 1] may be reached by a step. *)

  (** What is looked up for a kind: products with its value, and where it is silent. *)
  Record gear := Gear { times : tree N; quiet : tree bool }.
  Definition gear_of (k : kind) : gear := Gear (table (row (kind_value k))) (truths (kind_silent k)).

  (** For each element, kind by kind, the elements that the kind's value takes to it, without empty lists at the end. *)
  Definition drop_empty (l : list (list N)) : list (list N) :=
    fold_right (fun a t => match a, t with [], [] => [] | _, _ => a :: t end) [] l.
  Definition sources : list (list (list N)) :=
    let l := map (fun k => origins (kind_value k)) kinds in map (fun d => drop_empty (map (fun t => look [] t d) l)) (elements order).

  (** The members of [l] that are not yet in [T] and lead to a silent pair; [rv] holds the products with [v]. *)
  Fixpoint fresh (rv : tree N) (E : tree bool) (l : list N) (T : tree unit) (new : list N) : tree unit * list N :=
    match l with
    | [] => (T, new)
    | c :: l' => if marked c T then fresh rv E l' T new
                 else if look false E (look 0%N rv c) then fresh rv E l' (set (N.succ_pos c) tt T) (c :: new)
                 else fresh rv E l' T new
    end.

  (** The same for the first list of each entry of [rs]; and what is left without it. *)
  Fixpoint fresh_all (rv : tree N) (E : tree bool) (rs : list (list (list N))) (T : tree unit) (new : list N) : tree unit * list N :=
    match rs with
    | [] => (T, new)
    | r :: rs' => match r with
                  | [] | [] :: _ => fresh_all rv E rs' T new
                  | l :: _ => let (T', new') := fresh rv E l T new in fresh_all rv E rs' T' new'
                  end
    end.

  Fixpoint tails (rs : list (list (list N))) : list (list (list N)) :=
    match rs with
    | [] => []
    | r :: rs' => match r with [] | [_] => tails rs' | _ :: r' => r' :: tails rs' end
    end.

  Definition pairs := tree (tree unit).
  Definition visited (V : pairs) (v c : N) : Prop := marked c (look Leaf V v) = true.

  (** From [(v, c)] for all [c] in a set, by the kinds of [gs]; [rs] holds the sources of the members of the set. *)
  Fixpoint turn (rv : tree N) (v : N) (rs : list (list (list N))) (gs : list gear) (todo : list (N * list N)) (V : pairs) : option (list (N * list N) * pairs) :=
    match gs with
    | [] => Some (todo, V)
    | g :: gs' =>
        let x := look 0%N (times g) v in
        let (T, new) := fresh_all rv (quiet g) rs (look Leaf V x) [] in
        match new with
        | [] => turn rv v (tails rs) gs' todo V
        | _ => if marked 0%N T then None else turn rv v (tails rs) gs' ((x, new) :: todo) (set (N.succ_pos x) T V)
        end
    end.

  Inductive progress := Loud | Finished (V : pairs) | Going (todo : list (N * list N)) (V : pairs).

  (** Two to the power [fuel] turns, fewer when the end comes earlier. *)
  Fixpoint turns (gs : list gear) (S : tree (list (list N))) (fuel : nat) (todo : list (N * list N)) (V : pairs) : progress :=
    match fuel with
    | O => match todo with
           | [] => Finished V
           | (v, D) :: todo' => match turn (table (row v)) v (map (look [] S) D) gs todo' V with None => Loud | Some (todo'', V') => Going todo'' V' end
           end
    | Datatypes.S f => match turns gs S f todo V with Going todo' V' => turns gs S f todo' V' | r => r end
    end.

  Fixpoint members_from (c : N) (D : list bool) : list N :=
    match D with [] => [] | true :: D' => c :: members_from (N.succ c) D' | false :: D' => members_from (N.succ c) D' end.

  (** The first pair [(1, 1)] is not marked: reached by a step it must be seen. *)
  Definition check_silence (fuel : nat) : bool :=
    let D := members_from 0 D0 in
    match turns (map gear_of kinds) (table sources) fuel [(0%N, D)] (set xH (marks (filter (fun c => negb (N.eqb c 0)) D)) Leaf) with
    | Finished _ => true
    | _ => false
    end.

  Lemma marked_set c d T : marked c (set (N.succ_pos d) tt T) = N.eqb c d || marked c T.
  Proof.
    unfold marked. rewrite !fetch_get, get_set.
    destruct (N.eqb_spec c d) as [->|N]; [now rewrite Pos.eqb_refl|].
    destruct (Pos.eqb_spec (N.succ_pos c) (N.succ_pos d)) as [E|E]; auto. apply succ_pos_inj in E. now subst.
  Qed.

  Lemma look_set {A} (a0 a : A) x y t : look a0 (set (N.succ_pos x) a t) y = if N.eqb y x then a else look a0 t y.
  Proof.
    rewrite !look_get, get_set. destruct (N.eqb_spec y x) as [->|N]; [now rewrite Pos.eqb_refl|].
    destruct (Pos.eqb_spec (N.succ_pos y) (N.succ_pos x)) as [E|E]; auto. apply succ_pos_inj in E. now subst.
  Qed.

  (** [T'] and [new'] hold what [T] and [new] do, [T'] nothing that is in neither of [T] and [new']. *)
  Definition grown (T T' : tree unit) (new new' : list N) : Prop :=
    (forall c, marked c T = true -> marked c T' = true) /\ incl new new' /\
    (forall c, marked c T' = true -> marked c T = true \/ In c new').

  Lemma grown_refl T new : grown T T new new.
  Proof. split; [auto|split; auto]. apply incl_refl. Qed.

  Lemma grown_trans T1 T2 T3 n1 n2 n3 : grown T1 T2 n1 n2 -> grown T2 T3 n2 n3 -> grown T1 T3 n1 n3.
  Proof.
    intros (A1 & A2 & A3) (B1 & B2 & B3). split; [auto|]. split; [eapply incl_tran; eauto|].
    intros c M. destruct (B3 c M) as [M'|I]; auto. destruct (A3 c M') as [|I]; auto.
  Qed.

  Lemma fresh_spec rv E l : forall T new T' new', fresh rv E l T new = (T', new') ->
    grown T T' new new' /\ forall c, In c l -> look false E (look 0%N rv c) = true -> marked c T' = true.
  Proof.
    induction l as [|d l IH]; intros T new T' new' H; cbn [fresh] in H.
    - injection H as <- <-. split; [apply grown_refl|]. intros c [].
    - destruct (marked d T) eqn:M; [|destruct (look false E (look 0%N rv d)) eqn:Q].
      + destruct (IH _ _ _ _ H) as [G A]. split; auto. intros c [<-|I] Q; auto. now apply G.
      + destruct (IH _ _ _ _ H) as [G A].
        assert (G0 : grown T (set (N.succ_pos d) tt T) new (d :: new)).
        { split; [|split].
          - intros c. rewrite marked_set. intros ->. apply orb_true_r.
          - intros c I. now right.
          - intros c. rewrite marked_set, orb_true_iff, N.eqb_eq. intros [->|]; auto. right. now left. }
        split; [eapply grown_trans; eauto|]. intros c [<-|I] Qc; auto. apply G. now rewrite marked_set, N.eqb_refl.
      + destruct (IH _ _ _ _ H) as [G A]. split; auto. intros c [<-|I] Qc; auto. congruence.
  Qed.

  Lemma fresh_all_spec rv E rs : forall T new T' new', fresh_all rv E rs T new = (T', new') ->
    grown T T' new new' /\ forall r c, In r rs -> In c (nth 0 r []) -> look false E (look 0%N rv c) = true -> marked c T' = true.
  Proof.
    induction rs as [|r rs IH]; intros T new T' new' H; cbn [fresh_all] in H.
    - injection H as <- <-. split; [apply grown_refl|]. intros r c [].
    - destruct (fresh rv E (nth 0 r []) T new) as [T1 n1] eqn:F.
      assert (H' : fresh_all rv E rs T1 n1 = (T', new')).
      { destruct r as [|[|a l] r]; cbn [nth] in F; [| |now rewrite F in H]; cbn [fresh] in F; injection F as <- <-; exact H. }
      destruct (fresh_spec _ _ _ _ _ _ _ F) as [G1 A1]. destruct (IH _ _ _ _ H') as [G2 A2].
      split; [eapply grown_trans; eauto|]. intros r' c [<-|I] J Q; eauto. apply G2. auto.
  Qed.

  Lemma tails_in rs r i c : In r rs -> In c (nth (S i) r []) -> exists r', In r' (tails rs) /\ In c (nth i r' []).
  Proof.
    induction rs as [|r0 rs IH]; intros I C; [destruct I|]. destruct I as [->|I].
    - destruct r as [|a [|b r]]; cbn [nth] in C; [destruct C|destruct i, C|]. exists (b :: r). split; auto. now left.
    - destruct (IH I C) as (r' & J & C'). exists r'. split; auto. destruct r0 as [|a [|b r0]]; cbn [tails]; auto. now right.
  Qed.

  Lemma turn_spec rv v gs : forall rs todo V todo' V', turn rv v rs gs todo V = Some (todo', V') ->
    (forall x c, visited V x c -> visited V' x c) /\ incl todo todo' /\
    (forall x c, visited V' x c -> visited V x c \/ exists E, In (x, E) todo' /\ In c E) /\
    (forall i g r c, nth_error gs i = Some g -> In r rs -> In c (nth i r []) -> look false (quiet g) (look 0%N rv c) = true ->
       visited V' (look 0%N (times g) v) c) /\
    ((forall x, ~ visited V x 0%N) -> forall x, ~ visited V' x 0%N) /\
    (forall x E, In (x, E) todo' -> In (x, E) todo \/ exists g, In g gs /\ x = look 0%N (times g) v).
  Proof.
    induction gs as [|g gs IH]; intros rs todo V todo' V' H; cbn [turn] in H.
    - injection H as <- <-. split; [auto|]. split; [apply incl_refl|]. split; [auto|]. split; [intros [|i] g r c; discriminate|]. split; auto.
    - set (x := look 0%N (times g) v) in *.
      destruct (fresh_all rv (quiet g) rs (look Leaf V x) []) as [T new] eqn:F.
      destruct (fresh_all_spec _ _ _ _ _ _ _ F) as [(G1 & G2 & G3) A].
      destruct new as [|a new].
      + destruct (IH _ _ _ _ _ H) as (I1 & I2 & I3 & I4 & I5 & I6). split; [exact I1|]. split; [exact I2|]. split; [exact I3|]. split; [|split; auto].
        * intros [|i] g' r c Eg J C Q; cbn [nth_error] in Eg.
          -- injection Eg as <-. apply I1. unfold visited. fold x. destruct (G3 c (A r c J C Q)) as [M|[]]. exact M.
          -- destruct (tails_in rs r i c J C) as (r' & J' & C'). eauto.
        * intros y E I. destruct (I6 y E I) as [|(g' & I' & ->)]; auto. right. exists g'. split; auto. now right.
      + destruct (marked 0%N T) eqn:Z; [discriminate|].
        set (V1 := set (N.succ_pos x) T V) in *.
        assert (look1 : forall y, look Leaf V1 y = if N.eqb y x then T else look Leaf V y) by (intros y; apply look_set).
        assert (up : forall y c, visited V y c -> visited V1 y c).
        { intros y c. unfold visited. rewrite look1. destruct (N.eqb_spec y x) as [->|]; auto. }
        destruct (IH _ _ _ _ _ H) as (I1 & I2 & I3 & I4 & I5 & I6). split; [auto|].
        split; [intros p I; apply I2; now right|]. split; [|split; [|split]].
        * intros y c W. destruct (I3 y c W) as [W'|]; auto. unfold visited in W'. rewrite look1 in W'.
          destruct (N.eqb_spec y x) as [->|]; auto. destruct (G3 c W') as [|I]; auto.
          right. exists (a :: new). split; auto. apply I2. now left.
        * intros [|i] g' r c Eg J C Q; cbn [nth_error] in Eg.
          -- injection Eg as <-. apply I1. unfold visited. fold x. rewrite look1, N.eqb_refl. eauto.
          -- destruct (tails_in rs r i c J C) as (r' & J' & C'). eauto.
        * intros N. apply I5. intros y. unfold visited. rewrite look1. destruct (N.eqb_spec y x) as [->|]; [congruence|apply N].
        * intros y E I. destruct (I6 y E I) as [[J|J]|(g' & I' & ->)]; auto.
          -- injection J as <- <-. right. exists g. split; auto. now left.
          -- right. exists g'. split; auto. now right.
  Qed.

  Lemma nth_drop_empty l i : nth i (drop_empty l) [] = nth i l [].
  Proof.
    revert i. induction l as [|a l IH]; intros i; auto. change (drop_empty (a :: l)) with (match a, drop_empty l with [], [] => [] | _, _ => a :: drop_empty l end).
    destruct i as [|i]; [now destruct a, (drop_empty l)|]. cbn [nth]. rewrite <- IH. destruct a, (drop_empty l); auto. now destruct i.
  Qed.

  Lemma sources_spec i k d : nth_error kinds i = Some k -> (d < order)%N -> nth i (look [] (table sources) d) [] = look [] (origins (kind_value k)) d.
  Proof.
    intros K L. rewrite look_table. unfold sources.
    set (f := fun d => drop_empty (map (fun t => look [] t d) (map (fun k => origins (kind_value k)) kinds))).
    rewrite nth_indep with (d' := f 0%N) by (rewrite map_length, length_elements; lia).
    rewrite map_nth, nth_elements, N2Nat.id by lia. unfold f. rewrite nth_drop_empty, map_map.
    apply nth_error_nth. now rewrite nth_error_map, K.
  Qed.

  (** All steps from [(v, c)] lead to visited pairs. *)
  Definition done (V : pairs) (v c : N) : Prop :=
    forall k b, In k kinds -> (b < order)%N -> mul b (kind_value k) = c -> has (kind_silent k) (mul b v) = true -> visited V (mul v (kind_value k)) b.
  Definition reached (V : pairs) (v c : N) : Prop := visited V v c \/ (v = 0%N /\ c = 0%N /\ has D0 0 = true).

  Definition sound (todo : list (N * list N)) (V : pairs) : Prop :=
    (forall c, In c (members_from 0 D0) -> reached V 0%N c) /\
    (forall v c, (v < order)%N -> (c < order)%N -> reached V v c -> done V v c \/ exists D, In (v, D) todo /\ In c D) /\
    (forall v, ~ visited V v 0%N) /\
    (forall v D, In (v, D) todo -> (v < order)%N).

  Lemma turn_sound v D todo V todo' V' : sound ((v, D) :: todo) V ->
    turn (table (row v)) v (map (look [] (table sources)) D) (map gear_of kinds) todo V = Some (todo', V') -> sound todo' V'.
  Proof.
    intros (S1 & S2 & S3 & S4) H. destruct (turn_spec _ _ _ _ _ _ _ _ H) as (I1 & I2 & I3 & I4 & I5 & I6).
    assert (Lv : (v < order)%N) by (apply (S4 v D); now left).
    assert (new : forall c, (c < order)%N -> In c D -> done V' v c).
    { intros c C I k b K B E Q. destruct (In_nth_error _ _ K) as (i & Ei).
      specialize (I4 i (gear_of k) (look [] (table sources) c) b). cbn [gear_of quiet times] in I4.
      rewrite !look_row in I4 by auto. apply I4.
      - now rewrite nth_error_map, Ei.
      - now apply in_map.
      - rewrite (sources_spec i k) by auto. rewrite look_get. apply (in_origins (kind_value k)); auto.
      - rewrite look_has. exact Q. }
    assert (up : forall x c, reached V x c -> reached V' x c) by (intros x c [R|R]; [left|right]; auto).
    split; [auto|]. split; [|split; [auto|]].
    - intros x c X C R.
      assert (old : reached V x c -> done V' x c \/ exists E, In (x, E) todo' /\ In c E).
      { intros R'. destruct (S2 x c X C R') as [Dn|(E & [J|J] & I)].
        - left. intros k b K B M Q. apply I1. now apply Dn.
        - injection J as <- <-. left. now apply new.
        - right. exists E. auto. }
      destruct R as [R|R]; [|apply old; now right]. destruct (I3 x c R) as [R'|]; auto. apply old. now left.
    - intros x E I. destruct (I6 x E I) as [J|(g & J & ->)]; [apply (S4 x E); now right|].
      apply in_map_iff in J. destruct J as (k & <- & K). cbn [gear_of times]. rewrite look_row by auto. auto.
  Qed.

  Lemma turns_sound fuel : forall todo V, sound todo V ->
    match turns (map gear_of kinds) (table sources) fuel todo V with Loud => True | Finished V' => sound [] V' | Going todo' V' => sound todo' V' end.
  Proof.
    induction fuel as [|fuel IH]; intros todo V S; cbn [turns].
    - destruct todo as [|[v D] todo]; auto. destruct (turn _ _ _ _ _ _) as [[todo' V']|] eqn:T; auto. exact (turn_sound _ _ _ _ _ _ S T).
    - pose proof (IH todo V S) as A. destruct (turns (map gear_of kinds) (table sources) fuel todo V) as [| |todo' V']; auto. exact (IH todo' V' A).
  Qed.

  Lemma in_members_from D : forall c x, In (c + x)%N (members_from c D) <-> has D x = true.
  Proof.
    unfold has. induction D as [|b D IH]; intros c x; [simpl; destruct (N.to_nat x); split; [tauto|discriminate|tauto|discriminate]|].
    assert (E : forall y, (c + N.succ y)%N = (N.succ c + y)%N) by lia.
    assert (low : forall D c y, In y (members_from c D) -> (c <= y)%N).
    { clear. induction D as [|[|] D IH]; intros c y I; simpl in I; [destruct I| |].
      - destruct I as [<-|I]; [lia|]. specialize (IH _ _ I). lia.
      - specialize (IH _ _ I). lia. }
    destruct (N.eq_dec x 0) as [->|X].
    - rewrite N.add_0_r. cbn [N.to_nat nth members_from]. destruct b; split; auto; intros H; try (now left); try discriminate.
      specialize (low _ _ _ H). lia.
    - replace x with (N.succ (N.pred x)) by lia. rewrite E, N2Nat.inj_succ. cbn [nth]. rewrite <- (IH (N.succ c)).
      destruct b; cbn [members_from In]; [|tauto]. split; [|tauto]. intros [H|H]; auto. lia.
  Qed.

  Lemma in_members D x : In x (members_from 0 D) <-> has D x = true.
  Proof. rewrite <- (in_members_from D 0 x). now rewrite N.add_0_l. Qed.

  Lemma first_sound : let D := members_from 0 D0 in sound [(0%N, D)] (set xH (marks (filter (fun c => negb (N.eqb c 0)) D)) Leaf).
  Proof.
    intros D. set (V := set xH _ Leaf).
    assert (L : forall x, look Leaf V x = if N.eqb x 0 then marks (filter (fun c => negb (N.eqb c 0)) D) else Leaf).
    { intros x. unfold V. change xH with (N.succ_pos 0). rewrite look_set. destruct (N.eqb x 0); auto. }
    assert (M : forall v c, visited V v c <-> v = 0%N /\ c <> 0%N /\ In c D).
    { intros v c. unfold visited. rewrite L. destruct (N.eqb_spec v 0) as [->|N].
      - rewrite marked_marks, filter_In, negb_true_iff, N.eqb_neq. tauto.
      - unfold marked. cbn. split; [discriminate|tauto]. }
    split; [|split; [|split]].
    - intros c I. destruct (N.eq_dec c 0) as [->|]; [|left; now apply M]. right. apply in_members in I. auto.
    - intros v c _ C R. right. exists D. destruct R as [R|(-> & -> & R)].
      + apply M in R. destruct R as (-> & _ & I). split; auto. now left.
      + split; [now left|]. now apply in_members.
    - intros v R. apply M in R. tauto.
    - intros v E [J|[]]. injection J as <- _. exact order_pos.
  Qed.

  Theorem silence fuel : check_silence fuel = true -> forall w, incl w kinds -> w <> [] -> ~ silent w 0%N.
  Proof.
    unfold check_silence. cbv zeta. intros H. pose proof (turns_sound fuel _ _ first_sound) as S.
    destruct (turns _ _ _ _ _) as [|V|]; try discriminate. clear H. destruct S as (S1 & S2 & S3 & _).
    assert (step : forall v c k b, (v < order)%N -> (c < order)%N -> reached V v c -> In k kinds -> (b < order)%N -> mul b (kind_value k) = c ->
      has (kind_silent k) (mul b v) = true -> visited V (mul v (kind_value k)) b).
    { intros v c k b Lv C R K B M Q. destruct (S2 v c Lv C R) as [Dn|(E & [] & _)]. now apply Dn. }
    assert (cons : forall k w c, incl (k :: w) kinds -> (c < order)%N -> (forall c, (c < order)%N -> silent w c -> reached V (product w) c) ->
      silent (k :: w) c -> visited V (product (k :: w)) c).
    { intros k w c I C IH S. assert (Ik : In k kinds) by (apply I; now left). assert (Iw : incl w kinds) by (intros a Ha; apply I; now right).
      apply silent_cons in S; auto. destruct S as [A1 A2]. simpl. rewrite mul_comm by (auto using product_range).
      apply (step (product w) (mul c (kind_value k))); auto using product_range. }
    assert (G : forall w, incl w kinds -> forall c, (c < order)%N -> silent w c -> reached V (product w) c).
    { induction w as [|k w IH]; intros I c C S.
      - apply S1. apply in_members. destruct S as [S _]. simpl in S. rewrite mul_comm, mul_unit in S; auto.
      - left. apply cons; auto. apply IH. intros a Ha. apply I. now right. }
    intros [|k w] I N S; [congruence|]. apply (S3 (product (k :: w))). apply cons; auto.
    apply G. intros a Ha. apply I. now right.
  Qed.
End Silence.

(** ** Kinds that matter

    A kind with the value of another one, and silent nowhere else, adds nothing. *)

Fixpoint contained (D E : list bool) : bool :=
  match D, E with
  | [], _ => true
  | a :: D', b :: E' => implb a b && contained D' E'
  | a :: D', [] => negb a && contained D' []
  end.

Lemma contained_spec D : forall E, contained D E = true -> forall x, has D x = true -> has E x = true.
Proof.
  assert (forall D E i, contained D E = true -> nth i D false = true -> nth i E false = true) as H.
  { clear D. induction D as [|a D IH]; intros [|b E] [|i] C T; simpl in *; try discriminate; auto.
    - apply andb_true_iff in C. destruct C as [C _]. subst. discriminate.
    - apply andb_true_iff in C. destruct C as [_ C]. specialize (IH [] i C T). now destruct i.
    - apply andb_true_iff in C. destruct C as [C _]. subst. exact C.
    - apply andb_true_iff in C. destruct C as [_ C]. eauto. }
  intros E C x. apply H. exact C.
Qed.

Definition over (k k' : kind) : bool := N.eqb (kind_value k) (kind_value k') && contained (kind_silent k) (kind_silent k').
Definition is_over (k k' : kind) : Prop :=
  kind_value k = kind_value k' /\ forall x, has (kind_silent k) x = true -> has (kind_silent k') x = true.

Lemma over_spec k k' : over k k' = true -> is_over k k'.
Proof. unfold over. rewrite andb_true_iff, N.eqb_eq. intros [E C]. split; auto. now apply contained_spec. Qed.

Fixpoint prune (l kept : list kind) : list kind :=
  match l with
  | [] => kept
  | k :: l' => if existsb (over k) kept then prune l' kept else prune l' (k :: filter (fun k' => negb (over k' k)) kept)
  end.

Lemma prune_over l : forall kept k, (exists k', In k' kept /\ is_over k k') \/ In k l -> exists k', In k' (prune l kept) /\ is_over k k'.
Proof.
  induction l as [|k0 l IH]; intros kept k H; cbn [prune].
  - destruct H as [H|[]]. exact H.
  - destruct (existsb (over k0) kept) eqn:X.
    + apply IH. destruct H as [H|[<-|H]]; auto. left. apply existsb_exists in X. destruct X as (k' & I & O). exists k'. split; auto. now apply over_spec.
    + apply IH. destruct H as [(k' & I & O)|[<-|H]]; auto; left.
      * destruct (over k' k0) eqn:Y.
        -- exists k0. split; [now left|]. apply over_spec in Y. destruct O as [O1 O2], Y as [Y1 Y2]. split; [congruence|auto].
        -- exists k'. split; auto. right. apply filter_In. rewrite Y. auto.
      * exists k0. split; [now left|]. split; auto.
Qed.

Lemma prune_in l : forall kept k, In k (prune l kept) -> In k kept \/ In k l.
Proof.
  induction l as [|k0 l IH]; intros kept k H; cbn [prune] in H; auto.
  destruct (existsb (over k0) kept); apply IH in H; destruct H as [H|H]; try (right; now right); auto.
  destruct H as [<-|H]; [right; now left|]. apply filter_In in H. tauto.
Qed.

Definition check_silence_all (order : N) (row : N -> list N) (kinds : list kind) (D0 : list bool) (fuel : nat) : bool :=
  check_silence order row (rev (prune kinds [])) D0 fuel.

Theorem silence_all order mul row (order_pos : (0 < order)%N)
  (mul_range : forall x y, (x < order)%N -> (y < order)%N -> (mul x y < order)%N)
  (mul_comm : forall x y, (x < order)%N -> (y < order)%N -> mul x y = mul y x)
  (mul_assoc : forall x y z, (x < order)%N -> (y < order)%N -> (z < order)%N -> mul (mul x y) z = mul x (mul y z))
  (mul_unit : forall x, (x < order)%N -> mul 0%N x = x)
  (row_spec : forall y, (y < order)%N -> row y = map (fun x => mul x y) (elements order))
  kinds (kinds_range : forall k, In k kinds -> (kind_value k < order)%N) D0 fuel :
  check_silence_all order row kinds D0 fuel = true -> forall w, incl w kinds -> w <> [] -> ~ silent mul D0 w 0%N.
Proof.
  intros H w I N S.
  assert (exists w', Forall2 is_over w w' /\ incl w' (prune kinds [])) as (w' & O & I').
  { clear - I. induction w as [|k w IH]; [exists []; split; [constructor|intros a []]|].
    destruct IH as (w' & O & I'); [intros a Ha; apply I; now right|].
    destruct (prune_over kinds [] k) as (k' & J & K); [right; apply I; now left|].
    exists (k' :: w'). split; [now constructor|]. intros a [<-|Ha]; auto. }
  assert (P : forall v v', Forall2 is_over v v' -> product mul v' = product mul v).
  { induction 1 as [|k k' v v' [E _] _ IH]; auto. cbn [product fold_right]. unfold product in IH. now rewrite IH, E. }
  assert (R : forall k, In k (rev (prune kinds [])) -> (kind_value k < order)%N).
  { intros k J. apply in_rev in J. apply prune_in in J. destruct J as [[]|J]. auto. }
  apply (silence order mul row order_pos mul_range mul_comm mul_assoc mul_unit row_spec (rev (prune kinds [])) R D0 fuel H w' (fun k J => proj1 (in_rev _ _) (I' k J))).
  - intros ->. inversion O; subst. now apply N.
  - destruct S as [S1 S2]. split; [now rewrite (P w w' O)|]. intros u' k' v' E. subst w'.
    apply Forall2_app_inv_r in O. destruct O as (u & v0 & Ou & Ov & ->). inversion Ov as [|k ? v ? Ok Ov']; subst.
    rewrite (P (u ++ v) (u' ++ v')) by now apply Forall2_app. apply Ok. now apply S2.
Qed.
