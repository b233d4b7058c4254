(** * Tables: binary trees, read by the digits of a number *)

From Coq Require Import List PArith NArith Arith Bool Lia.
Import ListNotations.

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

(** ** The table of a list

    The entry [i] stands under the number [i + 1]; [pick] may leave entries out. The tree is made from its leaves up, level by
    level (Okasaki's way to make Braun trees), in linear time: the nodes of a level are at [k], [k + 1], …, [2k - 1], and the subtrees of the node at [k + m] are
    the nodes number [m] and [k + m] of the next level. *)

Definition node {A} (l : tree A) (o : option A) (r : tree A) : tree A :=
  match o with
  | Some _ => Node l o r
  | None => match l, r with Leaf, Leaf => Leaf | _, _ => Node l o r end
  end.

Lemma get_leaf A q : @get A q Leaf = None.
Proof. now destruct q. Qed.

Lemma get_node A l (o : option A) r q : get q (node l o r) = get q (Node l o r).
Proof. destruct o, l, r, q; simpl; auto; now rewrite !get_leaf. Qed.

(** [k] nodes: entries from [l], left subtrees from [ts], right ones from [us]. Where a list ends, there is nothing. *)
Fixpoint join {A B} (pick : B -> option A) (k : nat) (l : list B) (ts us : list (tree A)) : list (tree A) :=
  match k, l with
  | S k', b :: l' =>
      match ts, us with
      | t :: ts', u :: us' => node t (pick b) u :: join pick k' l' ts' us'
      | t :: ts', [] => node t (pick b) Leaf :: join pick k' l' ts' []
      | [], _ => node Leaf (pick b) Leaf :: join pick k' l' [] []
      end
  | _, _ => []
  end.

Fixpoint levels {A B} (pick : B -> option A) (fuel : list B) (k : nat) (l : list B) : list (tree A) :=
  match fuel, l with
  | _ :: fuel', _ :: _ => let ts := levels pick fuel' (k + k) (skipn k l) in join pick k l ts (skipn k ts)
  | _, _ => []
  end.

Definition tree_of {A B} (pick : B -> option A) (l : list B) : tree A := hd Leaf (levels pick l 1 l).

Definition picked {A B} (pick : B -> option A) (l : list B) (i : nat) : option A :=
  match nth_error l i with Some b => pick b | None => None end.

Lemma join_spec {A B} (pick : B -> option A) k : forall l ts us m q, m < k ->
  (us <> [] -> ts <> [] /\ length us <= length ts) -> 
  get q (nth m (join pick k l ts us) Leaf) =
  if m <? length l then get q (Node (nth m ts Leaf) (picked pick l m) (nth m us Leaf)) else None.
Proof.
  induction k as [|k IH]; intros l ts us m q M H; [lia|]. destruct l as [|b l]; cbn [join length].
  { destruct m; apply get_leaf. }
  assert (N1 : forall i, @nth (tree A) i [] Leaf = Leaf) by now intros [].
  destruct ts as [|t ts].
  - destruct us; [|exfalso; now destruct H]. destruct m as [|m]; cbn [nth]; [apply get_node|].
    rewrite IH by (auto; lia || congruence). rewrite !N1. reflexivity.
  - destruct us as [|u us]; (destruct m as [|m]; cbn [nth]; [apply get_node|]; rewrite IH; rewrite ?N1; auto; try lia; try congruence).
    intros X. destruct H as [_ H]; [congruence|]. simpl in H. split; [|lia]. destruct us; [congruence|]. destruct ts; simpl in *; [lia|congruence].
Qed.

Lemma levels_spec {A B} (pick : B -> option A) fuel : forall k l m q, 0 < k -> m < k -> length l <= length fuel ->
  get q (nth m (levels pick fuel k l) Leaf) = picked pick l (m + k * (Pos.to_nat q - 1)).
Proof.
  assert (Z : forall (l : list B) i, length l <= i -> picked pick l i = None).
  { intros l i H. unfold picked. apply nth_error_None in H. now rewrite H. }
  induction fuel as [|f fuel IH]; intros k l m q K M L.
  { destruct l; [|cbn in L; lia]. rewrite Z by apply Nat.le_0_l. destruct m; apply get_leaf. }
  destruct l as [|b l']; [rewrite Z by apply Nat.le_0_l; destruct m; apply get_leaf|].
  set (l := b :: l') in *. cbn [levels]. unfold l at 1. cbv zeta. set (ts := levels pick fuel (k + k) (skipn k l)).
  assert (K1 : forall i, picked pick (skipn k l) i = picked pick l (k + i)).
  { intros i. unfold picked. clear. revert k i. generalize l. intros l0 k. revert l0. induction k as [|k IH]; intros [|a l0] i; simpl; auto. now destruct i. }
  assert (L' : length (skipn k l) <= length fuel) by (rewrite skipn_length; cbn [length] in L; unfold l in *; cbn [length] in *; lia).
  assert (NS : forall i, nth i (skipn k ts) Leaf = nth (k + i) ts Leaf).
  { intros i. clear. generalize ts. induction k as [|k IH]; intros [|a t]; simpl; auto. now destruct i. }
  rewrite join_spec; auto.
  2: { intros X. rewrite skipn_length. split; [|apply Nat.le_sub_l]. intros E. apply X. rewrite E. now destruct k. }
  destruct (Nat.ltb_spec m (length l)) as [Y|Y]; [|apply eq_sym, Z; eapply Nat.le_trans; [exact Y|apply Nat.le_add_r]].
  rewrite NS. destruct q as [q|q|]; cbn [get].
  - unfold ts. rewrite IH by lia. rewrite K1. f_equal. rewrite Pos2Nat.inj_xI. pose proof (Pos2Nat.is_pos q). nia.
  - unfold ts. rewrite IH by lia. rewrite K1. f_equal. rewrite Pos2Nat.inj_xO. pose proof (Pos2Nat.is_pos q). nia.
  - f_equal. change (Pos.to_nat 1) with 1. lia.
Qed.

Lemma get_tree_of {A B} (pick : B -> option A) l q : get q (tree_of pick l) = picked pick l (Pos.to_nat q - 1).
Proof.
  unfold tree_of. replace (hd Leaf (levels pick l 1 l)) with (nth 0 (levels pick l 1 l) Leaf) by now destruct (levels pick l 1 l).
  rewrite levels_spec by lia. f_equal. lia.
Qed.

Definition table {A} (l : list A) : tree A := tree_of Some l.

(** ** Questions *)

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

Lemma look_table A (d : A) l n : look d (table l) n = nth (N.to_nat n) l d.
Proof.
  rewrite look_get. unfold table. rewrite get_tree_of. unfold picked.
  replace (Pos.to_nat (N.succ_pos n) - 1) with (N.to_nat n).
  2: { pose proof (N.succ_pos_spec n) as E. apply (f_equal N.to_nat) in E. cbn [N.to_nat] in E. rewrite E. lia. }
  destruct (nth_error l (N.to_nat n)) eqn:E.
  - symmetry. now apply nth_error_nth.
  - symmetry. apply nth_overflow. now apply nth_error_None.
Qed.
