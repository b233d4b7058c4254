(** * Sets of numbers, and a search that cannot forget a state *)

From Coq Require Import List NArith Bool Lia.
From Impartial Require Export Tables.
Import ListNotations.

(** ** Finite sets of numbers: a table for the question, a list for the walk *)
Definition nset := (tree unit * list N)%type.
Definition no_numbers : nset := (Leaf, []).
Definition mem (v : N) (s : nset) : bool :=
  match fetch v (fst s) with Some _ => true | None => false end.
Definition add (v : N) (s : nset) : nset :=
  if mem v s then s else (set (N.succ_pos v) tt (fst s), v :: snd s).
Definition good_set (s : nset) : Prop := forall v, mem v s = true <-> In v (snd s).

Lemma good_none : good_set no_numbers.
Proof. intros v. unfold mem. simpl. split; [discriminate|tauto]. Qed.

Lemma mem_add v w s : mem w (add v s) = N.eqb w v || mem w s.
Proof.
  unfold add. destruct (mem v s) eqn:E.
  - destruct (N.eqb_spec w v); auto. now subst.
  - unfold mem. rewrite !fetch_get. cbn [fst]. rewrite get_set.
    destruct (N.eqb_spec w v), (Pos.eqb_spec (N.succ_pos w) (N.succ_pos v)); subst; auto; try lia.
Qed.

Lemma good_add v s : good_set s -> good_set (add v s).
Proof.
  intros G w. rewrite mem_add. unfold add. destruct (mem v s) eqn:E; simpl.
  - rewrite orb_true_iff, N.eqb_eq, <- (G w). intuition. now subst.
  - rewrite orb_true_iff, N.eqb_eq, <- (G w). intuition.
Qed.

Definition set_of (l : list N) : nset := fold_left (fun s x => add x s) l no_numbers.

Lemma mem_set_of l v : mem v (set_of l) = true <-> In v l.
Proof.
  unfold set_of. enough (forall s, mem v (fold_left (fun s x => add x s) l s) = true <-> mem v s = true \/ In v l) as H.
  { rewrite H. unfold mem, no_numbers. simpl. intuition; try discriminate. }
  induction l as [|a l IH]; intros s; simpl; [tauto|]. rewrite IH, mem_add, orb_true_iff, N.eqb_eq. intuition.
Qed.

Lemma good_set_of l : good_set (set_of l).
Proof.
  unfold set_of. generalize good_none. generalize no_numbers. induction l as [|a l IH]; intros s G; simpl; auto. apply IH. now apply good_add.
Qed.

(** A set that is only asked for its members. *)
Definition marked (v : N) (t : tree unit) : bool := match fetch v t with Some _ => true | None => false end.
Definition marks (l : list N) : tree unit := fold_left (fun t x => set (N.succ_pos x) tt t) l Leaf.

Lemma marked_marks l v : marked v (marks l) = true <-> In v l.
Proof.
  unfold marks. enough (H : forall t, marked v (fold_left (fun t x => set (N.succ_pos x) tt t) l t) = true <-> marked v t = true \/ In v l).
  { rewrite H. unfold marked. simpl. intuition discriminate. }
  induction l as [|a l IH]; intros t; cbn [fold_left In]; [tauto|]. rewrite IH. unfold marked. rewrite !fetch_get, get_set.
  destruct (Pos.eqb_spec (N.succ_pos v) (N.succ_pos a)) as [E|E].
  - assert (a = v) by (apply (f_equal N.pos) in E; rewrite !N.succ_pos_spec in E; lia). tauto.
  - assert (a <> v) by congruence. tauto.
Qed.

(** ** The search

    [next s] is [None] when the state [s] is bad, else the list of its successors. The table may answer "covered" for a state
    only when it holds a state that is at least as large in some order [le]. *)
Section Search.
  Context {state store : Type}.
  Variable le : state -> state -> Prop.
  Variable next : state -> option (list state).
  Variable nothing : store.
  Variable covered : state -> store -> bool.
  Variable insert : state -> store -> store.
  Hypothesis covered_nothing : forall s, covered s nothing = false.
  Hypothesis covered_insert : forall s s' t, covered s (insert s' t) = true -> covered s t = true \/ le s s'.

  Inductive progress := Failed | Finished (seen : list state) | Going (todo seen : list state) (t : store).

  Definition step (todo seen : list state) (t : store) : progress :=
    match todo with
    | [] => Finished seen
    | s :: todo' =>
        if covered s t then Going todo' seen t
        else match next s with
             | None => Failed
             | Some l => Going (l ++ todo') (s :: seen) (insert s t)
             end
    end.

  (** Two to the power [k] steps, fewer when the end comes earlier. *)
  Fixpoint steps (k : nat) (todo seen : list state) (t : store) : progress :=
    match k with
    | O => step todo seen t
    | S k' => match steps k' todo seen t with
              | Going todo' seen' t' => steps k' todo' seen' t'
              | r => r
              end
    end.

  (** The states that were reached, or [None] when a bad one was, or the steps were not enough. *)
  Definition explored (k : nat) (todo : list state) : option (list state) :=
    match steps k todo [] nothing with Finished seen => Some seen | _ => None end.

  Definition search (k : nat) (todo : list state) : bool :=
    match explored k todo with Some _ => true | None => false end.

  Definition dominated (V : state -> Prop) (s : state) : Prop := exists s', V s' /\ le s s'.

  (** Every state of [todo] is dominated by one of [V], and so are all successors of states of [V]; none of these is bad. *)
  Definition invariant (V : state -> Prop) (todo : list state) : Prop :=
    (forall s, In s todo -> dominated V s) /\
    (forall s, V s -> exists l, next s = Some l /\ forall s', In s' l -> dominated V s').

  (** [todo] is what is still to be seen; [t] holds the states of [seen]. *)
  Definition partial (todo0 todo seen : list state) (t : store) : Prop :=
    let V s := In s seen in
    (forall s, covered s t = true -> dominated V s) /\
    (forall s, In s todo0 -> dominated V s \/ In s todo) /\
    (forall s, V s -> exists l, next s = Some l /\ forall s', In s' l -> dominated V s' \/ In s' todo).

  Hypothesis le_refl : forall s, le s s.

  Definition step_ok (todo0 : list state) (r : progress) : Prop :=
    match r with
    | Failed => True
    | Finished seen => invariant (fun s => In s seen) todo0
    | Going todo seen t => partial todo0 todo seen t
    end.

  Lemma step_partial todo0 todo seen t : partial todo0 todo seen t -> step_ok todo0 (step todo seen t).
  Proof.
    intros (H1 & H2 & H3). destruct todo as [|s todo]; simpl.
    - split.
      + intros s Hs. destruct (H2 s Hs) as [|[]]; auto.
      + intros s Hs. destruct (H3 s Hs) as [l [E L]]. exists l. split; auto. intros s' Hs'.
        destruct (L s' Hs') as [|[]]; auto.
    - destruct (covered s t) eqn:C; simpl.
      + split; [exact H1|split].
        * intros s' Hs'. destruct (H2 s' Hs') as [|[<-|]]; auto.
        * intros s' Hs'. destruct (H3 s' Hs') as [l [E L]]. exists l. split; auto. intros s'' Hs''.
          destruct (L s'' Hs'') as [|[<-|]]; auto.
      + destruct (next s) as [l|] eqn:E; [|exact I].
        assert (forall s', dominated (fun x => In x seen) s' -> dominated (fun x => In x (s :: seen)) s') as up.
        { intros s' [x [Vx Lx]]. exists x. split; auto. now right. }
        assert (dominated (fun x => In x (s :: seen)) s) as self by (exists s; split; auto; now left).
        split; [|split].
        * intros s' Hs'. destruct (covered_insert _ _ _ Hs') as [Hc|Hl]; auto. exists s. split; auto. now left.
        * intros s' Hs'. destruct (H2 s' Hs') as [D|[<-|D]]; auto. right. apply in_or_app. auto.
        * intros s' [<-|Vs'].
          -- exists l. split; auto. intros s'' Hs''. right. apply in_or_app. auto.
          -- destruct (H3 s' Vs') as [l' [E' L']]. exists l'. split; auto. intros s'' Hs''.
             destruct (L' s'' Hs'') as [D|[<-|D]]; auto. right. apply in_or_app. auto.
  Qed.

  Lemma steps_partial k : forall todo0 todo seen t, partial todo0 todo seen t -> step_ok todo0 (steps k todo seen t).
  Proof.
    induction k as [|k IH]; intros todo0 todo seen t H; simpl.
    - now apply step_partial.
    - pose proof (IH todo0 todo seen t H) as A. destruct (steps k todo seen t) as [| |todo' seen' t']; auto.
  Qed.

  Theorem explored_invariant k todo seen : explored k todo = Some seen -> invariant (fun s => In s seen) todo.
  Proof.
    unfold explored. intros H.
    assert (P : partial todo todo [] nothing).
    { split; [|split]; auto; try (intros ? []; fail). intros s Hs. rewrite covered_nothing in Hs. discriminate. }
    pose proof (steps_partial k _ _ _ _ P) as A. destruct (steps k todo [] nothing); try discriminate.
    injection H as <-. exact A.
  Qed.

  Theorem search_invariant k todo : search k todo = true -> exists V, invariant V todo.
  Proof.
    unfold search. destruct (explored k todo) as [seen|] eqn:E; [|discriminate]. intros _. exists (fun s => In s seen).
    now apply (explored_invariant k).
  Qed.
End Search.

(** ** The usual store: buckets by an arbitrary key, states compared for equality *)
Section Buckets.
  Context {state : Type}.
  Variable key : state -> positive.
  Variable same : state -> state -> bool.
  Hypothesis same_eq : forall s s', same s s' = true -> s = s'.

  Definition bucket (p : positive) (t : tree (list state)) : list state :=
    match get p t with Some l => l | None => [] end.
  Definition bucket_covered (s : state) (t : tree (list state)) : bool := existsb (same s) (bucket (key s) t).
  Definition bucket_insert (s : state) (t : tree (list state)) : tree (list state) :=
    set (key s) (s :: bucket (key s) t) t.

  Lemma bucket_covered_nothing s : bucket_covered s Leaf = false.
  Proof. unfold bucket_covered, bucket. now destruct (key s). Qed.

  Lemma bucket_covered_insert s s' t :
    bucket_covered s (bucket_insert s' t) = true -> bucket_covered s t = true \/ s = s'.
  Proof.
    unfold bucket_covered, bucket_insert, bucket. rewrite get_set.
    destruct (Pos.eqb_spec (key s) (key s')) as [E|E]; auto.
    simpl. rewrite orb_true_iff. intros [H|H]; auto. left. now rewrite E.
  Qed.
End Buckets.
