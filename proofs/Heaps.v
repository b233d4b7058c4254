(** * Heap games: play ends, and the values of all options can be listed *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Games Search.
Import ListNotations.

(** ** Play ends *)

Definition weight (w : list heap) : nat := fold_right (fun h s => (2 * h - 1) + s) 0 w.

Lemma weight_app u v : weight (u ++ v) = weight u + weight v.
Proof. induction u; simpl; lia. Qed.

Lemma beans_app u v : beans (u ++ v) = beans u + beans v.
Proof. induction u; simpl; lia. Qed.

Lemma weight_beans t : Forall (fun x => 0 < x) t -> weight t + length t = 2 * beans t.
Proof. induction 1; simpl in *; lia. Qed.

Lemma option_weight c h t : take_and_break c h t -> weight t < 2 * h - 1.
Proof.
  intros (k & E & F & _ & Z). pose proof (weight_beans t F) as W.
  destruct k as [|k]; [|lia]. specialize (Z eq_refl).
  destruct t as [|x t]; simpl in Z; [lia|]. inversion F; subst. simpl in *. lia.
Qed.

Lemma heap_move_weight c x y : heap_move c x y -> weight y < weight x.
Proof.
  intros H. inversion H; subst. apply option_weight in H0.
  rewrite !weight_app. simpl. lia.
Qed.

Lemma beans_in x t : In x t -> x <= beans t.
Proof. induction t as [|y t IH]; simpl; [tauto|]. intros [->|H]; [lia|]. specialize (IH H). lia. Qed.

Lemma beans_length t : Forall (fun x => 0 < x) t -> length t <= beans t.
Proof. induction 1; simpl in *; lia. Qed.

Lemma option_smaller c h t x : take_and_break c h t -> In x t -> x < h.
Proof.
  intros (k & E & F & _ & Z) I. apply in_split in I. destruct I as (u & v & ->).
  rewrite beans_app in E. simpl in E. apply Forall_app in F. destruct F as [F1 F2]. inversion F2; subst.
  destruct k; [|lia]. specialize (Z eq_refl). rewrite app_length in Z. simpl in Z.
  pose proof (beans_length u F1). pose proof (beans_length v H2). lia.
Qed.

Lemma move_inv c x y : heap_move c x y ->
  exists u h v t, x = u ++ h :: v /\ y = u ++ t ++ v /\ take_and_break c h t.
Proof. intros H. inversion H; subst. eauto 8. Qed.

Lemma testbit_size d j : N.testbit_nat d j = true -> j < N.size_nat d.
Proof.
  destruct d as [|p]; simpl; [discriminate|]. revert j.
  induction p; intros [|j]; simpl; intros H; try discriminate; try lia; apply IHp in H; lia.
Qed.

(** ** All moves of a code on heaps up to [n], as pairs of a number and a digit *)
Definition moves_up_to (c : code) (n : nat) : list (nat * N) :=
  filter (fun kd => Nat.leb (fst kd) n) (digits c) ++
  match block c with
  | [] => []
  | _ => map (fun k => (k, nth ((k - start c) mod length (block c)) (block c) 0%N)) (seq (start c) (S n - start c))
  end.

Definition width (c : code) : nat :=
  fold_right (fun d w => Nat.max (N.size_nat d) w) 1 (map snd (digits c) ++ block c).

Lemma in_moves c n k j : k <= n -> (allowed c k j <-> exists d, In (k, d) (moves_up_to c n) /\ N.testbit_nat d j = true).
Proof.
  intros K. unfold allowed, moves_up_to. split.
  - intros [(d & I & T)|(B & S & T)].
    + exists d. split; auto. apply in_or_app. left. apply filter_In. simpl. split; auto. now apply Nat.leb_le.
    + eexists. split; [|exact T]. apply in_or_app. right. destruct (block c); [congruence|].
      apply in_map_iff. exists k. split; auto. apply in_seq. lia.
  - intros (d & I & T). apply in_app_or in I. destruct I as [I|I].
    + left. exists d. apply filter_In in I. tauto.
    + right. destruct (block c) as [|b l] eqn:B; [destruct I|].
      apply in_map_iff in I. destruct I as (k' & E & I). apply in_seq in I.
      pose proof (f_equal fst E) as E1. pose proof (f_equal snd E) as E2. cbn [fst snd] in E1, E2. subst k' d.
      split; [discriminate|]. split; [lia|]. exact T.
Qed.

Lemma allowed_width c k j : allowed c k j -> j < width c.
Proof.
  assert (G : forall l d, In d l -> N.size_nat d <= fold_right (fun d w => Nat.max (N.size_nat d) w) 1 l).
  { intros l d. induction l as [|a l IH]; simpl; [tauto|]. intros [->|I]; [lia|]. specialize (IH I). lia. }
  intros [(d & I & T)|(B & S & T)]; apply testbit_size in T; eapply Nat.lt_le_trans; try exact T; apply G; apply in_or_app.
  - left. apply in_map_iff. exists (k, d). auto.
  - right. apply nth_In. apply Nat.mod_upper_bound. destruct (block c); simpl; congruence.
Qed.

(** ** The values of all options

    [op] combines values of heaps (nim-addition, or the product of a monoid) and [phi] gives the value of a heap. *)

Section Values.
  Variable op : N -> N -> N.
  Variable phi : heap -> N.

  Definition value (t : list heap) : N := fold_right (fun h v => op (phi h) v) 0%N t.

  (** [v] is the value of [j] heaps with [m] beans in all, none empty. *)
  Definition parts (j m : nat) (v : N) : Prop :=
    exists t, length t = j /\ Forall (fun x => 0 < x) t /\ beans t = m /\ value t = v.

  Lemma parts_0 m v : parts 0 m v <-> m = 0 /\ v = 0%N.
  Proof.
    split.
    - intros ([|x t] & L & F & E & V); simpl in *; [auto|discriminate].
    - intros [-> ->]. exists []. simpl. auto.
  Qed.

  Lemma parts_S j m v : parts (S j) m v <-> exists a u, 0 < a <= m /\ parts j (m - a) u /\ v = op (phi a) u.
  Proof.
    split.
    - intros ([|a t] & L & F & E & V); simpl in *; [discriminate|]. inversion F; subst.
      exists a, (value t). split; [lia|]. split; [|auto].
      exists t. repeat split; auto. lia.
    - intros (a & u & A & (t & L & F & E & V) & ->). exists (a :: t). simpl.
      repeat split; auto; try lia; try congruence. constructor; auto; lia.
  Qed.

  Fixpoint add_all (a : N) (l : list N) (s : nset) : nset :=
    match l with [] => s | v :: l' => add_all a l' (add (op a v) s) end.

  (** [F] holds [phi 1, phi 2, …]; [R] holds the lists of values for [n - 1, n - 2, …, 0] beans. *)
  Fixpoint combine_rows (F : list N) (R : list (list N)) (s : nset) : nset :=
    match F, R with
    | a :: F', l :: R' => combine_rows F' R' (add_all a l s)
    | _, _ => s
    end.

  Lemma good_add_all a l s : good_set s -> good_set (add_all a l s).
  Proof. revert s. induction l; intros s G; simpl; auto. apply IHl. now apply good_add. Qed.

  Lemma mem_add_all a l s v : mem v (add_all a l s) = true <-> mem v s = true \/ exists u, In u l /\ v = op a u.
  Proof.
    revert s. induction l as [|w l IH]; intros s; simpl.
    - firstorder.
    - rewrite IH, mem_add, orb_true_iff, N.eqb_eq. split.
      + intros [[E|E]|(u & I & E)]; eauto 6.
      + intros [E|(u & [<-|I] & E)]; eauto 6.
  Qed.

  Lemma good_combine F R s : good_set s -> good_set (combine_rows F R s).
  Proof.
    revert R s. induction F; intros [|l R] s G; simpl; auto. apply IHF. now apply good_add_all.
  Qed.

  Lemma mem_combine F R s v : length R <= length F ->
    (mem v (combine_rows F R s) = true <->
     mem v s = true \/ exists i u, i < length R /\ In u (nth i R []) /\ v = op (nth i F 0%N) u).
  Proof.
    revert R s. induction F as [|a F IH]; intros [|l R] s L; simpl in *; try lia.
    1, 2: split; [auto|]; intros [|(i & u & Hi & _)]; auto; lia.
    rewrite IH by lia. rewrite mem_add_all. split.
    - intros [[E|(u & I & E)]|(i & u & Hi & I & E)]; auto.
      + right. exists 0, u. split; auto. lia.
      + right. exists (S i), u. split; auto. lia.
    - intros [E|([|i] & u & Hi & I & E)]; eauto 6. right. exists i, u. split; auto. lia.
  Qed.

  Variable F : list N.
  Hypothesis F_phi : forall i, i < length F -> nth i F 0%N = phi (S i).

  (** One row for each number of parts 0, 1, …; a row holds the lists of values for [n - 1, …, 0] beans. *)
  Fixpoint grow (e : list N) (tabs : list (list (list N))) : list (list (list N)) :=
    match tabs with
    | [] => []
    | R :: tabs' =>
        (e :: R) :: match tabs' with
                    | [] => []
                    | _ => grow (snd (combine_rows F R no_numbers)) tabs'
                    end
    end.

  Definition row_ok (n j : nat) (R : list (list N)) : Prop :=
    length R = n /\ forall m v, m < n -> (In v (nth (n - 1 - m) R []) <-> parts j m v).

  Fixpoint rows_ok (n j : nat) (tabs : list (list (list N))) : Prop :=
    match tabs with [] => True | R :: tabs' => row_ok n j R /\ rows_ok n (S j) tabs' end.

  Lemma row_cons n j e R : row_ok n j R -> (forall v, In v e <-> parts j n v) -> row_ok (S n) j (e :: R).
  Proof.
    intros [L H] He. split; [simpl; lia|]. intros m v Hm.
    destruct (Nat.eq_dec m n) as [->|N].
    - replace (S n - 1 - n) with 0 by lia. apply He.
    - replace (S n - 1 - m) with (S (n - 1 - m)) by lia. apply H. lia.
  Qed.

  Lemma grow_ok n j e tabs : n <= length F -> rows_ok n j tabs -> (forall v, In v e <-> parts j n v) ->
    rows_ok (S n) j (grow e tabs).
  Proof.
    intros HF. revert j e. induction tabs as [|R tabs IH]; intros j e; [simpl; auto|].
    intros [H1 H2] He. cbn [grow rows_ok]. split; [now apply row_cons|].
    destruct tabs as [|R' tabs]; [exact I|]. apply IH; auto.
    intros v. rewrite <- (good_combine F R no_numbers good_none v), mem_combine by (destruct H1; lia).
    rewrite parts_S. destruct H1 as [L H1]. split.
    - intros [E|(i & u & Hi & I & E)]; [discriminate|]. exists (S i), u. rewrite L in Hi.
      split; [lia|]. split; [|now rewrite E, F_phi by lia].
      apply H1; [lia|]. now replace (n - 1 - (n - S i)) with i by lia.
    - intros (a & u & A & P & E). right. exists (a - 1), u. split; [lia|]. split.
      + apply H1 in P; [|lia]. now replace (n - 1 - (n - a)) with (a - 1) in P by lia.
      + rewrite E, F_phi by lia. now replace (S (a - 1)) with a by lia.
  Qed.

  Definition first_entry (n : nat) : list N := match n with O => [0%N] | _ => [] end.

  Lemma first_entry_ok n v : In v (first_entry n) <-> parts 0 n v.
  Proof. rewrite parts_0. destruct n; simpl; intuition; try discriminate. Qed.

  (** The values of the options that take [k] beans, by the bits of the digit [d]. *)
  Definition leaves (k : nat) (d : N) (j : nat) : bool :=
    N.testbit_nat d j && (negb (Nat.eqb k 0) || Nat.leb 2 j).

  Fixpoint pick (k : nat) (d : N) (j : nat) (tabs : list (list (list N))) (s : nset) : nset :=
    match tabs with
    | [] => s
    | R :: tabs' =>
        pick k d (S j) tabs' (if leaves k d j then fold_left (fun s v => add v s) (nth k R []) s else s)
    end.

  Fixpoint pick_all (moves : list (nat * N)) (tabs : list (list (list N))) (s : nset) : nset :=
    match moves with
    | [] => s
    | (k, d) :: moves' => pick_all moves' tabs (pick k d 0 tabs s)
    end.

  Lemma good_fold l s : good_set s -> good_set (fold_left (fun s v => add v s) l s).
  Proof. revert s. induction l; simpl; auto. intros. apply IHl. now apply good_add. Qed.

  Lemma mem_fold l s v : mem v (fold_left (fun s v => add v s) l s) = true <-> mem v s = true \/ In v l.
  Proof.
    revert s. induction l as [|a l IH]; intros s; simpl; [tauto|].
    rewrite IH, mem_add, orb_true_iff, N.eqb_eq. intuition.
  Qed.

  Lemma good_pick k d tabs : forall j s, good_set s -> good_set (pick k d j tabs s).
  Proof. induction tabs; intros j s G; simpl; auto. apply IHtabs. destruct (leaves k d j); auto. now apply good_fold. Qed.

  Lemma good_pick_all moves tabs : forall s, good_set s -> good_set (pick_all moves tabs s).
  Proof. induction moves as [|[k d] moves IH]; intros s G; simpl; auto. apply IH. now apply good_pick. Qed.

  Lemma mem_pick n k d tabs : forall j s v, rows_ok (S n) j tabs ->
    (mem v (pick k d j tabs s) = true <->
     mem v s = true \/ exists i, j <= i < j + length tabs /\ leaves k d i = true /\ k <= n /\ parts i (n - k) v).
  Proof.
    induction tabs as [|R tabs IH]; intros j s v H; simpl.
    - split; auto. intros [|(i & ? & _)]; auto; lia.
    - destruct H as [[L H1] H2]. rewrite IH by auto.
      assert (In v (nth k R []) <-> k <= n /\ parts j (n - k) v) as E.
      { destruct (le_lt_dec k n) as [K|K].
        - rewrite <- (H1 (n - k) v) by lia. replace (S n - 1 - (n - k)) with k by lia. tauto.
        - rewrite nth_overflow by lia. simpl. split; [tauto|lia]. }
      split.
      + intros [M|(i & Hi & B)].
        * destruct (leaves k d j) eqn:T; [|auto]. apply mem_fold in M. destruct M as [|M]; auto.
          right. exists j. split; [lia|]. apply E in M. tauto.
        * right. exists i. split; [lia|auto].
      + intros [M|(i & Hi & T & B)].
        * left. destruct (leaves k d j); auto. apply mem_fold. auto.
        * destruct (Nat.eq_dec i j) as [->|N].
          -- left. rewrite T. apply mem_fold. right. now apply E.
          -- right. exists i. split; [lia|auto].
  Qed.

  Lemma mem_pick_all n tabs moves : rows_ok (S n) 0 tabs -> forall s v,
    (mem v (pick_all moves tabs s) = true <->
     mem v s = true \/ exists k d i, In (k, d) moves /\ i < length tabs /\ leaves k d i = true /\ k <= n /\ parts i (n - k) v).
  Proof.
    intros H. induction moves as [|[k d] moves IH]; intros s v; simpl.
    - split; auto. intros [|(k & d & i & [] & _)]; auto.
    - rewrite IH, (mem_pick n) by auto. split.
      + intros [[M|(i & Hi & B)]|(k' & d' & i & I & B)]; auto.
        * right. exists k, d, i. split; auto. split; [lia|tauto].
        * right. exists k', d', i. auto.
      + intros [M|(k' & d' & i & [E|I] & Hi & B)]; auto.
        * injection E as <- <-. left. right. exists i. split; [lia|auto].
        * right. exists k', d', i. auto.
  Qed.

  Lemma mem_options c n m tabs : rows_ok (S n) 0 tabs -> n <= m -> length tabs = width c -> forall v,
    (mem v (pick_all (moves_up_to c m) tabs no_numbers) = true <-> exists t, take_and_break c n t /\ value t = v).
  Proof.
    intros H M W v. rewrite (mem_pick_all n) by auto. split.
    - intros [E|(k & d & i & I & Hi & T & K & (t & L & P & E & V))]; [discriminate|].
      apply andb_true_iff in T. destruct T as [T Z]. exists t. split; auto. exists k.
      split; [lia|]. split; auto. split.
      + rewrite L. apply (in_moves c m); [lia|]. eauto.
      + intros ->. cbn [Nat.eqb negb orb] in Z. apply Nat.leb_le in Z. lia.
    - intros (t & (k & E & P & A & Z) & V). right. pose proof (allowed_width _ _ _ A) as B.
      apply (in_moves c m) in A; [|lia]. destruct A as (d & I & T). exists k, d, (length t).
      split; auto. split; [lia|]. split.
      + unfold leaves. rewrite T. destruct k; cbn [Nat.eqb negb orb andb]; auto. apply Nat.leb_le. auto.
      + split; [lia|]. exists t. repeat split; auto. lia.
  Qed.

  (** Walk over the heaps [n, n + 1, …], ask [f] about the value and the set of option values of each, and keep its answers. *)
  Section Drive.
    Context {A : Type}.
    Variable f : N -> nset -> option A.
    Variable moves : list (nat * N).

    Fixpoint drive (vals : list N) (n : nat) (tabs : list (list (list N))) : option (list A) :=
      match vals with
      | [] => Some []
      | v :: vals' =>
          let tabs' := grow (first_entry n) tabs in
          match f v (pick_all moves tabs' no_numbers) with
          | None => None
          | Some a => match drive vals' (S n) tabs' with
                      | None => None
                      | Some l => Some (a :: l)
                      end
          end
      end.

    Lemma length_grow tabs : forall e, length (grow e tabs) = length tabs.
    Proof. induction tabs as [|R tabs IH]; intros e; auto. cbn [grow]. destruct tabs; auto. cbn [length]. now rewrite IH. Qed.

    Lemma drive_ok c m : moves = moves_up_to c m -> forall vals n tabs l,
      n + length vals <= S m -> n + length vals <= S (length F) -> rows_ok n 0 tabs -> length tabs = width c ->
      drive vals n tabs = Some l ->
      length l = length vals /\
      forall i, i < length vals -> exists s a, nth_error l i = Some a /\ f (nth i vals 0%N) s = Some a /\ good_set s /\
        forall v, mem v s = true <-> exists t, take_and_break c (n + i) t /\ value t = v.
    Proof.
      intros EM. induction vals as [|v vals IH]; intros n tabs l Hm HF Hr Hw Hd; simpl in *.
      - injection Hd as <-. split; auto. intros i Hi. lia.
      - destruct (f v _) as [a|] eqn:Ef; [|discriminate].
        destruct (drive vals (S n) _) as [l'|] eqn:Ed; [|discriminate]. injection Hd as <-.
        assert (rows_ok (S n) 0 (grow (first_entry n) tabs)) as Hr'.
        { apply grow_ok; auto; [lia|]. apply first_entry_ok. }
        destruct (IH (S n) (grow (first_entry n) tabs) l' ltac:(lia) ltac:(lia) Hr' ltac:(now rewrite length_grow) Ed) as [L IH']. clear IH.
        split; [simpl; lia|]. intros [|i] Hi.
        + exists (pick_all moves (grow (first_entry n) tabs) no_numbers), a.
          split; auto. split; auto. split; [apply good_pick_all, good_none|].
          rewrite Nat.add_0_r, EM. intros w. apply mem_options; auto; [lia|now rewrite length_grow].
        + destruct (IH' i ltac:(lia)) as (s & b & H). exists s, b. simpl. now rewrite Nat.add_succ_r.
    Qed.
  End Drive.
End Values.

(** The whole walk, over heaps [0 … length vals - 1] with the values [vals]. *)
Definition survey {A} (op : N -> N -> N) (f : N -> nset -> option A) (c : code) (vals : list N) : option (list A) :=
  drive op (tl vals) f (moves_up_to c (length vals)) vals 0 (repeat [] (width c)).

Lemma survey_ok A op (f : N -> nset -> option A) c vals l :
  survey op f c vals = Some l ->
  length l = length vals /\
  forall n, n < length vals -> exists s a, nth_error l n = Some a /\ f (nth n vals 0%N) s = Some a /\ good_set s /\
    forall v, mem v s = true <-> exists t, take_and_break c n t /\ value op (fun h => nth h vals 0%N) t = v.
Proof.
  intros H. eapply (drive_ok op (fun h => nth h vals 0%N) (tl vals)) in H; try reflexivity; try lia.
  - exact H.
  - intros i Hi. destruct vals; auto. simpl in *. lia.
  - destruct vals; simpl; lia.
  - assert (G : forall w j, rows_ok op (fun h => nth h vals 0%N) 0 j (repeat [] w)).
    { induction w; intros j; simpl; auto. split; auto. split; auto. intros m v Hm. lia. }
    apply G.
  - apply repeat_length.
Qed.

(** Only the products with values of heaps, and the answers, matter. *)
Lemma survey_ext A op op' (f f' : N -> nset -> option A) c vals :
  (forall a u, In a vals -> op a u = op' a u) -> (forall v s, f v s = f' v s) -> survey op f c vals = survey op' f' c vals.
Proof.
  intros E Ef. unfold survey.
  assert (EA : forall a l s, In a vals -> add_all op a l s = add_all op' a l s).
  { intros a l. induction l as [|u l IH]; intros s I; simpl; auto. now rewrite E, IH. }
  assert (EC : forall F R s, incl F vals -> combine_rows op F R s = combine_rows op' F R s).
  { induction F as [|a F IH]; intros [|l R] s I; simpl; auto. rewrite EA by (apply I; now left). apply IH. intros b J. apply I. now right. }
  assert (EG : forall tabs e, grow op (tl vals) e tabs = grow op' (tl vals) e tabs).
  { assert (T : incl (tl vals) vals) by (destruct vals; [intros a []|intros a I; now right]).
    induction tabs as [|R tabs IH]; intros e; auto. cbn [grow]. destruct tabs; auto. now rewrite EC, IH. }
  assert (ED : forall moves vs n tabs, drive op (tl vals) f moves vs n tabs = drive op' (tl vals) f' moves vs n tabs).
  { intros moves. induction vs as [|v vs IH]; intros n tabs; auto. cbn [drive]. rewrite EG, Ef. destruct (f' _ _); auto. now rewrite IH. }
  apply ED.
Qed.
