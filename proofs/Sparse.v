(** * Long nim sequences: rare and common heaps

    A code that leaves at most two heaps, and the values [L] that are claimed for all heaps below a bound. A type, rare or common, is
    given to every pair of a heap and a value, in such a way that the value of a split has the common type exactly when one of its two
    parts is rare and the other is not. A heap of common type then needs only the splits with a rare part to show that its value is
    not reached; all other splits are searched until the smaller values are found. Any division into types is right; a good one
    has few rare heaps, and saves the time of looking at all splits. *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Games Search Heaps Monoid Values.
Import ListNotations.

Section Sparse.
  Variable c : code.
  Variable L : list N.
  (** Whether a heap with an odd number of beans or not, and this value, is common. *)
  Variable common : bool -> N -> bool.

  Let g (n : nat) : N := nth n L 0%N.

  (** ** The program *)

  Definition bit (d : N) (j : nat) : bool := N.testbit_nat d j.

  (** [here] lists the values of the heaps [n, n - 1, …, 0]. Options without a split. *)
  Fixpoint singles (moves : list (nat * N)) (here : list N) (s : nset) : nset :=
    match moves with
    | [] => s
    | (k, d) :: moves' =>
        singles moves' here
          (match k with
           | O => s
           | S _ => match skipn k here with
                    | [] => s
                    | [_] => if bit d 0 then add 0%N s else s
                    | x :: _ => if bit d 1 then add x s else s
                    end
           end)
    end.

  (** A rare heap [r], for splits that take [k]: its value, and the values of the heaps that may stand beside it, now and later. *)
  Definition partner := (N * list (option N))%type.

  Fixpoint beside (C acc : list partner) (s : nset) : list partner * nset :=
    match C with
    | [] => (acc, s)
    | (x, l) :: C' =>
        match l with
        | [] => beside C' ((x, []) :: acc) s
        | None :: l' => beside C' ((x, l') :: acc) s
        | Some y :: l' => beside C' ((x, l') :: acc) (add (N.lxor x y) s)
        end
    end.

  Fixpoint beside_all (cs : list (list (option N) * list partner)) (s : nset) : list (list (option N) * list partner) * nset :=
    match cs with
    | [] => ([], s)
    | (P, C) :: cs' =>
        let (C', s') := beside C [] s in
        let (cs'', s'') := beside_all cs' s' in ((P, C') :: cs'', s'')
    end.

  Definition push (v : N) (cs : list (list (option N) * list partner)) : list (list (option N) * list partner) :=
    map (fun pc => (fst pc, (v, fst pc) :: snd pc)) cs.

  (** All splits [1 + (m - 1), 2 + (m - 2), …]: [F] goes up, [p] down, [fast] tells when they meet. *)
  Fixpoint walk_all (F p fast : list N) (s : nset) {struct fast} : nset :=
    match fast with
    | _ :: _ :: fast' =>
        match F, p with
        | a :: F', b :: p' => walk_all F' p' fast' (add (N.lxor a b) s)
        | _, _ => s
        end
    | _ => s
    end.

  (** The same, until [missing] new values below [v] are found. *)
  Fixpoint walk_until (v : N) (F p fast : list N) (s : nset) (missing : nat) {struct fast} : nset * nat :=
    match missing with
    | O => (s, O)
    | S m =>
        match fast with
        | _ :: _ :: fast' =>
            match F, p with
            | a :: F', b :: p' =>
                let u := N.lxor a b in
                if mem u s then walk_until v F' p' fast' s missing
                else if N.ltb u v then walk_until v F' p' fast' (add u s) m
                else walk_until v F' p' fast' s missing
            | _, _ => (s, missing)
            end
        | _ => (s, missing)
        end
    end.

  Fixpoint splits_all (moves : list (nat * N)) (F here : list N) (s : nset) : nset :=
    match moves with
    | [] => s
    | (k, d) :: moves' =>
        splits_all moves' F here
          (if bit d 2 then match skipn k here with _ :: p => walk_all F p p s | [] => s end else s)
    end.

  Fixpoint splits_until (v : N) (moves : list (nat * N)) (F here : list N) (s : nset) (missing : nat) : nset :=
    match moves with
    | [] => s
    | (k, d) :: moves' =>
        if bit d 2
        then match skipn k here with
             | _ :: p => let (s', m) := walk_until v F p p s missing in splits_until v moves' F here s' m
             | [] => splits_until v moves' F here s missing
             end
        else splits_until v moves' F here s missing
    end.

  Definition count_missing (v : N) (s : nset) : nat :=
    length (filter (fun u => negb (mem u s)) (numbers_from (N.to_nat v) 0)).

  Definition mex_here (v : N) (s : nset) : bool :=
    negb (mem v s) && forallb (fun u => mem u s) (numbers_from (N.to_nat v) 0).

  Fixpoint sparse_loop (F todo hist : list N) (o : bool) (cs : list (list (option N) * list partner)) : bool :=
    match todo with
    | [] => true
    | v :: todo' =>
        let here := v :: hist in
        let (cs', s) := beside_all cs (singles (digits c) here no_numbers) in
        let usual := common o v in
        let s' := if usual then splits_until v (digits c) F here s (count_missing v s) else splits_all (digits c) F here s in
        if mex_here v s'
        then sparse_loop F todo' here (negb o) (if usual then cs' else match hist with [] => cs' | _ => push v cs' end)
        else false
    end.

  (** One list for each number [k] of beans that may be taken before a split: nothing at first, then the values of heaps 1, 2, … *)
  Definition starts : list (list (option N) * list partner) :=
    let later := map Some (tl L) in
    map (fun kd => (repeat None (fst kd) ++ later, [])) (filter (fun kd => bit (snd kd) 2) (digits c)).

  (** No value is beyond the number of options: a much larger one would only waste time. *)
  Definition at_most (m : N) (l : list N) : bool := forallb (fun v => N.leb v m) l.

  Definition check_sparse : bool :=
    match block c with [] => true | _ => false end && Nat.leb (width c) 3 &&
    at_most (N.of_nat (length L) * N.of_nat (S (length (digits c)))) L &&
    sparse_loop (tl L) L [] false starts.

  (** ** Options of a heap *)
  Hypothesis finite : block c = [].
  Hypothesis narrow : width c <= 3.
  Hypothesis types : forall k d a b x y, In (k, d) (digits c) -> bit d 2 = true ->
    common (Nat.odd (k + a + b)) (N.lxor x y) = xorb (common (Nat.odd a) x) (common (Nat.odd b) y).

  Inductive reach (n : nat) (u : N) : Prop :=
  | reach_none d : In (n, d) (digits c) -> bit d 0 = true -> 0 < n -> u = 0%N -> reach n u
  | reach_one k x d : In (k, d) (digits c) -> bit d 1 = true -> 0 < k -> 0 < x -> n = k + x -> u = g x -> reach n u
  | reach_two k a b d : In (k, d) (digits c) -> bit d 2 = true -> 0 < a -> 0 < b -> n = k + a + b -> u = N.lxor (g a) (g b) -> reach n u.

  Lemma reach_option n u : reach n u <-> exists t, take_and_break c n t /\ nim_sum g t = u.
  Proof.
    split.
    - intros [d I B P E|k x d I B K X E U|k a b d I B A A' E U].
      + exists []. split; [|auto]. exists n. simpl. repeat split; auto; [left; eauto|lia].
      + exists [x]. split; [|simpl; rewrite N.lxor_0_r; auto]. exists k. simpl. repeat split; auto; [lia|left; eauto|lia].
      + exists [a; b]. split; [|simpl; rewrite N.lxor_0_r; auto]. exists k. simpl. repeat split; auto; try lia. left; eauto.
    - intros (t & (k & E & F & A & Z) & U). pose proof (allowed_width _ _ _ A) as W.
      destruct A as [(d & I & B)|(B & _)]; [|congruence].
      destruct t as [|a [|b [|x t]]]; simpl in *.
      + replace k with n in * by lia. apply (reach_none n u d); auto.
        destruct n; [|lia]. specialize (Z eq_refl). lia.
      + inversion F; subst. rewrite N.lxor_0_r. apply (reach_one _ _ k a d); auto; lia.
      + inversion F as [|? ? Fa F']; subst. inversion F'; subst. rewrite N.lxor_0_r. apply (reach_two _ _ k a b d); auto; lia.
      + lia.
  Qed.

  Fixpoint past (n : nat) : list N := match n with O => [g 0] | S m => g n :: past m end.

  Lemma skipn_past k : forall n, skipn k (past n) = if Nat.leb k n then past (n - k) else [].
  Proof.
    induction k as [|k IH]; intros n; [now rewrite Nat.sub_0_r|].
    destruct n as [|n]; [simpl; now destruct k|]. cbn [past skipn]. rewrite IH. cbn [Nat.leb]. now rewrite Nat.sub_succ.
  Qed.

  Lemma length_past n : length (past n) = S n.
  Proof. induction n; simpl; auto. Qed.

  Lemma singles_spec n : forall moves s u, incl moves (digits c) ->
    (mem u (singles moves (past n) s) = true -> mem u s = true \/ reach n u) /\
    (mem u s = true -> mem u (singles moves (past n) s) = true) /\
    (forall d, In (n, d) moves -> bit d 0 = true -> 0 < n -> mem 0%N (singles moves (past n) s) = true) /\
    (forall k x d, In (k, d) moves -> bit d 1 = true -> 0 < k -> 0 < x -> n = k + x -> mem (g x) (singles moves (past n) s) = true).
  Proof.
    induction moves as [|[k d] moves IH]; intros s u I; cbn [singles].
    - repeat split; auto; intros; contradiction.
    - set (s' := match k with O => s | S _ => _ end).
      assert (I' : incl moves (digits c)) by (intros a Ha; apply I; now right).
      assert (Ik : In (k, d) (digits c)) by (apply I; now left).
      assert (up : forall w, mem w s = true -> mem w s' = true).
      { intros w Hw. unfold s'. destruct k; auto. destruct (skipn (S k) (past n)) as [|x [|y l]]; auto.
        - destruct (bit d 0); auto. rewrite mem_add, Hw. apply orb_true_r.
        - destruct (bit d 1); auto. rewrite mem_add, Hw. apply orb_true_r. }
      destruct (IH s' u I') as (H1 & H2 & H3 & H4).
      split; [|split; [|split]].
      + intros M. destruct (H1 M) as [M'|M']; auto. clear M. rename M' into M.
        unfold s' in M. destruct k as [|k]; auto. rewrite skipn_past in M.
        destruct (Nat.leb_spec (S k) n) as [K|K]; auto. destruct (n - S k) as [|m] eqn:E; cbn [past] in M.
        * destruct (bit d 0) eqn:B; auto. rewrite mem_add, orb_true_iff, N.eqb_eq in M. destruct M as [->|M]; auto.
          right. apply (reach_none n 0%N d); auto; try lia. now replace n with (S k) by lia.
        * destruct (past m) eqn:Pm; [apply (f_equal (@length N)) in Pm; rewrite length_past in Pm; discriminate|].
          destruct (bit d 1) eqn:B; auto. rewrite mem_add, orb_true_iff, N.eqb_eq in M. destruct M as [->|M]; auto.
          right. apply (reach_one n _ (S k) (S m) d); auto; lia.
      + auto.
      + intros d' [Q|J] B P; [|now apply (H3 d')].
        injection Q as -> ->. apply (IH s' 0%N I'). unfold s'. destruct n as [|n]; [lia|]. rewrite skipn_past, Nat.leb_refl, Nat.sub_diag.
        cbn [past]. rewrite B, mem_add. reflexivity.
      + intros k' x d' [Q|J] B K X E; [|now apply (H4 k' x d')].
        injection Q as -> ->. apply (IH s' (g x) I'). unfold s'. destruct k' as [|k']; [lia|]. rewrite skipn_past.
        destruct (Nat.leb_spec (S k') n); [|lia]. replace (n - S k') with x by lia. destruct x as [|x]; [lia|]. cbn [past].
        destruct (past x) eqn:Px; [apply (f_equal (@length N)) in Px; rewrite length_past in Px; discriminate|].
        rewrite B, mem_add, N.eqb_refl. reflexivity.
  Qed.

  (** ** Partners of rare heaps *)
  Definition rare (r : nat) : bool := negb (common (Nat.odd r) (g r)).
  Definition ahead (k : nat) : list (option N) := repeat None k ++ map Some (tl L).

  Definition partners_ok (n k : nat) (C : list partner) : Prop :=
    (forall e, In e C -> exists r, 0 < r < n /\ e = (g r, skipn (n - r - 1) (ahead k))) /\
    (forall r, 0 < r < n -> rare r = true -> In (g r, skipn (n - r - 1) (ahead k)) C).

  Lemma skipn_tl A (l : list A) : forall m, skipn (S m) l = tl (skipn m l).
  Proof. induction l as [|a l IH]; intros m; [now destruct m|]. destruct m; [reflexivity|]. cbn [skipn]. rewrite <- IH. reflexivity. Qed.

  Lemma hd_ahead k m : nth_error (ahead k) m =
    if Nat.ltb m k then Some None
    else if Nat.ltb (S (m - k)) (length L) then Some (Some (g (S (m - k)))) else None.
  Proof.
    unfold ahead. destruct (Nat.ltb_spec m k) as [H|H].
    - rewrite nth_error_app1 by (rewrite repeat_length; lia). now apply nth_error_repeat.
    - rewrite nth_error_app2, repeat_length by (rewrite repeat_length; lia). unfold g.
      rewrite nth_error_map. destruct L as [|a l]; cbn [tl length]; [now destruct (m - k)|].
      destruct (Nat.ltb_spec (S (m - k)) (S (length l))) as [B|B].
      + rewrite (nth_error_nth' l 0%N) by lia. reflexivity.
      + rewrite (proj2 (nth_error_None l (m - k))) by lia. reflexivity.
  Qed.

  Lemma skipn_head A (l : list A) : forall m, nth_error l m = hd_error (skipn m l).
  Proof. induction l; intros [|m]; simpl; auto. Qed.

  Definition later (e : partner) : partner := (fst e, tl (snd e)).

  Lemma beside_spec : forall C acc s,
    (forall e, In e (fst (beside C acc s)) <-> In e acc \/ In e (map later C)) /\
    (forall u, mem u (snd (beside C acc s)) = true <->
       mem u s = true \/ exists x y l, In (x, Some y :: l) C /\ u = N.lxor x y).
  Proof.
    induction C as [|[x l] C IH]; intros acc s; cbn [beside].
    - split; intros; simpl; [tauto|]. split; auto. intros [|(x & y & l & [] & _)]; auto.
    - destruct l as [|[y|] l].
      + destruct (IH ((x, []) :: acc) s) as [H1 H2]. split.
        * intros e. rewrite H1. simpl. unfold later at 2. simpl. tauto.
        * intros u. rewrite H2. split; intros [|(x' & y' & l' & I & E)]; auto.
          -- right. exists x', y', l'. split; auto. now right.
          -- destruct I as [I|I]; [discriminate|]. right. eauto 6.
      + destruct (IH ((x, l) :: acc) (add (N.lxor x y) s)) as [H1 H2]. split.
        * intros e. rewrite H1. simpl. unfold later at 2. simpl. tauto.
        * intros u. rewrite H2, mem_add, orb_true_iff, N.eqb_eq. split.
          -- intros [[E|M]|(x' & y' & l' & I & E)]; auto; right; [exists x, y, l|exists x', y', l']; split; auto; simpl; auto.
          -- intros [M|(x' & y' & l' & [I|I] & E)]; auto.
             ++ injection I as <- <- <-. auto.
             ++ right. eauto 6.
      + destruct (IH ((x, l) :: acc) s) as [H1 H2]. split.
        * intros e. rewrite H1. simpl. unfold later at 2. simpl. tauto.
        * intros u. rewrite H2. split; intros [|(x' & y' & l' & I & E)]; auto.
          -- right. exists x', y', l'. split; auto. now right.
          -- destruct I as [I|I]; [discriminate|]. right. eauto 6.
  Qed.

  Lemma beside_step n k C s : n < length L -> partners_ok n k C ->
    (forall e, In e (fst (beside C [] s)) -> exists r, 0 < r < n /\ e = (g r, skipn (S n - r - 1) (ahead k))) /\
    (forall r, 0 < r < n -> rare r = true -> In (g r, skipn (S n - r - 1) (ahead k)) (fst (beside C [] s))) /\
    (forall u, mem u (snd (beside C [] s)) = true -> mem u s = true \/
       exists a b, 0 < a /\ 0 < b /\ n = k + a + b /\ u = N.lxor (g a) (g b)) /\
    (forall u, mem u s = true -> mem u (snd (beside C [] s)) = true) /\
    (forall a b, 0 < a -> 0 < b -> n = k + a + b -> rare a = true -> mem (N.lxor (g a) (g b)) (snd (beside C [] s)) = true).
  Proof.
    intros HL [P1 P2]. destruct (beside_spec C [] s) as [H1 H2].
    assert (head : forall r y l, 0 < r < n -> skipn (n - r - 1) (ahead k) = Some y :: l -> 0 < n - r - k /\ k <= n - r - 1 /\ y = g (n - r - k)).
    { intros r y l R E. pose proof (skipn_head _ (ahead k) (n - r - 1)) as Q. rewrite E in Q. simpl in Q. rewrite hd_ahead in Q.
      destruct (Nat.ltb_spec (n - r - 1) k); [discriminate|]. destruct (Nat.ltb (S (n - r - 1 - k)) (length L)); [|discriminate].
      injection Q as <-. replace (S (n - r - 1 - k)) with (n - r - k) by lia. repeat split; auto; lia. }
    split; [|split; [|split; [|split]]].
    - intros e I. apply H1 in I. destruct I as [[]|I]. apply in_map_iff in I. destruct I as (e' & <- & I).
      destruct (P1 e' I) as (r & R & ->). exists r. split; auto. unfold later. cbn [fst snd].
      rewrite <- skipn_tl. do 2 f_equal. lia.
    - intros r R Q. apply H1. right. apply in_map_iff. exists (g r, skipn (n - r - 1) (ahead k)). split; auto.
      unfold later. cbn [fst snd]. rewrite <- skipn_tl. do 2 f_equal. lia.
    - intros u M. apply H2 in M. destruct M as [|(x & y & l & I & ->)]; auto. right.
      destruct (P1 _ I) as (r & R & E). injection E as -> E. symmetry in E. destruct (head r y l R E) as (H & H' & ->).
      exists r, (n - r - k). repeat split; auto; lia.
    - intros u M. apply H2. auto.
    - intros a b A B E R. apply H2. right. assert (0 < a < n) as HA by lia. specialize (P2 a HA R).
      pose proof (skipn_head _ (ahead k) (n - a - 1)) as Q. rewrite hd_ahead in Q.
      destruct (Nat.ltb_spec (n - a - 1) k); [lia|]. replace (S (n - a - 1 - k)) with b in Q by lia.
      destruct (Nat.ltb_spec b (length L)); [|lia].
      destruct (skipn (n - a - 1) (ahead k)) as [|o l] eqn:S; [discriminate|]. simpl in Q. injection Q as <-. eauto 6.
  Qed.

  Definition all_ok (n : nat) (kds : list (nat * N)) (cs : list (list (option N) * list partner)) : Prop :=
    Forall2 (fun kd pc => fst pc = ahead (fst kd) /\ partners_ok n (fst kd) (snd pc)) kds cs.

  (** What is known of the partners one heap later, before the heap itself is put among them. *)
  Definition almost_ok (n : nat) (kds : list (nat * N)) (cs : list (list (option N) * list partner)) : Prop :=
    Forall2 (fun kd pc => fst pc = ahead (fst kd) /\
      (forall e, In e (snd pc) -> exists r, 0 < r < n /\ e = (g r, skipn (S n - r - 1) (ahead (fst kd)))) /\
      (forall r, 0 < r < n -> rare r = true -> In (g r, skipn (S n - r - 1) (ahead (fst kd))) (snd pc))) kds cs.

  Lemma beside_all_step n : n < length L -> forall kds cs s, all_ok n kds cs ->
    almost_ok n kds (fst (beside_all cs s)) /\
    (forall u, mem u (snd (beside_all cs s)) = true -> mem u s = true \/
       exists kd a b, In kd kds /\ 0 < a /\ 0 < b /\ n = fst kd + a + b /\ u = N.lxor (g a) (g b)) /\
    (forall u, mem u s = true -> mem u (snd (beside_all cs s)) = true) /\
    (forall kd a b, In kd kds -> 0 < a -> 0 < b -> n = fst kd + a + b -> rare a = true ->
       mem (N.lxor (g a) (g b)) (snd (beside_all cs s)) = true).
  Proof.
    intros HL kds cs s H. revert s. induction H as [|kd [P C] kds cs [E O] H IH]; intros s; cbn [beside_all].
    - split; [constructor|]. split; [auto|]. split; [auto|]. intros ? ? ? Hin. now destruct Hin.
    - cbn [fst snd] in E, O. subst P. destruct (beside_step n (fst kd) C s HL O) as (B1 & B2 & B3 & B4 & B5).
      destruct (beside C [] s) as [C' s'] eqn:EB. cbn [fst snd] in B1, B2, B3, B4, B5.
      destruct (IH s') as (A1 & A2 & A3 & A4). destruct (beside_all cs s') as [cs'' s''] eqn:EA. cbn [fst snd] in *.
      split; [constructor; auto|]. split; [|split].
      + intros u M. destruct (A2 u M) as [M'|(kd' & a & b & I & Q)].
        * destruct (B3 u M') as [|(a & b & Q)]; auto. right. exists kd, a, b. split; [now left|auto].
        * right. exists kd', a, b. split; [now right|auto].
      + auto.
      + intros kd' a b [<-|I] A B Q R; auto. apply (A4 kd'); auto.
  Qed.

  (** ** Walks over splits *)
  Lemma skipn_nth (l : list N) : forall a, a < length l -> skipn a l = nth a l 0%N :: skipn (S a) l.
  Proof.
    induction l as [|x l IH]; intros a H; cbn [length] in H; [lia|]. destruct a as [|a]; [reflexivity|].
    cbn [skipn nth]. rewrite IH by lia. reflexivity.
  Qed.

  Lemma skipn_L a : a < length L -> skipn a L = g a :: skipn (S a) L.
  Proof. apply skipn_nth. Qed.

  Lemma walk_all_spec : forall f fast a q s, length fast <= f -> length fast <= S q -> a + length fast <= S (length L) ->
    forall u, mem u (walk_all (skipn a L) (past q) fast s) = true <->
      mem u s = true \/ exists i, 2 * i + 2 <= length fast /\ u = N.lxor (g (a + i)) (g (q - i)).
  Proof.
    induction f as [|f IH]; intros fast a q s HF HQ HA u.
    - destruct fast; simpl in HF; [|lia]. simpl. split; auto. intros [|(i & H & _)]; auto; lia.
    - destruct fast as [|x [|y fast]]; simpl in HF, HQ, HA.
      + simpl. split; auto. intros [|(i & H & _)]; auto; lia.
      + simpl. split; auto. intros [|(i & H & _)]; auto; lia.
      + cbn [walk_all]. rewrite skipn_L by lia. destruct q as [|q]; [lia|]. cbn [past].
        rewrite IH by lia. rewrite mem_add, orb_true_iff, N.eqb_eq. cbn [length]. split.
        * intros [[E|M]|(i & H & E)]; auto.
          -- right. exists 0. split; [lia|]. now rewrite Nat.add_0_r, Nat.sub_0_r.
          -- right. exists (S i). split; [lia|]. rewrite E. f_equal; f_equal; lia.
        * intros [M|([|i] & H & E)]; auto.
          -- left. left. now rewrite Nat.add_0_r, Nat.sub_0_r in E.
          -- right. exists i. split; [lia|]. rewrite E. f_equal; f_equal; lia.
  Qed.

  Lemma walk_until_spec v : forall f fast a q s m, length fast <= f -> length fast <= S q -> a + length fast <= S (length L) ->
    forall u,
    (mem u (fst (walk_until v (skipn a L) (past q) fast s m)) = true ->
       mem u s = true \/ exists i, 2 * i + 2 <= length fast /\ u = N.lxor (g (a + i)) (g (q - i))) /\
    (mem u s = true -> mem u (fst (walk_until v (skipn a L) (past q) fast s m)) = true).
  Proof.
    induction f as [|f IH]; intros fast a q s m HF HQ HA u.
    - destruct fast; simpl in HF; [|lia]. destruct m; simpl; auto.
    - destruct fast as [|x [|y fast]]; simpl in HF, HQ, HA; try (destruct m; simpl; now auto).
      destruct m as [|m]; [simpl; now auto|].
      cbn [walk_until]. rewrite skipn_L by lia. destruct q as [|q]; [lia|]. cbn [past].
      assert (step : forall s' m', (forall w, mem w s' = true -> mem w s = true \/ w = N.lxor (g a) (g (S q))) ->
        (forall w, mem w s = true -> mem w s' = true) ->
        (mem u (fst (walk_until v (skipn (S a) L) (past q) fast s' m')) = true -> mem u s = true \/
           exists i, 2 * i + 2 <= length (x :: y :: fast) /\ u = N.lxor (g (a + i)) (g (S q - i))) /\
        (mem u s = true -> mem u (fst (walk_until v (skipn (S a) L) (past q) fast s' m')) = true)).
      { intros s' m' S1 S2. destruct (IH fast (S a) q s' m') with (u := u) as [W1 W2]; try lia. split; auto. intros M.
        cbn [length]. destruct (W1 M) as [M'|(i & H & E)].
        - destruct (S1 u M') as [|E]; auto. right. exists 0. split; [lia|]. now rewrite Nat.add_0_r, Nat.sub_0_r.
        - right. exists (S i). split; [lia|]. rewrite E. f_equal; f_equal; lia. }
      destruct (mem (N.lxor (g a) (g (S q))) s); [now apply step; auto|].
      destruct (N.ltb _ v); apply step; auto.
      + intros w. rewrite mem_add, orb_true_iff, N.eqb_eq. tauto.
      + intros w M. rewrite mem_add, M. apply orb_true_r.
  Qed.

  Lemma tl_skipn : tl L = skipn 1 L.
  Proof. now destruct L. Qed.

  Lemma splits_all_spec n : n < length L -> forall moves s u, incl moves (digits c) ->
    (mem u (splits_all moves (tl L) (past n) s) = true -> mem u s = true \/ reach n u) /\
    (mem u s = true -> mem u (splits_all moves (tl L) (past n) s) = true) /\
    (forall k d a b, In (k, d) moves -> bit d 2 = true -> 0 < a -> 0 < b -> n = k + a + b ->
       mem (N.lxor (g a) (g b)) (splits_all moves (tl L) (past n) s) = true).
  Proof.
    intros HL. induction moves as [|[k d] moves IH]; intros s u I; cbn [splits_all].
    - repeat split; auto. all: intros ? ? ? ? Hin; now destruct Hin.
    - assert (I' : incl moves (digits c)) by (intros a Ha; apply I; now right).
      assert (Ik : In (k, d) (digits c)) by (apply I; now left).
      set (s' := if bit d 2 then _ else s).
      assert (K : forall u, mem u s' = true <-> mem u s = true \/
        (bit d 2 = true /\ exists i, k + 2 * i + 2 <= n /\ u = N.lxor (g (1 + i)) (g (n - k - 1 - i)))).
      { intros w. unfold s'. destruct (bit d 2); [|intuition discriminate]. rewrite skipn_past.
        destruct (Nat.leb_spec k n) as [Kn|Kn].
        2: { split; auto. intros [|(_ & i & H & _)]; auto. lia. }
        destruct (n - k) as [|m] eqn:M; cbn [past].
        - simpl. split; auto. intros [|(_ & i & H & _)]; auto. lia.
        - rewrite tl_skipn, (walk_all_spec (S m) (past m) 1 m s) by (rewrite length_past; lia). rewrite length_past.
          split; intros [|H]; auto; right.
          + destruct H as (i & H & E). split; auto. exists i. split; [lia|]. rewrite E. f_equal; f_equal; lia.
          + destruct H as (_ & i & H & E). exists i. split; [lia|]. rewrite E. f_equal; f_equal; lia. }
      destruct (IH s' u I') as (H1 & H2 & H3).
      split; [|split].
      + intros M. destruct (H1 M) as [M'|M']; auto. apply K in M'. destruct M' as [M'|(B & i & H & E)]; auto.
        right. apply (reach_two n u k (1 + i) (n - k - 1 - i) d); auto; lia.
      + intros M. apply H2. apply K. auto.
      + intros k' d' a b [Q|J] B A A' E; [|now apply (H3 k' d')].
        injection Q as -> ->. apply (IH s' _ I'). apply K. right. split; auto.
        destruct (le_lt_dec a b) as [AB|AB].
        * exists (a - 1). split; [lia|]. f_equal; f_equal; lia.
        * exists (b - 1). split; [lia|]. rewrite N.lxor_comm. f_equal; f_equal; lia.
  Qed.

  Lemma splits_until_spec n v : n < length L -> forall moves s m u, incl moves (digits c) ->
    (mem u (splits_until v moves (tl L) (past n) s m) = true -> mem u s = true \/ reach n u) /\
    (mem u s = true -> mem u (splits_until v moves (tl L) (past n) s m) = true).
  Proof.
    intros HL. induction moves as [|[k d] moves IH]; intros s m u I; cbn [splits_until]; auto.
    assert (I' : incl moves (digits c)) by (intros a Ha; apply I; now right).
    assert (Ik : In (k, d) (digits c)) by (apply I; now left).
    destruct (bit d 2) eqn:B; [|now apply IH]. rewrite skipn_past.
    destruct (Nat.leb_spec k n) as [Kn|Kn]; [|now apply IH].
    destruct (n - k) as [|q] eqn:M; cbn [past].
    - destruct m; cbn [walk_until]; now apply IH.
    - rewrite tl_skipn. pose proof (fun w => walk_until_spec v (S q) (past q) 1 q s m ltac:(rewrite length_past; lia)
        ltac:(rewrite length_past; lia) ltac:(rewrite length_past; lia) w) as W.
      rewrite <- tl_skipn in *. destruct (walk_until v (tl L) (past q) (past q) s m) as [s' m'] eqn:E. cbn [fst] in W.
      destruct (IH s' m' u I') as [H1 H2]. split.
      + intros X. destruct (H1 X) as [X'|X']; auto. destruct (proj1 (W u) X') as [|(i & H & Q)]; auto.
        rewrite length_past in H. right. apply (reach_two n u k (1 + i) (q - i) d); auto; lia.
      + intros X. apply H2. now apply (proj2 (W u)).
  Qed.

  (** ** The loop *)
  Definition mex_at (n : nat) : Prop := ~ reach n (g n) /\ forall u, (u < g n)%N -> reach n u.

  Lemma loop_spec kds : kds = filter (fun kd => bit (snd kd) 2) (digits c) -> forall todo n cs hist,
    todo = skipn n L -> hist = match n with O => [] | S m => past m end -> all_ok n kds cs ->
    sparse_loop (tl L) todo hist (Nat.odd n) cs = true -> forall h, n <= h < length L -> mex_at h.
  Proof.
    intros EK. induction todo as [|v todo IH]; intros n cs hist ET EH O S h Hh.
    - apply (f_equal (@length N)) in ET. rewrite skipn_length in ET. simpl in ET. lia.
    - assert (HL : n < length L).
      { apply (f_equal (@length N)) in ET. rewrite skipn_length in ET. simpl in ET. lia. }
      rewrite skipn_L in ET by auto. injection ET as -> ET. cbn [sparse_loop] in S.
      assert (here : g n :: hist = past n) by (rewrite EH; now destruct n). rewrite here in S.
      pose proof (singles_spec n (digits c) no_numbers) as SG.
      set (s0 := singles (digits c) (past n) no_numbers) in *.
      destruct (beside_all_step n HL kds cs s0 O) as (A1 & A2 & A3 & A4).
      destruct (beside_all cs s0) as [cs' s] eqn:EB. cbn [fst snd] in *.
      assert (none : forall u, mem u no_numbers = false) by reflexivity.
      assert (split_in : forall kd, In kd kds -> In kd (digits c) /\ bit (snd kd) 2 = true) by (rewrite EK; intros kd I; now apply filter_In in I).
      assert (sound0 : forall u, mem u s = true -> reach n u).
      { intros u M. destruct (A2 u M) as [M'|([k d] & a & b & I & P & Q & E & ->)].
        - destruct (SG u (incl_refl _)) as (SG1 & _). destruct (SG1 M') as [X|X]; auto. rewrite none in X. discriminate.
        - destruct (split_in _ I) as [I' B]. now apply (reach_two n _ k a b d). }
      set (s' := if common (Nat.odd n) (g n) then _ else _) in S.
      assert (sound : forall u, mem u s' = true -> reach n u).
      { intros u M. unfold s' in M. destruct (common (Nat.odd n) (g n)).
        - destruct (splits_until_spec n (g n) HL (digits c) s (count_missing (g n) s) u (incl_refl _)) as [H1 _]. destruct (H1 M); auto.
        - destruct (splits_all_spec n HL (digits c) s u (incl_refl _)) as [H1 _]. destruct (H1 M); auto. }
      assert (keeps : forall u, mem u s = true -> mem u s' = true).
      { intros u M. unfold s'. destruct (common (Nat.odd n) (g n)).
        - now apply (splits_until_spec n (g n) HL (digits c) s (count_missing (g n) s) u (incl_refl _)).
        - now apply (splits_all_spec n HL (digits c) s u (incl_refl _)). }
      destruct (mex_here (g n) s') eqn:X; [|discriminate].
      unfold mex_here in X. rewrite andb_true_iff, negb_true_iff, forallb_forall in X. destruct X as [X1 X2].
      destruct (Nat.eq_dec h n) as [->|N].
      + split.
        * intros R. apply not_true_iff_false in X1. apply X1. destruct R as [d I B P E|k x d I B K P E U|k a b d I B A A' E U].
          -- rewrite E. apply keeps, A3. now apply (SG 0%N (incl_refl _)) with d.
          -- rewrite U. apply keeps, A3. now apply (SG 0%N (incl_refl _)) with k d.
          -- assert (Ik : In (k, d) kds) by (rewrite EK; apply filter_In; auto).
             unfold s'. destruct (common (Nat.odd n) (g n)) eqn:T.
             ++ assert (T' := types k d a b (g a) (g b) I B). rewrite <- U, <- E, T in T'.
                apply (splits_until_spec n (g n) HL (digits c) s (count_missing (g n) s) (g n) (incl_refl _)).
                destruct (common (Nat.odd a) (g a)) eqn:Ta.
                ** destruct (common (Nat.odd b) (g b)) eqn:Tb; [discriminate|].
                   rewrite U, N.lxor_comm. apply (A4 (k, d) b a); auto; [cbn [fst]; lia|]. unfold rare. now rewrite Tb.
                ** rewrite U. apply (A4 (k, d) a b); auto. unfold rare. now rewrite Ta.
             ++ rewrite U. now apply (splits_all_spec n HL (digits c) s 0%N (incl_refl _)) with k d.
        * intros u Hu. apply sound, X2. apply in_numbers. lia.
      + apply (IH (Datatypes.S n)) with (cs := if common (Nat.odd n) (g n) then cs' else match hist with [] => cs' | _ => push (g n) cs' end)
          (hist := past n); auto; [|now rewrite Nat.odd_succ, <- Nat.negb_odd|lia].
        assert (almost_ok n kds cs' -> (n = 0 \/ rare n = false) -> all_ok (Datatypes.S n) kds cs') as stay.
        { intros Al Z. unfold all_ok. clear - Al Z. induction Al as [|kd pc kds cs' (Q1 & Q2 & Q3) _ IH]; constructor; auto. split; auto. split.
          - intros e Ie. destruct (Q2 e Ie) as (r & Hr & ->). exists r. split; [lia|auto].
          - intros r Hr Rr. apply Q3; auto. destruct (Nat.eq_dec r n) as [->|]; [|lia]. destruct Z; [lia|congruence]. }
        destruct (common (Nat.odd n) (g n)) eqn:T.
        { apply stay; auto. right. unfold rare. now rewrite T. }
        destruct n as [|n]; [rewrite EH; apply stay; auto|]. rewrite EH.
        destruct (past n) eqn:Pn; [apply (f_equal (@length _)) in Pn; rewrite length_past in Pn; discriminate|].
        unfold push, all_ok. clear - A1. induction A1 as [|kd pc kds cs' (Q1 & Q2 & Q3) _ IH]; constructor; auto. cbn [fst snd]. split; auto. split.
        * intros e [<-|Ie].
          -- exists (Datatypes.S n). split; [lia|]. rewrite Q1. f_equal. replace (_ - _ - 1) with 0 by lia. reflexivity.
          -- destruct (Q2 e Ie) as (r & Hr & ->). exists r. split; [lia|auto].
        * intros r Hr Rr. destruct (Nat.eq_dec r (Datatypes.S n)) as [->|].
          -- left. rewrite Q1. f_equal. replace (_ - _ - 1) with 0 by lia. reflexivity.
          -- right. apply Q3; auto. lia.
  Qed.
End Sparse.

(** ** Types by a mask and the parity of the heap *)

Fixpoint parity_pos (p : positive) : bool :=
  match p with xH => true | xO q => parity_pos q | xI q => negb (parity_pos q) end.
Definition parity (n : N) : bool := match n with N0 => false | Npos p => parity_pos p end.

Lemma parity_double n : parity (N.double n) = parity n.
Proof. now destruct n. Qed.
Lemma parity_succ_double n : parity (N.succ_double n) = negb (parity n).
Proof. now destruct n. Qed.

Lemma parity_lxor a b : parity (N.lxor a b) = xorb (parity a) (parity b).
Proof.
  destruct a as [|p]; [destruct b; simpl; auto; now destruct (parity_pos _)|]. destruct b as [|q]; [simpl; now destruct (parity_pos p)|]. simpl.
  revert q. induction p as [p IH|p IH|]; intros [q|q|]; simpl; rewrite ?parity_double, ?parity_succ_double, ?IH; simpl; auto;
    try (destruct (parity_pos p); reflexivity); try (destruct (parity_pos q); reflexivity);
    try (destruct (parity_pos p), (parity_pos q); reflexivity).
Qed.

Lemma land_lxor a b m : N.land (N.lxor a b) m = N.lxor (N.land a m) (N.land b m).
Proof.
  apply N.bits_inj. intros i. rewrite !N.land_spec, !N.lxor_spec, !N.land_spec.
  destruct (N.testbit a i), (N.testbit b i), (N.testbit m i); reflexivity.
Qed.

Record space := Space { space_mask : N; space_parity : bool; space_odd : bool }.

Definition common_in (s : space) (o : bool) (v : N) : bool :=
  xorb (xorb (parity (N.land v (space_mask s))) (space_parity s && o)) (space_odd s).

Definition space_ok (s : space) (c : code) : bool :=
  if space_parity s
  then forallb (fun kd => if N.testbit_nat (snd kd) 2 then Bool.eqb (Nat.odd (fst kd)) (space_odd s) else true) (digits c)
  else negb (space_odd s).

(** No hint: every heap is rare. *)
Definition no_space : space := Space 0%N false false.

(** The values of heaps below [length vals], with a hint. *)
Definition check_values_fast (s : space) (c : code) (vals : list N) : bool :=
  if space_ok s c && Nat.leb (width c) 3 then check_sparse c vals (common_in s) else check_values c vals.

Lemma check_values_fast_mex s c vals : check_values_fast s c vals = true -> forall h, h < length vals ->
  (forall t, take_and_break c h t -> nim_sum (fun h => nth h vals 0%N) t <> nth h vals 0%N) /\
  (forall v, (v < nth h vals 0)%N -> exists t, take_and_break c h t /\ nim_sum (fun h => nth h vals 0%N) t = v).
Proof.
  unfold check_values_fast. destruct (space_ok s c && Nat.leb (width c) 3) eqn:W; [|apply check_values_mex].
  apply andb_true_iff in W. destruct W as [W _]. unfold check_sparse. rewrite !andb_true_iff, Nat.leb_le. intros [[[B W3] _] H] h Hh.
  assert (F : block c = []) by (now destruct (block c)).
  assert (T : forall k d a b x y, In (k, d) (digits c) -> bit d 2 = true ->
    common_in s (Nat.odd (k + a + b)) (N.lxor x y) = xorb (common_in s (Nat.odd a) x) (common_in s (Nat.odd b) y)).
  { intros k d a b x y I D. unfold common_in. rewrite land_lxor, parity_lxor, !Nat.odd_add. unfold space_ok in W.
    destruct (space_parity s); cbn [andb].
    - rewrite forallb_forall in W. specialize (W (k, d) I). cbn [fst snd] in W. unfold bit in D. rewrite D in W.
      apply Bool.eqb_prop in W. rewrite W.
      destruct (parity (N.land x _)), (parity (N.land y _)), (space_odd s), (Nat.odd a), (Nat.odd b); reflexivity.
    - apply negb_true_iff in W. rewrite W. destruct (parity (N.land x _)), (parity (N.land y _)); reflexivity. }
  destruct (loop_spec c vals (common_in s) W3 T _ eq_refl vals 0 (starts c vals) [] eq_refl eq_refl) with (h := h) as [M1 M2]; auto; [|lia|].
  - unfold starts, all_ok. clear. induction (filter _ (digits c)) as [|kd l IH]; cbn [map]; constructor; auto.
    cbn [fst snd]. split; [reflexivity|]. split; [intros e []|]. intros r Hr. lia.
  - split.
    + intros t O E. apply M1. apply (reach_option c vals F W3). eauto.
    + intros v V. apply (reach_option c vals F W3). auto.
Qed.
