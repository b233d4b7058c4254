(** * Tables, sets of numbers, and a search that cannot forget a state *)

From Coq Require Import List NArith Bool Lia.
Import ListNotations.

(** ** Tables indexed by positive numbers *)
Inductive tree (A : Type) := Leaf | Node (l : tree A) (o : option A) (r : tree A).
Arguments Leaf {A}.
Arguments Node {A}.

Fixpoint get {A} (p : positive) (t : tree A) {struct t} : option A :=
  match t with
  | Leaf => None
  | Node l o r => match p with xH => o | xO q => get q l | xI q => get q r end
  end.

Fixpoint set {A} (p : positive) (a : A) (t : tree A) : tree A :=
  match t with
  | Leaf => match p with
            | xH => Node Leaf (Some a) Leaf
            | xO q => Node (set q a Leaf) None Leaf
            | xI q => Node Leaf None (set q a Leaf)
            end
  | Node l o r => match p with
                  | xH => Node l (Some a) r
                  | xO q => Node (set q a l) o r
                  | xI q => Node l o (set q a r)
                  end
  end.

Lemma get_set A (p q : positive) (a : A) t : get q (set p a t) = if Pos.eqb q p then Some a else get q t.
Proof.
  revert q t. induction p; intros [q|q|] [|l o r]; simpl; auto; try (rewrite IHp; destruct (Pos.eqb q p); auto; destruct q; auto);
    try (destruct q; auto).
Qed.

(** A table of a list: entry [i] under the number [i]. *)
Fixpoint table_from {A} (i : positive) (l : list A) : tree A :=
  match l with [] => Leaf | a :: l' => set i a (table_from (Pos.succ i) l') end.

Definition table {A} (l : list A) : tree A := table_from xH l.

(** The entry under the number [n], which stands at [n + 1]; the walk makes no new number. *)
Fixpoint get_succ {A} (p : positive) (t : tree A) {struct t} : option A :=
  match t with
  | Leaf => None
  | Node l _ r => match p with xH => get xH l | xO q => get q r | xI q => get_succ q l end
  end.
Definition fetch {A} (n : N) (t : tree A) : option A :=
  match t with Leaf => None | Node _ o _ => match n with N0 => o | Npos p => get_succ p t end end.

Lemma fetch_get {A} n (t : tree A) : fetch n t = get (N.succ_pos n) t.
Proof.
  assert (leaf : forall q, @get A q Leaf = None) by now intros [].
  destruct n as [|p]; [now destruct t|].
  replace (fetch (N.pos p) t) with (get_succ p t) by now destruct t. cbn [N.succ_pos]. revert t.
  induction p as [p IH|p IH|]; intros [|l o r]; cbn [get_succ Pos.succ get]; auto.
Qed.

Definition look {A} (d : A) (t : tree A) (n : N) : A := match fetch n t with Some a => a | None => d end.

Lemma look_get {A} (d : A) t n : look d t n = match get (N.succ_pos n) t with Some a => a | None => d end.
Proof. unfold look. now rewrite fetch_get. Qed.

Lemma get_table_from A (l : list A) i q :
  get q (table_from i l) = if Pos.ltb q i then None else nth_error l (N.to_nat (N.pos q - N.pos i)).
Proof.
  revert i q. induction l as [|a l IH]; intros i q; cbn [table_from].
  - destruct q; simpl; destruct (Pos.ltb _ i); auto; now destruct (N.to_nat _).
  - rewrite get_set, IH. destruct (Pos.eqb_spec q i).
    + subst. rewrite Pos.ltb_irrefl, N.sub_diag. reflexivity.
    + destruct (Pos.ltb_spec q (Pos.succ i)); destruct (Pos.ltb_spec q i); try lia; auto.
      replace (N.to_nat (N.pos q - N.pos i)) with (S (N.to_nat (N.pos q - N.pos (Pos.succ i)))) by lia. reflexivity.
Qed.

Lemma look_table A (d : A) l n : look d (table l) n = nth (N.to_nat n) l d.
Proof.
  rewrite look_get. unfold table. rewrite get_table_from.
  destruct (Pos.ltb_spec (N.succ_pos n) 1); [lia|].
  replace (N.pos (N.succ_pos n) - 1)%N with n by (rewrite N.succ_pos_spec; lia).
  destruct (nth_error l (N.to_nat n)) eqn:E.
  - symmetry. now apply nth_error_nth.
  - symmetry. apply nth_overflow. now apply nth_error_None.
Qed.

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
