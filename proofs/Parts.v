(** * The residuals of one track, numbered

    A track is the automaton reading [y - g] while the digits of [y] are read. What is left of it after some digits is a state and a carry.
    There are finitely many: they are listed once, and the walk holds their numbers alone. *)

From Coq Require Import List Arith NArith ZArith Bool Lia.
From Impartial Require Import Search Digits.
Import ListNotations.

Fixpoint list_same {A} (eq : A -> A -> bool) (l m : list A) : bool :=
  match l, m with
  | [], [] => true
  | a :: l', b :: m' => eq a b && list_same eq l' m'
  | _, _ => false
  end.

Lemma list_same_eq A (eq : A -> A -> bool) : (forall a b, eq a b = true -> a = b) ->
  forall l m, list_same eq l m = true -> l = m.
Proof.
  intros H. induction l; intros [|b m] E; simpl in E; try discriminate; auto.
  apply andb_true_iff in E. destruct E. f_equal; auto.
Qed.

Definition same_vector : list Z -> list Z -> bool := list_same Z.eqb.
Lemma same_vector_eq u v : same_vector u v = true -> u = v.
Proof. apply list_same_eq. intros a b. apply Z.eqb_eq. Qed.

(** A key for the store. Nothing depends on it but the time. *)
Fixpoint low_bits (k : nat) (p q : positive) : positive :=
  match k with
  | O => q
  | S k' => match p with xH => xI q | xO p' => low_bits k' p' (xO q) | xI p' => low_bits k' p' (xI q) end
  end.
Definition number_key (v : N) (q : positive) : positive := match v with N0 => xO q | Npos p => low_bits 10 p q end.
Definition integer_key (v : Z) (q : positive) : positive :=
  match v with Z0 => q | Zneg _ => xO (xO q) | Zpos p => low_bits 3 p (xI q) end.

Definition residual := (N * list Z)%type.

Definition same_residual (s t : residual) : bool := N.eqb (fst s) (fst t) && same_vector (snd s) (snd t).

Lemma same_residual_eq s t : same_residual s t = true -> s = t.
Proof. unfold same_residual. rewrite andb_true_iff, N.eqb_eq. intros [E V]. apply same_vector_eq in V. destruct s, t. simpl in *. congruence. Qed.

Definition residual_key (t : residual) : positive := fold_left (fun q c => integer_key c q) (snd t) (number_key (fst t) xH).

(** What the walk asks of a residual: whether no digit can change it, its output, and the numbers of those that follow. *)
Record stop := Stop { at_rest : bool; says_here : option N; if_0 : N; if_1 : N }.
Definition no_stop : stop := Stop false None 0 0.

Section Parts.
  Variable delta : N -> bool -> N.
  Variable out : N -> option N.

  Definition all_zero (c : list Z) : bool := forallb (Z.eqb 0) c.
  Definition settled (c : list Z) : bool := forallb (fun a => Z.eqb 0 a || Z.eqb (-1) a) c.

  Definition track_out (t : N * list Z) : option N := if all_zero (snd t) then out (fst t) else None.

  Definition followers (t : residual) : option (list residual) := Some [advance delta t false; advance delta t true].

  Definition residuals (fuel : nat) (t : residual) : list residual :=
    match explored followers Leaf (bucket_covered residual_key same_residual) (bucket_insert residual_key) fuel [t] with
    | Some l => l
    | None => []
    end.

  (** The numbers of the residuals of a list. They are looked at again below, so nothing depends on them. *)
  Definition number_all (l : list residual) : tree (list (residual * N)) :=
    fst (fold_left (fun s t => (set (residual_key t) ((t, snd s) :: bucket (residual_key t) (fst s)) (fst s), N.succ (snd s))) l (Leaf, 0%N)).
  Definition number_in (dict : tree (list (residual * N))) (t : residual) : N :=
    match find (fun e => same_residual t (fst e)) (bucket (residual_key t) dict) with Some e => snd e | None => 0%N end.

  Definition stop_of (dict : tree (list (residual * N))) (t : residual) : stop :=
    Stop (settled (snd t)) (track_out t) (number_in dict (advance delta t false)) (number_in dict (advance delta t true)).

  Definition stands (T : tree residual) (i : N) (t : residual) : bool := match fetch i T with Some t' => same_residual t' t | None => false end.

  (** The number of the first residual, and the table of all. *)
  Definition part (fuel : nat) (t : residual) : option (N * tree stop) :=
    let l := residuals fuel t in
    let dict := number_all l in
    let T := table l in
    let stops := map (stop_of dict) l in
    let follows t' s := stands T (if_0 s) (advance delta t' false) && stands T (if_1 s) (advance delta t' true) in
    if stands T (number_in dict t) t && forallb (fun p => follows (fst p) (snd p)) (combine l stops)
    then Some (number_in dict t, table stops) else None.

  (** [R i t]: the number [i] stands for the residual [t]. *)
  Definition numbering (S : tree stop) (R : N -> residual -> Prop) : Prop :=
    forall i t, R i t -> let s := look no_stop S i in
      at_rest s = settled (snd t) /\ says_here s = track_out t /\ R (if_0 s) (advance delta t false) /\ R (if_1 s) (advance delta t true).

  Lemma part_spec fuel t i S : part fuel t = Some (i, S) -> exists R, numbering S R /\ R i t.
  Proof.
    unfold part. set (l := residuals fuel t). set (dict := number_all l). cbv zeta.
    destruct (stands _ _ t) eqn:E0; [|discriminate]. destruct (forallb _ _) eqn:F; [|discriminate]. intros [= <- <-].
    assert (st : forall j u, stands (table l) j u = true -> nth_error l (N.to_nat j) = Some u).
    { intros j u. unfold stands. rewrite fetch_get. unfold table. rewrite get_tree_of. unfold picked.
      replace (Pos.to_nat (N.succ_pos j) - 1) with (N.to_nat j).
      2: { pose proof (N.succ_pos_spec j) as E. apply (f_equal N.to_nat) in E. cbn [N.to_nat] in E. rewrite E. lia. }
      destruct (nth_error l (N.to_nat j)) as [u'|]; [|discriminate]. intros E. apply same_residual_eq in E. congruence. }
    exists (fun j u => nth_error l (N.to_nat j) = Some u). split; [|now apply st].
    intros j u J s.
    assert (Es : s = stop_of dict u).
    { unfold s. rewrite look_table. apply nth_error_nth. now rewrite nth_error_map, J. }
    rewrite forallb_forall in F. specialize (F (u, stop_of dict u)). cbn [fst snd] in F.
    assert (I : In (u, stop_of dict u) (combine l (map (stop_of dict) l))).
    { clear - J. clearbody dict. clearbody l. revert J. generalize (N.to_nat j). induction l as [|a l IH]; intros [|k] J; try discriminate; simpl in *; [injection J as ->; now left|].
      right. eapply IH; eauto. }
    specialize (F I). apply andb_true_iff in F. destruct F as [F0 F1]. rewrite Es. cbn [stop_of at_rest says_here if_0 if_1].
    split; [reflexivity|]. split; [reflexivity|]. split; now apply st.
  Qed.
End Parts.
