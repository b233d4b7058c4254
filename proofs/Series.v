(** * Form "series": the generating function of the P-positions as a sum of fractions

    Coefficient functions that vanish where a functional is small form a ring in which a product with [1 - t^a] determines its other factor, when
    the functional is positive on [a]. The laws of a stratification, each vector once, say that the product of the function of [A + N v] with
    [1 - t^v] is that of [A]; so the function of a module is the sum of the fractions of its bases. What is left is one identity of fractions,
    which is multiplied with denominators until none is left and all monomials cancel. *)

From Coq Require Import List Arith NArith ZArith QArith Bool Lia Permutation.
From Impartial Require Import Games Laws Search Digits Walk Lattice Automaton Modules.
Import ListNotations.
Local Close Scope Q_scope.
Local Open Scope Z_scope.

(** ** Vectors *)

Lemma plus_length x v : length v = length x -> length (plus x v) = length x.
Proof. intros L. apply length_plus; auto. Qed.

Lemma minus_swap x : forall u v, minus (minus x u) v = minus (minus x v) u.
Proof. induction x; intros [|b u] [|c v]; simpl; auto. f_equal; [lia|]. apply IHx. Qed.

Lemma minus_plus_two x : forall u v, length u = length x -> length v = length x -> minus x (plus u v) = minus (minus x u) v.
Proof. induction x; intros [|b u] [|c v] U V; simpl in *; try lia; auto. f_equal; [lia|]. apply IHx; lia. Qed.

Fixpoint compare_vectors (x y : list Z) : comparison :=
  match x, y with
  | [], [] => Eq
  | [], _ :: _ => Lt
  | _ :: _, [] => Gt
  | a :: x', b :: y' => match Z.compare a b with Eq => compare_vectors x' y' | r => r end
  end.

Lemma compare_vectors_eq x : forall y, compare_vectors x y = Eq -> x = y.
Proof.
  induction x as [|a x IH]; intros [|b y]; simpl; try discriminate; auto.
  destruct (Z.compare_spec a b); try discriminate. intros E. subst. f_equal. auto.
Qed.

Lemma compare_vectors_refl x : compare_vectors x x = Eq.
Proof. induction x; simpl; auto. now rewrite Z.compare_refl. Qed.

Lemma compare_vectors_trans x : forall y z, compare_vectors x y = Lt -> compare_vectors y z = Lt -> compare_vectors x z = Lt.
Proof.
  induction x as [|a x IH]; intros [|b y] [|c z]; simpl; try discriminate; auto.
  destruct (Z.compare_spec a b), (Z.compare_spec b c), (Z.compare_spec a c); try discriminate; try lia; auto.
  apply IH.
Qed.

(** A list that increases has no entry twice. *)
Fixpoint increases (l : list (list Z)) : bool :=
  match l with
  | x :: (y :: _) as l' => match compare_vectors x y with Lt => increases l' | _ => false end
  | _ => true
  end.

Lemma increases_less l : forall x, increases (x :: l) = true -> Forall (fun y => compare_vectors x y = Lt) l /\ increases l = true.
Proof.
  induction l as [|y l IH]; intros x H; [split; auto|]. cbn [increases] in H. destruct (compare_vectors x y) eqn:E; try discriminate.
  split; auto. constructor; auto. destruct (IH y H) as [F _]. revert F. apply Forall_impl. intros z. now apply compare_vectors_trans.
Qed.

Lemma increases_once l : increases l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; intros H; constructor; apply increases_less in H; destruct H as [F H]; auto.
  intros I. rewrite Forall_forall in F. specialize (F x I). now rewrite compare_vectors_refl in F.
Qed.

Section Series.
  Variable d : nat.
  Variable ell : list Z.
  Let vec (x : list Z) : Prop := length x = d.
  Let origin := repeat 0 d.

  Lemma ell_minus x a : vec x -> vec a -> dot ell (minus x a) = dot ell x - dot ell a.
  Proof. intros X A. apply dot_minus. unfold vec in *. lia. Qed.

  Lemma vec_minus x a : vec x -> vec a -> vec (minus x a).
  Proof. unfold vec. intros X A. rewrite length_minus; lia. Qed.

  (** ** The ring *)

  Definition small (c : list Z -> Z) : Prop := exists B, forall x, vec x -> dot ell x < B -> c x = 0.

  (** The product with [1 - t^a]. *)
  Definition times (a : list Z) (c : list Z -> Z) (x : list Z) : Z := c x - c (minus x a).

  Definition upward (a : list Z) : Prop := vec a /\ 0 < dot ell a.

  Theorem times_zero a c : upward a -> small c -> (forall x, vec x -> times a c x = 0) -> forall x, vec x -> c x = 0.
  Proof.
    intros [La Pa] [B S] H.
    assert (forall n x, vec x -> dot ell x < B + Z.of_nat n -> c x = 0) as G.
    { induction n as [|n IH]; intros x X L; [apply S; auto; lia|].
      specialize (H x X). unfold times in H. rewrite (IH (minus x a)) in H; [lia|now apply vec_minus|].
      rewrite ell_minus by auto. lia. }
    intros x X. apply (G (Z.to_nat (dot ell x - B + 1)) x X). lia.
  Qed.

  Corollary times_same a c e : upward a -> small c -> small e -> (forall x, vec x -> times a c x = times a e x) ->
    forall x, vec x -> c x = e x.
  Proof.
    intros A [B1 S1] [B2 S2] H x X. enough (c x - e x = 0) by lia.
    apply (times_zero a (fun x => c x - e x)); auto.
    - exists (Z.min B1 B2). intros y Y L. rewrite S1, S2 by (auto; lia). lia.
    - intros y Y. specialize (H y Y). unfold times in *. lia.
  Qed.

  (** ** The expansion of one fraction with numerator 1 *)

  Definition one_more (n : list nat) : list nat := match n with k :: n' => S k :: n' | [] => [] end.

  Fixpoint listing_from (rest : list Z -> list (list nat)) (a : list Z) (k : nat) (x : list Z) : list (list nat) :=
    match k with
    | O => []
    | S k' => map (cons O) (rest x) ++ map one_more (listing_from rest a k' (minus x a))
    end.

  Fixpoint listing (A : list (list Z)) (x : list Z) : list (list nat) :=
    match A with
    | [] => if list_eq_dec Z.eq_dec x origin then [[]] else []
    | a :: A' => listing_from (listing A') a (Z.to_nat (dot ell x + 1)) x
    end.

  (** [l] lists the ways to write [x]. *)
  Definition lists (A : list (list Z)) (x : list Z) (l : list (list nat)) : Prop :=
    NoDup l /\ forall n, In n l <-> length n = length A /\ multiples d n A = x.

  Lemma lists_length A x l m : lists A x l -> lists A x m -> length l = length m.
  Proof.
    intros [N1 H1] [N2 H2]. apply Permutation_length, NoDup_Permutation; auto. intros n. now rewrite H1, H2.
  Qed.

  Lemma dot_origin x : dot x origin = 0.
  Proof. unfold origin. revert x. induction d; intros [|a x]; simpl; auto. rewrite IHn. lia. Qed.

  Lemma dot_mul_r k : forall x a, dot x (map (Z.mul k) a) = k * dot x a.
  Proof. induction x as [|b x IH]; intros [|c a]; simpl; try lia. rewrite IH. lia. Qed.

  Lemma multiples_vec A : Forall upward A -> forall n, vec (multiples d n A) /\ 0 <= dot ell (multiples d n A).
  Proof.
    induction 1 as [|a A [La Pa] _ IH]; intros [|k n]; cbn [multiples].
    1-3: fold origin; rewrite dot_origin; split; [apply repeat_length|lia].
    destruct (IH n) as [V P]. unfold vec in *. split.
    - rewrite plus_length; rewrite map_length; lia.
    - rewrite dot_plus_r by (rewrite map_length; lia). rewrite dot_mul_r. nia.
  Qed.

  Lemma multiples_more a A k n : vec a -> vec (multiples d n A) ->
    minus (multiples d (S k :: n) (a :: A)) a = multiples d (k :: n) (a :: A).
  Proof.
    cbn [multiples]. generalize (multiples d n A). unfold vec. intros y <- E. revert y E.
    induction a as [|b a IH]; intros [|c y] E; cbn [length] in E; try lia; auto.
    cbn [map plus minus]. f_equal; [lia|]. apply IH. lia.
  Qed.

  Lemma multiples_none a A n : vec a -> vec (multiples d n A) -> multiples d (O :: n) (a :: A) = multiples d n A.
  Proof.
    cbn [multiples]. generalize (multiples d n A). unfold vec. intros y <- E. revert y E.
    induction a as [|b a IH]; intros [|c y] E; cbn [length] in E; try lia; auto.
    cbn [map plus]. f_equal. apply IH. lia.
  Qed.

  Lemma apart_once {E} (l m : list E) : NoDup l -> NoDup m -> (forall n, In n l -> ~ In n m) -> NoDup (l ++ m).
  Proof.
    intros D M. induction D as [|u l I D IH]; intros H; simpl; auto. constructor.
    - rewrite in_app_iff. intros [J|J]; auto. apply (H u); auto. now left.
    - apply IH. intros n J. apply H. now right.
  Qed.

  (** With the first number 0, or one more than it was. *)
  Lemma lists_step a A x l m : upward a -> Forall upward A -> vec x ->
    lists A x l -> lists (a :: A) (minus x a) m -> lists (a :: A) x (map (cons O) l ++ map one_more m).
  Proof.
    intros [La Pa] PA X [N1 H1] [N2 H2].
    assert (NE : forall u, In u m -> exists k n, u = k :: n).
    { intros [|k n] I; [apply H2 in I; destruct I; discriminate|eauto]. }
    split.
    - apply apart_once.
      + apply FinFun.Injective_map_NoDup; auto. intros u v E. now injection E.
      + clear - N2 NE. induction N2 as [|u m I N2 IH]; constructor; [|apply IH; intros; apply NE; now right].
        intros J. apply in_map_iff in J. destruct J as (v & E & J).
        destruct (NE u (or_introl eq_refl)) as (k & n & ->), (NE v (or_intror J)) as (k' & n' & ->).
        cbn in E. injection E as -> ->. auto.
      + intros n I J. apply in_map_iff in I, J. destruct I as (u & <- & _), J as (v & E & J).
        destruct (NE v J) as (k & n & ->). discriminate.
    - intros n. rewrite in_app_iff, !in_map_iff. split.
      + intros [(u & <- & I)|(u & <- & I)].
        * apply H1 in I. destruct I as [L E]. split; [simpl; lia|]. rewrite multiples_none; auto. now apply multiples_vec.
        * destruct (NE u I) as (k & v & ->). apply H2 in I. destruct I as [L E]. cbn [one_more]. split; [simpl in *; lia|].
          assert (vec (multiples d v A)) as Vm by now apply multiples_vec.
          assert (vec (multiples d (S k :: v) (a :: A))) as Vn by (apply multiples_vec; constructor; auto; split; auto).
          rewrite <- (plus_minus (multiples d (S k :: v) (a :: A)) a) by (unfold vec in *; lia).
          rewrite multiples_more, E by auto. apply plus_minus. unfold vec in *. lia.
      + intros [L E]. destruct n as [|k n]; [discriminate|].
        assert (vec (multiples d n A)) as Vm by now apply multiples_vec. destruct k as [|k].
        * left. exists n. split; auto. apply H1. split; [simpl in L; lia|]. now rewrite multiples_none in E by auto.
        * right. exists (k :: n). split; auto. apply H2. split; [simpl in *; lia|].
          rewrite <- multiples_more by auto. now rewrite E.
  Qed.

  Lemma listing_lists A : Forall upward A -> forall x, vec x -> lists A x (listing A x).
  Proof.
    induction 1 as [|a A Pa PA IH]; intros x X.
    - cbn [listing]. destruct (list_eq_dec Z.eq_dec x origin) as [->|N].
      + split; [repeat constructor; intros []|]. intros n. split; [intros [<-|[]]; auto|].
        intros [L _]. destruct n; [now left|discriminate].
      + split; [constructor|]. intros n. split; [intros []|]. intros [L E]. destruct n; [|discriminate]. apply N. now rewrite <- E.
    - cbn [listing].
      assert (G : forall k x, vec x -> dot ell x < Z.of_nat k -> lists (a :: A) x (listing_from (listing A) a k x)).
      { clear x X. induction k as [|k IHk]; intros x X K; cbn [listing_from].
        - split; [constructor|]. intros n. split; [intros []|]. intros [_ E]. exfalso.
          destruct (multiples_vec (a :: A) ltac:(now constructor) n) as [_ P]. rewrite E in P. lia.
        - apply lists_step; auto. destruct Pa as [La Pa]. apply IHk; [now apply vec_minus|]. rewrite ell_minus by auto. lia. }
      apply G; auto. lia.
  Qed.

  Definition expansion (A : list (list Z)) (x : list Z) : Z := Z.of_nat (length (listing A x)).

  Lemma expansion_ways A x : Forall upward A -> vec x -> ways d A x (length (listing A x)).
  Proof. intros PA X. destruct (listing_lists A PA x X) as [N H]. exists (listing A x). auto. Qed.

  Lemma expansion_times a A x : upward a -> Forall upward A -> vec x -> times a (expansion (a :: A)) x = expansion A x.
  Proof.
    intros Pa PA X. pose proof Pa as [La _]. assert (Forall upward (a :: A)) as PP by now constructor.
    assert (vec (minus x a)) as Y by now apply vec_minus.
    pose proof (lists_step a A x _ _ Pa PA X (listing_lists A PA x X) (listing_lists (a :: A) PP _ Y)) as H.
    apply (lists_length _ _ _ _ (listing_lists (a :: A) PP x X)) in H. rewrite app_length, !map_length in H.
    unfold times, expansion. lia.
  Qed.

  Lemma expansion_small A : Forall upward A -> small (expansion A).
  Proof.
    intros PA. exists 0. intros x X L. unfold expansion. destruct (listing_lists A PA x X) as [_ H].
    destruct (listing A x) as [|n l]; auto. exfalso. destruct (proj1 (H n) (or_introl eq_refl)) as [_ E].
    destruct (multiples_vec A PA n) as [_ P]. rewrite E in P. lia.
  Qed.

  Lemma times_cong a c e : vec a -> (forall x, vec x -> c x = e x) -> forall x, vec x -> times a c x = times a e x.
  Proof. intros A H x X. unfold times. rewrite !H; auto. now apply vec_minus. Qed.

  Lemma times_swap a b c x : times a (times b c) x = times b (times a c) x.
  Proof. unfold times. rewrite (minus_swap x a b). lia. Qed.

  Lemma times_small a c : upward a -> small c -> small (times a c).
  Proof.
    intros [La Pa] [B S]. exists B. intros x X L. unfold times. rewrite !S; auto; [now apply vec_minus|].
    rewrite ell_minus by auto. lia.
  Qed.

  Lemma expansion_perm A B : Permutation A B -> Forall upward A -> forall x, vec x -> expansion A x = expansion B x.
  Proof.
    induction 1 as [|a A B P IH|a b A|A B C P1 IH1 P2 IH2]; intros H x X; auto.
    - pose proof (Forall_inv H) as Pa. pose proof (Forall_inv_tail H) as PA.
      assert (Forall upward B) as PB by (eapply Permutation_Forall; eauto).
      apply (times_same a); auto using expansion_small. intros y Y. rewrite !expansion_times by auto. now apply IH.
    - pose proof (Forall_inv H) as Pb. pose proof (Forall_inv_tail H) as H'.
      pose proof (Forall_inv H') as Pa. pose proof (Forall_inv_tail H') as PA.
      assert (Forall upward (a :: b :: A)) as H2 by (constructor; auto).
      apply (times_same b); auto using expansion_small.
      apply (times_same a); auto.
      1, 2: apply times_small; auto using expansion_small.
      intros y Y. rewrite (times_swap a b (expansion (a :: b :: A)) y).
      assert (forall z, vec z -> times b (expansion (b :: a :: A)) z = expansion (a :: A) z) as E1 by (intros; now apply expansion_times).
      assert (forall z, vec z -> times a (expansion (a :: b :: A)) z = expansion (b :: A) z) as E2.
      { intros. apply expansion_times; auto. }
      rewrite (times_cong a _ _ (proj1 Pa) E1 y Y), (times_cong b _ _ (proj1 Pb) E2 y Y).
      now rewrite !expansion_times by auto.
    - rewrite IH1 by auto. apply IH2; auto. eapply Permutation_Forall; eauto.
  Qed.

  (** ** Sums of fractions [c t^p / ((1 - t^a1) … (1 - t^ak))] *)

  Record fraction := Fraction { below : list (list Z); power : list Z; above : Z }.

  Definition fraction_ok (f : fraction) : Prop := vec (power f) /\ Forall upward (below f).

  Definition at_one (f : fraction) (x : list Z) : Z := above f * expansion (below f) (minus x (power f)).
  Definition at_all (l : list fraction) (x : list Z) : Z := fold_right (fun f s => at_one f x + s) 0 l.

  Lemma at_all_cons f l x : at_all (f :: l) x = at_one f x + at_all l x.
  Proof. reflexivity. Qed.

  Lemma at_all_app l m x : at_all (l ++ m) x = at_all l x + at_all m x.
  Proof. induction l; simpl; lia. Qed.

  Lemma at_all_small l : Forall fraction_ok l -> small (at_all l).
  Proof.
    induction 1 as [|f l [Vf Pf] _ [B IH]]; [exists 0; auto|].
    destruct (expansion_small _ Pf) as [C S]. exists (Z.min B (C + dot ell (power f))). intros x X L. simpl.
    rewrite IH by (auto; lia). unfold at_one. rewrite S; [lia|now apply vec_minus|]. rewrite ell_minus by auto. lia.
  Qed.

  (** The list without its first entry [a]. *)
  Fixpoint without (a : list Z) (l : list (list Z)) : option (list (list Z)) :=
    match l with
    | [] => None
    | b :: l' => match compare_vectors a b with Eq => Some l' | _ => option_map (cons b) (without a l') end
    end.

  Lemma without_perm a l : forall r, without a l = Some r -> Permutation l (a :: r).
  Proof.
    induction l as [|b l IH]; intros r; cbn [without]; [discriminate|]. destruct (compare_vectors a b) eqn:E.
    - intros [= ->]. apply compare_vectors_eq in E. subst. apply Permutation_refl.
    - destruct (without a l) as [s|]; [|discriminate]. intros [= <-]. rewrite (IH s eq_refl). apply perm_swap.
    - destruct (without a l) as [s|]; [|discriminate]. intros [= <-]. rewrite (IH s eq_refl). apply perm_swap.
  Qed.

  (** The product of a fraction with [1 - t^a]. *)
  Definition multiply (a : list Z) (f : fraction) : list fraction :=
    match without a (below f) with
    | Some r => [Fraction r (power f) (above f)]
    | None => [f; Fraction (below f) (plus (power f) a) (- above f)]
    end.

  Lemma multiply_ok a f : upward a -> fraction_ok f -> Forall fraction_ok (multiply a f) /\
    forall x, vec x -> at_all (multiply a f) x = times a (at_one f) x.
  Proof.
    intros Pa [Vf Pf]. pose proof Pa as [La _]. unfold multiply. destruct (without a (below f)) as [r|] eqn:E.
    - apply without_perm in E. assert (Forall upward (a :: r)) as P by (eapply Permutation_Forall; eauto).
      split; [constructor; auto; split; auto; now apply Forall_inv_tail in P|].
      intros x X. unfold at_all, times, at_one. cbn [fold_right below power above].
      assert (vec (minus x a)) by now apply vec_minus.
      rewrite !(expansion_perm _ _ E Pf) by now apply vec_minus.
      pose proof (expansion_times a r (minus x (power f)) Pa (Forall_inv_tail P) ltac:(now apply vec_minus)) as T.
      unfold times in T. rewrite (minus_swap x (power f) a) in T.
      rewrite <- T. lia.
    - split; [constructor; [split; auto|constructor; auto; split; auto; unfold vec in *; cbn [power]; rewrite plus_length; lia]|].
      intros x X. unfold at_all, times, at_one. cbn [fold_right below power above].
      rewrite minus_plus_two by (unfold vec in *; lia). rewrite (minus_swap x (power f) a). lia.
  Qed.

  Lemma multiply_all_ok a l : upward a -> Forall fraction_ok l -> Forall fraction_ok (flat_map (multiply a) l) /\
    forall x, vec x -> at_all (flat_map (multiply a) l) x = times a (at_all l) x.
  Proof.
    intros Pa. induction 1 as [|f l Of _ [IH1 IH2]]; [split; [constructor|reflexivity]|]. destruct (multiply_ok a f Pa Of) as [M1 M2]. split.
    - cbn [flat_map]. apply Forall_app. auto.
    - intros x X. cbn [flat_map]. rewrite at_all_app, M2, IH2 by auto. unfold times. simpl. lia.
  Qed.

  (** Like fractions are added up, by merging. *)
  Fixpoint compare_lists (l m : list (list Z)) : comparison :=
    match l, m with
    | [], [] => Eq
    | [], _ :: _ => Lt
    | _ :: _, [] => Gt
    | a :: l', b :: m' => match compare_vectors a b with Eq => compare_lists l' m' | r => r end
    end.

  Lemma compare_lists_eq l : forall m, compare_lists l m = Eq -> l = m.
  Proof.
    induction l as [|a l IH]; intros [|b m]; simpl; try discriminate; auto.
    destruct (compare_vectors a b) eqn:E; try discriminate. intros H. apply compare_vectors_eq in E. subst. f_equal. auto.
  Qed.

  Definition compare_fractions (f g : fraction) : comparison :=
    match compare_vectors (power f) (power g) with Eq => compare_lists (below f) (below g) | r => r end.

  Fixpoint merge (l : list fraction) : list fraction -> list fraction :=
    fix merge_into (m : list fraction) : list fraction :=
      match l, m with
      | [], _ => m
      | _, [] => l
      | f :: l', g :: m' =>
          match compare_fractions f g with
          | Lt => f :: merge l' m
          | Gt => g :: merge_into m'
          | Eq => match above f + above g with
                  | Z0 => merge l' m'
                  | s => Fraction (below f) (power f) s :: merge l' m'
                  end
          end
      end.

  Lemma merge_ok l : Forall fraction_ok l -> forall m, Forall fraction_ok m ->
    Forall fraction_ok (merge l m) /\ forall x, at_all (merge l m) x = at_all l x + at_all m x.
  Proof.
    induction 1 as [|f l Of Ol IH].
    - intros m M. destruct m; split; auto.
    - induction 1 as [|g m Og Om IHm]; [split; [constructor; auto|intros x; simpl; lia]|].
      cbn [merge]. destruct (compare_fractions f g) eqn:E.
      + destruct (IH m Om) as [H1 H2].
        assert (forall x, at_one f x + at_one g x = (above f + above g) * expansion (below f) (minus x (power f))) as A.
        { unfold compare_fractions in E. destruct (compare_vectors (power f) (power g)) eqn:Q; try discriminate.
          apply compare_vectors_eq in Q. apply compare_lists_eq in E. intros x. unfold at_one. rewrite Q, E. lia. }
        assert (forall s, s = above f + above g -> Forall fraction_ok (Fraction (below f) (power f) s :: merge l m) /\
          forall x, at_all (Fraction (below f) (power f) s :: merge l m) x = at_all (f :: l) x + at_all (g :: m) x) as B.
        { intros s ->. split; [constructor; auto; exact Of|]. intros x. specialize (A x). rewrite !at_all_cons, H2.
          unfold at_one at 1. cbn [above below power]. lia. }
        destruct (above f + above g) eqn:S; [|apply B; auto|apply B; auto].
        split; auto. intros x. specialize (A x). rewrite !at_all_cons, H2. lia.
      + destruct (IH (g :: m) ltac:(constructor; auto)) as [H1 H2]. split; [constructor; auto|].
        intros x. rewrite !at_all_cons, H2, at_all_cons. lia.
      + destruct IHm as [H1 H2]. split; [constructor; auto|]. intros x. specialize (H2 x).
        rewrite at_all_cons in H2. rewrite !at_all_cons. cbn [merge] in H2. lia.
  Qed.

  (** Lists of one, two, four, … fractions wait for others of their length. *)
  Fixpoint push (l : list fraction) (waiting : list (option (list fraction))) : list (option (list fraction)) :=
    match waiting with
    | Some m :: waiting' => None :: push (merge m l) waiting'
    | None :: waiting' => Some l :: waiting'
    | [] => [Some l]
    end.

  Definition joined (a : list fraction) (o : option (list fraction)) : list fraction := match o with Some l => merge l a | None => a end.

  Definition together (l : list fraction) : list fraction := fold_left joined (fold_left (fun w f => push [f] w) l []) [].

  Definition waiting_ok (w : list (option (list fraction))) : Prop :=
    Forall (fun o => match o with Some l => Forall fraction_ok l | None => True end) w.
  Definition at_waiting (w : list (option (list fraction))) (x : list Z) : Z :=
    fold_right (fun o s => match o with Some l => at_all l x | None => 0 end + s) 0 w.

  Lemma push_ok w : forall l, Forall fraction_ok l -> waiting_ok w ->
    waiting_ok (push l w) /\ forall x, at_waiting (push l w) x = at_all l x + at_waiting w x.
  Proof.
    induction w as [|[m|] w IH]; intros l L W; cbn [push].
    - split; [repeat constructor; auto|]. intros x. simpl. lia.
    - inversion W as [|? ? M W']; subst. destruct (merge_ok m M l L) as [H1 H2]. destruct (IH (merge m l) H1 W') as [H3 H4].
      split; [constructor; auto|]. intros x. simpl. rewrite H4, H2. lia.
    - inversion W as [|? ? M W']; subst. split; [constructor; auto|]. intros x. simpl. lia.
  Qed.

  Lemma together_ok l : Forall fraction_ok l -> Forall fraction_ok (together l) /\ forall x, at_all (together l) x = at_all l x.
  Proof.
    intros L. unfold together.
    assert (A : forall l w, Forall fraction_ok l -> waiting_ok w -> waiting_ok (fold_left (fun w f => push [f] w) l w) /\
      forall x, at_waiting (fold_left (fun w f => push [f] w) l w) x = at_all l x + at_waiting w x).
    { clear. induction l as [|f l IH]; intros w L W; [split; auto|]. inversion L; subst.
      destruct (push_ok w [f] ltac:(repeat constructor; apply H1) W) as [P1 P2].
      destruct (IH (push [f] w) H2 P1) as [I1 I2]. split; auto. intros x. cbn [fold_left]. rewrite I2, P2. simpl. lia. }
    destruct (A l [] L (Forall_nil _)) as [W1 W2]. revert W1 W2. generalize (fold_left (fun w f => push [f] w) l []). intros w W1 W2.
    enough (B : forall w a, waiting_ok w -> Forall fraction_ok a -> Forall fraction_ok (fold_left joined w a) /\
      forall x, at_all (fold_left joined w a) x = at_waiting w x + at_all a x).
    { destruct (B w [] W1 (Forall_nil _)) as [B1 B2]. split; auto. intros x. rewrite B2, W2. simpl. lia. }
    clear. induction w as [|[m|] w IH]; intros a W A; [split; auto| |].
    - inversion W as [|? ? M W']; subst. destruct (merge_ok m M a A) as [M1 M2]. destruct (IH (merge m a) W' M1) as [I1 I2].
      split; auto. intros x. cbn [fold_left joined]. rewrite I2, M2. simpl. lia.
    - inversion W as [|? ? M W']; subst. destruct (IH a W' A) as [I1 I2]. split; auto.
  Qed.

  (** ** The identity: a sum of fractions is 0 *)

  Fixpoint some_below (l : list fraction) : option (list Z) :=
    match l with
    | [] => None
    | f :: l' => match below f with a :: _ => Some a | [] => some_below l' end
    end.

  Fixpoint vanishes (steps : nat) (l : list fraction) : bool :=
    match together l with
    | [] => true
    | l' => match steps, some_below l' with
            | S n, Some a => vanishes n (flat_map (multiply a) l')
            | _, _ => forallb (fun f => Z.eqb (above f) 0) l'
            end
    end.

  Lemma some_below_upward l a : Forall fraction_ok l -> some_below l = Some a -> upward a.
  Proof.
    induction 1 as [|f l [_ Pf] _ IH]; simpl; [discriminate|]. destruct (below f) as [|b r]; auto. intros [= <-]. now apply Forall_inv in Pf.
  Qed.

  Theorem vanishes_ok n : forall l, Forall fraction_ok l -> vanishes n l = true -> forall x, vec x -> at_all l x = 0.
  Proof.
    assert (Z0 : forall l x, forallb (fun f => Z.eqb (above f) 0) l = true -> at_all l x = 0).
    { induction l as [|f l IH]; intros x; simpl; auto. rewrite andb_true_iff, Z.eqb_eq. intros [E H]. rewrite IH by auto. unfold at_one. rewrite E. lia. }
    induction n as [|n IH]; intros l L H x X; destruct (together_ok l L) as [T1 T2]; rewrite <- T2; cbn [vanishes] in H;
      destruct (together l) as [|f t] eqn:E; auto.
    destruct (some_below (f :: t)) as [a|] eqn:A; auto. pose proof (some_below_upward _ _ T1 A) as Pa.
    destruct (multiply_all_ok a (f :: t) Pa T1) as [M1 M2].
    apply (times_zero a); auto using at_all_small. intros y Y. rewrite <- M2 by auto. now apply IH.
  Qed.
End Series.

(** ** The function of a stratification *)

Section Strata.
  Variable d : nat.
  Variable fuel : nat.
  Variable ell : list Z.
  Variable inner lin : list Z -> list Z.
  Hypothesis inner_minus : forall x g, length x = d -> length g = d -> inner (minus x g) = plus (inner x) (map Z.opp (lin g)).
  Hypothesis inner_length : forall x, length x = d -> length (inner x) = d.
  Hypothesis lin_length : forall x, length x = d -> length (lin x) = d.
  Hypothesis inner_inj : forall x z, length x = d -> length z = d -> inner x = inner z -> x = z.
  Let vec (x : list Z) : Prop := length x = d.
  Let holds_of := holds_of d inner.

  Definition indicator (A : automaton) (x : list Z) : Z := if member A (inner x) then 1 else 0.

  Definition rises (A : automaton) : Prop := exists b, forall x, holds_of A x -> b <= dot ell x.

  Lemma rises_small A : rises A -> small d ell (indicator A).
  Proof.
    intros [b R]. exists b. intros x X L. unfold indicator. destruct (member A (inner x)) eqn:M; auto.
    specialize (R x (conj X M)). lia.
  Qed.

  Lemma member_sum A B v x : stable d fuel A = true -> stable d fuel B = true -> sum_ok d fuel true A B (lin v) = true ->
    vec v -> Forall (Z.le 0) (lin v) -> vec x -> times v (indicator B) x = indicator A x.
  Proof.
    intros SA SB H V P X. unfold times, indicator. destruct (forallb (Z.leb 0) (inner x)) eqn:F.
    - apply forallb_pos in F. rewrite inner_minus by auto.
      destruct (sum_holds d fuel true A B (lin v) SA SB H (lin_length v V) (inner x) (inner_length x X) F) as [E N].
      specialize (N eq_refl). rewrite E.
      destruct (member A (inner x)), (member B (plus (inner x) (map Z.opp (lin v)))); simpl in *; try discriminate; auto.
    - assert (N : forall C, member C (inner x) = false).
      { intros C. destruct (member C (inner x)) eqn:M; auto. apply member_pos, forallb_pos in M. congruence. }
      rewrite !N. destruct (member B (inner (minus x v))) eqn:M; auto. exfalso.
      apply member_pos in M. rewrite inner_minus in M by auto.
      assert (forallb (Z.leb 0) (inner x) = true); [|congruence]. apply forallb_pos.
      assert (length (lin v) = length (inner x)) as L by (rewrite lin_length, inner_length; auto).
      clear - M P L. revert L M. generalize (inner x). induction P as [|a l A P IH]; intros [|b y] L M; simpl in *; try lia; auto.
      inversion M; subst. constructor; [lia|]. apply IH; auto.
  Qed.

  (** The fractions of a set of bases. *)
  Definition translates (V : list (list Z)) (c : Z) (F : list (list Z)) : list fraction := map (fun f => Fraction V f c) F.

  Lemma translates_ok V c F : Forall (upward d ell) V -> Forall vec F -> Forall (fraction_ok d ell) (translates V c F).
  Proof. intros HV. induction 1; constructor; auto. split; auto. Qed.

  Lemma translates_times v V F x : upward d ell v -> Forall (upward d ell) V -> Forall vec F -> vec x ->
    times v (at_all d ell (translates (v :: V) 1 F)) x = at_all d ell (translates V 1 F) x.
  Proof.
    intros Pv PV HF X. induction HF as [|f F Hf HF IH]; [reflexivity|].
    change (translates (v :: V) 1 (f :: F)) with (Fraction (v :: V) f 1 :: translates (v :: V) 1 F).
    change (translates V 1 (f :: F)) with (Fraction V f 1 :: translates V 1 F).
    rewrite at_all_cons, <- IH. unfold times. rewrite !at_all_cons. unfold at_one. cbn [below power above].
    pose proof (expansion_times d ell v V (minus x f) Pv PV (vec_minus d x f X Hf)) as T. unfold times in T.
    rewrite (minus_swap x f v) in T. lia.
  Qed.

  Lemma translates_perm V W c F x : Permutation V W -> Forall (upward d ell) V -> Forall vec F -> vec x ->
    at_all d ell (translates V c F) x = at_all d ell (translates W c F) x.
  Proof.
    intros P PV HF X. induction HF as [|f F Hf HF IH]; [reflexivity|].
    change (translates V c (f :: F)) with (Fraction V f c :: translates V c F).
    change (translates W c (f :: F)) with (Fraction W f c :: translates W c F).
    rewrite !at_all_cons, IH. unfold at_one. cbn [below power above]. f_equal. f_equal.
    apply expansion_perm; auto. now apply vec_minus.
  Qed.

  Lemma sums_series vs F : Forall vec F -> Forall (upward d ell) vs -> forall A As V,
    stable d fuel A = true -> sums_ok d fuel true lin A vs As = true -> Forall (upward d ell) V -> rises A ->
    (forall x, vec x -> indicator A x = at_all d ell (translates V 1 F) x) ->
    (forall x, vec x -> indicator (List.last As A) x = at_all d ell (translates (rev vs ++ V) 1 F) x).
  Proof.
    intros HF. induction 1 as [|v vs Pv Pvs IH]; intros A [|B As] V SA H PV R E; cbn [sums_ok] in H; try discriminate; [exact E|].
    rewrite !andb_true_iff, Nat.eqb_eq, forallb_pos in H. destruct H as [[[[[L P] N] SB] O] H].
    assert (Q : List.last (B :: As) A = List.last As B).
    { clear. revert B. induction As as [|C As IH]; intros B; auto. change (List.last (C :: As) A = List.last (C :: As) B).
      rewrite (IH C). destruct As; auto. clear. revert C a. induction As; intros; simpl in *; auto. }
    assert (RB : rises B).
    { destruct R as [b R]. exists b. intros x Hx.
      apply (sum_more d fuel true inner lin inner_minus inner_length lin_length inner_inj A B v) in Hx; auto.
      assert (vec x /\ b <= dot ell x) as [_ G]; auto. induction Hx as [x Hx|x Hx [IHv IHx]].
      - split; [apply Hx|now apply R].
      - unfold vec in *. split; [rewrite plus_length; lia|]. rewrite dot_plus_r by lia. destruct Pv as [_ Pv]. lia. }
    rewrite Q. cbn [rev]. rewrite <- app_assoc. apply (IH B As ([v] ++ V)); auto; [now constructor|]. intros x X.
    change ([v] ++ V) with (v :: V). apply (times_same d ell v); auto; [now apply rises_small|apply at_all_small, translates_ok; auto|].
    intros y Y. rewrite translates_times, <- E by auto. now apply member_sum.
  Qed.

  Lemma minus_origin x : forall f, length f = length x -> minus x f = repeat 0 (length x) -> x = f.
  Proof. induction x as [|a x IH]; intros [|b f] L E; simpl in *; try lia; auto. injection E as E1 E2. f_equal; [lia|]. auto. Qed.

  Lemma minus_self x : minus x x = repeat 0 (length x).
  Proof. induction x; simpl; auto. f_equal; auto. lia. Qed.

  Lemma bases_series F x : NoDup F -> Forall vec F -> vec x ->
    at_all d ell (translates [] 1 F) x = if in_dec (list_eq_dec Z.eq_dec) x F then 1 else 0.
  Proof.
    intros D HF X. induction D as [|f F I D IH]; [reflexivity|]. inversion HF as [|? ? Hf HF']; subst.
    change (translates [] 1 (f :: F)) with (Fraction [] f 1 :: translates [] 1 F). rewrite at_all_cons, (IH HF').
    unfold at_one, expansion. cbn [below power above listing].
    destruct (list_eq_dec Z.eq_dec (minus x f) (repeat 0 d)) as [E|E].
    - assert (x = f) as <-. { unfold vec in *. apply minus_origin; [lia|]. now rewrite X. }
      destruct (in_dec _ x F); [tauto|]. destruct (in_dec _ x (x :: F)) as [|N]; [reflexivity|]. destruct N. now left.
    - assert (x <> f) as N. { intros ->. apply E. rewrite minus_self. unfold vec in X. now rewrite X. }
      destruct (in_dec _ x F) as [J|J], (in_dec _ x (f :: F)) as [K|K]; try reflexivity; exfalso.
      + apply K. now right.
      + destruct K as [K|K]; auto.
  Qed.

  Definition module_vectors (M : module) : bool :=
    increases (bases M) && forallb (fun f => Nat.eqb (length f) d) (bases M) &&
    forallb (fun v => Nat.eqb (length v) d && Z.ltb 0 (dot ell v)) (generators M).

  Lemma module_vectors_spec M : module_vectors M = true -> NoDup (bases M) /\ Forall vec (bases M) /\ Forall (upward d ell) (generators M).
  Proof.
    unfold module_vectors. rewrite !andb_true_iff, !forallb_forall. intros [[H1 H2] H3]. split; [now apply increases_once|].
    split; apply Forall_forall; intros v I.
    - specialize (H2 v I). now apply Nat.eqb_eq in H2.
    - specialize (H3 v I). rewrite andb_true_iff, Nat.eqb_eq, Z.ltb_lt in H3. exact H3.
  Qed.

  Definition of_module (c : Z) (M : module) : list fraction := translates (generators M) c (bases M).

  Lemma module_series P : module_ok d fuel true inner lin P = true -> module_vectors (its_module P) = true ->
    forall x, vec x -> indicator (last_automaton P) x = at_all d ell (of_module 1 (its_module P)) x.
  Proof.
    intros H MV. destruct (module_vectors_spec _ MV) as (D & HF & HV). clear MV.
    unfold module_ok in H. rewrite andb_true_iff, forallb_forall in H. destruct H as [B H]. unfold last_automaton, of_module.
    destruct (its_module P) as [V F]. cbn [generators bases] in *. destruct (its_automata P) as [|A As]; [discriminate|].
    rewrite !andb_true_iff in H. destruct H as [[SA FA] R].
    assert (Q : List.last (A :: As) (Automaton [] []) = List.last As A).
    { clear. revert A. induction As as [|C As IH]; intros A; auto.
      change (List.last (C :: As) (Automaton [] []) = List.last (C :: As) A). rewrite (IH C).
      destruct As; auto. clear. revert C a. induction As; intros; simpl in *; auto. }
    rewrite Q. assert (HB : forall x, vec x -> (member A (inner x) = true <-> In x F)).
    { intros x X. split.
      - intros M. pose proof (member_pos A _ M) as P0.
        apply (finite_holds d fuel A _ FA (inner x) (inner_length x X) P0) in M. apply in_map_iff in M. destruct M as (f & Ef & I).
        rewrite <- (inner_inj f x); auto. rewrite Forall_forall in HF. now apply HF.
      - intros I. specialize (B x I). rewrite andb_true_iff, forallb_pos in B. destruct B as [_ P0].
        apply (finite_holds d fuel A _ FA (inner x) (inner_length x X) P0). now apply in_map. }
    intros x X. rewrite (sums_series V F HF HV A As []); auto.
    - rewrite app_nil_r. apply translates_perm; auto; [apply Permutation_sym, Permutation_rev|]. now apply Forall_rev.
    - exists (fold_right Z.min 0 (map (dot ell) F)). intros y [Y M]. apply HB in M; auto.
      clear - M. induction F as [|f F IH]; [destruct M|]. simpl. destruct M as [->|M]; [lia|]. specialize (IH M). lia.
    - intros y Y. rewrite bases_series by auto. unfold indicator.
      destruct (in_dec _ y F) as [I|I]; [now rewrite (proj2 (HB y Y) I)|].
      destruct (member A (inner y)) eqn:M; auto. exfalso. apply I. now apply HB.
  Qed.

  Definition of_modules (c : Z) (l : list module) : list fraction := flat_map (of_module c) l.

  Lemma unions_series l : forall U us c, stable d fuel U = true -> (forall x, vec x -> indicator U x = c x) ->
    unions_ok d fuel true inner lin U l us = true -> forallb module_vectors (map its_module l) = true ->
    forall x, vec x -> indicator (List.last us U) x = c x + at_all d ell (of_modules 1 (map its_module l)) x.
  Proof.
    induction l as [|P l IH]; intros U [|U' us] c SU E H MV; cbn [unions_ok] in H; try discriminate.
    - intros x X. simpl. rewrite E by auto. lia.
    - rewrite !andb_true_iff in H. destruct H as [[[HP SU'] HU] H]. cbn [map forallb] in MV. rewrite andb_true_iff in MV. destruct MV as [MP ML].
      destruct (module_exact d fuel true inner lin inner_minus inner_length lin_length inner_inj P HP) as [_ SP].
      pose proof (module_series P HP MP) as EP. intros x X.
      assert (Q : List.last (U' :: us) U = List.last us U').
      { clear. revert U'. induction us as [|C us IH]; intros B; auto. change (List.last (C :: us) U = List.last (C :: us) B).
        rewrite (IH C). destruct us; auto. clear. revert C a. induction us; intros; simpl in *; auto. }
      rewrite Q, (IH U' us (fun x => c x + at_all d ell (of_module 1 (its_module P)) x)); auto.
      + unfold of_modules. cbn [map flat_map]. rewrite at_all_app. lia.
      + intros y Y. rewrite <- E, <- EP by auto. unfold indicator. destruct (forallb (Z.leb 0) (inner y)) eqn:F.
        * apply forallb_pos in F.
          destruct (union_holds d fuel U (last_automaton P) U' SU SP SU' HU (inner y) (inner_length y Y) F) as [E1 E2]. rewrite E1.
          destruct (member U (inner y)), (member (last_automaton P) (inner y)); simpl in *; try discriminate; auto.
        * assert (N : forall C, member C (inner y) = false); [|now rewrite !N].
          intros C. destruct (member C (inner y)) eqn:M; auto. apply member_pos, forallb_pos in M. congruence.
  Qed.

  Theorem strata_series l us : strata_ok d fuel true inner lin l us = true -> forallb module_vectors (map its_module l) = true ->
    forall x, vec x -> indicator (whole l us) x = at_all d ell (of_modules 1 (map its_module l)) x.
  Proof.
    unfold strata_ok, whole. destruct l as [|P l].
    - destruct us; [|discriminate]. intros _ _ x X. unfold indicator. cbn [List.last]. now rewrite nothing_member.
    - rewrite andb_true_iff. intros [HP H] MV. cbn [map forallb] in MV. rewrite andb_true_iff in MV. destruct MV as [MP ML].
      destruct (module_exact d fuel true inner lin inner_minus inner_length lin_length inner_inj P HP) as [_ SP].
      intros x X. rewrite (unions_series l (last_automaton P) us _ SP (module_series P HP MP) H ML x X).
      unfold of_modules. cbn [map flat_map]. now rewrite at_all_app.
  Qed.
End Strata.

(** ** The identity between terms and modules *)

Fixpoint insert_vector (a : list Z) (l : list (list Z)) : list (list Z) :=
  match l with
  | [] => [a]
  | b :: l' => match compare_vectors a b with Gt => b :: insert_vector a l' | _ => a :: l end
  end.

Definition in_order (l : list (list Z)) : list (list Z) := fold_right insert_vector [] l.

Lemma in_order_perm l : Permutation l (in_order l).
Proof.
  assert (I : forall a l, Permutation (a :: l) (insert_vector a l)).
  { clear. intros a. induction l as [|b l IH]; simpl; auto. destruct (compare_vectors a b); auto.
    rewrite perm_swap. now constructor. }
  induction l as [|a l IH]; simpl; auto. rewrite <- I. now constructor.
Qed.

Section Identity.
  Variable d : nat.
  Variable ell : list Z.
  Let vec (x : list Z) : Prop := length x = d.

  Definition term_vectors (t : term) : bool :=
    Nat.eqb (length (exponent t)) d && forallb (fun a => Nat.eqb (length a) d && Z.ltb 0 (dot ell a)) (denominators t).

  (** Any common multiple of the denominators of the coefficients. *)
  Definition scale (T : list term) : Z := fold_right (fun t m => Z.lcm (Zpos (Qden (factor t))) m) 1 T.

  Definition of_term (s : Z) (t : term) : fraction :=
    Fraction (in_order (denominators t)) (exponent t) (Qnum (factor t) * (s / Zpos (Qden (factor t)))).

  Definition sorted_module (s : Z) (M : module) : list fraction := translates (in_order (generators M)) s (bases M).

  Definition check_identity (l : list module) (T : list term) : bool :=
    let s := scale T in
    let sum := map (of_term s) T ++ flat_map (sorted_module (- s)) l in
    forallb term_vectors T && forallb (module_vectors d ell) l && vanishes (length (flat_map below sum)) sum.

  Lemma term_vectors_spec t : term_vectors t = true -> vec (exponent t) /\ Forall (upward d ell) (denominators t).
  Proof.
    unfold term_vectors. rewrite andb_true_iff, Nat.eqb_eq, forallb_forall. intros [H1 H2]. split; auto.
    apply Forall_forall. intros v I. specialize (H2 v I). rewrite andb_true_iff, Nat.eqb_eq, Z.ltb_lt in H2. exact H2.
  Qed.

  Lemma scale_spec T : 0 < scale T /\ forall t, In t T -> scale T = Zpos (Qden (factor t)) * (scale T / Zpos (Qden (factor t))).
  Proof.
    assert (P : 0 < scale T /\ forall t, In t T -> (Zpos (Qden (factor t)) | scale T)).
    { induction T as [|t T [IH1 IH2]]; [split; [reflexivity|intros t []]|]. cbn [scale fold_right]. fold (scale T). split.
      - assert (0 <= Z.lcm (Zpos (Qden (factor t))) (scale T)) by apply Z.lcm_nonneg.
        assert (Z.lcm (Zpos (Qden (factor t))) (scale T) <> 0); [|lia]. rewrite Z.lcm_eq_0. lia.
      - intros u [<-|I]; [apply Z.divide_lcm_l|]. eapply Z.divide_trans; [now apply IH2|apply Z.divide_lcm_r]. }
    destruct P as [P1 P2]. split; auto. intros t I. apply Z_div_exact_full_2; [lia|]. apply Z.mod_divide; [lia|]. now apply P2.
  Qed.

  Lemma terms_coefficient s T x : forallb term_vectors T = true -> vec x ->
    (forall t, In t T -> s = Zpos (Qden (factor t)) * (s / Zpos (Qden (factor t)))) ->
    exists q, coefficient d T x q /\ (q * inject_Z s == inject_Z (at_all d ell (map (of_term s) T) x))%Q.
  Proof.
    intros H X. induction T as [|t T IH]; intros S; [exists 0%Q; split; [constructor|reflexivity]|].
    cbn [forallb] in H. rewrite andb_true_iff in H. destruct H as [Ht HT]. destruct (term_vectors_spec t Ht) as [Ve Vd].
    destruct IH as (q & C & E); auto; [intros; apply S; now right|].
    assert (Y : vec (minus x (exponent t))) by now apply vec_minus.
    eexists. split; [apply coefficient_more; [now apply (expansion_ways d ell)|exact C]|].
    rewrite Qmult_plus_distr_l, E. cbn [map]. rewrite at_all_cons, inject_Z_plus. apply Qplus_inj_r.
    unfold at_one. cbn [below power above of_term].
    rewrite <- (expansion_perm d ell _ _ (in_order_perm (denominators t)) Vd _ Y). unfold expansion.
    specialize (S t (or_introl eq_refl)). destruct (factor t) as [n m]. cbn [Qnum Qden] in *.
    unfold Qeq, Qmult, inject_Z. cbn [Qnum Qden]. rewrite !Pos2Z.inj_mul. rewrite S at 1. ring.
  Qed.

  Theorem identity_correct l T : check_identity l T = true -> forallb (module_vectors d ell) l = true /\
    forall x, vec x -> exists q, coefficient d T x q /\ (q == inject_Z (at_all d ell (of_modules 1 l) x))%Q.
  Proof.
    unfold check_identity. rewrite !andb_true_iff. intros [[HT HM] V]. split; auto. intros x X.
    destruct (scale_spec T) as [P S]. set (s := scale T) in *.
    destruct (terms_coefficient s T x HT X S) as (q & C & E). exists q. split; auto.
    assert (A : at_all d ell (map (of_term s) T) x = s * at_all d ell (of_modules 1 l) x).
    { assert (M : forall l, forallb (module_vectors d ell) l = true ->
        Forall (fraction_ok d ell) (flat_map (sorted_module (- s)) l) /\
        at_all d ell (flat_map (sorted_module (- s)) l) x = - s * at_all d ell (of_modules 1 l) x).
      { clear V. induction l0 as [|M l0 IH]; [split; [constructor|simpl; lia]|]. cbn [forallb]. rewrite andb_true_iff. intros [H1 H2].
        destruct (IH H2) as [I1 I2]. destruct (module_vectors_spec d ell M H1) as (D & F1 & F2).
        unfold of_modules in *. cbn [flat_map]. rewrite !at_all_app, I2. unfold sorted_module, of_module. split.
        - apply Forall_app. split; auto. apply translates_ok; auto. eapply Permutation_Forall; eauto using in_order_perm.
        - rewrite <- (translates_perm d ell _ _ (- s) (bases M) x (in_order_perm (generators M)) F2 F1 X).
          rewrite Z.mul_add_distr_l. f_equal. clear. induction (bases M) as [|f F IH]; [simpl; lia|].
          change (translates (generators M) (- s) (f :: F)) with (Fraction (generators M) f (- s) :: translates (generators M) (- s) F).
          change (translates (generators M) 1 (f :: F)) with (Fraction (generators M) f 1 :: translates (generators M) 1 F).
          rewrite !at_all_cons, IH. unfold at_one. cbn [below power above]. lia. }
      destruct (M l HM) as [M1 M2].
      apply (vanishes_ok d ell) with (x := x) in V; auto.
      - rewrite at_all_app, M2 in V. lia.
      - apply Forall_app. split; auto. apply Forall_forall. intros f I. apply in_map_iff in I. destruct I as (t & <- & I).
        rewrite forallb_forall in HT. destruct (term_vectors_spec t (HT t I)) as [V1 V2]. split; auto.
        cbn [below of_term]. eapply Permutation_Forall; eauto using in_order_perm. }
    rewrite A, inject_Z_mult in E. rewrite (Qmult_comm q) in E. apply Qmult_inj_l in E; auto.
    intros Z0. unfold Qeq in Z0. simpl in Z0. lia.
  Qed.
End Identity.

(** A sum of terms has one coefficient at each exponent. *)
Theorem coefficient_unique d T x p q : coefficient d T x p -> coefficient d T x q -> p = q.
Proof.
  intros C. revert q. induction C as [x|t T x w p W C IH]; intros q D; inversion D as [|? ? ? w' q' W' D']; subst; auto.
  rewrite (IH _ D'). destruct W as (l & N1 & <- & H1), W' as (m & N2 & <- & H2).
  replace (length m) with (length l); auto. apply Permutation_length, NoDup_Permutation; auto. intros n. now rewrite H1, H2.
Qed.

(** ** The checks *)

Definition check_series (G : lattice_game) (l : list module_proof) (us : list automaton) (T : list term) (functional : list Z)
    (fuel : nat) : bool :=
  strata_ok (dimension G) fuel true (fun x => x) (fun x => x) l us && check_automaton G (whole l us) functional fuel &&
  check_identity (dimension G) functional (map its_module l) T.

Definition check_series_board (G : lattice_game) (l : list module_proof) (us : list automaton) (T : list term) (functional : list Z)
    (ch : chart) (fuel : nat) : bool :=
  strata_ok (dimension G) fuel true (inner_of ch) (image (matrix ch)) l us && check_automaton_board G (whole l us) functional ch fuel &&
  check_identity (dimension G) functional (map its_module l) T.

(** The coefficient at [t^x] is 1 when [x] is a P-position, and 0 for all other vectors. *)
Definition generates (G : lattice_game) (T : list term) : Prop :=
  forall x, length x = dimension G -> exists q, coefficient (dimension G) T x q /\
    ((on_board G x /\ isP (lattice_move G) x /\ (q == 1)%Q) \/ ((on_board G x -> isN (lattice_move G) x) /\ (q == 0)%Q)).

Lemma generates_by G T A inner :
  (forall x, on_board G x -> (says A (inner x) <> None -> isP (lattice_move G) x) /\ (says A (inner x) = None -> isN (lattice_move G) x)) ->
  (forall x, length x = dimension G -> says A (inner x) <> None -> on_board G x) ->
  (forall x, length x = dimension G -> exists q, coefficient (dimension G) T x q /\ (q == inject_Z (indicator inner A x))%Q) ->
  generates G T.
Proof.
  intros O B E x X. destruct (E x X) as (q & C & Eq). exists q. split; auto. unfold indicator, member in Eq.
  destruct (says A (inner x)) as [v|] eqn:S; simpl in Eq.
  - left. assert (on_board G x) as Bx by (apply B; auto; congruence). split; auto. split; [apply O; auto; congruence|exact Eq].
  - right. split; [|exact Eq]. intros Bx. now apply O.
Qed.

Theorem series_correct G l us T functional fuel : check_series G l us T functional fuel = true -> generates G T.
Proof.
  unfold check_series. rewrite !andb_true_iff. intros [[H1 H2] H3]. set (A := whole l us) in *.
  destruct (orthant_facts G A outcome_law functional fuel H2) as (R & P & U & K).
  destruct (identity_correct _ _ _ _ H3) as [MV I].
  apply (generates_by G T A (fun x => x)).
  - intros x Bx. exact (automaton_correct G A functional fuel H2 x (enough x) Bx (enough_fits G x)).
  - intros x L S. pose proof (says_pos A x S) as Px.
    destruct (law_all G A outcome_law (rules G) [] (defeated G) fuel K x L Px) as (b & B & H).
    destruct b; [|unfold outcome_law in H; now destruct (says A x)].
    destruct (proj1 B eq_refl) as [_ B2]. split; auto. now apply (orthant_inside G x R).
  - intros x X. rewrite (strata_series (dimension G) fuel functional (fun x => x) (fun x => x)) with (l := l) (us := us); auto.
    intros. apply minus_plus.
Qed.

Theorem series_board_correct G l us T functional ch fuel : check_series_board G l us T functional ch fuel = true -> generates G T.
Proof.
  unfold check_series_board. rewrite !andb_true_iff. intros [[H1 H2] H3]. set (A := whole l us) in *.
  destruct (board_facts G A outcome_law functional ch fuel H2) as (rs & bottom & R & U & K & F1 & F2 & F3 & F4 & F5 & F6 & F7 & F8).
  destruct (identity_correct _ _ _ _ H3) as [MV I].
  apply (generates_by G T A (inner_of ch)).
  - intros x Bx. exact (automaton_board_correct G A functional ch fuel H2 x (enough (inner_of ch x)) Bx (enough_fits G _)).
  - intros x L S. pose proof (says_pos A _ S) as Px.
    destruct (law_all G A outcome_law _ _ _ fuel K (inner_of ch x) (F2 x) Px) as (b & B & H).
    destruct b; [|unfold outcome_law in H; now destruct (says A (inner_of ch x))].
    destruct (proj1 B eq_refl) as [B1 B2]. split; [now apply F4|]. now rewrite F5 in B2.
  - intros x X. rewrite (strata_series (dimension G) fuel functional (inner_of ch) (image (matrix ch))) with (l := l) (us := us); auto.
    intros z _. unfold image. now rewrite map_length.
Qed.
