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

  Definition state := (N * list N)%type.

  (** For each element [c] the products with the values of the kinds; for each [x] whether the kinds are silent beside it. *)
  Definition products : list (list N) := map (fun c => map (fun k => mul c (kind_value k)) kinds) (elements order).

  Fixpoint put_first {E} (l : list E) (m : list (list E)) : list (list E) :=
    match l, m with a :: l', b :: m' => (a :: b) :: put_first l' m' | _, _ => [] end.
  Definition products_by_rows : list (list N) :=
    fold_right (fun k m => put_first (row (kind_value k)) m) (map (fun _ => []) (elements order)) kinds.

  (** A list without what is false at its end, so that a walk along it ends early. *)
  Definition trim (l : list bool) : list bool := fold_right (fun b t => match b, t with false, [] => [] | _, _ => b :: t end) [] l.

  Definition silences : list (list bool) :=
    let l := map (fun k => truths (kind_silent k)) kinds in
    map (fun x => trim (map (fun t => look false t x) l)) (elements order).

  (** The element [c] joins the new set of a kind when [c·f] is in [D] and the kind is silent beside [c·v]. *)
  Fixpoint sift (D : tree unit) (c : N) (fs : list N) (ws : list bool) (acc : list (list N)) : list (list N) :=
    match ws, fs, acc with
    | w :: ws', f :: fs', a :: acc' => (if w then if marked f D then c :: a else a else a) :: sift D c fs' ws' acc'
    | _, _, _ => acc
    end.

  Fixpoint sift_all (D : tree unit) (W : tree (list bool)) (cs : list N) (fr : list (list N)) (rv : list N) (acc : list (list N)) : list (list N) :=
    match cs, fr, rv with
    | c :: cs', fs :: fr', x :: rv' => sift_all D W cs' fr' rv' (sift D c fs (look [] W x) acc)
    | _, _, _ => acc
    end.

  (** For each element the lists of those that the kinds take to it, without empty lists at the end. *)
  Definition drop_empty (l : list (list N)) : list (list N) :=
    fold_right (fun a t => match a, t with [], [] => [] | _, _ => a :: t end) [] l.
  Definition sources : list (list (list N)) :=
    let l := map (fun k => origins (kind_value k)) kinds in map (fun d => drop_empty (map (fun t => look [] t d) l)) (elements order).

  Fixpoint keep_each (rv : tree N) (ls : list (list N)) (Es : list (tree bool)) (acc : list (list N)) : list (list N) :=
    match ls, Es, acc with
    | l :: ls', E :: Es', a :: acc' => keep E rv l a :: keep_each rv ls' Es' acc'
    | _, _, _ => acc
    end.

  Fixpoint both (rv : tree N) (F : tree (list (list N))) (Es : list (tree bool)) (D : list N) (acc : list (list N)) : list (list N) :=
    match D with [] => acc | d :: D' => both rv F Es D' (keep_each rv (look [] F d) Es acc) end.

  (** What is looked up beside a small set. *)
  Definition prepared : tree (list (list N)) * list (tree bool) := (table sources, map (fun k => truths (kind_silent k)) kinds).

  (** A small set is walked over, member by member; beside a large one all elements are. *)
  Definition new_sets (few : N) (pre : tree (list (list N)) * list (tree bool)) (W : tree (list bool)) (fr : list (list N)) (cs : list N)
      (none : list (list N)) (s : state) : list (list N) :=
    if N.ltb (N.of_nat (length (snd s))) few
    then both (table (row (fst s))) (fst pre) (snd pre) (snd s) none
    else sift_all (marks (snd s)) W cs fr (row (fst s)) none.

  Definition next_states (few : N) (pre : tree (list (list N)) * list (tree bool)) (W : tree (list bool)) (fr : list (list N)) (ft : tree (list N))
      (cs : list N) (none : list (list N)) (s : state) : option (list state) :=
    let r := new_sets few pre W fr cs none s in
    if existsb (existsb (N.eqb 0)) r then None else Some (rev (combine (look [] ft (fst s)) r)).

  Lemma products_rows : products_by_rows = products.
  Proof.
    unfold products_by_rows, products. pose proof kinds_range as R. revert R. generalize kinds as l.
    induction l as [|k l IH]; intros R; cbn [fold_right map]; auto.
    rewrite IH by (intros; apply R; now right). rewrite row_spec by (apply R; now left).
    clear. induction (elements order) as [|x e IHe]; cbn [map put_first]; auto. now rewrite IHe.
  Qed.

  Lemma look_listed {E} (g : N -> E) (d : E) x : (x < order)%N -> look d (table (map g (elements order))) x = g x.
  Proof.
    intros X. rewrite look_table. rewrite nth_indep with (d' := g 0%N) by (rewrite map_length, length_elements; lia).
    rewrite map_nth, nth_elements by lia. now rewrite N2Nat.id.
  Qed.

  Lemma sift_map D c (F : kind -> N) (B : kind -> bool) (A : kind -> list N) l :
    sift D c (map F l) (trim (map B l)) (map A l) = map (fun k => if B k then if marked (F k) D then c :: A k else A k else A k) l.
  Proof.
    unfold trim. induction l as [|k l IH]; cbn [map fold_right]; auto.
    destruct (B k), (fold_right _ [] (map B l)) eqn:T; cbn [sift]; rewrite <- IH; auto. now destruct (map F l), (map A l).
  Qed.

  Lemma keep_each_map rv (O : kind -> list N) (A : kind -> list N) l :
    keep_each rv (drop_empty (map O l)) (map (fun k => truths (kind_silent k)) l) (map A l) =
    map (fun k => keep (truths (kind_silent k)) rv (O k) (A k)) l.
  Proof.
    unfold drop_empty. induction l as [|k l IH]; cbn [map fold_right]; auto.
    destruct (O k), (fold_right _ [] (map O l)) eqn:T; cbn [keep_each keep]; rewrite <- IH; auto.
  Qed.

  Lemma both_all rv D : forall A, exists A', both rv (table sources) (map (fun k => truths (kind_silent k)) kinds) D (map A kinds) = map A' kinds /\
    forall k c, In c (A' k) <-> In c (A k) \/
      exists d, In d D /\ (d < order)%N /\ In c (bucket (N.succ_pos d) (origins (kind_value k))) /\ look false (truths (kind_silent k)) (look 0%N rv c) = true.
  Proof.
    induction D as [|d D IH]; intros A; cbn [both].
    - exists A. split; auto. intros k c. split; auto. intros [H|(d & [] & _)]. exact H.
    - destruct (N.ltb_spec d order) as [L|L].
      + unfold sources. rewrite (look_listed (fun d => drop_empty (map (fun t => look [] t d) (map (fun k => origins (kind_value k)) kinds)))) by auto.
        rewrite map_map, (keep_each_map rv (fun k => look [] (origins (kind_value k)) d)).
        destruct (IH (fun k => keep (truths (kind_silent k)) rv (look [] (origins (kind_value k)) d) (A k))) as (A' & E & H).
        exists A'. split; auto. intros k c. rewrite H, in_keep, look_get. clear H E. unfold bucket. split.
        * intros [[?|[? ?]]|(e & ? & ? & ? & ?)]; auto; right; [exists d|exists e]; cbn [In]; auto.
        * intros [?|(e & [<-|?] & ? & ? & ?)]; auto. right. exists e. auto.
      + replace (look [] (table sources) d) with (@nil (list N)).
        2: { rewrite look_table. symmetry. apply nth_overflow. unfold sources. rewrite map_length, length_elements. lia. }
        destruct (IH A) as (A' & E & H). exists A'. split; [exact E|]. intros k c. rewrite H. clear H E. split.
        * intros [?|(e & ? & ?)]; auto. right. exists e. split; auto. now right.
        * intros [?|(e & [<-|?] & ? & ?)]; auto; [lia|]. right. exists e. auto.
  Qed.

  Lemma silences_look x : (x < order)%N -> look [] (table silences) x = trim (map (fun k => has (kind_silent k) x) kinds).
  Proof.
    intros X. unfold silences. rewrite (look_listed (fun x => trim (map (fun t => look false t x) (map (fun k => truths (kind_silent k)) kinds)))) by auto.
    rewrite map_map. f_equal. apply map_ext. intros k. apply look_has.
  Qed.

  Lemma sift_all_spec D v cs : (v < order)%N -> (forall c, In c cs -> (c < order)%N) -> forall A,
    exists A', sift_all D (table silences) cs (map (fun c => map (fun k => mul c (kind_value k)) kinds) cs) (map (fun c => mul c v) cs) (map A kinds)
      = map A' kinds /\
    forall k c, In c (A' k) <-> In c (A k) \/ (In c cs /\ marked (mul c (kind_value k)) D = true /\ has (kind_silent k) (mul c v) = true).
  Proof.
    intros V. induction cs as [|c0 cs IH]; intros R A; cbn [map sift_all]; [exists A; split; auto; intros; simpl; tauto|].
    assert (C : (c0 < order)%N) by (apply R; now left). rewrite silences_look by auto. rewrite sift_map.
    destruct (IH (fun c I => R c (or_intror I)) (fun k => if has (kind_silent k) (mul c0 v) then
      if marked (mul c0 (kind_value k)) D then c0 :: A k else A k else A k)) as (A' & E & H).
    exists A'. split; auto. intros k c. rewrite H. clear H E. cbn [In].
    destruct (has (kind_silent k) (mul c0 v)) eqn:E1, (marked (mul c0 (kind_value k)) D) eqn:E2; cbn [In]; split;
      repeat match goal with
      | |- _ -> _ => intros [?|?] || intros (? & ? & ?)
      | H : _ \/ _ |- _ => destruct H
      | H : _ /\ _ |- _ => destruct H
      end; subst; try congruence; tauto.
  Qed.

  Definition store := tree (list (tree unit)).
  Definition state_covered (s : state) (t : store) : bool :=
    match get (N.succ_pos (fst s)) t with None => false | Some l => existsb (fun T => forallb (fun x => marked x T) (snd s)) l end.
  Definition state_insert (s : state) (t : store) : store :=
    set (N.succ_pos (fst s)) (marks (snd s) :: match get (N.succ_pos (fst s)) t with None => [] | Some l => l end) t.

  Fixpoint members_from (c : N) (D : list bool) : list N :=
    match D with [] => [] | true :: D' => c :: members_from (N.succ c) D' | false :: D' => members_from (N.succ c) D' end.

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

  Definition check_silence (fuel : nat) : bool :=
    let fr := products_by_rows in
    search (next_states (N.div order 4) prepared (table silences) fr (table fr) (elements order) (map (fun _ => []) kinds)) Leaf state_covered state_insert fuel
      [(0%N, members_from 0 D0)].

  Definition below (s s' : state) : Prop := fst s = fst s' /\ incl (snd s) (snd s').

  Lemma covered_insert s s' t : state_covered s (state_insert s' t) = true -> state_covered s t = true \/ below s s'.
  Proof.
    unfold state_covered, state_insert. rewrite get_set.
    destruct (Pos.eqb_spec (N.succ_pos (fst s)) (N.succ_pos (fst s'))) as [E|E]; auto.
    simpl. rewrite orb_true_iff, forallb_forall. intros [C|C].
    - right. split; [now apply succ_pos_inj|]. intros x I. apply marked_marks. auto.
    - left. rewrite E. now destruct (get (N.succ_pos (fst s')) t).
  Qed.

  Lemma in_combine_maps {E F G} (f : E -> F) (g : E -> G) l e : In e l -> In (f e, g e) (combine (map f l) (map g l)).
  Proof. induction l as [|a l IH]; simpl; intros H; [exact H|]. destruct H as [->|H]; auto. Qed.

  Lemma new_sets_spec few v D : (v < order)%N -> exists A',
    new_sets few prepared (table silences) products_by_rows (elements order) (map (fun _ => []) kinds) (v, D) = map A' kinds /\
    forall k c, In k kinds -> (c < order)%N -> (In c (A' k) <-> In (mul c (kind_value k)) D /\ has (kind_silent k) (mul c v) = true).
  Proof.
    intros V. unfold new_sets. cbn [fst snd]. destruct (N.ltb _ few).
    - destruct (both_all (table (row v)) D (fun _ => [])) as (A' & EQ & H). exists A'. split; [exact EQ|].
      intros k c I C. assert (K : (kind_value k < order)%N) by now apply kinds_range. rewrite H, look_row, look_has by auto. split.
      + intros [[]|(d & J & _ & O & T)]. apply in_origins in O; auto. destruct O as [_ <-]. auto.
      + intros [J T]. right. exists (mul c (kind_value k)). split; auto. split; auto. split; auto. apply in_origins; auto.
    - rewrite products_rows. unfold products. rewrite (row_spec v V).
      destruct (sift_all_spec (marks D) v (elements order) V (fun c I => proj1 (in_elements order c) I) (fun _ => [])) as (A' & EQ & H).
      exists A'. split; [exact EQ|]. intros k c _ C. rewrite H, marked_marks, in_elements. cbn [In]. tauto.
  Qed.

  Lemma next_spec few s l : (fst s < order)%N ->
    next_states few prepared (table silences) products_by_rows (table products_by_rows) (elements order) (map (fun _ => []) kinds) s = Some l ->
    forall k, In k kinds -> exists D', In (mul (fst s) (kind_value k), D') l /\ ~ In 0%N D' /\
      forall c, (c < order)%N -> (In c D' <-> In (mul c (kind_value k)) (snd s) /\ has (kind_silent k) (mul c (fst s)) = true).
  Proof.
    intros V. destruct s as [v D]. cbn [fst snd] in *. unfold next_states. cbn [fst snd].
    destruct (new_sets_spec few v D V) as (A' & EQ & H). cbv zeta. rewrite EQ. rewrite products_rows.
    destruct (existsb _ (map A' kinds)) eqn:Z; [discriminate|]. intros [= <-] k I. exists (A' k). split; [|split].
    - apply -> in_rev. unfold products. rewrite (look_listed (fun c => map (fun k => mul c (kind_value k)) kinds)) by auto.
      now apply (in_combine_maps (fun k => mul v (kind_value k)) A').
    - intros J. apply not_true_iff_false in Z. apply Z. apply existsb_exists. exists (A' k). split; [now apply in_map|].
      apply existsb_exists. exists 0%N. auto.
    - intros c C. now apply H.
  Qed.

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

  Theorem silence fuel : check_silence fuel = true -> forall w, incl w kinds -> w <> [] -> ~ silent w 0%N.
  Proof.
    intros H. apply (search_invariant below) in H; auto.
    2: { intros s s' t. apply covered_insert. }
    2: { intros s. split; [reflexivity|apply incl_refl]. }
    destruct H as (V & I1 & I2).
    assert (G : forall w, incl w kinds -> exists D, V (product w, D) /\ forall c, (c < order)%N -> silent w c -> In c D).
    { induction w as [|k w IH]; intros I.
      - destruct (I1 (0%N, members_from 0 D0) (or_introl eq_refl)) as ([v D] & Vs & E & L). simpl in E, L. subst v. exists D.
        split; auto. intros c C [S _]. apply L. apply in_members. simpl in S. rewrite mul_comm, mul_unit in S; auto.
      - assert (Iw : incl w kinds) by (intros a Ha; apply I; now right).
        assert (Ik : In k kinds) by (apply I; now left).
        destruct (IH Iw) as (D & VD & HD). destruct (I2 _ VD) as (l & E & L).
        destruct (next_spec _ (product w, D) l (product_range w Iw) E k Ik) as (D1 & E1 & _ & E3). cbn [fst snd] in E1, E3.
        destruct (L _ E1) as ([v D'] & VD' & Q & LD). simpl in Q, LD.
        exists D'. simpl. rewrite mul_comm in Q; auto; [|now apply product_range]. rewrite Q. split; auto.
        intros c C S. apply silent_cons in S; auto. destruct S as [S1 S2]. apply LD. apply E3; auto. }
    intros [|k w] I N S; [congruence|].
    assert (Iw : incl w kinds) by (intros a Ha; apply I; now right).
    assert (Ik : In k kinds) by (apply I; now left).
    destruct (G w Iw) as (D & VD & HD). destruct (I2 _ VD) as (l & E & L).
    destruct (next_spec _ (product w, D) l (product_range w Iw) E k Ik) as (D1 & _ & E2 & E3). cbn [fst snd] in E3.
    apply silent_cons in S; auto. destruct S as [S1 S2]. apply E2. apply E3; auto.
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
