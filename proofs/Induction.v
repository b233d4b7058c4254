(** * Nim sequences that rise: periods with a saltus, also of codes that repeat digits for ever

    The theorem is the second one of [docs/theory/periods.md]: (E) no option has the value of its heap, (A) all smaller values are
    reached. *)

From Coq Require Import List Arith NArith ZArith Bool Lia Wf_nat Permutation Sorting.Sorted.
From Impartial Require Import Games Laws Search Heaps Nimbers Periods Monoid Values NimSequence Reach Exclude.
Import ListNotations.

(** ** The sequence *)

(** The sequence that begins with [L] and gains [s] in every period [p] from [n0] on. *)
Definition rising (n0 p : nat) (s : N) (L : list N) (n : nat) : N :=
  if n <? n0 then nth n L 0%N else (nth (n0 + (n - n0) mod p) L 0 + s * N.of_nat ((n - n0) / p))%N.

Lemma rising_period n0 p s L n : 0 < p -> n0 <= n -> rising n0 p s L (n + p) = (rising n0 p s L n + s)%N.
Proof.
  intros P H. unfold rising. destruct (Nat.ltb_spec (n + p) n0); [lia|]. destruct (Nat.ltb_spec n n0); [lia|].
  replace (n + p - n0) with (n - n0 + 1 * p) by lia. rewrite Nat.mod_add, Nat.div_add by lia. lia.
Qed.

Lemma rising_far n0 p s L j n : 0 < p -> n0 <= n -> rising n0 p s L (n + j * p) = (rising n0 p s L n + N.of_nat j * s)%N.
Proof.
  intros P H. induction j; [now rewrite Nat.add_0_r, N.add_0_r|]. rewrite Nat2N.inj_succ, N.mul_succ_l.
  replace (n + S j * p) with (n + j * p + p) by lia. rewrite rising_period by lia. rewrite IHj. lia.
Qed.

Lemma rising_start n0 p s L n : 0 < p -> n < n0 + p -> rising n0 p s L n = nth n L 0%N.
Proof.
  intros P H. unfold rising. destruct (Nat.ltb_spec n n0); auto.
  rewrite Nat.mod_small, Nat.div_small by lia. replace (n0 + (n - n0)) with n by lia. simpl. lia.
Qed.

(** Its first [k] values: [rest], then the block again and again, [s] higher each time. *)
Fixpoint fill_up (k : nat) (s : N) (rest again : list N) : list N :=
  match k with
  | O => []
  | S k' =>
      match rest with
      | a :: rest' => a :: fill_up k' s rest' again
      | [] => match map (N.add s) again with
              | a :: rest' => a :: fill_up k' s rest' (a :: rest')
              | [] => []
              end
      end
  end.

(** [l] is [q], entry by entry [s] higher, as far as [l] goes. *)
Fixpoint higher (s : N) (l q : list N) : bool :=
  match l, q with
  | [], _ => true
  | a :: l', b :: q' => N.eqb a (b + s) && higher s l' q'
  | _ :: _, [] => false
  end.

Lemma higher_nth s l : forall q, higher s l q = true -> forall i, i < length l -> nth i l 0%N = (nth i q 0 + s)%N.
Proof.
  induction l as [|a l IH]; intros [|b q] H i Hi; simpl in *; try lia; try discriminate.
  apply andb_true_iff in H. destruct H as [E H]. apply N.eqb_eq in E. destruct i; auto. apply IH; auto. lia.
Qed.

Lemma nth_higher s l : forall q, length l <= length q -> (forall i, i < length l -> nth i l 0%N = (nth i q 0 + s)%N) -> higher s l q = true.
Proof.
  induction l as [|a l IH]; intros [|b q] E H; simpl in *; auto; try lia.
  apply andb_true_iff. split; [apply N.eqb_eq, (H 0); lia|]. apply IH; [lia|]. intros i Hi. apply (H (S i)). lia.
Qed.

Lemma rising_list n0 p s vals L : 0 < p -> length vals = n0 + p -> starts_with L vals = true ->
  higher s (skipn (n0 + p) L) (skipn n0 L) = true -> forall n, n < length L -> nth n L 0%N = rising n0 p s vals n.
Proof.
  intros P V SW R n. induction n as [n IH] using lt_wf_ind. intros Hn. destruct (lt_dec n (n0 + p)) as [S|S].
  - rewrite rising_start by auto. symmetry. apply starts_with_nth; auto. lia.
  - replace n with (n - p + p) at 2 by lia. rewrite rising_period by lia. rewrite <- IH by lia.
    pose proof (higher_nth _ _ _ R (n - n0 - p)) as E. rewrite skipn_length, !nth_skipn_N in E.
    replace (n0 + p + (n - n0 - p)) with n in E by lia. replace (n0 + (n - n0 - p)) with (n - p) in E by lia. apply E. lia.
Qed.

(** ** Leastness *)

(** The entries of [q] are those of [l] with one number added, as far as [l] goes. *)
Definition moved_up (l q : list N) : bool :=
  match l, q with
  | a :: _, b :: _ => N.leb a b && higher (b - a) q l
  | _, _ => false
  end.

(** [two] holds the values of two periods. *)
Definition no_shorter_rise (p : nat) (two : list N) : bool :=
  let P := N.of_nat p in
  forallb (fun e => if N.eqb (N.modulo P e) 0 then negb (moved_up two (firstn p (skipn (N.to_nat e) two))) else true)
    (numbers_from (p - 1) 1).

Definition no_earlier_rise (n0 p : nat) (s : N) (L : list N) : bool :=
  match n0 with O => true | S m => negb (N.eqb (nth (m + p) L 0%N) (nth m L 0%N + s)) end.

Theorem least_rise n0 p s vals L : 0 < p -> length vals = n0 + p -> n0 + 2 * p <= length L ->
  (forall n, n < length L -> nth n L 0%N = rising n0 p s vals n) ->
  no_earlier_rise n0 p s L = true -> no_shorter_rise p (firstn (2 * p) (skipn n0 L)) = true ->
  let g := rising n0 p s vals in
  forall q n1 s1, 0 < q -> (forall n, n1 <= n -> g (n + q) = (g n + s1)%N) -> p <= q /\ n0 <= n1.
Proof.
  intros P V LL GL E S g q n1 s1 Q H.
  assert (far : forall j n, n1 <= n -> g (n + j * q) = (g n + N.of_nat j * s1)%N).
  { induction j; intros n Hn; [now rewrite Nat.add_0_r, N.add_0_r|]. rewrite Nat2N.inj_succ, N.mul_succ_l.
    replace (n + Datatypes.S j * q) with (n + j * q + q) by lia. rewrite H by lia. rewrite IHj by lia. lia. }
  assert (farp : forall j n, n0 <= n -> g (n + j * p) = (g n + N.of_nat j * s)%N) by (intros; now apply rising_far).
  assert (slopes : (N.of_nat p * s1 = N.of_nat q * s)%N).
  { pose proof (far p (n0 + n1) ltac:(lia)) as A. pose proof (farp q (n0 + n1) ltac:(lia)) as B.
    rewrite (Nat.mul_comm p q) in A. rewrite A in B. lia. }
  set (d := Nat.gcd p q). destruct (Nat.gcd_bezout_pos p q P) as (a & b & B). fold d in B.
  assert (N.of_nat b * s1 <= N.of_nat a * s)%N as Le.
  { apply (N.mul_le_mono_pos_l _ _ (N.of_nat p)); [lia|].
    replace (N.of_nat p * (N.of_nat b * s1))%N with (N.of_nat b * (N.of_nat p * s1))%N by lia. rewrite slopes.
    replace (N.of_nat p * (N.of_nat a * s))%N with (N.of_nat (a * p) * s)%N by lia. rewrite B, Nat2N.inj_add, Nat2N.inj_mul, N.mul_add_distr_r, !N.mul_assoc, N.add_comm. apply N.le_add_r. }
  set (r := (N.of_nat a * s - N.of_nat b * s1)%N).
  assert (period_d : forall n, n0 <= n -> g (n + d) = (g n + r)%N).
  { intros n Hn. set (m := n + n1 * p). assert (n1 <= m) by (pose proof (Nat.mul_le_mono_l 1 p n1 P); unfold m; lia).
    pose proof (farp a m ltac:(unfold m; lia)) as A1. replace (m + a * p) with (m + d + b * q) in A1 by lia.
    rewrite far in A1 by lia. unfold m in A1. replace (n + n1 * p + d) with (n + d + n1 * p) in A1 by lia.
    rewrite !farp in A1 by lia. unfold r. lia. }
  destruct (Nat.gcd_divide_l p q) as (j & J). fold d in J.
  assert (d <> 0) as D0 by (intros Z; rewrite Z in J; lia).
  assert (d = p) as D.
  { destruct (Nat.eq_dec d p) as [|N]; auto. exfalso.
    assert (d <= p) by (apply Nat.divide_pos_le; auto; now exists j). unfold no_shorter_rise in S. rewrite forallb_forall in S.
    specialize (S (N.of_nat d)). assert (In (N.of_nat d) (numbers_from (p - 1) 1)) as I by (apply in_numbers; lia). specialize (S I).
    assert (p mod d = 0) as M by (rewrite J; apply Nat.mod_mul; auto). rewrite <- Nat2N.inj_mod, M, Nat2N.id in S. simpl in S.
    apply negb_true_iff in S. set (two := firstn (p + (p + 0)) (skipn n0 L)) in *.
    assert (length two = 2 * p) as L2 by (unfold two; rewrite firstn_length, skipn_length; lia).
    assert (forall i, i < 2 * p -> nth i two 0%N = g (n0 + i)) as T2.
    { intros i Hi. unfold two, g. rewrite <- GL by lia. rewrite <- (nth_skipn_N L n0 i).
      rewrite <- (firstn_skipn (p + (p + 0)) (skipn n0 L)) at 2. rewrite app_nth1; auto. rewrite firstn_length, skipn_length. lia. }
    set (sh := firstn p (skipn d two)) in *.
    assert (length sh = p) as Ls by (unfold sh; rewrite firstn_length, skipn_length; lia).
    assert (forall i, i < p -> nth i sh 0%N = g (n0 + i + d)) as Ts.
    { intros i Hi. replace (n0 + i + d) with (n0 + (d + i)) by lia. rewrite <- T2 by lia. rewrite <- nth_skipn_N. unfold sh.
      rewrite <- (firstn_skipn p (skipn d two)) at 2. rewrite app_nth1; auto. fold sh. lia. }
    enough (moved_up two sh = true) by congruence.
    assert (nth 0 sh 0%N = (nth 0 two 0 + r)%N) as Z0 by (rewrite Ts, T2 by lia; rewrite period_d by lia; f_equal; f_equal; lia).
    unfold moved_up. destruct two as [|x two']; [simpl in L2; lia|]. destruct sh as [|y sh']; [simpl in Ls; lia|].
    simpl in Z0. apply andb_true_iff. split; [apply N.leb_le; lia|].
    replace (y - x)%N with r by lia. apply nth_higher; [lia|]. intros i Hi. rewrite Ts, T2 by lia. apply period_d. lia. }
  assert (exists k, q = k * p /\ 0 < k) as (k & K & K0).
  { destruct (Nat.gcd_divide_r p q) as (k & K). fold d in K. rewrite D in K. exists k. split; auto. destruct k; simpl in K; lia. }
  split; [pose proof (Nat.mul_le_mono_r 1 k p K0); lia|].
  destruct n0 as [|m] eqn:N0; [lia|]. destruct (le_lt_dec (Datatypes.S m) n1) as [|Lt]; auto. exfalso.
  simpl in E. apply negb_true_iff, N.eqb_neq in E. apply E. rewrite !GL by lia. fold g.
  destruct k as [|k]; [lia|]. assert (s1 = N.of_nat (Datatypes.S k) * s)%N as Es.
  { apply (N.mul_cancel_l _ _ (N.of_nat p)); [lia|]. rewrite slopes, K, Nat2N.inj_mul. lia. }
  pose proof (H m ltac:(lia)) as Hm. replace (m + q) with (m + p + k * p) in Hm by (simpl in K; lia). rewrite farp in Hm by lia.
  rewrite Es, Nat2N.inj_succ, N.mul_succ_l in Hm. lia.
Qed.

(** ** Codes whose digits end or repeat *)

Definition tail_of (c : code) : nat := match block c with [] => S (last c) | _ => start c end.
Definition tail_ok (c : code) : bool := forallb (fun kd => Nat.ltb (fst kd) (tail_of c)) (digits c).
Definition repeat_of (c : code) : nat := match block c with [] => 1 | _ => length (block c) end.

Lemma allowed_shift c k j P : tail_ok c = true -> tail_of c <= k -> Nat.divide (repeat_of c) P ->
  (allowed c (k + P) j <-> allowed c k j).
Proof.
  intros T K D. unfold tail_ok in T. rewrite forallb_forall in T.
  assert (X : forall k', tail_of c <= k' -> allowed c k' j <-> block c <> [] /\ start c <= k' /\
    N.testbit_nat (nth ((k' - start c) mod length (block c)) (block c) 0%N) j = true).
  { intros k' K'. unfold allowed. split; [|now right]. intros [(d & I & _)|H]; auto.
    apply T in I. apply Nat.ltb_lt in I. simpl in I. lia. }
  rewrite (X (k + P)), (X k) by lia. clear X. unfold tail_of, repeat_of in *. destruct (block c) as [|b l] eqn:B; [tauto|].
  destruct D as (z & ->). replace (k + z * length (b :: l) - start c) with (k - start c + z * length (b :: l)) by lia.
  rewrite Nat.mod_add by (simpl; lia). intuition lia.
Qed.

(** ** (A): the options of one heap that can be translated *)
Section HeapReach.
  Variable c : code.
  Variables low tail : nat.
  Variable RL : N.
  (** The values so far, [power] the power of two in the rise, a heap of value 0. *)
  Variable tab : tree N.
  Variable power : N.
  Variable zero : option N.
  Variable lowN : N.
  (** Of three parts, the largest one grows; or any one: three times as many. *)
  Variable wide : bool.
  Let G (a : N) : N := look 0%N tab a.

  Definition bit_of (d : N) (j : nat) : bool := N.testbit_nat d j.
  Definition upto (r : N) : list N := numbers_from (N.to_nat r - 1) 1.
  Definition is_small (w : N) : bool := N.eqb RL 0 || N.ltb w power.

  Definition near_by (rest d : N) (first : bool) : list N :=
    (if bit_of d 1 && negb first && N.leb lowN rest then [G rest] else []) ++
    (if bit_of d 2 then flat_map (fun a =>
        let x := (rest - a)%N in let w := G a in if N.leb lowN x && is_small w then [N.lxor (G x) w] else []) (upto rest) else []) ++
    (if bit_of d 3 then flat_map (fun a =>
        let r := (rest - a)%N in let v := G a in
        flat_map (fun b =>
          let x := (r - b)%N in let w := N.lxor v (G b) in if N.leb lowN x && is_small w then [N.lxor (G x) w] else [])
          (numbers_from (N.to_nat ((if wide then r else N.succ (N.div2 r)) - a)) a)) (upto rest) else []).

  (** Parts [x] that stay, and whether some option without parts stays. *)
  Definition free_tail (rest d : N) (first : bool) : list N :=
    (if bit_of d 1 && negb first && N.ltb 0 rest then [rest] else []) ++
    (if bit_of d 2 then match zero with Some z => if N.ltb z rest then [(rest - z)%N] else [] | None => [] end else []) ++
    (if bit_of d 3 && N.ltb 2 rest then [(rest - 2)%N] else []).
  Definition free_pairs (rest d : N) : list N :=
    if bit_of d 3 then filter (fun x => N.leb 2 (rest - x) && N.even (rest - x)) (upto rest) else [].
  Definition ends_tail (rest d : N) (first : bool) : bool := bit_of d 0 && negb first && N.eqb rest 0.
  Definition ends_pairs (rest d : N) : bool := bit_of d 2 && N.leb 2 rest && N.even rest.

  Definition in_tail (k : nat) : bool := Nat.leb tail k.

  Fixpoint lowest (fuel : nat) (v top : N) (s : nset) : N :=
    match fuel with
    | O => v
    | S f => if N.ltb v top && mem v s then lowest f (N.succ v) top s else v
    end.

  Definition all_in (from upto : N) (s : nset) : bool := forallb (fun v => mem v s) (numbers_from (N.to_nat (upto - from)) from).

  Definition reaches_here (n : nat) (v : N) : bool :=
    let moves := map (fun kd => (fst kd, snd kd, (N.of_nat n - N.of_nat (fst kd))%N, Nat.eqb (fst kd) 0)) (moves_up_to c n) in
    let nears := flat_map (fun '(k, d, rest, first) => near_by rest d first) moves in
    let frees := flat_map (fun '(k, d, rest, first) => if in_tail k then free_tail rest d first else free_pairs rest d) moves in
    let ends := if existsb (fun '(k, d, rest, first) => if in_tail k then ends_tail rest d first else ends_pairs rest d) moves then [0%N] else [] in
    let near_set := set_of nears in
    if N.ltb (N.of_nat (length (snd near_set) + length frees + 1)) v then false
    else if N.eqb RL 0 then all_in 0 v (set_of (ends ++ snd near_set))
    else
      let l := lowest (N.to_nat v) 0 v (set_of (ends ++ map G frees)) in
      N.leb RL l && all_in (l - RL) l (set_of (map G (filter (fun x => N.leb lowN x) frees))) && all_in l v near_set.

  Variable L : nat.
  Variable g : nat -> N.
  Hypothesis low_pos : 1 <= low.
  Hypothesis lowN_ok : lowN = N.of_nat low.
  Hypothesis small_ok : forall w, is_small w = true -> small RL w.
  Hypothesis zero_ok : forall z, zero = Some z -> (0 < z)%N /\ g (N.to_nat z) = 0%N.

  Section OneHeap.
    Variable n : nat.
    Hypothesis tab_ok : forall a, (a <= N.of_nat n)%N -> G a = g (N.to_nat a).

    Lemma in_upto a r : In a (upto r) -> (1 <= a < r)%N.
    Proof. unfold upto. rewrite in_numbers. lia. Qed.

    Variables (k : nat) (d : N).
    Hypothesis k_le : k <= n.
    Hypothesis d_ok : forall j, bit_of d j = true -> allowed c k j.
    Let rest := (N.of_nat n - N.of_nat k)%N.

    Ltac parts := repeat (constructor; [lia|]); try constructor.

    Lemma small_0 : small RL 0%N.
    Proof. right. exists 0. split; [reflexivity|]. apply N.divide_1_l. Qed.

    Lemma near_by_ok v : In v (near_by rest d (Nat.eqb k 0)) -> near c g low RL n v.
    Proof.
      unfold near_by. rewrite !in_app_iff. intros [I|[I|I]].
      - destruct (bit_of d 1 && negb (k =? 0) && N.leb lowN rest) eqn:E; [|destruct I]. destruct I as [<-|[]].
        rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq, N.leb_le in E. destruct E as [[B K] Hl].
        exists k, (N.to_nat rest), []. split; [split; [simpl; lia|split; [parts|split; [now apply d_ok|lia]]]|].
        split; [lia|]. split; [exact small_0|]. simpl. now rewrite N.lxor_0_r, tab_ok by lia.
      - destruct (bit_of d 2) eqn:B; [|destruct I]. apply in_flat_map in I. destruct I as (a & A & I). apply in_upto in A. cbv zeta in I.
        destruct (N.leb lowN (rest - a) && is_small (G a)) eqn:E; [|destruct I]. destruct I as [<-|[]].
        rewrite andb_true_iff, N.leb_le in E. destruct E as [Hl S]. apply small_ok in S.
        exists k, (N.to_nat (rest - a)), [N.to_nat a]. split; [split; [simpl; lia|split; [parts|split; [now apply d_ok|simpl; lia]]]|].
        split; [lia|]. cbn [nim_sum fold_right]. rewrite N.lxor_0_r, <- !tab_ok by lia. auto.
      - destruct (bit_of d 3) eqn:B; [|destruct I]. apply in_flat_map in I. destruct I as (a & A & I). apply in_upto in A. cbv zeta in I.
        apply in_flat_map in I. destruct I as (b & Hb & I). apply in_numbers in Hb.
        assert (a <= b < rest - a)%N as Hb' by (pose proof (half_lt (rest - a)); destruct wide; lia). clear Hb.
        destruct (N.leb lowN (rest - a - b) && is_small (N.lxor (G a) (G b))) eqn:E; [|destruct I]. destruct I as [<-|[]].
        rewrite andb_true_iff, N.leb_le in E. destruct E as [Hl S]. apply small_ok in S.
        exists k, (N.to_nat (rest - a - b)), [N.to_nat a; N.to_nat b].
        split; [split; [simpl; lia|split; [parts|split; [now apply d_ok|simpl; lia]]]|].
        split; [lia|]. cbn [nim_sum fold_right]. rewrite N.lxor_0_r, <- !tab_ok by lia. auto.
    Qed.

    (** A part that stays. *)
    Definition stays (x : N) : Prop := (0 < x <= N.of_nat n)%N /\ exists r, padded c tail n (N.to_nat x :: r) /\ nim_sum g r = 0%N.

    Lemma free_tail_ok x : tail <= k -> In x (free_tail rest d (Nat.eqb k 0)) -> stays x.
    Proof.
      intros T. unfold free_tail. rewrite !in_app_iff. intros [I|[I|I]].
      - destruct (bit_of d 1 && negb (k =? 0) && N.ltb 0 rest) eqn:E; [|destruct I]. destruct I as [<-|[]].
        rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq, N.ltb_lt in E. destruct E as [[B K] Hl].
        split; [lia|]. exists []. split; auto. exists k. left. split; auto.
        split; [simpl; lia|split; [parts|split; [now apply d_ok|lia]]].
      - destruct (bit_of d 2) eqn:B; [|destruct I]. destruct zero as [z|] eqn:Z; [|destruct I].
        destruct (zero_ok z eq_refl) as [Z1 Z2]. destruct (N.ltb_spec z rest) as [Hz|]; [|destruct I]. destruct I as [<-|[]].
        split; [lia|]. exists [N.to_nat z]. split; [|simpl; now rewrite Z2]. exists k. left. split; auto.
        split; [simpl; lia|split; [parts|split; [now apply d_ok|simpl; lia]]].
      - destruct (bit_of d 3 && N.ltb 2 rest) eqn:E; [|destruct I]. destruct I as [<-|[]].
        rewrite andb_true_iff, N.ltb_lt in E. destruct E as [B Hl]. split; [lia|].
        exists [1; 1]. split; [|simpl; now rewrite N.lxor_0_r, N.lxor_nilpotent]. exists k. left. split; auto.
        split; [simpl; lia|split; [parts|split; [now apply d_ok|simpl; lia]]].
    Qed.

    Lemma free_pairs_ok x : In x (free_pairs rest d) -> stays x.
    Proof.
      unfold free_pairs. destruct (bit_of d 3) eqn:B; [|intros []]. rewrite filter_In, andb_true_iff, N.leb_le.
      intros [I [H2 E]]. apply in_upto in I. apply N.even_spec in E. destruct E as [h E]. split; [lia|].
      exists []. split; auto. exists k. right. exists (N.to_nat h). split; [lia|].
      split; [simpl; lia|split; [parts|split; [now apply d_ok|simpl; lia]]].
    Qed.

    Lemma ends_ok : (if in_tail k then ends_tail rest d (Nat.eqb k 0) else ends_pairs rest d) = true -> padded c tail n [].
    Proof.
      unfold in_tail. destruct (Nat.leb_spec tail k) as [T|T].
      - unfold ends_tail. rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq, N.eqb_eq. intros [[B K] E].
        exists k. left. split; auto. split; [simpl; lia|split; [parts|split; [now apply d_ok|lia]]].
      - unfold ends_pairs. rewrite !andb_true_iff, N.leb_le. intros [[B K] E]. apply N.even_spec in E. destruct E as [h E].
        exists k. right. exists (N.to_nat h). split; [lia|]. split; [simpl; lia|split; [parts|split; [now apply d_ok|simpl; lia]]].
    Qed.
  End OneHeap.

  Lemma lowest_ok s top fuel : forall v, (v <= top)%N -> (forall u, (u < v)%N -> mem u s = true) ->
    (lowest fuel v top s <= top)%N /\ forall u, (u < lowest fuel v top s)%N -> mem u s = true.
  Proof.
    induction fuel as [|f IH]; intros v T H; simpl; auto. destruct (N.ltb v top && mem v s) eqn:E; auto.
    rewrite andb_true_iff, N.ltb_lt in E. destruct E as [E M]. apply IH; [lia|]. intros u Hu.
    destruct (N.eq_dec u v) as [->|]; auto. apply H. lia.
  Qed.

  Lemma all_in_ok a b l : all_in a b (set_of l) = true -> forall v, (a <= v < b)%N -> In v l.
  Proof.
    unfold all_in. rewrite forallb_forall. intros H v Hv. apply mem_set_of, H, in_numbers. lia.
  Qed.

  Theorem reaches_here_ok n : (forall a, (a <= N.of_nat n)%N -> G a = g (N.to_nat a)) ->
    reaches_here n (g n) = true -> reaches c g low tail RL n.
  Proof.
    intros tab_ok. unfold reaches_here. set (moves := map _ (moves_up_to c n)).
    assert (M : forall k d rest first, In (k, d, rest, first) moves -> k <= n /\ (forall j, bit_of d j = true -> allowed c k j) /\
      rest = (N.of_nat n - N.of_nat k)%N /\ first = Nat.eqb k 0).
    { intros k d rest first I. apply in_map_iff in I. destruct I as ((k', d') & E & I). injection E as <- <- <- <-. cbn [fst snd] in *.
      assert (k' <= n) as K.
      { unfold moves_up_to in I. apply in_app_or in I. destruct I as [I|I].
        - apply filter_In in I. destruct I as [_ I]. now apply Nat.leb_le in I.
        - destruct (block c); [destruct I|]. apply in_map_iff in I. destruct I as (y & E & I). apply in_seq in I.
          apply (f_equal fst) in E. simpl in E. lia. }
      repeat split; auto. intros j B. apply (in_moves c n); auto. exists d'. auto. }
    set (nears := flat_map _ moves). set (frees := flat_map (fun '(k, d, rest, first) => if in_tail k then _ else _) moves).
    set (ends := if existsb _ moves then [0%N] else []).
    assert (Snd : forall v, In v (snd (set_of nears)) -> In v nears).
    { intros v I. apply mem_set_of. now apply good_set_of. }
    assert (Near : forall v, In v nears -> near c g low RL n v).
    { intros v I. apply in_flat_map in I. destruct I as ((((k, d), rest), first) & J & I).
      destruct (M _ _ _ _ J) as (K & D & -> & ->). eapply near_by_ok; eauto. }
    assert (Free : forall x, In x frees -> stays n x).
    { intros x I. apply in_flat_map in I. destruct I as ((((k, d), rest), first) & J & I).
      destruct (M _ _ _ _ J) as (K & D & -> & ->). unfold in_tail in I. destruct (Nat.leb_spec tail k).
      - eapply free_tail_ok; eauto.
      - eapply free_pairs_ok; eauto. }
    assert (Ends : forall v, In v ends -> v = 0%N /\ fixed c g tail n v).
    { unfold ends. intros v I. destruct (existsb _ moves) eqn:X; [|destruct I]. destruct I as [<-|[]]. split; auto.
      apply existsb_exists in X. destruct X as ((((k, d), rest), first) & J & X).
      destruct (M _ _ _ _ J) as (K & D & -> & ->). exists []. split; auto. eapply ends_ok; eauto. }
    destruct (N.ltb _ (g n)); [discriminate|]. destruct (N.eqb_spec RL 0) as [R0|R0].
    - intros H. left. split; auto. intros v Hv. assert (In v (ends ++ snd (set_of nears))) as I by (apply (all_in_ok _ _ _ H); lia).
      apply in_app_or in I. destruct I as [I|I]; [right; now apply Ends|left; now apply Near, Snd].
    - set (s := set_of (ends ++ map G frees)). set (l := lowest (N.to_nat (g n)) 0 (g n) s).
      destruct (lowest_ok s (g n) (N.to_nat (g n)) 0%N) as [L1 L2]; [lia|intros u Hu; lia|]. fold l in L1, L2.
      rewrite !andb_true_iff, N.leb_le. intros [[H1 H2] H3]. right. exists l. split; [lia|].
      assert (Stay : forall x, In x frees -> exists r, padded c tail n (N.to_nat x :: r) /\ nim_sum g r = 0%N /\ G x = g (N.to_nat x)).
      { intros x I. destruct (Free x I) as (B & r & P & Z). exists r. repeat split; auto. apply tab_ok. lia. }
      split; [|split].
      + intros v Hv. specialize (L2 v Hv). apply mem_set_of, in_app_or in L2. destruct L2 as [I|I]; [now apply Ends|].
        apply in_map_iff in I. destruct I as (x & <- & I). destruct (Stay x I) as (r & P & Z & ->).
        exists (N.to_nat x :: r). split; auto. simpl. now rewrite Z, N.lxor_0_r.
      + intros v Hv. apply (all_in_ok _ _ _ H2) in Hv. apply in_map_iff in Hv. destruct Hv as (x & <- & I).
        apply filter_In in I. destruct I as [I B]. apply N.leb_le in B. destruct (Stay x I) as (r & P & Z & ->).
        exists (N.to_nat x), r. repeat split; auto. lia.
      + intros v Hv. apply Near, (all_in_ok _ _ _ H3). lia.
  Qed.
End HeapReach.

(** ** (E): the equations of all options *)

(** The power of two in a number, and its odd part. *)
Fixpoint odd_part (p : positive) : N * positive := match p with xO p' => let (e, u) := odd_part p' in (N.succ e, u) | _ => (0%N, p) end.

Lemma odd_part_ok p : let (e, u) := odd_part p in Npos p = (2 ^ e * Npos u)%N.
Proof.
  induction p as [p IH|p IH|]; cbn [odd_part]; try reflexivity. destruct (odd_part p) as [e u].
  rewrite N.pow_succ_r', <- N.mul_assoc, <- IH. reflexivity.
Qed.

(** Parts are chosen in order, each entry as often as one likes. *)
Inductive picks {A} : list A -> list A -> Prop :=
| picks_none l : picks l []
| picks_one l1 e l2 es : picks (e :: l2) es -> picks (l1 ++ e :: l2) (e :: es).

Section Cases.
  Variables low P : nat.
  Variable R : N.
  Variable tab : tree N.
  (** The same as integers. *)
  Variables lowZ PZ : Z.

  (** A part: its size, whether it stands for its whole class, and its value. *)
  Definition part := (Z * bool * N)%type.
  Definition with_part (a : Z * N * list N) (e : part) : Z * N * list N :=
    let '(t, w, fs) := a in let '(x, big, v) := e in if big then ((t + x)%Z, w, v :: fs) else ((t + x)%Z, N.lxor w v, fs).

  Definition a_solution : carries := Carries [] false 0 0 0.
  Definition class_value (t : Z) : N := look 0%N tab (Z.to_N (lowZ + (t - lowZ) mod PZ)).

  (** The same, looked up where it was computed before. *)
  Variable known : tree (option N).
  Definition class_value_known (t : Z) : N :=
    match look None known (Z.to_N t) with Some v => if Z.leb 0 t then v else class_value t | None => class_value t end.

  Definition case (m : bool) (eu : N * N) (a : Z * N * list N) : list carries :=
    let '(t, w, fs) := a in
    let v := class_value_known t in
    let sum := fold_left N.lxor fs w in
    if N.eqb R 0 then
      if N.eqb sum v && (m || Z.leb 0 ((t - lowZ) / PZ) || match fs with [] => false | _ => true end) then [a_solution] else []
    else
      let (e, u) := eu in
      let mask := N.ones e in
      if N.eqb (N.land sum mask) (N.land v mask)
      then [Carries (map (fun f => N.shiftr f e) fs) m ((t - lowZ) / PZ)%Z (N.shiftr w e) (N.shiftr v e)] else [].

  Fixpoint cases (j : nat) (m : bool) (eu : N * N) : list part -> Z * N * list N -> list carries -> list carries :=
    match j with
    | O => fun _ a acc => case m eu a ++ acc
    | S j' => fix go l a acc :=
        match l with
        | [] => acc
        | e :: l' => go l' a (cases j' m eu (e :: l') (with_part a e) acc)
        end
    end.

  Lemma cases_more j m eu : forall l a acc s, In s acc -> In s (cases j m eu l a acc).
  Proof.
    induction j as [|j IH]; intros l; [intros; apply in_or_app; auto|].
    induction l as [|e l IHl]; intros a acc s I; [exact I|]. cbn [cases]. apply IHl. now apply IH.
  Qed.

  Lemma cases_spec m eu l es : picks l es -> forall a acc s, In s (case m eu (fold_left with_part es a)) ->
    In s (cases (length es) m eu l a acc).
  Proof.
    induction 1 as [l|l1 e l2 es H IH]; intros a acc s I; [apply in_or_app; auto|].
    cbn [length fold_left] in *. revert a acc I. induction l1 as [|x l1 IHl]; intros a acc I.
    - change (In s (cases (S (length es)) m eu l2 a (cases (length es) m eu (e :: l2) (with_part a e) acc))).
      apply cases_more. now apply IH.
    - change (In s (cases (S (length es)) m eu (l1 ++ e :: l2) a (cases (length es) m eu (x :: l1 ++ e :: l2) (with_part a x) acc))).
      now apply IHl.
  Qed.

  Variable g : nat -> N.
  Hypothesis P_pos : 0 < P.
  Hypothesis low_pos : 1 <= low.
  Hypothesis rise : forall n, low <= n -> g (n + P) = (g n + R)%N.
  Hypothesis tab_ok : forall n, n < low + P -> look 0%N tab (N.of_nat n) = g n.
  Hypothesis lowZ_ok : lowZ = Z.of_nat low.
  Hypothesis PZ_ok : PZ = Z.of_nat P.
  Hypothesis known_ok : forall n v, look None known n = Some v -> v = class_value (Z.of_N n).

  Lemma known_value t : class_value_known t = class_value t.
  Proof.
    unfold class_value_known. destruct (look None known (Z.to_N t)) as [v|] eqn:E; auto. destruct (Z.leb_spec 0 t); auto.
    apply known_ok in E. now rewrite Z2N.id in E.
  Qed.

  Lemma rise_far q n : low <= n -> g (n + P * q) = (g n + R * N.of_nat q)%N.
  Proof.
    intros H. induction q; [now rewrite Nat.mul_0_r, Nat.add_0_r, N.mul_0_r, N.add_0_r|].
    rewrite Nat.mul_succ_r, Nat.add_assoc, rise, IHq by lia. lia.
  Qed.

  Definition rep (x : nat) : nat := if x <? low then x else low + (x - low) mod P.
  Definition times (x : nat) : nat := if x <? low then 0 else (x - low) / P.
  Definition part_of (x : nat) : part := (Z.of_nat x, Nat.leb low x, look 0%N tab (N.of_nat x)).

  Lemma rep_lt x : rep x < low + P.
  Proof. unfold rep. destruct (Nat.ltb_spec x low); [lia|]. pose proof (Nat.mod_upper_bound (x - low) P). lia. Qed.

  Lemma rep_times x : x = rep x + P * times x.
  Proof.
    unfold rep, times. destruct (Nat.ltb_spec x low); [lia|]. pose proof (Nat.div_mod (x - low) P). lia.
  Qed.

  Lemma rep_big x : (low <=? rep x) = (low <=? x).
  Proof.
    unfold rep. destruct (Nat.ltb_spec x low); auto. destruct (Nat.leb_spec low (low + (x - low) mod P)), (Nat.leb_spec low x); auto; lia.
  Qed.

  Lemma rep_value x : g x = (g (rep x) + R * N.of_nat (times x))%N.
  Proof.
    destruct (Nat.ltb_spec x low) as [H|H].
    - unfold rep, times. destruct (Nat.ltb_spec x low); [|lia]. lia.
    - rewrite (rep_times x) at 1. apply rise_far. unfold rep. destruct (Nat.ltb_spec x low); lia.
  Qed.

  (** What the accumulated parts stand for, with numbers [qs] for the classes. *)
  Definition stands (a : Z * N * list N) (qs : list N) (beans_all : Z) (v : N) : Prop :=
    let '(t, w, fs) := a in
    length qs = length fs /\ (t + PZ * Z.of_N (total qs))%Z = beans_all /\ N.lxor w (xor_growing R fs qs) = v.

  Lemma stands_parts t : forall a qs b v, stands a qs b v ->
    exists qs', stands (fold_left with_part (map (fun x => part_of (rep x)) t) a) qs' (b + Z.of_nat (beans t))%Z (N.lxor v (nim_sum g t)).
  Proof.
    induction t as [|x t IH]; intros a qs b v H; cbn [map fold_left].
    - exists qs. simpl. now rewrite Z.add_0_r, N.lxor_0_r.
    - cbn [beans fold_right nim_sum]. fold (beans t). fold (nim_sum g t).
      assert (exists qs', stands (with_part a (part_of (rep x))) qs' (b + Z.of_nat x)%Z (N.lxor v (g x))) as (qs' & H').
      { destruct a as [[t0 w] fs]. destruct H as (E1 & E2 & E3). unfold part_of, with_part. rewrite rep_big, tab_ok by apply rep_lt.
        destruct (Nat.leb_spec low x) as [B|B].
        - exists (N.of_nat (times x) :: qs). split; [simpl; lia|]. cbn [total fold_right xor_growing]. fold (total qs). split.
          + pose proof (rep_times x). nia.
          + rewrite <- rep_value. rewrite <- E3. rewrite (N.lxor_comm (g x)), N.lxor_assoc. reflexivity.
        - exists qs. split; auto. unfold rep. destruct (Nat.ltb_spec x low); [|lia]. split; [lia|].
          rewrite <- E3, !N.lxor_assoc. f_equal. apply N.lxor_comm. }
      destruct (IH _ _ _ _ H') as (qs'' & H''). exists qs''.
      rewrite N.lxor_assoc in H''. replace (b + Z.of_nat (x + beans t))%Z with (b + Z.of_nat x + Z.of_nat (beans t))%Z by lia. exact H''.
  Qed.

  Lemma xor_growing_0 fs : forall qs w, length qs = length fs -> R = 0%N -> fold_left N.lxor fs w = N.lxor w (xor_growing R fs qs).
  Proof.
    induction fs as [|f fs IH]; intros [|q qs] w E Z; try discriminate; cbn [fold_left xor_growing].
    - now rewrite N.lxor_0_r.
    - injection E as E. rewrite (IH qs) by auto. replace (R * q)%N with 0%N by (rewrite Z; lia). now rewrite N.add_0_r, N.lxor_assoc.
  Qed.

  Lemma land_xor a b m : N.land (N.lxor a b) m = N.lxor (N.land a m) (N.land b m).
  Proof. apply N.bits_inj. intros i. rewrite !N.land_spec, !N.lxor_spec, !N.land_spec. now destruct (N.testbit a i), (N.testbit b i), (N.testbit m i). Qed.

  Lemma low_bits e u f q : R = (2 ^ e * u)%N -> N.land (f + R * q) (N.ones e) = N.land f (N.ones e) /\ N.shiftr (f + R * q) e = (N.shiftr f e + u * q)%N.
  Proof.
    intros ->. assert (2 ^ e <> 0)%N as N0 by now apply N.pow_nonzero.
    replace (f + 2 ^ e * u * q)%N with (f + u * q * 2 ^ e)%N by lia. split.
    - rewrite !N.land_ones. now apply N.mod_add.
    - rewrite !N.shiftr_div_pow2. now apply N.div_add.
  Qed.

  Lemma growing_bits e u fs : R = (2 ^ e * u)%N -> forall qs w, length qs = length fs ->
    N.land (fold_left N.lxor fs w) (N.ones e) = N.land (N.lxor w (xor_growing R fs qs)) (N.ones e) /\
    N.shiftr (xor_growing R fs qs) e = xor_growing u (map (fun f => N.shiftr f e) fs) qs.
  Proof.
    intros HR. induction fs as [|f fs IH]; intros [|q qs] w E; try discriminate; cbn [fold_left xor_growing map].
    - rewrite N.lxor_0_r, N.shiftr_0_l. auto.
    - injection E as E. destruct (IH qs (N.lxor w f) E) as [H1 _]. destruct (IH qs w E) as [_ H2]. destruct (low_bits e u f q HR) as [B1 B2]. split.
      + rewrite H1, !land_xor, B1. now rewrite N.lxor_assoc.
      + rewrite N.shiftr_lxor, B2, H2. reflexivity.
  Qed.

  Lemma case_spec m eu t w fs qs mm n : (R <> 0%N -> R = (2 ^ fst eu * snd eu)%N) -> low <= n ->
    stands (t, w, fs) qs (Z.of_nat n - PZ * Z.of_N mm)%Z (g n) -> (m = false -> mm = 0%N) ->
    (R = 0%N /\ In a_solution (case m eu (t, w, fs))) \/
    (R <> 0%N /\ exists s q, In s (case m eu (t, w, fs)) /\ solves (snd eu) s qs mm q).
  Proof.
    intros HR Hn (E1 & E2 & E3) Hm. set (q := times n).
    assert (n = rep n + P * q) as En by apply rep_times. assert (low <= rep n < low + P) as Hr.
    { split; [|apply rep_lt]. unfold rep. destruct (Nat.ltb_spec n low); lia. }
    assert (t = Z.of_nat (rep n) + PZ * (Z.of_nat q - Z.of_N (total qs) - Z.of_N mm))%Z as Et by (rewrite PZ_ok in *; nia).
    assert ((t - lowZ) / PZ = Z.of_nat q - Z.of_N (total qs) - Z.of_N mm)%Z as Bal.
    { symmetry. apply Z.div_unique with (r := (Z.of_nat (rep n) - lowZ)%Z); rewrite lowZ_ok, PZ_ok in *; lia. }
    assert (class_value t = g (rep n)) as Cv.
    { unfold class_value. assert ((t - lowZ) mod PZ = Z.of_nat (rep n) - lowZ)%Z as ->.
      { symmetry. apply Z.mod_unique with (q := (Z.of_nat q - Z.of_N (total qs) - Z.of_N mm)%Z); rewrite lowZ_ok, PZ_ok in *; lia. }
      rewrite <- tab_ok by lia. f_equal. lia. }
    unfold case. rewrite known_value, Cv, Bal. pose proof (rep_value n) as Gv. fold q in Gv. rewrite Gv in E3.
    destruct (N.eqb_spec R 0) as [R0|R0].
    - left. split; auto. rewrite (xor_growing_0 fs qs w E1 R0), E3. replace (R * N.of_nat q)%N with 0%N by (rewrite R0; lia). rewrite N.add_0_r, N.eqb_refl.
      assert ((m || Z.leb 0 (Z.of_nat q - Z.of_N (total qs) - Z.of_N mm) || match fs with [] => false | _ => true end) = true) as ->.
      { destruct m; auto. rewrite (Hm eq_refl). destruct fs; [|apply orb_true_r].
        destruct qs; [|discriminate]. simpl. rewrite orb_false_r. apply Z.leb_le. lia. }
      now left.
    - right. split; auto. destruct eu as [e u]. cbn [fst snd] in *. destruct (growing_bits e u fs (HR R0) qs w E1) as [B1 B2].
      destruct (low_bits e u (g (rep n)) (N.of_nat q) (HR R0)) as [C1 C2]. rewrite B1, E3, C1, N.eqb_refl.
      eexists. exists (N.of_nat q). split; [now left|]. split; [cbn [growing]; now rewrite map_length|]. split; [exact Hm|].
      cbn [balance fixed_part growing whole]. split; [lia|]. rewrite <- B2, <- N.shiftr_lxor, E3, C2. reflexivity.
  Qed.

  (** Some order of the parts is the order of the search. *)
  Lemma insert_ordered a t : StronglySorted (fun x y => rep x <= rep y) t ->
    exists t', Permutation (a :: t) t' /\ StronglySorted (fun x y => rep x <= rep y) t'.
  Proof.
    induction 1 as [|b t S IH F].
    - exists [a]. split; auto. repeat constructor.
    - destruct (le_lt_dec (rep a) (rep b)) as [H|H].
      + exists (a :: b :: t). split; auto. constructor; [now constructor|]. constructor; auto.
        revert F. apply Forall_impl. intros. lia.
      + destruct IH as (t' & Pt & St). exists (b :: t'). split; [rewrite perm_swap; now constructor|]. constructor; auto.
        apply (Permutation_Forall Pt). constructor; auto. lia.
  Qed.

  Lemma ordered_exists t : exists t', Permutation t t' /\ StronglySorted (fun x y => rep x <= rep y) t'.
  Proof.
    induction t as [|a t (t' & Pt & St)]; [exists []; split; constructor|].
    destruct (insert_ordered a t' St) as (t'' & P2 & S2). exists t''. split; auto. rewrite <- P2. now constructor.
  Qed.

  Definition all_parts (from : nat) : list part := map part_of (seq from (low + P - from)).

  Lemma ordered_picks t : StronglySorted (fun x y => rep x <= rep y) t -> forall from, Forall (fun x => from <= rep x) t ->
    picks (all_parts from) (map (fun x => part_of (rep x)) t).
  Proof.
    induction 1 as [|x t Ss IH F]; intros from Hf; [constructor|]. inversion Hf; subst. cbn [map]. pose proof (rep_lt x).
    assert (all_parts from = map part_of (seq from (rep x - from)) ++ part_of (rep x) :: map part_of (seq (S (rep x)) (low + P - S (rep x)))) as ->.
    { unfold all_parts. replace (low + P - from) with ((rep x - from) + S (low + P - S (rep x))) by lia.
      rewrite seq_app, map_app. replace (from + (rep x - from)) with (rep x) by lia. reflexivity. }
    constructor. specialize (IH (rep x) F). unfold all_parts in IH. replace (low + P - rep x) with (S (low + P - S (rep x))) in IH by lia. exact IH.
  Qed.

  Lemma nim_sum_perm t t' : Permutation t t' -> nim_sum g t = nim_sum g t' /\ beans t = beans t' /\ length t = length t'.
  Proof.
    induction 1 as [|x t t' _ (I1 & I2 & I3)|x y t|t t' t'' _ (I1 & I2 & I3) _ (J1 & J2 & J3)]; cbn [nim_sum beans fold_right length]; auto.
    - unfold nim_sum, beans in *. repeat split; congruence.
    - repeat split; auto; [|lia]. rewrite <- !N.lxor_assoc. f_equal. apply N.lxor_comm.
    - repeat split; congruence.
  Qed.

  (** An option of value [g n] leads to a case with a solution. *)
  Lemma option_case m eu k0 mm t n : (R <> 0%N -> R = (2 ^ fst eu * snd eu)%N) -> low <= n ->
    n = k0 + P * N.to_nat mm + beans t -> (m = false -> mm = 0%N) -> Forall (fun x => 0 < x) t -> nim_sum g t = g n ->
    exists s, (forall acc, In s (cases (length t) m eu (all_parts 1) (Z.of_nat k0, 0%N, []) acc)) /\
      ((R = 0%N /\ s = a_solution) \/ (R <> 0%N /\ exists qs q, solves (snd eu) s qs mm q)).
  Proof.
    intros HR Hn E Hm F V. destruct (ordered_exists t) as (t' & Pt & St). destruct (nim_sum_perm t t' Pt) as (V' & B' & L').
    assert (Forall (fun x => 1 <= rep x) t') as F'.
    { apply (Permutation_Forall Pt). revert F. apply Forall_impl. intros x Hx. unfold rep. destruct (Nat.ltb_spec x low); lia. }
    pose proof (ordered_picks t' St 1 F') as Pk.
    destruct (stands_parts t' (Z.of_nat k0, 0%N, []) [] (Z.of_nat k0) 0%N) as (qs & Sq); [simpl; repeat split; lia|].
    rewrite N.lxor_0_l, <- V', V in Sq. destruct (fold_left with_part (map (fun x => part_of (rep x)) t') (Z.of_nat k0, 0%N, [])) as [[t1 w1] fs1] eqn:Ef.
    replace (Z.of_nat k0 + Z.of_nat (beans t'))%Z with (Z.of_nat n - PZ * Z.of_N mm)%Z in Sq by (rewrite PZ_ok; nia).
    assert (length t = length (map (fun x => part_of (rep x)) t')) as -> by (rewrite map_length; auto).
    destruct (case_spec m eu t1 w1 fs1 qs mm n HR Hn Sq Hm) as [(R0 & I)|(R0 & s & q & I & S)].
    - exists a_solution. split; auto. intros acc. apply cases_spec; auto. now rewrite Ef.
    - exists s. split; [intros acc; apply cases_spec; auto; now rewrite Ef|]. right. split; auto. exists qs, q. exact S.
  Qed.
End Cases.

(** ** The check *)

(** [P] is a common multiple of the period and the length of the repeated block. *)
Definition digits_to (c : code) (P : nat) : list (nat * N) :=
  match block c with [] => moves_up_to c (tail_of c) | _ => moves_up_to c (tail_of c + P - 1) end.

Definition all_cases (c : code) (low P : nat) (R : N) (tab : tree N) (eu : N * N) : list carries :=
  let l := all_parts low P tab 1 in
  let lowZ := Z.of_nat low in
  let PZ := Z.of_nat P in
  let known := table (map (fun n => Some (class_value tab lowZ PZ (Z.of_nat n))) (seq 0 (tail_of c + P + 3 * (low + P)))) in
  let m k := match block c with [] => false | _ => Nat.leb (tail_of c) k end in
  fold_right (fun kd acc => fold_right (fun j acc =>
    if N.testbit_nat (snd kd) j then cases R tab lowZ PZ known j (m (fst kd)) eu l (Z.of_nat (fst kd), 0%N, []) acc else acc) acc (seq 1 (width c))) [] (digits_to c P).

Definition whole_heaps (c : code) (low P : nat) (tab : tree N) : bool :=
  forallb (fun n => negb (existsb (fun kd => Nat.eqb (fst kd) n && N.testbit_nat (snd kd) 0) (moves_up_to c n)) || negb (N.eqb (look 0%N tab (N.of_nat n)) 0))
    (seq low P).

Definition first_zero (upto : nat) (tab : tree N) : option N := find (fun z => N.eqb (look 0%N tab z) 0) (numbers_from (upto - 1) 1).

Definition check_induction (c : code) (n0 p : nat) (s : N) (vals : list N) (P base L fuel : nat) : bool :=
  let tail := tail_of c in
  let low := Nat.max (Nat.max tail n0) 1 in
  let G := fill_up (base + L) s vals (skipn n0 vals) in
  let R := (s * N.of_nat (P / p))%N in
  let RL := (s * N.of_nat (L / p))%N in
  let eu := match R with N0 => (0%N, 0%N) | Npos r => let (e, u) := odd_part r in (e, Npos u) end in
  let power := match RL with N0 => 1%N | Npos r => (2 ^ fst (odd_part r))%N end in
  let tab := table G in
  let lowN := N.of_nat low in
  tail_ok c && Nat.ltb 0 p && Nat.eqb (length vals) (n0 + p) && Nat.ltb 0 L &&
  Nat.eqb (P mod p) 0 && Nat.eqb (P mod repeat_of c) 0 && Nat.ltb 0 P && Nat.eqb (L mod P) 0 &&
  (Nat.ltb (width c) 3 || Nat.even L) && Nat.leb (low + L) base &&
  Nat.eqb (length G) (base + L) && starts_with G vals && higher s (skipn (n0 + p) G) (skipn n0 G) &&
  no_earlier_rise n0 p s G && no_shorter_rise p (firstn (2 * p) (skipn n0 G)) &&
  check_values c (firstn base G) &&
  (let reaches wide n := reaches_here c tail RL tab power (first_zero (low + P) tab) lowN wide n (look 0%N tab (N.of_nat n)) in
   forallb (fun n => reaches false n || reaches true n) (seq base L)) &&
  whole_heaps c low P tab &&
  no_solutions (snd eu) fuel (all_cases c low P R tab eu).

Lemma in_fold_more {A B} (f : A -> list B -> list B) (more : forall a acc s, In s acc -> In s (f a acc)) l : forall s acc, In s acc -> In s (fold_right f acc l).
Proof. induction l; simpl; auto. Qed.

Lemma in_fold_case {A B} (f : A -> list B -> list B) (more : forall a acc s, In s acc -> In s (f a acc)) s a l :
  In a l -> (forall acc, In s (f a acc)) -> forall acc, In s (fold_right f acc l).
Proof. induction l as [|b l IH]; simpl; [tauto|]. intros [->|I] H acc; auto. Qed.

(** A checked sequence: the values of all heaps and of all sums of heaps, period and saltus, and period and preperiod are least. *)
Theorem induction_correct c n0 p s vals P base L fuel : check_induction c n0 p s vals P base L fuel = true ->
  let g := rising n0 p s vals in
  (forall w, grundy (heap_move c) w (nim_sum g w)) /\
  (forall n, n0 <= n -> g (n + p) = (g n + s)%N) /\
  (forall q n1 s1, 0 < q -> (forall n, n1 <= n -> g (n + q) = (g n + s1)%N) -> p <= q /\ n0 <= n1).
Proof.
  unfold check_induction. set (tail := tail_of c). set (low := Nat.max (Nat.max tail n0) 1).
  set (G := fill_up (base + L) s vals (skipn n0 vals)). set (R := (s * N.of_nat (P / p))%N). set (RL := (s * N.of_nat (L / p))%N).
  set (eu := match R with N0 => _ | Npos r => _ end). set (power := match RL with N0 => _ | Npos r => _ end). cbv zeta. set (tab := table G).
  rewrite !andb_true_iff, !Nat.ltb_lt, !Nat.eqb_eq, Nat.leb_le.
  intros [[[[[[[[[[[[[[[[[[T p_pos] V] L_pos] Pp] Pr] P_pos] LP] Ev] Hb] LG] SW] HG] Le] Ls] CV] RH] WH] NS].
  set (g := rising n0 p s vals).
  assert (GL : forall n, n < length G -> nth n G 0%N = g n) by (apply rising_list; auto).
  assert (TG : forall n, n < base + L -> look 0%N tab (N.of_nat n) = g n).
  { intros n Hn. unfold tab. rewrite look_table, Nat2N.id. apply GL. lia. }
  assert (multiple : forall m, m mod p = 0 -> forall n, low <= n -> g (n + m) = (g n + s * N.of_nat (m / p))%N).
  { intros m Hm n Hn. pose proof (Nat.div_mod m p ltac:(lia)) as E. rewrite Hm, Nat.add_0_r in E.
    rewrite E at 1. rewrite (Nat.mul_comm p). unfold g. rewrite rising_far by lia. lia. }
  assert (L mod p = 0) as Lp.
  { apply Nat.mod_divide in LP, Pp; try lia. apply Nat.mod_divide; [lia|]. now apply (Nat.divide_trans _ P). }
  assert (Nat.divide (repeat_of c) P) as DP.
  { apply Nat.mod_divide; auto. unfold repeat_of. destruct (block c); simpl; lia. }
  assert (Nat.divide (repeat_of c) L) as DL.
  { apply (Nat.divide_trans _ P); auto. apply Nat.mod_divide; lia. }
  assert (riseP : forall n, low <= n -> g (n + P) = (g n + R)%N) by (apply multiple; auto).
  assert (riseL : forall n, low <= n -> g (n + L) = (g n + RL)%N) by (apply multiple; auto).
  assert (HR : R <> 0%N -> R = (2 ^ fst eu * snd eu)%N).
  { unfold eu. destruct R as [|r]; [congruence|]. intros _. pose proof (odd_part_ok r). destruct (odd_part r). auto. }
  assert (P <= L) as PL by (apply Nat.divide_pos_le; auto; apply Nat.mod_divide; lia).
  assert (low_pos : 1 <= low) by (unfold low; lia).
  (* (A) *)
  assert (reach : forall n, base <= n -> forall v, (v < g n)%N -> exists t, take_and_break c n t /\ nim_sum g t = v).
  { apply (reaches_all c g low tail L RL); auto; try lia.
    - intros k j K A. apply allowed_shift; auto.
    - intros k j A. apply allowed_width in A. destruct (Nat.ltb_spec (width c) 3); [lia|]. simpl in Ev. apply Nat.even_spec in Ev.
      destruct Ev as (h & ->). exists h. lia.
    - intros n Hn. rewrite forallb_forall in RH. specialize (RH n ltac:(apply in_seq; lia)). rewrite TG in RH by lia.
      apply orb_true_iff in RH. assert (exists b, reaches_here c tail RL tab power (first_zero (low + P) tab) (N.of_nat low) b n (g n) = true) as (b & RH') by (destruct RH; eauto).
      eapply reaches_here_ok; [| | | | |exact RH'].
      + unfold low. lia.
      + reflexivity.
      + intros w. unfold is_small. rewrite orb_true_iff, N.eqb_eq, N.ltb_lt. intros [Z|W]; [now left|].
        unfold power in W. destruct RL as [|r]; [now left|]. right. pose proof (odd_part_ok r) as O. destruct (odd_part r) as [e u]. simpl in W.
        exists (N.to_nat e). rewrite N2Nat.id. split; auto. exists (Npos u). lia.
      + intros z Z. unfold first_zero in Z. apply find_some in Z. destruct Z as [I E]. apply in_numbers in I. apply N.eqb_eq in E.
        split; [lia|]. rewrite <- TG by lia. now rewrite N2Nat.id.
      + intros a Ha. rewrite <- TG by lia. now rewrite N2Nat.id. }
  (* below [base] *)
  assert (LB : length (firstn base G) = base) by (rewrite firstn_length; lia).
  assert (GB : forall n, n < base -> nth n (firstn base G) 0%N = g n).
  { intros n Hn. rewrite <- GL by lia. rewrite <- (firstn_skipn base G) at 2. rewrite app_nth1; auto. lia. }
  assert (nims : forall n t, n <= base -> take_and_break c n t -> nim_sum (fun h => nth h (firstn base G) 0%N) t = nim_sum g t).
  { intros n t Hn O. pose proof (fun x => option_smaller c n t x O) as S. clear O.
    induction t as [|x t IH]; simpl; auto. rewrite IH, GB; auto.
    - specialize (S x (or_introl eq_refl)). lia.
    - intros y I. apply S. now right. }
  (* (E) *)
  assert (exclude : forall n t, low <= n -> take_and_break c n t -> nim_sum g t <> g n).
  { intros n t Hn (k & E & F & A & Z) Vt.
    set (m := match block c with [] => false | _ => Nat.leb tail k end).
    assert (exists k0 mm, k = k0 + P * N.to_nat mm /\ allowed c k0 (length t) /\ (m = false -> mm = 0%N) /\ k0 <= k /\
      m = match block c with [] => false | _ => Nat.leb tail k0 end /\
      exists d, In (k0, d) (digits_to c P) /\ N.testbit_nat d (length t) = true) as (k0 & mm & Ek & A0 & Hm & Hk & Em & d & Id & Bd).
    { unfold m, digits_to. destruct (Nat.leb_spec tail k) as [K|K].
      - destruct (block c) as [|b l] eqn:B.
        + exfalso. apply allowed_last in A; [|unfold ends; now rewrite B]. unfold tail, tail_of in K. rewrite B in K. lia.
        + set (r := (k - tail) mod P). set (q := (k - tail) / P). pose proof (Nat.div_mod (k - tail) P ltac:(lia)) as D. fold q r in D.
          assert (r < P) by (apply Nat.mod_upper_bound; lia).
          assert (allowed c (tail + r) (length t)) as A0.
          { apply (allowed_shift c (tail + r) (length t) (P * q)); auto; [unfold tail; lia|now apply Nat.divide_mul_l|].
            now replace (tail + r + P * q) with k by lia. }
          exists (tail + r), (N.of_nat q). rewrite Nat2N.id. split; [lia|]. split; auto. split; [discriminate|]. split; [lia|].
          split; [symmetry; apply Nat.leb_le; lia|]. apply in_moves; auto. unfold tail. lia.
      - exists k, 0%N. split; [lia|]. split; auto. split; auto. split; [lia|]. split.
        + destruct (block c); auto. symmetry. now apply Nat.leb_gt.
        + destruct (block c); apply in_moves; auto; unfold tail in *; lia. }
    destruct t as [|x t].
    - (* the whole heap *)
      simpl in Vt, A. unfold whole_heaps in WH. rewrite forallb_forall in WH.
      assert (low <= rep low P n < low + P) as Hr.
      { split; [|apply rep_lt; auto]. unfold rep. destruct (Nat.ltb_spec n low); lia. }
      specialize (WH (rep low P n) ltac:(apply in_seq; lia)).
      rewrite TG in WH by lia. pose proof (rep_value low P R g P_pos low_pos riseP n) as Gn.
      assert (g (rep low P n) = 0%N) as G0 by (rewrite Gn in Vt; lia). rewrite G0 in WH. simpl in WH. rewrite orb_false_r in WH.
      apply negb_true_iff in WH. assert (k = n) as -> by (simpl in E; lia).
      pose proof (rep_times low P P_pos low_pos n) as Rt.
      assert (allowed c (rep low P n) 0) as A1.
      { apply (allowed_shift c (rep low P n) 0 (P * times low P n)); auto; [unfold low, tail in *; lia|now apply Nat.divide_mul_l|]. now rewrite <- Rt. }
      apply (in_moves c (rep low P n)) in A1; auto. destruct A1 as (d1 & I1 & B1).
      assert (existsb (fun kd => Nat.eqb (fst kd) (rep low P n) && N.testbit_nat (snd kd) 0) (moves_up_to c (rep low P n)) = true) as X; [|congruence].
      apply existsb_exists. exists (rep low P n, d1). split; auto. simpl. now rewrite Nat.eqb_refl, B1.
    - pose proof (no_solutions_correct (snd eu) fuel _ NS) as Clean.
      set (lowZ := Z.of_nat low) in *. set (PZ := Z.of_nat P) in *.
      set (known := table (map (fun n => Some (class_value tab lowZ PZ (Z.of_nat n))) (seq 0 (tail_of c + P + 3 * (low + P))))).
      assert (forall i v, look None known i = Some v -> v = class_value tab lowZ PZ (Z.of_N i)) as Known.
      { intros i v. unfold known. rewrite look_table. intros H. destruct (lt_dec (N.to_nat i) (tail_of c + P + 3 * (low + P))) as [Hi|Hi].
        - rewrite (nth_indep _ None (Some (class_value tab lowZ PZ (Z.of_nat 0)))) in H by (rewrite map_length, seq_length; auto).
          rewrite (map_nth (fun n => Some (class_value tab lowZ PZ (Z.of_nat n)))), seq_nth in H by auto.
          injection H as <-. f_equal. lia.
        - rewrite nth_overflow in H by (rewrite map_length, seq_length; lia). discriminate. }
      assert (forall s0, (forall acc, In s0 (cases R tab lowZ PZ known (length (x :: t)) m eu (all_parts low P tab 1) (Z.of_nat k0, 0%N, []) acc)) ->
        In s0 (all_cases c low P R tab eu)) as Into.
      { intros s0 Hs. unfold all_cases. apply in_fold_case with (a := (k0, d)); auto.
        - intros a acc s1 I1. apply in_fold_more; auto. intros j acc' s2 I2. destruct (N.testbit_nat (snd a) j); auto. now apply cases_more.
        - intros acc. apply in_fold_case with (a := length (x :: t)).
          + intros j acc' s2 I2. cbn [fst snd]. destruct (N.testbit_nat d j); auto. now apply cases_more.
          + apply in_seq. apply allowed_width in A. simpl in *. lia.
          + intros acc'. cbn [fst snd]. rewrite Bd. fold tail. rewrite <- Em. apply Hs. }
      destruct (option_case low P R tab lowZ PZ known g P_pos low_pos riseP ltac:(intros; apply TG; lia) eq_refl eq_refl Known m eu k0 mm (x :: t) n) as (s0 & I1 & H0); auto; [lia|].
      destruct (Clean s0 (Into s0 I1)) as [N1 N2]. destruct H0 as [(_ & ->)|(_ & qs & q & S)]; [discriminate|]. exact (N2 qs mm q S). }
  split; [|split].
  - intros w. apply (sprague_grundy c (fun _ => True)); [| | |now apply Forall_forall].
    + intros. now apply Forall_forall.
    + intros h t _ O. destruct (le_lt_dec low h); [now apply exclude|]. rewrite <- (nims h) by (auto; lia). rewrite <- GB by lia.
      apply (check_values_mex c (firstn base G) CV h); auto. lia.
    + intros h v _ Hv. destruct (le_lt_dec base h); [now apply reach|]. rewrite <- GB in Hv by lia.
      destruct (proj2 (check_values_mex c (firstn base G) CV h ltac:(lia)) v Hv) as (t & O & Vt). rewrite (nims h) in Vt by (auto; lia). eauto.
  - intros n Hn. now apply rising_period.
  - apply (least_rise n0 p s vals G); auto. assert (p <= L) by (apply Nat.divide_pos_le; auto; apply Nat.mod_divide; lia). lia.
Qed.
