(** * Form "counters": a finite monoid times counters, with heaps that follow *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Games Laws Search Heaps Periods Monoid Silence Quotient Walk Machine Follow.
Import ListNotations.

Inductive entry :=
| Element (g : N)
| Count (i : nat)
| Follower (g : N) (counts : list N) (like : list (list nat)).

Record counted := Counted {
  n_order : N;
  n_steps : list (list N);
  n_counters : list nat;
  n_entries : list entry;
  n_slices : list (list bool);
  n_next : list (list N);
  n_output : list N
}.

Definition pair := (N * list N)%type.

Definition unit_vector (r i : nat) : list N := map (fun j => if Nat.eqb j i then 1%N else 0%N) (seq 0 r).

Lemma vadd_nth a : forall b j, length b = length a -> nth j (vadd a b) 0%N = (nth j a 0 + nth j b 0)%N.
Proof. induction a as [|x a IH]; intros [|y b] [|j] L; simpl in *; try lia; auto. Qed.

Section Check.
  Variable c : code.
  Variable n : counted.
  Variable fuel : nat.

  Let r := length (n_counters n).
  Let order := n_order n.

  Definition entry_of (h : nat) : entry := nth h (n_entries n) (Element 0).
  Definition entry_value (e : entry) : pair :=
    match e with
    | Element g => (g, vzero r)
    | Count i => (0%N, unit_vector r i)
    | Follower g k _ => (g, k)
    end.
  Definition heap_value (h : nat) : pair := entry_value (entry_of h).

  Definition n_rows : rows_table := all_rows order (n_steps n).
  Definition n_mul : N -> N -> N := mul (multiplication order n_rows).
  Definition pmul (m : N -> N -> N) (x y : pair) : pair := (m (fst x) (fst y), vadd (snd x) (snd y)).
  Definition pone : pair := (0%N, vzero r).
  Definition sum_value (m : N -> N -> N) (w : list nat) : pair := pval pair (pmul m) pone heap_value w.

  (** The slice of a vector of counts, by the automaton. *)
  Definition step_of (t : tree (tree N)) (s e : N) : N := look 0%N (look Leaf t s) e.
  Definition n_next_state : N -> N -> N := step_of (table (map table (n_next n))).
  Definition n_out : N -> N := look 0%N (table (n_output n)).
  Definition slice_number (a : list N) : N := reading n_next_state n_out a.
  Definition slice (k : N) : list bool := nth (N.to_nat k) (n_slices n) [].
  Definition predicted (x : pair) : bool := has (slice (slice_number (snd x))) (fst x).

  (** ** Values of options as numbers, so that the tables of heap games can hold them *)
  Definition largest_count : N :=
    fold_right (fun e m => fold_right N.max m (snd (entry_value e))) 1%N (n_entries n).
  Definition base : N := (1 + N.of_nat (width c) * largest_count)%N.
  Fixpoint packed (B : N) (a : list N) : N := match a with [] => 0%N | x :: a' => (x + B * packed B a')%N end.
  Fixpoint unpacked (B : N) (k : nat) (m : N) : list N :=
    match k with O => [] | S k' => (m mod B)%N :: unpacked B k' (m / B)%N end.
  Definition coded (B : N) (x : pair) : N := (fst x + order * packed B (snd x))%N.
  Definition decoded (B : N) (v : N) : pair := (v mod order, unpacked B r (v / order))%N.
  Definition coded_mul (m : N -> N -> N) (v w : N) : N :=
    (m (v mod order) (w mod order) + order * (v / order + w / order))%N.

  Definition option_lists (m : N -> N -> N) : option (list (list pair)) :=
    let B := base in
    survey (coded_mul m) (fun _ s => Some (map (decoded B) (snd s))) c (map (fun e => coded B (entry_value e)) (n_entries n)).

  (** ** Shape of the certificate *)
  Definition entry_ok (h : nat) (e : entry) (options : list pair) : bool :=
    match e with
    | Element g => N.ltb g order && match options with [] => N.eqb g 0 | _ => true end
    | Count i => Nat.ltb i r && Nat.eqb (nth i (n_counters n) 0) h && match options with [] => false | _ => true end
    | Follower g k _ => N.ltb g order && Nat.eqb (length k) r && match options with [] => false | _ => true end
    end.

  Fixpoint entries_ok (h : nat) (es : list entry) (os : list (list pair)) : bool :=
    match es, os with
    | [], [] => true
    | e :: es', o :: os' => entry_ok h e o && entries_ok (S h) es' os'
    | _, _ => false
    end.

  Definition machine_ok : bool :=
    let states := N.of_nat (length (n_next n)) in
    N.ltb 0 states &&
    forallb (fun row => forallb (fun s => N.ltb s states) row) (n_next n) &&
    forallb (fun s => N.eqb (n_out (n_next_state s 0)) (n_out s)) (elements states).

  (** ** The checks for one tuple of slices *)
  Definition pulled (row : N -> list N) (g : N) (t : tree bool) : list bool := map (look false t) (row g).

  Definition unions (l : list (list bool)) : list bool :=
    fold_left either l (map (fun _ => false) (elements order)).

  Fixpoint elements_check (row : N -> list N) (own : tree bool) (up : list N -> tree bool)
      (es : list entry) (os : list (list pair)) : option (list (option kind)) :=
    match es, os with
    | Element g :: es', (_ :: _) as o :: os' =>
        let a := pulled row g own in
        let u := unions (map (fun x => pulled row (fst x) (up (snd x))) o) in
        if disjoint a u
        then match elements_check row own up es' os' with
             | Some l => Some (Some (Kind g (neither a u)) :: l)
             | None => None
             end
        else None
    | _ :: es', _ :: os' => elements_check row own up es' os'
    | _, _ => Some []
    end.

  Definition find_slice (offsets : list (list N)) (tuple : list N) (o : list N) : N :=
    let fix find os ts := match os, ts with
      | o' :: os', t :: ts' => if same_numbers o o' then t else find os' ts'
      | _, _ => 0%N
      end in find offsets tuple.

  (** Counters that occur, with their options. *)
  Definition counter_options (os : list (list pair)) (Z : list bool) : list (nat * list pair) :=
    map (fun i => (i, nth (nth i (n_counters n) 0) os [])) (filter (fun i => nth i Z false) (seq 0 r)).

  Definition ones (Z : list bool) : list N := map (fun b : bool => if b then 1%N else 0%N) Z.

  Definition support_offsets (os : list (list pair)) (Z : list bool) : list (list N) :=
    ones Z :: map (fun x => vadd (ones Z) (snd x)) (concat os) ++
    flat_map (fun io => map (fun x => vadd (vsub (ones Z) (unit_vector r (fst io))) (snd x)) (snd io)) (counter_options os Z).

  Fixpoint distinct (l seen : list (list N)) : list (list N) :=
    match l with
    | [] => seen
    | a :: l' => distinct l' (if existsb (same_numbers a) seen then seen else a :: seen)
    end.

  (** For each counter that occurs: from where an option of it reaches a P-position. *)
  Definition downs_of (row : N -> list N) (at_offset : list N -> tree bool) (os : list (list pair)) (Z : list bool) : list (list bool) :=
    map (fun io => unions (map (fun x =>
      pulled row (fst x) (at_offset (vadd (vsub (ones Z) (unit_vector r (fst io))) (snd x)))) (snd io))) (counter_options os Z).

  Definition check_support (row : N -> list N) (slices : tree (tree bool)) (os : list (list pair)) (Z : list bool) : bool :=
    let offsets := distinct (support_offsets os Z) [] in
    match tuples n_next_state n_out Z offsets fuel with
    | None => false
    | Some T =>
        forallb (fun tuple =>
          let at_offset o := look Leaf slices (find_slice offsets tuple o) in
          let own := at_offset (ones Z) in
          match elements_check row own (fun d => at_offset (vadd (ones Z) d)) (n_entries n) os with
          | None => false
          | Some l =>
              let here := pulled row 0 own in
              let down := downs_of row at_offset os Z in
              let u := unions down in
              let D0 := neither here u in
              forallb (disjoint here) down &&
              (negb (existsb (fun b => b) Z) || negb (has D0 0)) &&
              check_silence_all order row (gather l []) D0 fuel
          end) (distinct T [])
    end.

  (** ** Followers *)
  Fixpoint word_options (m : N -> N -> N) (os : list (list pair)) (x : pair) (q : list nat) : list pair :=
    match q with
    | [] => []
    | h :: q' => map (pmul m (pmul m x (sum_value m q'))) (nth h os []) ++ word_options m os (pmul m x (heap_value h)) q'
    end.

  Definition plain_heap (h : nat) : bool :=
    Nat.ltb h (length (n_entries n)) && match entry_of h with Follower _ _ _ => false | _ => true end.

  Definition word_ok (m : N -> N -> N) (os : list (list pair)) (v : pair) (q : list nat) : bool :=
    forallb plain_heap q && existsb (fun h => match nth h os [] with [] => false | _ => true end) q &&
    let x := sum_value m q in N.eqb (fst x) (fst v) && same_numbers (snd x) (snd v).

  Definition check_follower (m : N -> N -> N) (row : N -> list N) (slices : tree (tree bool)) (os : list (list pair)) (v : pair) (options : list pair) (like : list (list nat)) : bool :=
    let words := map (word_options m os pone) like in
    let offsets := distinct (snd v :: map snd (options ++ concat words)) [] in
    forallb (word_ok m os v) like &&
    match tuples n_next_state n_out (repeat true r) offsets fuel with
    | None => false
    | Some T =>
        forallb (fun tuple =>
          let at_offset o := look Leaf slices (find_slice offsets tuple o) in
          let reach l := unions (map (fun x => pulled row (fst x) (at_offset (snd x))) l) in
          let a := pulled row (fst v) (at_offset (snd v)) in
          let u := reach options in
          disjoint a u && contained (neither a u) (unions (map (fun w => map negb (reach w)) words))) (distinct T [])
    end.

  Fixpoint followers_ok (m : N -> N -> N) (row : N -> list N) (slices : tree (tree bool)) (os : list (list pair)) (es : list entry) (l : list (list pair)) : bool :=
    match es, l with
    | Follower g k like :: es', o :: l' => check_follower m row slices os (g, k) o like && followers_ok m row slices os es' l'
    | _ :: es', _ :: l' => followers_ok m row slices os es' l'
    | _, _ => true
    end.

  Fixpoint supports (k : nat) : list (list bool) :=
    match k with O => [[]] | S k' => let l := supports k' in map (cons false) l ++ map (cons true) l end.

  Definition check_counters : bool :=
    let rows := n_rows in
    let m := mul (multiplication order rows) in
    let row := row_of rows in
    let slices := table (map table (n_slices n)) in
    monoid_ok order (n_steps n) rows && machine_ok && negb (predicted pone) &&
    match option_lists m with
    | None => false
    | Some os =>
        entries_ok 0 (n_entries n) os && followers_ok m row slices os (n_entries n) os &&
        forallb (check_support row slices os) (supports r)
    end.

  (** ** Proof *)
  Section Accepted.
    Hypothesis ok : check_counters = true.

    Lemma ok_monoid : monoid_ok order (n_steps n) n_rows = true.
    Proof. unfold check_counters in ok. rewrite !andb_true_iff in ok. tauto. Qed.
    Lemma ok_machine : machine_ok = true.
    Proof. unfold check_counters in ok. rewrite !andb_true_iff in ok. tauto. Qed.
    Lemma ok_one : predicted pone = false.
    Proof. unfold check_counters in ok. rewrite !andb_true_iff, negb_true_iff in ok. tauto. Qed.

    Let rowf := row_of n_rows.
    Let slices := table (map table (n_slices n)).

    Lemma ok_options : exists os, option_lists n_mul = Some os /\ entries_ok 0 (n_entries n) os = true /\
      followers_ok n_mul rowf slices os (n_entries n) os = true /\
      forall Z, In Z (supports r) -> check_support rowf slices os Z = true.
    Proof.
      unfold check_counters in ok. rewrite !andb_true_iff in ok. destruct ok as [_ H]. fold n_mul in H.
      destruct (option_lists n_mul) as [os|]; [|discriminate]. exists os. rewrite !andb_true_iff, forallb_forall in H. tauto.
    Qed.

    Let o_pos : (0 < order)%N := order_pos _ _ ok_monoid.
    Let m_range := mul_range _ _ ok_monoid.
    Let m_comm := mul_comm _ _ ok_monoid.
    Let m_assoc := mul_assoc _ _ ok_monoid.
    Let m_unit := mul_unit_l _ _ ok_monoid.
    Let m_row := row_mul _ _ ok_monoid.

    Definition goodp (x : pair) : Prop := (fst x < order)%N /\ length (snd x) = r.

    Lemma good_pone : goodp pone.
    Proof. split; [exact o_pos|]. apply repeat_length. Qed.
    Lemma good_pmul x y : goodp x -> goodp y -> goodp (pmul n_mul x y).
    Proof. intros [X1 X2] [Y1 Y2]. split; simpl; [now apply m_range|]. rewrite length_vadd; lia. Qed.
    Lemma pmul_comm x y : goodp x -> goodp y -> pmul n_mul x y = pmul n_mul y x.
    Proof. intros [X1 X2] [Y1 Y2]. unfold pmul. f_equal; [now apply m_comm|apply vadd_comm]. Qed.
    Lemma pmul_assoc x y z : goodp x -> goodp y -> goodp z -> pmul n_mul (pmul n_mul x y) z = pmul n_mul x (pmul n_mul y z).
    Proof. intros [X1 X2] [Y1 Y2] [Z1 Z2]. unfold pmul. simpl. f_equal; [now apply m_assoc|apply vadd_assoc]. Qed.
    Lemma pmul_one x : goodp x -> pmul n_mul pone x = x.
    Proof. intros [X1 X2]. unfold pmul, pone. simpl. destruct x as [g a]. simpl in *. f_equal; [now apply m_unit|]. rewrite <- X2. apply vadd_zero. Qed.

    Section Options.
      Variable os : list (list pair).
      Hypothesis os_lists : option_lists n_mul = Some os.
      Hypothesis os_entries : entries_ok 0 (n_entries n) os = true.
      Hypothesis os_followers : followers_ok n_mul rowf slices os (n_entries n) os = true.
      Hypothesis os_supports : forall Z, In Z (supports r) -> check_support rowf slices os Z = true.

      Definition A (h : nat) : Prop := h < length (n_entries n).
      Definition opts (h : nat) : list pair := nth h os [].

      Lemma entries_nth es l : forall k, entries_ok k es l = true -> length l = length es /\
        forall h, h < length es -> entry_ok (k + h) (nth h es (Element 0)) (nth h l []) = true.
      Proof.
        revert l. induction es as [|e es IH]; intros [|o l] k H; simpl in H; try discriminate.
        - split; auto. intros h Hh. simpl in Hh. lia.
        - apply andb_true_iff in H. destruct H as [H1 H2]. destruct (IH l (S k) H2) as [L F]. split; [simpl; lia|].
          intros [|h] Hh; simpl in *; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r. apply F. lia.
      Qed.

      Lemma entry_facts h : A h -> entry_ok h (entry_of h) (opts h) = true.
      Proof. intros H. exact (proj2 (entries_nth _ _ 0 os_entries) h H). Qed.

      Lemma unit_length i : length (unit_vector r i) = r.
      Proof. unfold unit_vector. now rewrite map_length, seq_length. Qed.

      Lemma good_heap h : A h -> goodp (heap_value h).
      Proof.
        intros H. apply entry_facts in H. unfold heap_value. destruct (entry_of h); simpl in H; rewrite !andb_true_iff in H.
        - rewrite N.ltb_lt in H. split; [tauto|]. apply repeat_length.
        - split; [exact o_pos|]. apply unit_length.
        - rewrite N.ltb_lt, Nat.eqb_eq in H. split; simpl; tauto.
      Qed.

      Lemma A_closed h t : A h -> take_and_break c h t -> Forall A t.
      Proof. intros H O. apply Forall_forall. intros x I. pose proof (option_smaller c h t x O I). unfold A in *. lia. Qed.

      Lemma good_sum w : Forall A w -> goodp (sum_value n_mul w).
      Proof. induction 1; simpl; [exact good_pone|]. apply good_pmul; auto. now apply good_heap. Qed.

      Lemma packed_add B a : forall b, length a = length b -> packed B (vadd a b) = (packed B a + packed B b)%N.
      Proof. induction a; intros [|y b] L; simpl in *; try lia. rewrite IHa by lia. lia. Qed.

      Lemma packed_zero B k : packed B (vzero k) = 0%N.
      Proof. induction k as [|k IH]; [reflexivity|]. cbn [vzero repeat packed]. fold (vzero k). rewrite IH. lia. Qed.

      Lemma coded_split B x : goodp x -> (coded B x mod order = fst x /\ coded B x / order = packed B (snd x))%N.
      Proof.
        intros [X _]. unfold coded. rewrite (N.mul_comm order). split.
        - rewrite N.mod_add by lia. now apply N.mod_small.
        - rewrite N.div_add, N.div_small by lia. lia.
      Qed.

      Lemma coded_pmul B x y : goodp x -> goodp y -> coded_mul n_mul (coded B x) (coded B y) = coded B (pmul n_mul x y).
      Proof.
        intros X Y. unfold coded_mul. destruct (coded_split B x X) as [-> ->]. destruct (coded_split B y Y) as [-> ->].
        unfold coded, pmul. simpl. rewrite packed_add; auto. destruct X as [_ X], Y as [_ Y]. congruence.
      Qed.

      Lemma unpacked_packed B : (0 < B)%N -> forall a, Forall (fun x => (x < B)%N) a -> unpacked B (length a) (packed B a) = a.
      Proof.
        intros HB. induction 1 as [|x a X _ IH]; [reflexivity|]. cbn [length unpacked packed].
        rewrite (N.mul_comm B), N.mod_add, N.mod_small, N.div_add, N.div_small, N.add_0_l, IH by lia. reflexivity.
      Qed.

      Lemma fold_max_ge l m : (m <= fold_right N.max m l)%N /\ Forall (fun x => (x <= fold_right N.max m l)%N) l.
      Proof.
        induction l as [|x l [IH1 IH2]]; simpl; [split; [lia|constructor]|]. split; [lia|]. constructor; [lia|].
        eapply Forall_impl; [|exact IH2]. intros y. simpl. lia.
      Qed.

      Lemma counts_bounded h : A h -> Forall (fun x => (x <= largest_count)%N) (snd (heap_value h)).
      Proof.
        intros H. assert (In (entry_of h) (n_entries n)) as I by (apply nth_In; exact H). unfold heap_value. revert I.
        generalize (entry_of h). intros e. unfold largest_count. clear os_lists os_entries os_followers os_supports H. induction (n_entries n) as [|e' l IH]; intros I; [destruct I|].
        destruct I as [->|I].
        - simpl. apply fold_max_ge.
        - simpl. eapply Forall_impl; [|apply IH; exact I]. intros x X. simpl in *.
          pose proof (proj1 (fold_max_ge (snd (entry_value e')) (fold_right (fun e m => fold_right N.max m (snd (entry_value e))) 1%N l))). lia.
      Qed.

      Lemma vadd_bound u v : forall a b, Forall (fun x => (x <= u)%N) a -> Forall (fun x => (x <= v)%N) b ->
        Forall (fun x => (x <= u + v)%N) (vadd a b).
      Proof.
        induction a as [|x a IH]; intros [|y b] Ha Hb; simpl; constructor; inversion Ha; inversion Hb; subst; [lia|auto].
      Qed.

      Lemma sum_bounded w : Forall A w -> Forall (fun x => (x <= N.of_nat (length w) * largest_count)%N) (snd (sum_value n_mul w)).
      Proof.
        induction 1 as [|h w Ah Aw IH].
        - simpl. unfold vzero. apply Forall_forall. intros x I. apply repeat_spec in I. subst. lia.
        - change (sum_value n_mul (h :: w)) with (pmul n_mul (heap_value h) (sum_value n_mul w)). cbn [length pmul snd].
          rewrite Nat2N.inj_succ, N.mul_succ_l.
          eapply Forall_impl; [|apply vadd_bound; [apply counts_bounded; exact Ah|exact IH]]. intros x X. simpl in X. lia.
      Qed.

      Lemma opts_spec h o : A h -> (In o (opts h) <-> exists t, take_and_break c h t /\ sum_value n_mul t = o).
      Proof.
        intros H. unfold option_lists in os_lists. set (B := base) in *.
        set (codes := map (fun e => coded B (entry_value e)) (n_entries n)) in *.
        assert (Lc : length codes = length (n_entries n)) by (unfold codes; now rewrite map_length).
        assert (nth_codes : forall x, A x -> nth x codes 0%N = coded B (heap_value x)).
        { intros x X. unfold codes. rewrite nth_indep with (d' := coded B (entry_value (Element 0))) by (rewrite map_length; exact X).
          now rewrite (map_nth (fun e => coded B (entry_value e))). }
        assert (vals : forall t, Forall A t -> value (coded_mul n_mul) (fun h => nth h codes 0%N) t = coded B (sum_value n_mul t)).
        { induction 1 as [|x t Ax At IH]; simpl.
          - unfold coded, pone. cbn [fst snd]. rewrite packed_zero. lia.
          - rewrite IH, nth_codes by auto. apply coded_pmul; [now apply good_heap|now apply good_sum]. }
        assert (back : forall t, take_and_break c h t -> decoded B (coded B (sum_value n_mul t)) = sum_value n_mul t).
        { intros t O. pose proof (A_closed h t H O) as At. pose proof (good_sum t At) as G. unfold decoded.
          destruct (coded_split B _ G) as [-> ->]. destruct (sum_value n_mul t) as [g a] eqn:E. simpl. f_equal.
          destruct G as [_ G]. simpl in G. rewrite <- G. apply unpacked_packed; [unfold B, base; lia|].
          pose proof (sum_bounded t At) as S. rewrite E in S. simpl in S. eapply Forall_impl; [|exact S]. intros x X. simpl in X.
          destruct O as (k & _ & _ & Al & _). apply allowed_width in Al. unfold B, base. nia. }
        destruct (survey_ok _ _ _ _ _ _ os_lists) as [_ F]. destruct (F h ltac:(unfold A in H; lia)) as (s & a & N & T & G & M).
        injection T as <-. unfold opts. rewrite (nth_error_nth _ _ _ N), in_map_iff. split.
        - intros (v & <- & I). apply G, M in I. destruct I as (t & O & <-). exists t. split; auto.
          rewrite vals by (eapply A_closed; eauto). symmetry. auto.
        - intros (t & O & <-). exists (coded B (sum_value n_mul t)). split; auto. apply G, M. exists t. split; auto.
          apply vals. eapply A_closed; eauto.
      Qed.

      (** *** Lookups *)
      Lemma look_slice k x : look false (look Leaf slices k) x = has (slice k) x.
      Proof.
        unfold slices. rewrite look_table. change (@Leaf bool) with (@table bool []). rewrite map_nth, look_table. reflexivity.
      Qed.

      Lemma find_slice_spec (f : list N -> N) l o : In o l -> find_slice l (map f l) o = f o.
      Proof.
        unfold find_slice. induction l as [|a l IH]; intros I; [destruct I|]. simpl.
        destruct (same_numbers o a) eqn:E; [apply same_numbers_eq in E; now subst|].
        destruct I as [->|I]; [rewrite same_numbers_refl in E; discriminate|]. now apply IH.
      Qed.

      Lemma distinct_spec l : forall seen x, (In x seen \/ In x l) -> In x (distinct l seen).
      Proof.
        induction l as [|a l IH]; intros seen x H; simpl; [destruct H as [|[]]; auto|]. apply IH.
        destruct H as [H|[->|H]]; auto.
        - left. destruct (existsb _ seen); auto. now right.
        - left. destruct (existsb (same_numbers x) seen) eqn:E; [|now left].
          apply existsb_exists in E. destruct E as (y & I & S). apply same_numbers_eq in S. now subst.
      Qed.

      Lemma distinct_back l : forall seen x, In x (distinct l seen) -> In x seen \/ In x l.
      Proof.
        induction l as [|a l IH]; intros seen x H; simpl in *; auto. apply IH in H. destruct H as [H|H]; auto.
        destruct (existsb _ seen); auto. destruct H as [<-|H]; auto.
      Qed.

      Lemma pulled_length g t : (g < order)%N -> length (pulled rowf g t) = N.to_nat order.
      Proof. intros G. unfold pulled, rowf. rewrite map_length. unfold n_rows. rewrite m_row by auto. rewrite map_length. apply length_elements. Qed.

      Lemma pulled_has g t x : (g < order)%N -> (x < order)%N -> has (pulled rowf g t) x = look false t (n_mul x g).
      Proof.
        intros G X. assert (N.to_nat x < N.to_nat order) as X' by lia.
        unfold has, pulled, rowf, n_rows. rewrite m_row, map_map by auto.
        rewrite nth_indep with (d' := (fun x => look false t (n_mul x g)) 0%N) by (rewrite map_length, length_elements; exact X').
        rewrite (map_nth (fun x => look false t (n_mul x g))), (nth_elements order _ X'), N2Nat.id. reflexivity.
      Qed.

      Lemma unions_spec l : Forall (fun b => length b = N.to_nat order) l ->
        length (unions l) = N.to_nat order /\
        forall x, has (unions l) x = true <-> exists b, In b l /\ has b x = true.
      Proof.
        unfold unions. intros F.
        assert (G : forall u, length u = N.to_nat order -> length (fold_left either l u) = N.to_nat order /\
          forall x, has (fold_left either l u) x = true <-> has u x = true \/ exists b, In b l /\ has b x = true).
        { induction F as [|b l Lb _ IH]; intros u Lu; simpl.
          - split; auto. intros x. split; auto. intros [|(b & [] & _)]; auto.
          - destruct (IH (either u b)) as [L H]; [rewrite length_either; lia|]. split; auto. intros x. rewrite H.
            unfold has at 1. rewrite either_spec by lia. rewrite orb_true_iff. fold (has u x). fold (has b x). split.
            + intros [[E|E]|(b' & I & E)]; eauto 6.
            + intros [E|(b' & [<-|I] & E)]; eauto 6. }
        destruct (G (map (fun _ => false) (elements order))) as [L H]; [rewrite map_length; apply length_elements|].
        split; auto. intros x. rewrite H. split; auto. intros [E|E]; auto. exfalso. revert E. unfold has.
        generalize (elements order). generalize (N.to_nat x). clear. intros i e. revert i.
        induction e as [|y e IH]; intros [|i] E; simpl in E; try discriminate. exact (IH i E).
      Qed.

      Lemma opts_good h o : A h -> In o (opts h) -> goodp o.
      Proof. intros H I. apply opts_spec in I; auto. destruct I as (t & O & <-). apply good_sum. eapply A_closed; eauto. Qed.

      Lemma os_length : length os = length (n_entries n).
      Proof. exact (proj1 (entries_nth _ _ 0 os_entries)). Qed.

      (** *** The machine *)
      Let states := N.of_nat (length (n_next n)).

      Lemma machine_facts : (0 < states)%N /\ (forall s e, (s < states)%N -> (n_next_state s e < states)%N) /\
        (forall s, (s < states)%N -> n_out (n_next_state s 0) = n_out s).
      Proof.
        pose proof ok_machine as H. unfold machine_ok in H. cbv zeta in H. fold states in H.
        rewrite !andb_true_iff, N.ltb_lt, !forallb_forall in H. destruct H as [[H1 H2] H3]. split; auto. split.
        - intros s e S. unfold n_next_state, step_of. rewrite look_table. change (@Leaf N) with (@table N []).
          rewrite map_nth, look_table.
          assert (In (nth (N.to_nat s) (n_next n) []) (n_next n)) as I by (apply nth_In; unfold states in S; lia).
          apply H2 in I. rewrite forallb_forall in I.
          destruct (nth_in_or_default (N.to_nat e) (nth (N.to_nat s) (n_next n) []) 0%N) as [J| ->]; auto.
          apply N.ltb_lt. auto.
        - intros s S. apply N.eqb_eq, H3. now apply in_elements.
      Qed.

      Lemma tuple_occurs Z offsets T a : tuples n_next_state n_out Z offsets fuel = Some T -> supported Z a ->
        Forall (fun o => length o = length a) offsets -> In (map (fun o => slice_number (vadd a o)) offsets) T.
      Proof.
        destruct machine_facts as (M1 & M2 & M3). intros. eapply tuples_spec; eauto.
      Qed.

      Definition at_tuple (offsets : list (list N)) (tuple o : list N) : tree bool :=
        look Leaf slices (find_slice offsets tuple o).

      Lemma at_offset_spec offsets a o x : In o offsets ->
        look false (look Leaf slices (find_slice offsets (map (fun o => slice_number (vadd a o)) offsets) o)) x =
        predicted (x, vadd a o).
      Proof. intros I. rewrite find_slice_spec by auto. apply look_slice. Qed.

      (** *** Supports *)
      Definition support (a : list N) : list bool := map (fun x => negb (N.eqb x 0)) a.
      Definition lowered (a : list N) : list N := map N.pred a.

      Lemma support_listed a : In (support a) (supports (length a)).
      Proof.
        induction a as [|x a IH]; simpl; auto. apply in_or_app. destruct (N.eqb x 0); simpl; [left|right]; now apply in_map.
      Qed.

      Lemma support_supported a : supported (support a) (lowered a).
      Proof.
        induction a as [|x a IH]; simpl; auto. split; auto. intros E. apply negb_false_iff, N.eqb_eq in E. now subst.
      Qed.

      Lemma support_back a : vadd (lowered a) (ones (support a)) = a.
      Proof.
        induction a as [|x a IH]; simpl; auto. f_equal; auto. destruct (N.eqb_spec x 0); simpl; lia.
      Qed.

      Lemma lowered_down a u : Forall2 (fun x y => (y <= x)%N) (ones (support a)) u ->
        vadd (lowered a) (vsub (ones (support a)) u) = vsub a u.
      Proof.
        revert u. induction a as [|x a IH]; intros u F; inversion F as [|? y ? u' H F']; subst; [reflexivity|].
        cbn [support map ones lowered vadd vsub]. f_equal; [|now apply IH].
        destruct (N.eqb_spec x 0); cbn [negb] in *; lia.
      Qed.

      Lemma unit_below a i : length a = r -> i < r -> nth i (support a) false = true ->
        Forall2 (fun x y => (y <= x)%N) (ones (support a)) (unit_vector r i).
      Proof.
        intros L. unfold unit_vector. intros Hi Hs.
        assert (G : forall k, (forall j, j < length a -> k + j = i -> nth j (support a) false = true) ->
          Forall2 (fun x y => (y <= x)%N) (ones (support a)) (map (fun j => if j =? i then 1%N else 0%N) (seq k (length a)))).
        { clear. induction a as [|x a IH]; intros k H; simpl; constructor.
          - destruct (Nat.eqb_spec k i) as [E|E].
            + specialize (H 0 ltac:(simpl; lia) ltac:(lia)). simpl in H. rewrite H. simpl. lia.
            + destruct (negb (N.eqb x 0)); lia.
          - apply IH. intros j Hj E. apply (H (S j)); simpl; lia. }
        rewrite <- L. apply G. intros j _ E. simpl in E. now subst.
      Qed.

      Lemma elements_spec own up es : forall l ks, length l = length es -> elements_check rowf own up es l = Some ks ->
        (forall h, h < length es -> match nth h es (Element 0) with Element g => (g < order)%N | _ => True end) ->
        (forall h o, h < length es -> In o (nth h l []) -> (fst o < order)%N) ->
        (forall k, In (Some k) ks -> exists h, h < length es /\ nth h es (Element 0) = Element (kind_value k)) /\
        forall h g, h < length es -> nth h es (Element 0) = Element g -> nth h l [] <> [] ->
          (forall o x, In o (nth h l []) -> (x < order)%N -> look false own (n_mul x g) = true ->
             look false (up (snd o)) (n_mul x (fst o)) = false) /\
          exists k, In (Some k) ks /\ kind_value k = g /\ forall x, (x < order)%N -> has (kind_silent k) x = false ->
            look false own (n_mul x g) = true \/ exists o, In o (nth h l []) /\ look false (up (snd o)) (n_mul x (fst o)) = true.
      Proof.
        induction es as [|e es IH]; intros [|o l] ks L H Hg Ho; simpl in L; try lia.
        { simpl in H. injection H as <-. split; [intros k []|]. intros h g Hh. simpl in Hh. lia. }
        assert (Hg' : forall h, h < length es -> match nth h es (Element 0) with Element g => (g < order)%N | _ => True end)
          by (intros h Hh; apply (Hg (S h)); simpl; lia).
        assert (Ho' : forall h o, h < length es -> In o (nth h l []) -> (fst o < order)%N)
          by (intros h o' Hh I; apply (Ho (S h) o'); simpl; auto; lia).
        assert (skip : elements_check rowf own up es l = Some ks -> (forall g, e = Element g -> o = []) ->
          (forall k, In (Some k) ks -> exists h, h < S (length es) /\ nth h (e :: es) (Element 0) = Element (kind_value k)) /\
          forall h g, h < S (length es) -> nth h (e :: es) (Element 0) = Element g -> nth h (o :: l) [] <> [] ->
          (forall o' x, In o' (nth h (o :: l) []) -> (x < order)%N -> look false own (n_mul x g) = true ->
             look false (up (snd o')) (n_mul x (fst o')) = false) /\
          exists k, In (Some k) ks /\ kind_value k = g /\ forall x, (x < order)%N -> has (kind_silent k) x = false ->
            look false own (n_mul x g) = true \/ exists o', In o' (nth h (o :: l) []) /\ look false (up (snd o')) (n_mul x (fst o')) = true).
        { intros H' D. destruct (IH l ks ltac:(lia) H' Hg' Ho') as [I1 I2]. split.
          - intros k I. destruct (I1 k I) as (h & Hh & E). exists (S h). split; [lia|auto].
          - intros [|h] g Hh E NE; [simpl in E; exfalso; apply NE; exact (D g E)|]. apply (I2 h g); auto. lia. }
        destruct e as [g|i|g k like]; [|apply skip; [exact H|discriminate]|apply skip; [exact H|discriminate]].
        destruct o as [|x0 o']; [apply skip; auto|]. clear skip. set (o := x0 :: o') in *.
        cbn [elements_check] in H. fold o in H.
        set (a := pulled rowf g own) in *. set (u := unions _) in *.
        destruct (disjoint a u) eqn:Dj; [|discriminate].
        destruct (elements_check rowf own up es l) as [ks'|] eqn:E; [|discriminate]. injection H as <-.
        assert (G : (g < order)%N) by (apply (Hg 0); simpl; lia).
        assert (La : length a = N.to_nat order) by (now apply pulled_length).
        assert (Lo : Forall (fun b => length b = N.to_nat order) (map (fun x => pulled rowf (fst x) (up (snd x))) o)).
        { apply Forall_map, Forall_forall. intros x I. apply pulled_length. apply (Ho 0 x); simpl; auto; lia. }
        destruct (unions_spec _ Lo) as [Lu Hu]. fold u in Lu, Hu.
        destruct (IH l ks' ltac:(lia) E Hg' Ho') as [I1 I2]. split.
        { intros k [K|I]; [injection K as <-; exists 0; simpl; split; [lia|auto]|].
          destruct (I1 k I) as (h & Hh & Eh). exists (S h). simpl. split; [lia|auto]. }
        intros [|h] g' Hh Eg NE; simpl in Eg.
        - injection Eg as <-. simpl nth in *. split.
          + intros y x I X Own. rewrite <- pulled_has in Own by auto. fold a in Own. apply (disjoint_spec _ u) in Own; auto.
            apply not_true_is_false. intros B. assert (has u x = true) as Q; [|unfold has in Q; congruence].
            apply Hu. exists (pulled rowf (fst y) (up (snd y))). split; [apply in_map_iff; eauto|].
            rewrite pulled_has; auto. apply (Ho 0 y); [simpl; lia|exact I].
          + eexists. split; [left; reflexivity|]. split; [reflexivity|]. intros x X. cbn [kind_silent]. unfold has at 1.
            rewrite neither_spec by lia. rewrite negb_false_iff, orb_true_iff. fold (has a x). fold (has u x).
            intros [B|B]; [left; unfold a in B; now rewrite pulled_has in B by auto|right]. apply Hu in B. destruct B as (b & I & B).
            apply in_map_iff in I. destruct I as (y & <- & I). exists y. split; auto.
            rewrite pulled_has in B; auto. apply (Ho 0 y); [simpl; lia|exact I].
        - simpl in Hh. destruct (I2 h g' ltac:(lia) Eg NE) as [J1 (k & Ik & J2)]. split; auto. exists k. split; [now right|auto].
      Qed.

      Lemma counter_in Z i : i < r -> nth i Z false = true -> In (i, opts (nth i (n_counters n) 0)) (counter_options os Z).
      Proof. intros Hi HZ. unfold counter_options. apply in_map_iff. exists i. split; auto. apply filter_In. split; auto. apply in_seq. lia. Qed.

      Lemma counter_back Z io : In io (counter_options os Z) -> fst io < r /\ nth (fst io) Z false = true /\ snd io = opts (nth (fst io) (n_counters n) 0).
      Proof.
        unfold counter_options. rewrite in_map_iff. intros (i & <- & I). apply filter_In in I. destruct I as [I E].
        apply in_seq in I. simpl. repeat split; auto. lia.
      Qed.

      Lemma opts_in h o : A h -> In o (opts h) -> In o (concat os).
      Proof. intros H I. apply in_concat. exists (opts h). split; auto. apply nth_In. rewrite os_length. exact H. Qed.

      Lemma concat_good o : In o (concat os) -> goodp o.
      Proof.
        intros I. apply in_concat in I. destruct I as (l & Il & I). apply (In_nth _ _ []) in Il. destruct Il as (h & Hh & <-).
        rewrite os_length in Hh. apply (opts_good h o Hh I).
      Qed.

      Lemma counter_heap h i : A h -> entry_of h = Count i -> i < r /\ nth i (n_counters n) 0 = h.
      Proof.
        intros H E. apply entry_facts in H. rewrite E in H. simpl in H. rewrite !andb_true_iff, Nat.ltb_lt, Nat.eqb_eq in H. tauto.
      Qed.

      (** The checks for one vector [a] of counts. *)
      Definition down (a : list N) (i : nat) : list N := vsub a (unit_vector r i).

      Lemma support_facts a : length a = r -> exists kinds D0,
        (forall h o x, A h -> forall g, entry_of h = Element g -> In o (opts h) -> (x < order)%N ->
           predicted (n_mul x g, a) = true -> predicted (n_mul x (fst o), vadd a (snd o)) = false) /\
        (forall h g, A h -> entry_of h = Element g -> opts h <> [] -> exists k, In k kinds /\ kind_value k = g /\
           forall x, (x < order)%N -> has (kind_silent k) x = false ->
             predicted (n_mul x g, a) = true \/ exists o, In o (opts h) /\ predicted (n_mul x (fst o), vadd a (snd o)) = true) /\
        (forall i o x, i < r -> nth i (support a) false = true -> A (nth i (n_counters n) 0) -> In o (opts (nth i (n_counters n) 0)) -> (x < order)%N ->
           predicted (x, a) = true -> predicted (n_mul x (fst o), vadd (down a i) (snd o)) = false) /\
        (forall x, (x < order)%N -> has D0 x = false -> predicted (x, a) = true \/
           exists i o, i < r /\ nth i (support a) false = true /\ In o (opts (nth i (n_counters n) 0)) /\
             predicted (n_mul x (fst o), vadd (down a i) (snd o)) = true) /\
        (existsb (fun b => b) (support a) = true -> has D0 0 = false) /\
        (forall k, In k kinds -> (kind_value k < order)%N) /\
        (forall w, incl w kinds -> w <> [] -> ~ silent n_mul D0 w 0).
      Proof.
        intros L. set (Z := support a).
        assert (LZ : length Z = r) by (unfold Z, support; now rewrite map_length).
        assert (HZ : In Z (supports r)) by (rewrite <- L; apply support_listed).
        pose proof (os_supports Z HZ) as C. unfold check_support in C. set (offsets := distinct (support_offsets os Z) []) in *.
        destruct (tuples n_next_state n_out Z offsets fuel) as [T|] eqn:ET; [|discriminate].
        set (low := lowered a). assert (Llow : length low = r) by (unfold low, lowered; now rewrite map_length).
        assert (Lones : length (ones Z) = r) by (unfold ones; now rewrite map_length).
        assert (in_off : forall o, In o (support_offsets os Z) -> In o offsets) by (intros o I; apply distinct_spec; auto).
        assert (cnt_good : forall io x, In io (counter_options os Z) -> In x (snd io) -> goodp x).
        { intros io x I J. destruct (counter_back Z io I) as (B1 & B2 & B3). rewrite B3 in J.
          destruct (lt_dec (nth (fst io) (n_counters n) 0) (length (n_entries n))) as [H|H]; [now apply (opts_good _ x H J)|].
          unfold opts in J. rewrite nth_overflow in J by (rewrite os_length; lia). destruct J. }
        assert (Loff : Forall (fun o => length o = length low) offsets).
        { apply Forall_forall. intros o I. apply distinct_back in I. destruct I as [[]|I]. rewrite Llow. unfold support_offsets in I.
          destruct I as [<-|I]; auto. apply in_app_or in I. destruct I as [I|I].
          - apply in_map_iff in I. destruct I as (x & <- & I). apply concat_good in I. destruct I as [_ I]. rewrite length_vadd; lia.
          - apply in_flat_map in I. destruct I as (io & I & J). apply in_map_iff in J. destruct J as (x & <- & J).
            destruct (cnt_good io x I J) as [_ G]. rewrite length_vadd; rewrite length_vsub; rewrite ?unit_length; lia. }
        pose proof (tuple_occurs Z offsets T low ET (support_supported a) Loff) as In_T.
        rewrite forallb_forall in C. specialize (C _ (distinct_spec T [] _ (or_intror In_T))). cbv zeta in C.
        set (tup := map (fun o => slice_number (vadd low o)) offsets) in *.
        set (at_off := fun o => look Leaf slices (find_slice offsets tup o)) in *.
        change (look Leaf slices (find_slice offsets tup (ones Z))) with (at_off (ones Z)) in C.
        assert (own : forall x, look false (at_off (ones Z)) x = predicted (x, a)).
        { intros x. unfold at_off, tup. rewrite at_offset_spec by (apply in_off; now left). unfold low, Z. now rewrite support_back. }
        assert (upf : forall o x, In o (concat os) -> look false (at_off (vadd (ones Z) (snd o))) x = predicted (x, vadd a (snd o))).
        { intros o x I. unfold at_off, tup. rewrite at_offset_spec.
          - rewrite <- vadd_assoc. unfold low, Z. now rewrite support_back.
          - apply in_off. right. apply in_or_app. left. apply in_map_iff. eauto. }
        assert (downf : forall io o x, In io (counter_options os Z) -> In o (snd io) ->
          look false (at_off (vadd (vsub (ones Z) (unit_vector r (fst io))) (snd o))) x = predicted (x, vadd (down a (fst io)) (snd o))).
        { intros io o x I J. unfold at_off, tup. rewrite at_offset_spec.
          - rewrite <- vadd_assoc. destruct (counter_back Z io I) as (B1 & B2 & _). unfold low, Z, down.
            rewrite lowered_down; auto. now apply unit_below.
          - apply in_off. right. apply in_or_app. right. apply in_flat_map. exists io. split; auto. apply in_map_iff. eauto. }
        destruct (elements_check rowf (at_off (ones Z)) _ (n_entries n) os) as [ks|] eqn:EK in C; [|discriminate].
        set (here := pulled rowf 0 (at_off (ones Z))) in *. set (downs := downs_of rowf at_off os Z) in C.
        set (u := unions downs) in *. set (D0 := neither here u) in *.
        rewrite !andb_true_iff, orb_true_iff, !negb_true_iff in C. destruct C as [[C1 C2] C3].
        assert (here_has : forall x, (x < order)%N -> has here x = predicted (x, a)).
        { intros x X. unfold here. rewrite pulled_has by auto. rewrite own. f_equal. f_equal. unfold n_mul, n_rows.
          rewrite m_comm by auto. now apply m_unit. }
        assert (Ldowns : Forall (fun b => length b = N.to_nat order) downs).
        { unfold downs, downs_of. apply Forall_map, Forall_forall. intros io I. apply unions_spec. apply Forall_map, Forall_forall. intros x J.
          apply pulled_length. now apply (cnt_good io x I J). }
        destruct (unions_spec _ Ldowns) as [Lu Hu]. fold u in Lu, Hu.
        assert (down_has : forall io x, In io (counter_options os Z) -> (x < order)%N ->
          (has (unions (map (fun x => pulled rowf (fst x) (at_off (vadd (vsub (ones Z) (unit_vector r (fst io))) (snd x)))) (snd io))) x = true <->
           exists o, In o (snd io) /\ predicted (n_mul x (fst o), vadd (down a (fst io)) (snd o)) = true)).
        { intros io x I X.
          assert (Forall (fun b => length b = N.to_nat order)
            (map (fun x => pulled rowf (fst x) (at_off (vadd (vsub (ones Z) (unit_vector r (fst io))) (snd x)))) (snd io))) as F.
          { apply Forall_map, Forall_forall. intros y J. apply pulled_length. now apply (cnt_good io y I J). }
          destruct (unions_spec _ F) as [_ U]. rewrite U. split.
          - intros (b & J & B). apply in_map_iff in J. destruct J as (o & <- & J). exists o. split; auto.
            destruct (cnt_good io o I J) as [G _]. rewrite pulled_has in B by auto. now rewrite downf in B.
          - intros (o & J & B). eexists. split; [apply in_map_iff; eauto|].
            destruct (cnt_good io o I J) as [G _]. rewrite pulled_has by auto. now rewrite downf. }
        assert (facts := elements_spec (at_off (ones Z)) (fun d => at_off (vadd (ones Z) d)) (n_entries n) os ks os_length EK).
        destruct facts as [K1 K2].
        { intros h H. pose proof (entry_facts h H) as F. unfold entry_of in F. destruct (nth h (n_entries n) (Element 0)); auto.
          simpl in F. rewrite andb_true_iff, N.ltb_lt in F. tauto. }
        { intros h o H I. now apply (opts_good h o H I). }
        assert (krange : forall k, In k (gather ks []) -> (kind_value k < order)%N).
        { intros k I. apply gather_back in I. destruct I as [[]|I]. destruct (K1 k I) as (h & H & E).
          pose proof (entry_facts h H) as F. unfold entry_of in F. rewrite E in F. simpl in F. rewrite andb_true_iff, N.ltb_lt in F. tauto. }
        exists (gather ks []), D0. split; [|split; [|split; [|split; [|split; [|split]]]]]; auto.
        - intros h o x H g E I X P. unfold entry_of in E.
          assert (opts h <> []) as NE by (intros Q; rewrite Q in I; destruct I).
          destruct (K2 h g H E NE) as [Q _]. specialize (Q o x I X). rewrite own in Q. specialize (Q P).
          cbv beta in Q. now rewrite upf in Q by (eapply opts_in; eauto).
        - intros h g H E NE. unfold entry_of in E. destruct (K2 h g H E NE) as [_ (k & Ik & V & Q)]. exists k.
          split; [now apply gather_in|]. split; auto. intros x X S. destruct (Q x X S) as [B|(o & I & B)].
          + left. now rewrite own in B.
          + right. exists o. split; auto. cbv beta in B. now rewrite upf in B by (eapply opts_in; eauto).
        - intros i o x Hi Si Ai I X P. apply not_true_is_false. intros B.
          assert (Io := counter_in Z i Hi Si). rewrite forallb_forall in C1.
          specialize (C1 (unions (map (fun x => pulled rowf (fst x) (at_off (vadd (vsub (ones Z) (unit_vector r i)) (snd x)))) (opts (nth i (n_counters n) 0))))).
          assert (disjoint here (unions (map (fun x => pulled rowf (fst x) (at_off (vadd (vsub (ones Z) (unit_vector r i)) (snd x)))) (opts (nth i (n_counters n) 0)))) = true) as Dj.
          { apply C1. unfold downs, downs_of. apply in_map_iff. exists (i, opts (nth i (n_counters n) 0)). auto. }
          rewrite <- here_has in P by auto. apply (disjoint_spec _ _ (N.to_nat x) Dj) in P.
          assert (has (unions (map (fun x => pulled rowf (fst x) (at_off (vadd (vsub (ones Z) (unit_vector r i)) (snd x)))) (opts (nth i (n_counters n) 0)))) x = true) as Q.
          { apply (down_has (i, opts (nth i (n_counters n) 0)) x Io X). exists o. auto. }
          unfold has in Q. congruence.
        - intros x X S. unfold D0, has in S. rewrite neither_spec in S.
          + rewrite negb_false_iff, orb_true_iff in S. fold (has here x) in S. fold (has u x) in S. rewrite here_has in S by auto.
            destruct S as [S|S]; auto. right. apply Hu in S. destruct S as (b & I & B). unfold downs, downs_of in I. apply in_map_iff in I.
            destruct I as (io & <- & I). apply (down_has io x I X) in B. destruct B as (o & J & B).
            destruct (counter_back Z io I) as (B1 & B2 & B3). rewrite B3 in J. exists (fst io), o. auto.
          + unfold here. rewrite pulled_length; auto.
          + unfold here. rewrite pulled_length; auto. lia.
        - intros E. destruct C2 as [C2|C2]; auto. exfalso. fold Z in E. congruence.
        - apply (silence_all order n_mul rowf o_pos m_range m_comm m_assoc m_unit m_row (gather ks []) krange D0 fuel C3).
      Qed.

      (** *** The hypotheses of the theorem on followers *)
      Definition is_follower (h : nat) : bool := match entry_of h with Follower _ _ _ => true | _ => false end.
      Definition words_like (h : nat) : list (list nat) := match entry_of h with Follower _ _ like => like | _ => [] end.

      Lemma followers_nth es l : forall h, followers_ok n_mul rowf slices os es l = true -> length l = length es -> h < length es ->
        forall g k like, nth h es (Element 0) = Follower g k like ->
        check_follower n_mul rowf slices os (g, k) (nth h l []) like = true.
      Proof.
        revert l. induction es as [|e es IH]; intros [|o l] h H L Hh g k like E; simpl in L, Hh; try lia.
        destruct h as [|h]; simpl in E.
        - subst e. simpl in H. apply andb_true_iff in H. apply H.
        - simpl. apply (IH l h); auto; try lia. simpl in H. destruct e; auto. apply andb_true_iff in H. apply H.
      Qed.

      Lemma follower_checked h g k like : A h -> entry_of h = Follower g k like ->
        check_follower n_mul rowf slices os (g, k) (opts h) like = true.
      Proof. intros H E. eapply followers_nth; eauto using os_length. Qed.

      Lemma word_facts h q : A h -> is_follower h = true -> In q (words_like h) ->
        Forall A q /\ Forall (fun h => is_follower h = false) q /\ sum_value n_mul q = heap_value h /\ exists h', In h' q /\ opts h' <> [].
      Proof.
        unfold is_follower, words_like. intros H F I. unfold heap_value.
        destruct (entry_of h) as [g|i|g k like] eqn:E; try discriminate.
        pose proof (follower_checked h g k like H E) as C. unfold check_follower in C. cbv zeta in C. apply andb_true_iff in C.
        destruct C as [C _]. rewrite forallb_forall in C. specialize (C q I). unfold word_ok in C.
        rewrite !andb_true_iff, N.eqb_eq in C. destruct C as [[C1 C2] [C3 C4]]. apply same_numbers_eq in C4.
        rewrite forallb_forall in C1. split; [|split; [|split]].
        - apply Forall_forall. intros x J. specialize (C1 x J). unfold plain_heap in C1. rewrite andb_true_iff, Nat.ltb_lt in C1. apply C1.
        - apply Forall_forall. intros x J. specialize (C1 x J). unfold plain_heap in C1. rewrite andb_true_iff in C1.
          destruct (entry_of x); auto. destruct C1. discriminate.
        - simpl. destruct (sum_value n_mul q). simpl in *. congruence.
        - apply existsb_exists in C2. destruct C2 as (x & J & C2). exists x. split; auto. unfold opts. now destruct (nth x os []).
      Qed.

      Lemma word_options_in q : forall x u h v o, goodp x -> Forall A q -> q = u ++ h :: v -> In o (opts h) ->
        In (pmul n_mul x (pmul n_mul (sum_value n_mul (u ++ v)) o)) (word_options n_mul os x q).
      Proof.
        induction q as [|a q IH]; intros x u h v o X Aq E I; [now destruct u|]. inversion Aq as [|? ? Aa Aq']; subst.
        destruct u as [|b u]; simpl in E; injection E as -> E; cbn [word_options]; apply in_or_app.
        - subst v. left. cbn [app]. rewrite <- pmul_assoc; [|auto|now apply good_sum|now apply (opts_good h)]. now apply in_map.
        - right. subst q. specialize (IH (pmul n_mul x (heap_value b)) u h v o).
          assert (Forall A (u ++ v)) as Auv.
          { apply Forall_app in Aq'. destruct Aq' as [A1 A2]. inversion A2; subst. apply Forall_app. auto. }
          assert (A h) as Ah by (apply Forall_app in Aq'; destruct Aq' as [_ A2]; now inversion A2).
          cbn [app]. change (sum_value n_mul (b :: u ++ v)) with (pmul n_mul (heap_value b) (sum_value n_mul (u ++ v))).
          rewrite pmul_assoc in IH; try (now apply good_heap); auto.
          2: { apply good_pmul; [now apply good_sum|now apply (opts_good h)]. }
          rewrite pmul_assoc; [|now apply good_heap|now apply good_sum|now apply (opts_good h)].
          apply IH; auto. apply good_pmul; auto. now apply good_heap.
      Qed.

      Lemma word_options_good q : forall x, goodp x -> Forall A q -> Forall goodp (word_options n_mul os x q).
      Proof.
        induction q as [|a q IH]; intros x X Aq; cbn [word_options]; [constructor|]. inversion Aq; subst. apply Forall_app. split.
        - apply Forall_map, Forall_forall. intros o I. apply good_pmul; [apply good_pmul; auto; now apply good_sum|now apply (opts_good a)].
        - apply IH; auto. apply good_pmul; auto. now apply good_heap.
      Qed.

      Lemma full_supported a : supported (repeat true (length a)) a.
      Proof. induction a; simpl; auto. split; auto. discriminate. Qed.

      (** What the check of a follower shows, for every context. *)
      Lemma follower_facts h x : A h -> is_follower h = true -> goodp x ->
        (forall o, In o (opts h) -> predicted (pmul n_mul x (heap_value h)) = true -> predicted (pmul n_mul x o) = false) /\
        (predicted (pmul n_mul x (heap_value h)) = false ->
         (exists o, In o (opts h) /\ predicted (pmul n_mul x o) = true) \/
         exists q, In q (words_like h) /\ forall u h' v o, q = u ++ h' :: v -> In o (opts h') ->
           predicted (pmul n_mul x (pmul n_mul (sum_value n_mul (u ++ v)) o)) = false).
      Proof.
        intros H F [X1 X2]. pose proof (word_facts h) as W. unfold is_follower, words_like, heap_value in *.
        destruct (entry_of h) as [g|i|g k like] eqn:E; try discriminate. cbn [entry_value] in *.
        pose proof (follower_checked h g k like H E) as C. unfold check_follower in C. cbv zeta in C. apply andb_true_iff in C.
        destruct C as [_ C]. set (words := map (word_options n_mul os pone) like) in *.
        set (offsets := distinct (snd (g, k) :: map snd (opts h ++ concat words)) []) in *.
        pose proof (entry_facts h H) as En. rewrite E in En. cbn [entry_ok] in En. rewrite !andb_true_iff, N.ltb_lt, Nat.eqb_eq in En.
        destruct En as [[G Lk] _].
        assert (words_good : forall w, In w words -> Forall goodp w).
        { intros w I. unfold words in I. apply in_map_iff in I. destruct I as (q & <- & I). apply word_options_good; [apply good_pone|].
          now apply (W q H eq_refl I). }
        assert (all_good : forall o, In o (opts h ++ concat words) -> goodp o).
        { intros o I. apply in_app_or in I. destruct I as [I|I]; [now apply (opts_good h)|]. apply in_concat in I.
          destruct I as (w & Iw & I). specialize (words_good w Iw). rewrite Forall_forall in words_good. auto. }
        destruct (tuples n_next_state n_out (repeat true r) offsets fuel) as [T|] eqn:ET; [|discriminate].
        set (a := snd x) in *.
        assert (Loff : Forall (fun o => length o = length a) offsets).
        { apply Forall_forall. intros o I. apply distinct_back in I. rewrite X2. destruct I as [[]|[<-|I]]; auto.
          apply in_map_iff in I. destruct I as (y & <- & I). now apply all_good. }
        pose proof (full_supported a) as Sa. rewrite X2 in Sa.
        pose proof (tuple_occurs _ offsets T a ET Sa Loff) as In_T. rewrite forallb_forall in C.
        specialize (C _ (distinct_spec T [] _ (or_intror In_T))). cbv zeta in C.
        set (tup := map (fun o => slice_number (vadd a o)) offsets) in *.
        assert (at_off : forall o y, In o (opts h ++ concat words) ->
          look false (look Leaf slices (find_slice offsets tup (snd o))) y = predicted (y, vadd a (snd o))).
        { intros o y I. unfold tup. apply at_offset_spec. apply distinct_spec. right. right. now apply in_map. }
        assert (at_own : forall y, look false (look Leaf slices (find_slice offsets tup (snd (g, k)))) y = predicted (y, vadd a k)).
        { intros y. unfold tup. apply at_offset_spec. apply distinct_spec. right. now left. }
        set (reach := fun l : list pair => unions (map (fun x => pulled rowf (fst x) (look Leaf slices (find_slice offsets tup (snd x)))) l)) in *.
        change (unions (map (fun x => pulled rowf (fst x) (look Leaf slices (find_slice offsets tup (snd x)))) (opts h))) with (reach (opts h)) in C.
        assert (reach_has : forall l, (forall o, In o l -> In o (opts h ++ concat words)) -> length (reach l) = N.to_nat order /\
          forall y, (y < order)%N -> (has (reach l) y = true <-> exists o, In o l /\ predicted (n_mul y (fst o), vadd a (snd o)) = true)).
        { intros l Hl. unfold reach.
          assert (Forall (fun b => length b = N.to_nat order)
            (map (fun x => pulled rowf (fst x) (look Leaf slices (find_slice offsets tup (snd x)))) l)) as Fl.
          { apply Forall_map, Forall_forall. intros o I. apply pulled_length. now apply all_good, Hl. }
          destruct (unions_spec _ Fl) as [L U]. split; auto. intros y Y. rewrite U. split.
          - intros (b & I & B). apply in_map_iff in I. destruct I as (o & <- & I). exists o. split; auto.
            rewrite pulled_has in B; auto; [|now apply all_good, Hl]. now rewrite at_off in B by auto.
          - intros (o & I & B). eexists. split; [apply in_map_iff; eauto|].
            rewrite pulled_has; auto; [|now apply all_good, Hl]. now rewrite at_off by auto. }
        apply andb_true_iff in C. destruct C as [C1 C2].
        destruct (reach_has (opts h)) as [Lu Hu]; [intros o I; apply in_or_app; now left|].
        set (own := pulled rowf (fst (g, k)) (look Leaf slices (find_slice offsets tup (snd (g, k))))) in *.
        assert (Lown : length own = N.to_nat order) by (now apply pulled_length).
        assert (own_has : has own (fst x) = predicted (n_mul (fst x) g, vadd a k)).
        { unfold own. rewrite pulled_has by auto. apply at_own. }
        unfold pmul at 1 3. cbn [fst snd]. fold a. split.
        - intros o I P. rewrite <- own_has in P. apply (disjoint_spec _ _ _ C1) in P.
          apply not_true_is_false. intros Q. assert (has (reach (opts h)) (fst x) = true) as B; [|unfold has in B; congruence].
          apply Hu; auto. exists o. auto.
        - intros P. destruct (has (reach (opts h)) (fst x)) eqn:B.
          + left. apply Hu in B; auto.
          + right. assert (has (neither own (reach (opts h))) (fst x) = true) as S.
            { unfold has. rewrite neither_spec by lia. rewrite negb_true_iff. fold (has own (fst x)). fold (has (reach (opts h)) (fst x)).
              now rewrite own_has, P, B. }
            apply (contained_spec _ _ C2) in S.
            assert (word_in : forall w o, In w words -> In o w -> In o (opts h ++ concat words)).
            { intros w o Iw Io. apply in_or_app. right. apply in_concat. eauto. }
            apply unions_spec in S.
            2: { apply Forall_map, Forall_forall. intros w I. rewrite map_length. apply reach_has. intros o. now apply word_in. }
            destruct S as (b & I & S). apply in_map_iff in I. destruct I as (w & <- & Iw).
            assert (has (reach w) (fst x) = false) as NW.
            { destruct (reach_has w) as [Lw _]; [intros o; now apply word_in|]. unfold has in S |- *.
              change (nth (N.to_nat (fst x)) (map negb (reach w)) false = true) in S.
              rewrite nth_indep with (d' := negb false) in S by (rewrite map_length, Lw; lia). rewrite map_nth in S.
              now apply negb_true_iff. }
            unfold words in Iw. apply in_map_iff in Iw. destruct Iw as (q & Ew & Iq). exists q. split; auto.
            intros u h' v o Eq Io. apply not_true_is_false. intros Q.
            destruct (W q H eq_refl Iq) as (Aq & _).
            pose proof (word_options_in q pone u h' v o good_pone Aq Eq Io) as J. rewrite Ew in J.
            assert (has (reach w) (fst x) = true) as B'; [|congruence].
            assert (In w words) as Iw by (unfold words; rewrite <- Ew; now apply in_map).
            apply (reach_has w); auto; [intros y; now apply word_in|]. eexists. split; [exact J|].
            assert (Forall A (u ++ v) /\ A h') as [Auv Ah'].
            { rewrite Eq in Aq. apply Forall_app in Aq. destruct Aq as [A1 A2]. inversion A2; subst. split; auto. apply Forall_app. auto. }
            rewrite pmul_one by (apply good_pmul; [now apply good_sum|now apply (opts_good h')]). exact Q.
      Qed.

      Lemma check_P h x o : A h -> goodp x -> In o (opts h) ->
        predicted (pmul n_mul x (heap_value h)) = true -> predicted (pmul n_mul x o) = false.
      Proof.
        intros H X I P. destruct (entry_of h) as [g|i|g k like] eqn:E.
        - unfold heap_value in P. rewrite E in P. unfold pmul in P |- *. cbn [entry_value fst snd] in P |- *. destruct X as [X1 X2].
          destruct (support_facts (snd x) X2) as (ks & D0 & F1 & _). rewrite vadd_comm, <- X2, vadd_zero in P.
          exact (F1 h o (fst x) H g E I X1 P).
        - unfold heap_value in P. rewrite E in P. unfold pmul in P |- *. cbn [entry_value fst snd] in P |- *. destruct X as [X1 X2].
          destruct (counter_heap h i H E) as [Hi Hc].
          set (a := vadd (snd x) (unit_vector r i)) in *.
          assert (length a = r) as La by (unfold a; rewrite length_vadd; rewrite ?unit_length; lia).
          destruct (support_facts a La) as (ks & D0 & _ & _ & F3 & _). specialize (F3 i o (fst x) Hi).
          assert (unit_nth : forall r i, i < r -> nth i (unit_vector r i) 0%N = 1%N).
          { intros r' i' L. unfold unit_vector. rewrite nth_indep with (d' := (fun j => if j =? i' then 1%N else 0%N) 0) by (rewrite map_length, seq_length; lia).
            rewrite (map_nth (fun j => if j =? i' then 1%N else 0%N)), seq_nth by lia. simpl. now rewrite Nat.eqb_refl. }
          assert (nth i (support a) false = true) as Si.
          { unfold support. rewrite nth_indep with (d' := negb (N.eqb 0 0)) by (rewrite map_length; lia).
            rewrite (map_nth (fun x => negb (N.eqb x 0))). unfold a. rewrite vadd_nth by (rewrite unit_length; lia).
            rewrite unit_nth by auto. destruct (N.eqb_spec (nth i (snd x) 0%N + 1) 0); auto; lia. }
          rewrite Hc in F3. specialize (F3 Si H I X1).
          replace (down a i) with (snd x) in F3.
          + apply F3. rewrite <- P. f_equal. f_equal. unfold n_mul, n_rows. rewrite m_comm by auto. symmetry. now apply m_unit.
          + unfold down, a. clear -X2. generalize (unit_vector r i) (unit_length i). rewrite <- X2. generalize (snd x).
            induction l as [|y l IH]; intros [|z u] L; simpl in *; try lia; auto. f_equal; [lia|]. apply IH. lia.
        - apply (follower_facts h x H); auto. unfold is_follower. now rewrite E.
      Qed.

      (** The kinds of the elements of a sum without followers. *)
      Inductive sorted_out (kinds : list kind) (a : list N) : list nat -> list kind -> Prop :=
      | so_nil : sorted_out kinds a [] []
      | so_skip h w l : (forall g, entry_of h = Element g -> opts h = []) -> sorted_out kinds a w l -> sorted_out kinds a (h :: w) l
      | so_live h g k w l : entry_of h = Element g -> In k kinds -> kind_value k = g ->
          (forall x, (x < order)%N -> has (kind_silent k) x = false ->
             predicted (n_mul x g, a) = true \/ exists o, In o (opts h) /\ predicted (n_mul x (fst o), vadd a (snd o)) = true) ->
          sorted_out kinds a w l -> sorted_out kinds a (h :: w) (k :: l).

      Lemma sorted_incl kinds a w l : sorted_out kinds a w l -> incl l kinds.
      Proof. induction 1; auto; [intros x []|]. intros x [<-|I]; auto. Qed.

      Lemma sorted_product kinds a w l : Forall A w -> Forall (fun h => is_follower h = false) w -> sorted_out kinds a w l ->
        product n_mul l = fst (sum_value n_mul w).
      Proof.
        intros Aw Fw S. induction S as [|h w l D S IH|h g k w l E I V Q S IH]; simpl; auto; inversion Aw; inversion Fw; subst.
        - rewrite IH by auto. assert (fst (heap_value h) = 0%N) as Z.
          { unfold heap_value. destruct (entry_of h) as [g|i|g k like] eqn:E; auto.
            - pose proof (entry_facts h H1) as F. rewrite E, (D g eq_refl) in F. simpl in F. rewrite andb_true_iff, N.eqb_eq in F. tauto.
            - unfold is_follower in H5. rewrite E in H5. discriminate. }
          rewrite Z. symmetry. apply m_unit. now apply good_sum.
        - rewrite IH by auto. unfold heap_value. now rewrite E.
      Qed.

      Lemma sorted_split kinds a w l : sorted_out kinds a w l -> forall u k v, l = u ++ k :: v ->
        exists w1 h w2 g, w = w1 ++ h :: w2 /\ sorted_out kinds a w1 u /\ sorted_out kinds a w2 v /\ entry_of h = Element g /\
          (forall x, (x < order)%N -> has (kind_silent k) x = false ->
             predicted (n_mul x g, a) = true \/ exists o, In o (opts h) /\ predicted (n_mul x (fst o), vadd a (snd o)) = true).
      Proof.
        induction 1 as [|h w l D S IH|h g k' w l E I V Q S IH]; intros u k v El.
        - now destruct u.
        - destruct (IH u k v El) as (w1 & h' & w2 & g & -> & S1 & S2 & R). exists (h :: w1), h', w2, g. split; auto. split; [now apply so_skip|auto].
        - destruct u as [|k1 u]; simpl in El; injection El as <- ->.
          + exists [], h, w, g. split; auto. split; [constructor|auto].
          + destruct (IH u k v eq_refl) as (w1 & h' & w2 & g' & -> & S1 & S2 & R). exists (h :: w1), h', w2, g'. split; auto.
            split; [eapply so_live; eauto|auto].
      Qed.

      Lemma sorted_app kinds a w1 l1 w2 l2 : sorted_out kinds a w1 l1 -> sorted_out kinds a w2 l2 -> sorted_out kinds a (w1 ++ w2) (l1 ++ l2).
      Proof. induction 1; intros K; simpl; auto; [apply so_skip|eapply so_live]; eauto. Qed.

      Lemma counted_in w i : Forall A w -> Forall (fun h => is_follower h = false) w -> i < r ->
        nth i (support (snd (sum_value n_mul w))) false = true -> exists u h v, w = u ++ h :: v /\ entry_of h = Count i.
      Proof.
        intros Aw Fw Hi S.
        assert (nth i (snd (sum_value n_mul w)) 0%N <> 0%N) as NZ.
        { intros Z. unfold support in S. rewrite nth_indep with (d' := negb (N.eqb 0 0)) in S
            by (rewrite map_length, (proj2 (good_sum w Aw)); exact Hi).
          rewrite (map_nth (fun x => negb (N.eqb x 0))), Z in S. discriminate. }
        clear S. induction Aw as [|h w Ah Aw IH].
        { exfalso. apply NZ. simpl. unfold vzero. clear. revert i. induction r; intros [|i]; simpl; auto. }
        inversion Fw; subst.
        change (sum_value n_mul (h :: w)) with (pmul n_mul (heap_value h) (sum_value n_mul w)) in NZ. cbn [pmul snd] in NZ.
        rewrite vadd_nth in NZ by (rewrite (proj2 (good_sum w Aw)), (proj2 (good_heap h Ah)); auto).
        destruct (N.eq_dec (nth i (snd (sum_value n_mul w)) 0%N) 0) as [Z|Z].
        - exists [], h, w. split; auto. unfold heap_value in NZ. destruct (entry_of h) as [g|j|g k like] eqn:E.
          + exfalso. apply NZ. rewrite Z. cbn [entry_value snd]. unfold vzero. clear. revert i. induction r; intros [|i]; simpl; auto.
          + f_equal. destruct (Nat.eq_dec j i) as [|N]; auto. exfalso. apply NZ. rewrite Z. cbn [entry_value snd]. unfold unit_vector.
            rewrite nth_indep with (d' := (fun k => if k =? j then 1%N else 0%N) 0) by (rewrite map_length, seq_length; exact Hi).
            rewrite (map_nth (fun k => if k =? j then 1%N else 0%N)), seq_nth by exact Hi. simpl.
            destruct (Nat.eqb_spec i j); [congruence|reflexivity].
          + unfold is_follower in H1. rewrite E in H1. discriminate.
        - destruct (IH H2 Z) as (u & h' & v & -> & E). exists (h :: u), h', v. auto.
      Qed.

      Lemma check_N w : Forall A w -> Forall (fun h => is_follower h = false) w -> (exists h, In h w /\ opts h <> []) ->
        predicted (sum_value n_mul w) = false ->
        exists u h v o, w = u ++ h :: v /\ In o (opts h) /\ predicted (pmul n_mul (sum_value n_mul (u ++ v)) o) = true.
      Proof.
        intros Aw Fw live NP. destruct (good_sum w Aw) as [Gg Ga]. set (a := snd (sum_value n_mul w)) in *.
        set (g0 := fst (sum_value n_mul w)) in *.
        destruct (support_facts a Ga) as (ks & D0 & _ & F2 & _ & F4 & F5 & F6 & F7).
        assert (exists l, sorted_out ks a w l) as [l S].
        { clearbody a. clear -Aw F2. induction Aw as [|h w Ah Aw [l IH]]; [exists []; apply so_nil|].
          destruct (entry_of h) as [g|i|g k like] eqn:E; try (exists l; apply so_skip; auto; intros g'; rewrite E; discriminate).
          destruct (opts h) eqn:O; [exists l; apply so_skip; auto|].
          destruct (F2 h g Ah E) as (k & I & V & Q); [congruence|]. exists (k :: l). eapply so_live; eauto. }
        pose proof (sorted_product ks a w l Aw Fw S) as Pl. fold g0 in Pl.
        assert (unit0 : forall x, (x < order)%N -> n_mul 0 x = x) by (intros; now apply m_unit).
        assert (prod_range : forall u, incl u ks -> (product n_mul u < order)%N)
          by (intros u; exact (product_range order n_mul o_pos m_range ks F6 u)).
        (* Either the sum itself, with its counters, is not silent, or one of its elements is not. *)
        assert (cases : has D0 g0 = false \/ exists u k v, l = u ++ k :: v /\ has (kind_silent k) (product n_mul (u ++ v)) = false).
        { destruct l as [|k0 l0].
          - left. simpl in Pl. rewrite <- Pl. apply F5. apply existsb_exists. exists true. split; auto.
            destruct live as (h & I & L). assert (exists i, entry_of h = Count i) as [i Ei].
            { assert (forall w l, sorted_out ks a w l -> l = [] -> In h w -> forall g, entry_of h = Element g -> opts h = []) as Q.
              { clear. induction 1; intros E I; [destruct I| |discriminate]. destruct I as [<-|I]; eauto. }
              destruct (entry_of h) as [g|i|g k like] eqn:E; [exfalso; apply L; eapply Q; eauto|eauto|].
              rewrite Forall_forall in Fw. specialize (Fw h I). unfold is_follower in Fw. rewrite E in Fw. discriminate. }
            assert (A h) as Ah by (rewrite Forall_forall in Aw; auto). destruct (counter_heap h i Ah Ei) as [Hi _].
            assert (nth i (support a) false = true) as Si.
            { assert (nth i a 0%N <> 0%N) as NZ.
              { unfold a. clear -Aw I Ei Hi o_pos m_range os_entries. induction Aw as [|h' w Ah' Aw IH]; [destruct I|].
                change (sum_value n_mul (h' :: w)) with (pmul n_mul (heap_value h') (sum_value n_mul w)). cbn [pmul snd].
                rewrite vadd_nth by (rewrite (proj2 (good_sum w Aw)), (proj2 (good_heap h' Ah')); auto).
                destruct I as [->|I]; [|specialize (IH I); lia]. unfold heap_value. rewrite Ei. cbn [entry_value snd]. unfold unit_vector.
                rewrite nth_indep with (d' := (fun k => if k =? i then 1%N else 0%N) 0) by (rewrite map_length, seq_length; exact Hi).
                rewrite (map_nth (fun k => if k =? i then 1%N else 0%N)), seq_nth by exact Hi. simpl. rewrite Nat.eqb_refl. lia. }
              unfold support. rewrite nth_indep with (d' := negb (N.eqb 0 0)) by (rewrite map_length, Ga; exact Hi).
              rewrite (map_nth (fun x => negb (N.eqb x 0))). destruct (N.eqb_spec (nth i a 0%N) 0); auto. }
            rewrite <- Si. apply nth_In. unfold support. rewrite map_length, Ga. exact Hi.
          - destruct (has D0 g0) eqn:D; [right|now left]. set (l := k0 :: l0) in *.
            pose proof (sorted_incl ks a w l S) as Il.
            assert (NS : ~ silent n_mul D0 l 0) by (apply F7; auto; discriminate).
            assert (dec : forall v u, l = u ++ v ->
              (exists u' k v', v = u' ++ k :: v' /\ has (kind_silent k) (product n_mul ((u ++ u') ++ v')) = false) \/
              forall u' k v', v = u' ++ k :: v' -> has (kind_silent k) (product n_mul ((u ++ u') ++ v')) = true).
            { induction v as [|k v IH]; intros u E.
              - right. intros [|k1 u'] k v' Q; discriminate.
              - destruct (has (kind_silent k) (product n_mul (u ++ v))) eqn:T.
                + destruct (IH (u ++ [k])) as [(u' & k' & v' & -> & F)|F]; [rewrite E, <- app_assoc; reflexivity| |].
                  * left. exists (k :: u'), k', v'. split; auto. rewrite <- app_assoc. repeat rewrite <- app_assoc in F. exact F.
                  * right. intros [|k1 u'] k' v' Q; simpl in Q; injection Q as <- ->.
                    -- now rewrite app_nil_r.
                    -- specialize (F u' k' v' eq_refl). rewrite <- app_assoc. repeat rewrite <- app_assoc in F. exact F.
                + left. exists [], k, v. split; auto. now rewrite app_nil_r. }
            destruct (dec l [] eq_refl) as [(u & k & v & E & F)|F]; [exists u, k, v; auto|].
            exfalso. apply NS. split.
            + rewrite unit0; [now rewrite Pl|]. now apply prod_range.
            + intros u k v E. rewrite unit0; [apply (F u k v E)|]. apply prod_range. rewrite E in Il. intros y Iy. apply Il.
              apply in_app_or in Iy. apply in_or_app. destruct Iy; [now left|right; now right]. }
        assert (same : predicted (g0, a) = false).
        { unfold g0, a. now rewrite <- surjective_pairing. }
        destruct cases as [D|(u & k & v & El & D)].
        - destruct (F4 g0 Gg D) as [P|(i & o & Hi & Si & Io & P)]; [congruence|].
          destruct (counted_in w i Aw Fw Hi Si) as (u & h & v & -> & Eh).
          apply Forall_app in Aw. destruct Aw as [Au Av']. inversion Av' as [|? ? Ah Av]; subst.
          destruct (counter_heap h i Ah Eh) as [_ Hc]. rewrite Hc in Io. exists u, h, v, o. split; auto. split; auto.
          assert (Auv : Forall A (u ++ v)) by (apply Forall_app; auto). destruct (good_sum _ Auv) as [Gu Gv].
          assert (sum_value n_mul (u ++ h :: v) = pmul n_mul (sum_value n_mul (u ++ v)) (heap_value h)) as Es.
          { eapply (pval_heap A pair goodp (pmul n_mul) pone); auto using good_pone, good_pmul, pmul_comm, pmul_assoc, pmul_one, good_heap. }
          rewrite <- P. unfold pmul. f_equal. f_equal.
          + f_equal. unfold g0. rewrite Es. unfold heap_value. rewrite Eh. cbn [pmul entry_value fst]. symmetry.
            unfold n_mul, n_rows. rewrite m_comm by auto. now apply m_unit.
          + f_equal. unfold down, a. rewrite Es. unfold heap_value. rewrite Eh. cbn [pmul entry_value snd].
            clear -Gv. generalize (unit_vector r i) (unit_length i). rewrite <- Gv. generalize (snd (sum_value n_mul (u ++ v))).
            induction l as [|y l IH]; intros [|z q] L; simpl in *; try lia; auto. f_equal; [lia|]. apply IH. lia.
        - destruct (sorted_split ks a w l S u k v El) as (w1 & h & w2 & g & -> & S1 & S2 & Eh & Q).
          apply Forall_app in Aw. destruct Aw as [A1 A2']. inversion A2' as [|? ? Ah A2]; subst.
          apply Forall_app in Fw. destruct Fw as [Fw1 Fw2']. inversion Fw2' as [|? ? Fh Fw2]; subst.
          assert (A12 : Forall A (w1 ++ w2)) by (apply Forall_app; auto). destruct (good_sum _ A12) as [Gu Gv].
          assert (product n_mul (u ++ v) = fst (sum_value n_mul (w1 ++ w2))) as Ep.
          { apply (sorted_product ks a); auto; [apply Forall_app; auto|now apply sorted_app]. }
          assert (sum_value n_mul (w1 ++ h :: w2) = pmul n_mul (sum_value n_mul (w1 ++ w2)) (heap_value h)) as Es.
          { eapply (pval_heap A pair goodp (pmul n_mul) pone); auto using good_pone, good_pmul, pmul_comm, pmul_assoc, pmul_one, good_heap. }
          assert (a = snd (sum_value n_mul (w1 ++ w2))) as Ea.
          { unfold a. rewrite Es. unfold heap_value. rewrite Eh. cbn [pmul entry_value snd]. rewrite vadd_comm.
            unfold r in *. rewrite <- Gv. apply vadd_zero. }
          rewrite Ep in D. destruct (Q _ Gu D) as [P|(o & Io & P)].
          + exfalso. assert (g0 = n_mul (fst (sum_value n_mul (w1 ++ w2))) g) as Eg.
            { unfold g0. rewrite Es. unfold heap_value. now rewrite Eh. }
            rewrite Eg in same. congruence.
          + exists w1, h, w2, o. split; auto. split; auto. unfold pmul. rewrite <- Ea. exact P.
      Qed.

      Theorem outcomes w : Forall A w ->
        (predicted (sum_value n_mul w) = true -> misereP (heap_move c) w) /\
        (predicted (sum_value n_mul w) <> true -> misereN (heap_move c) w).
      Proof.
        apply (follow_outcomes c A A_closed pair goodp (pmul n_mul) pone predicted good_pone good_pmul pmul_comm pmul_assoc pmul_one
          heap_value good_heap opts opts_spec is_follower words_like).
        - intros h H O. apply entry_facts in H. rewrite O in H. unfold heap_value. destruct (entry_of h); simpl in H.
          + rewrite andb_true_iff, N.eqb_eq in H. destruct H as [_ ->]. reflexivity.
          + rewrite !andb_true_iff in H. destruct H. discriminate.
          + rewrite !andb_true_iff in H. destruct H. discriminate.
        - exact ok_one.
        - exact check_P.
        - exact check_N.
        - intros h x H F X P. now apply (follower_facts h x H F X).
        - intros h q H F I. now apply word_facts.
      Qed.
    End Options.
  End Accepted.
End Check.

(** A checked strategy with counters: the outcome of every sum of the heaps. *)
Theorem counters_correct c n fuel : check_counters c n fuel = true ->
  forall w, Forall (fun h => h < length (n_entries n)) w ->
    (predicted n (sum_value n (n_mul n) w) = true -> misereP (heap_move c) w) /\
    (predicted n (sum_value n (n_mul n) w) <> true -> misereN (heap_move c) w).
Proof.
  intros ok. destruct (ok_options c n fuel ok) as (os & H1 & H2 & H3 & H4). exact (outcomes c n fuel ok os H1 H2 H3 H4).
Qed.

(** ** All heaps, by a period *)

(** Every value is that of the heap [p] places before, from [n0 + p] on. *)
Fixpoint same_pairs (l q : list pair) : bool :=
  match q, l with
  | [], _ => true
  | b :: q', a :: l' => N.eqb (fst a) (fst b) && same_numbers (snd a) (snd b) && same_pairs l' q'
  | _ :: _, [] => false
  end.

Lemma same_pairs_nth d q : forall l, same_pairs l q = true -> forall i, i < length q -> nth i q d = nth i l d.
Proof.
  induction q as [|b q IH]; intros [|a l] H i Hi; simpl in *; try lia; try discriminate.
  rewrite !andb_true_iff, N.eqb_eq in H. destruct H as [[E1 E2] H]. apply same_numbers_eq in E2. destruct i as [|i].
  - destruct a, b. simpl in *. congruence.
  - apply IH; auto. lia.
Qed.

Lemma nth_skipn_any {E} (d : E) k : forall L i, nth i (skipn k L) d = nth (k + i) L d.
Proof. induction k as [|k IH]; intros [|a L] i; simpl; auto. now destruct i. Qed.

Definition entry_values (n : counted) : list pair := map (entry_value n) (n_entries n).

Definition check_periodic_counters (c : code) (n : counted) (n0 p : nat) (fuel : nat) : bool :=
  ends c && Nat.ltb 0 p && Nat.leb (n0 + p) (length (n_entries n)) &&
  Nat.ltb (near c n0 p) (length (n_entries n)) &&
  same_pairs (skipn n0 (entry_values n)) (skipn (n0 + p) (entry_values n)) && check_counters c n fuel.

(** The value of a sum of heaps of any size, when the values have the period [p] from [n0] on. *)
Definition continued_value (n : counted) (n0 p : nat) (w : list nat) : pair :=
  pval pair (pmul (n_mul n)) (pone n) (fun h => heap_value n (periodic_index n0 p h)) w.

Section Periodic.
  Variable c : code.
  Variable n : counted.
  Variables n0 p fuel : nat.
  Hypothesis ok : check_periodic_counters c n n0 p fuel = true.

  Lemma periodic_facts : ends c = true /\ 0 < p /\ n0 + p <= length (n_entries n) /\ near c n0 p < length (n_entries n) /\
    (forall m, n0 <= m -> m + p < length (n_entries n) -> heap_value n (m + p) = heap_value n m) /\ check_counters c n fuel = true.
  Proof.
    unfold check_periodic_counters in ok. rewrite !andb_true_iff, !Nat.ltb_lt, Nat.leb_le in ok.
    destruct ok as [[[[[E P] L] B] R] C]. repeat (split; [assumption|]). split; [|assumption]. intros m M1 M2.
    pose proof (same_pairs_nth (entry_value n (Element 0)) _ _ R (m - n0)) as Q. rewrite !nth_skipn_any in Q.
    unfold entry_values in Q. rewrite skipn_length, map_length, !map_nth in Q.
    unfold heap_value, entry_of. replace (m + p) with (n0 + p + (m - n0)) by lia. replace m with (n0 + (m - n0)) at 2 by lia.
    apply Q. lia.
  Qed.

  Let value_of (h : nat) : pair := heap_value n (periodic_index n0 p h).

  Lemma value_of_listed h : h < length (n_entries n) -> value_of h = heap_value n h.
  Proof. destruct periodic_facts as (_ & P & _ & _ & R & _). intros H. now apply (periodic_index_repeats (heap_value n) n0 p (length (n_entries n))). Qed.

  Lemma continued_listed w : Forall (fun h => h < length (n_entries n)) w -> continued_value n n0 p w = sum_value n (n_mul n) w.
  Proof.
    induction 1 as [|h w H _ IH]; auto. unfold continued_value, sum_value in *. cbn [pval fold_right]. unfold pval in IH. rewrite IH.
    f_equal. now apply value_of_listed.
  Qed.

  Lemma value_of_good h : goodp n (value_of h).
  Proof.
    destruct periodic_facts as (_ & P & L & _ & _ & C). destruct (ok_options c n fuel C) as (os & _ & H & _).
    apply (good_heap c n fuel C os H). unfold A. pose proof (periodic_index_below n0 p h P). lia.
  Qed.

  Lemma continued_app t v : continued_value n n0 p (t ++ v) = pmul (n_mul n) (continued_value n n0 p t) (continued_value n n0 p v).
  Proof.
    destruct periodic_facts as (_ & _ & _ & _ & _ & C).
    exact (pval_app (fun _ => True) pair (goodp n) (pmul (n_mul n)) (pone n) (good_pone c n fuel C) (good_pmul c n fuel C) (pmul_assoc c n fuel C)
      (pmul_one c n fuel C) value_of (fun h _ => value_of_good h) t v (proj2 (Forall_forall _ _) (fun _ _ => I)) (proj2 (Forall_forall _ _) (fun _ _ => I))).
  Qed.

  Lemma continued_congruent t t' v : continued_value n n0 p t = continued_value n n0 p t' ->
    continued_value n n0 p (t ++ v) = continued_value n n0 p (t' ++ v).
  Proof. intros E. now rewrite !continued_app, E. Qed.

  Lemma all_near h : exists h', h' < length (n_entries n) /\ alike c pair pair value_of (pmul (n_mul n)) (pone n) h h'.
  Proof.
    destruct periodic_facts as (E & P & L & B & R & C).
    destruct (near_heap_any c n0 p pair pair value_of (continued_value n n0 p) P E) with (n := h) as (h' & H1 & H2 & H3 & _).
    - intros m M. unfold value_of. now rewrite periodic_index_period.
    - intros u x y v Q. unfold continued_value, pval. rewrite !fold_right_app. cbn [fold_right]. change (heap_value n (periodic_index n0 p x)) with (value_of x).
      rewrite Q. reflexivity.
    - exists h'. split; [lia|]. split; [exact H2|exact H3].
  Qed.

  Lemma listed_outcomes w : Forall (fun h => h < length (n_entries n)) w ->
    (predicted n (continued_value n n0 p w) = true -> misereP (heap_move c) w) /\
    (predicted n (continued_value n n0 p w) <> true -> misereN (heap_move c) w).
  Proof. intros S. rewrite continued_listed by auto. destruct periodic_facts as (_ & _ & _ & _ & _ & C). now apply (counters_correct c n fuel). Qed.
End Periodic.

(** A checked strategy with counters whose values repeat: the outcome of every sum of heaps of any size, and heaps of equal value are alike. *)
Theorem periodic_counters_correct c n n0 p fuel : check_periodic_counters c n n0 p fuel = true ->
  (forall w, (predicted n (continued_value n n0 p w) = true -> misereP (heap_move c) w) /\
     (predicted n (continued_value n n0 p w) <> true -> misereN (heap_move c) w)) /\
  (forall u v, continued_value n n0 p u = continued_value n n0 p v -> indistinguishable c (fun _ => True) u v).
Proof.
  intros ok. split.
  - exact (all_outcomes c pair pair _ (pmul (n_mul n)) (pone n) (predicted n) (continued_congruent c n n0 p fuel ok)
      (length (n_entries n)) (all_near c n n0 p fuel ok) (listed_outcomes c n n0 p fuel ok)).
  - exact (folded_indistinguishable c pair pair _ (pmul (n_mul n)) (pone n) (predicted n) (continued_congruent c n n0 p fuel ok)
      (length (n_entries n)) (all_near c n n0 p fuel ok) (listed_outcomes c n n0 p fuel ok)).
Qed.
