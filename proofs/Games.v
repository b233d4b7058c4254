(** * The games, and what it means to win them

    Everything the theorems of this folder talk about is defined here, in terms of nothing but natural numbers, integers
    and lists. No word of files, automata or monoids: those belong to the proofs. *)

From Coq Require Import List ZArith NArith QArith Bool.
Local Close Scope Q_scope.
Import ListNotations.

(** ** Outcomes

    A game is a set of positions with a relation "there is a move from [x] to [y]". The predicates are inductive: a position
    is P or N when a finite argument shows it, so no statement needs to say that play ends. *)
Section Outcomes.
  Context {position : Type} (move : position -> position -> Prop).

  (** Normal play: who cannot move loses. P: the previous player wins; N: the next player wins. *)
  Inductive isP : position -> Prop :=
  | P_all x : (forall y, move x y -> isN y) -> isP x
  with isN : position -> Prop :=
  | N_some x y : move x y -> isP y -> isN x.

  (** Misère play: who cannot move wins. *)
  Inductive misereP : position -> Prop :=
  | misereP_all x : (exists y, move x y) -> (forall y, move x y -> misereN y) -> misereP x
  with misereN : position -> Prop :=
  | misereN_end x : (forall y, ~ move x y) -> misereN x
  | misereN_some x y : move x y -> misereP y -> misereN x.

  (** The Grundy value of [x] is [v]: no option has the value [v], and every smaller number is the value of an option. *)
  Inductive grundy : position -> N -> Prop :=
  | grundy_mex x v :
      (forall y, move x y -> exists w, w <> v /\ grundy y w) ->
      (forall w, (w < v)%N -> exists y, move x y /\ grundy y w) ->
      grundy x v.
End Outcomes.

(** ** Sums of heaps

    A position is a list of heaps. The rules say what one heap may be replaced by: [option h t] when the list of heaps [t]
    is an option of the heap [h]. A move replaces one heap of the sum by an option of it. *)
Notation heap := nat (only parsing).

Inductive sum_move (option : heap -> list heap -> Prop) : list heap -> list heap -> Prop :=
| move_one u h v t : option h t -> sum_move option (u ++ h :: v) (u ++ t ++ v).

(** Take-and-break codes d0.d1d2…: bit [j] of the digit [d] at [k] says that [k] beans may be taken from a heap so that
    exactly [j] heaps, none of them empty, are left. [digits] lists pairs [(k, d)]; when [block] is not empty, its digits are
    repeated for ever from [start] on. A move that takes nothing must leave at least two heaps. *)
Record code := Code { digits : list (nat * N); start : nat; block : list N }.

Definition allowed (c : code) (k j : nat) : Prop :=
  (exists d, In (k, d) (digits c) /\ N.testbit_nat d j = true) \/
  (block c <> [] /\ start c <= k /\ N.testbit_nat (nth ((k - start c) mod length (block c)) (block c) 0%N) j = true).

Definition beans (t : list heap) : nat := fold_right Nat.add 0 t.

Definition take_and_break (c : code) (h : heap) (t : list heap) : Prop :=
  exists k, h = k + beans t /\ Forall (fun x => 0 < x) t /\ allowed c k (length t) /\ (k = 0 -> 2 <= length t).

(** The heap game of a code: positions are lists of heaps of any sizes. *)
Definition heap_move (c : code) : list heap -> list heap -> Prop := sum_move (take_and_break c).

(** The nim-sum of the numbers that [g] gives the heaps of a list. *)
Definition nim_sum (g : heap -> N) (w : list heap) : N := fold_right (fun h v => N.lxor (g h) v) 0%N w.

(** Two sums of heaps from [A] are indistinguishable in misère play when adding the same heaps to both never gives different
    outcomes. *)
Definition indistinguishable (c : code) (A : heap -> Prop) (u v : list heap) : Prop :=
  forall w, Forall A w -> (misereP (heap_move c) (u ++ w) <-> misereP (heap_move c) (v ++ w)).

(** ** Lattice games

    Positions are points of [Z^d], written as lists. The board is the set of points with [a·x + b >= 0] for all rows [(a, b)],
    or the orthant [N^d] when no rows are given, without the finite list of defeated points. A move subtracts a rule and must
    land on the board; who cannot move loses. With [defeated] empty this is normal play. With [defeated = [0]] nobody may move to the origin: strategy
    files call this misère play, for where the origin is the only point without options it means that who moves there loses. *)
Record lattice_game := LatticeGame {
  dimension : nat;
  rules : list (list Z);
  rows : option (list (list Z * Z));
  defeated : list (list Z)
}.

Fixpoint dot (a x : list Z) : Z :=
  match a, x with
  | a1 :: a', x1 :: x' => (a1 * x1 + dot a' x')%Z
  | _, _ => 0%Z
  end.

Fixpoint minus (x g : list Z) : list Z :=
  match x, g with
  | x1 :: x', g1 :: g' => (x1 - g1)%Z :: minus x' g'
  | _, _ => []
  end.

Fixpoint plus (x g : list Z) : list Z :=
  match x, g with
  | x1 :: x', g1 :: g' => (x1 + g1)%Z :: plus x' g'
  | _, _ => []
  end.

Definition inside (G : lattice_game) (x : list Z) : Prop :=
  length x = dimension G /\
  match rows G with
  | None => Forall (Z.le 0) x
  | Some l => Forall (fun row => 0 <= dot (fst row) x + snd row)%Z l
  end.

Definition on_board (G : lattice_game) (x : list Z) : Prop := inside G x /\ ~ In x (defeated G).

Definition lattice_move (G : lattice_game) (x y : list Z) : Prop :=
  exists g, In g (rules G) /\ y = minus x g /\ on_board G y.

(** A module [F + N V]: the vectors [f + v1 + v2 + …], where [f] is one of the bases [F], and the [vi] are any number of generators from [V],
    repeated or not. *)
Record module := Module { generators : list (list Z); bases : list (list Z) }.

Inductive in_module (M : module) : list Z -> Prop :=
| module_base f : In f (bases M) -> in_module M f
| module_more x v : in_module M x -> In v (generators M) -> in_module M (plus x v).

(** ** Generating functions

    A term is a fraction [c t^p / ((1 - t^a1) … (1 - t^ak))], and stands for its expansion: the coefficient at [t^x] is [c] times the number of
    ways to write [x - p = n1 a1 + … + nk ak] with natural numbers [ni]. The coefficients of a sum of terms are added. *)
Record term := Term { factor : Q; exponent : list Z; denominators : list (list Z) }.

(** [n1 a1 + … + nk ak] in [Z^d]. *)
Fixpoint multiples (d : nat) (n : list nat) (a : list (list Z)) : list Z :=
  match n, a with
  | n1 :: n', a1 :: a' => plus (map (Z.mul (Z.of_nat n1)) a1) (multiples d n' a')
  | _, _ => repeat 0%Z d
  end.

(** There are exactly [w] ways. *)
Definition ways (d : nat) (a : list (list Z)) (x : list Z) (w : nat) : Prop :=
  exists l, NoDup l /\ length l = w /\ forall n, In n l <-> length n = length a /\ multiples d n a = x.

Inductive coefficient (d : nat) : list term -> list Z -> Q -> Prop :=
| coefficient_none x : coefficient d [] x 0
| coefficient_more t l x w q : ways d (denominators t) (minus x (exponent t)) w -> coefficient d l x q ->
    coefficient d (t :: l) x (factor t * inject_Z (Z.of_nat w) + q).

(** ** Poset games

    A finite set with a partial order; a position lists the elements that are left. A move chooses one of them and removes it with
    everything above it. [kept Q u v]: [v] is what is left of [u] when the elements without [Q] are removed. *)
Inductive kept {E : Type} (Q : E -> Prop) : list E -> list E -> Prop :=
| kept_none : kept Q [] []
| kept_yes x u v : Q x -> kept Q u v -> kept Q (x :: u) (x :: v)
| kept_no x u v : ~ Q x -> kept Q u v -> kept Q (x :: u) v.

Definition poset_move {E : Type} (le : E -> E -> Prop) (u v : list E) : Prop :=
  exists x, In x u /\ kept (fun y => ~ le x y) u v.

(** The positions of a game that starts at [u]: what moves lead to. *)
Inductive reached {position : Type} (move : position -> position -> Prop) (u : position) : position -> Prop :=
| reached_start : reached move u u
| reached_move v w : reached move u v -> move v w -> reached move u w.

(** The order generated by [covers] on numbers: every step leads to a larger element. *)
Inductive generated (covers : list (nat * nat)) (x : nat) : nat -> Prop :=
| generated_self : generated covers x x
| generated_step y z : In (x, y) covers -> generated covers y z -> generated covers x z.

(** Chomp on rows of the given lengths: a bite into a square removes it with all squares that are neither higher nor more to the left. The square
    in the corner is poisoned, and is no element of the poset. *)
Definition squares (lengths : list nat) : list (nat * nat) :=
  tl (flat_map (fun ir => map (fun c => (fst ir, c)) (seq 0 (snd ir))) (combine (seq 0 (length lengths)) lengths)).
Definition square_le (x y : nat * nat) : Prop := fst x <= fst y /\ snd x <= snd y.
