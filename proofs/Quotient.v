(** * Misère quotients: finitely many heaps, and all heaps by a period *)

From Coq Require Import List Arith NArith Bool Lia.
From Impartial Require Import Games Laws Search Heaps Periods Monoid Silence.
Import ListNotations.

(** ** Equal values and indistinguishable sums, once the outcomes are known *)
Section Exact.
  Variable c : code.
  Variable A : nat -> Prop.
  Variable order : N.
  Variable mul : N -> N -> N.
  Variable inP : N -> bool.
  Variable val : list nat -> N.
  Hypothesis mul_comm : forall x y, (x < order)%N -> (y < order)%N -> mul x y = mul y x.
  Hypothesis val_range : forall w, Forall A w -> (val w < order)%N.
  Hypothesis val_app : forall u v, Forall A u -> Forall A v -> val (u ++ v) = mul (val u) (val v).
  Hypothesis outcomes : forall w, Forall A w ->
    (inP (val w) = true -> misereP (heap_move c) w) /\ (inP (val w) <> true -> misereN (heap_move c) w).
  Hypothesis reduced : forall x y, (x < order)%N -> (y < order)%N ->
    (forall z, (z < order)%N -> inP (mul z x) = inP (mul z y)) -> x = y.
  Hypothesis generated : forall x, (x < order)%N -> exists w, Forall A w /\ val w = x.

  Theorem exact_values u v : Forall A u -> Forall A v -> (val u = val v <-> indistinguishable c A u v).
  Proof.
    assert (P : forall w, Forall A w -> (misereP (heap_move c) w <-> inP (val w) = true)).
    { intros w Aw. destruct (outcomes w Aw) as [H1 H2]. split; auto. intros M.
      destruct (inP (val w)) eqn:E; auto. exfalso. apply (misereP_not_misereN _ _ M). apply H2. discriminate. }
    intros U V. split.
    - intros E w W. rewrite !P by (apply Forall_app; auto). rewrite !val_app by auto. now rewrite E.
    - intros I. apply reduced; auto. intros z Z. destruct (generated z Z) as (w & W & <-). specialize (I w W).
      rewrite !P in I by (apply Forall_app; auto). rewrite !val_app in I by auto.
      rewrite (mul_comm (val w) (val u)), (mul_comm (val w) (val v)) by auto.
      destruct (inP (mul (val u) (val w))), (inP (mul (val v) (val w))); intuition.
  Qed.
End Exact.

(** ** The outcomes, for any set of heaps whose kinds are known *)
Section Outcome.
  Variable c : code.
  Variable A : nat -> Prop.
  Variable phi : nat -> N.
  Variable order : N.
  Variable mul : N -> N -> N.
  Variable inP : N -> bool.
  Variable kinds : list kind.
  Hypothesis order_pos : (0 < order)%N.
  Hypothesis mul_range : forall x y, (x < order)%N -> (y < order)%N -> (mul x y < order)%N.
  Hypothesis mul_comm : forall x y, (x < order)%N -> (y < order)%N -> mul x y = mul y x.
  Hypothesis mul_assoc : forall x y z, (x < order)%N -> (y < order)%N -> (z < order)%N -> mul (mul x y) z = mul x (mul y z).
  Hypothesis mul_unit : forall x, (x < order)%N -> mul 0%N x = x.

  Let val := value mul phi.

  (** What the check of one heap shows: it has no option and the value 1, or it has one and its kind is in the list. *)
  Definition known (h : nat) : Prop :=
    (phi h < order)%N /\
    (((forall t, ~ take_and_break c h t) /\ phi h = 0%N) \/
     ((exists t, take_and_break c h t) /\
      exists k, In k kinds /\ kind_value k = phi h /\ forall x, (x < order)%N ->
        (forall t, take_and_break c h t -> inP (mul x (phi h)) = true -> inP (mul x (val t)) = false) /\
        (has (kind_silent k) x = false ->
         inP (mul x (phi h)) = true \/ exists t, take_and_break c h t /\ inP (mul x (val t)) = true))).

  Hypothesis closed : forall h t, A h -> take_and_break c h t -> Forall A t.
  Hypothesis all_known : forall h, A h -> known h.
  Hypothesis one_not_P : inP 0%N = false.
  Hypothesis no_silence : forall w, incl w kinds -> w <> [] -> exists u k v, w = u ++ k :: v /\
    has (kind_silent k) (product mul (u ++ v)) = false.

  Lemma val_range w : Forall A w -> (val w < order)%N.
  Proof. induction 1; simpl; auto. apply mul_range; auto. now apply all_known. Qed.

  Lemma val_app u v : Forall A u -> Forall A v -> val (u ++ v) = mul (val u) (val v).
  Proof.
    intros U V. pose proof (val_range v V). induction U as [|h u Ah U IH]; simpl; [now rewrite mul_unit|].
    rewrite IH, mul_assoc; auto; [now apply all_known|]. now apply val_range.
  Qed.

  Lemma val_mid u h v : Forall A u -> A h -> Forall A v -> val (u ++ h :: v) = mul (val (u ++ v)) (phi h).
  Proof.
    intros U H V. assert (phi h < order)%N by now apply all_known. pose proof (val_range u U). pose proof (val_range v V).
    rewrite !val_app by auto. simpl. rewrite mul_assoc by auto. f_equal. apply mul_comm; auto.
  Qed.

  Lemma val_option u t v : Forall A u -> Forall A t -> Forall A v -> val (u ++ t ++ v) = mul (val (u ++ v)) (val t).
  Proof.
    intros U T V. pose proof (val_range u U). pose proof (val_range v V). pose proof (val_range t T).
    rewrite !val_app by (auto; apply Forall_app; auto). rewrite mul_assoc by auto. f_equal. apply mul_comm; auto.
  Qed.

  (** The kinds of the heaps of a sum that have options. *)
  Definition plays (h : nat) (k : kind) : Prop :=
    (exists t, take_and_break c h t) /\ kind_value k = phi h /\ In k kinds /\ forall x, (x < order)%N ->
      has (kind_silent k) x = false -> inP (mul x (phi h)) = true \/ exists t, take_and_break c h t /\ inP (mul x (val t)) = true.

  Inductive kinds_of : list nat -> list kind -> Prop :=
  | kinds_nil : kinds_of [] []
  | kinds_dead h w l : (forall t, ~ take_and_break c h t) -> phi h = 0%N -> kinds_of w l -> kinds_of (h :: w) l
  | kinds_live h k w l : plays h k -> kinds_of w l -> kinds_of (h :: w) (k :: l).

  Lemma kinds_exist w : Forall A w -> exists l, kinds_of w l.
  Proof.
    induction 1 as [|h w Ah _ [l IH]]; [exists []; constructor|].
    destruct (all_known h Ah) as (R & [[N Z]|[E (k & I & V & F)]]).
    - exists l. now apply kinds_dead.
    - exists (k :: l). apply kinds_live; auto. split; [exact E|]. split; [exact V|]. split; [exact I|]. intros x X. now apply F.
  Qed.

  Lemma kinds_product w l : Forall A w -> kinds_of w l -> product mul l = val w.
  Proof.
    intros F K. induction K; simpl; inversion F; subst; auto.
    - rewrite H0, mul_unit; auto. now apply val_range.
    - destruct H as (_ & -> & _). now rewrite IHK.
  Qed.

  Lemma kinds_incl w l : kinds_of w l -> incl l kinds.
  Proof. induction 1; [intros a []|auto|]. intros a [<-|I]; auto. apply H. Qed.

  Lemma kinds_split w l : kinds_of w l -> forall u k v, l = u ++ k :: v ->
    exists w1 h w2, w = w1 ++ h :: w2 /\ kinds_of w1 u /\ plays h k /\ kinds_of w2 v.
  Proof.
    induction 1 as [|h w l N Z K IH|h k' w l P K IH]; intros u k v E.
    - now destruct u.
    - destruct (IH u k v E) as (w1 & h' & w2 & -> & K1 & P & K2). exists (h :: w1), h', w2.
      split; auto. split; [now apply kinds_dead|auto].
    - destruct u as [|k1 u]; simpl in E; injection E as <- ->.
      + exists [], h, w. split; auto. split; [constructor|auto].
      + destruct (IH u k v eq_refl) as (w1 & h' & w2 & -> & K1 & P' & K2). exists (h :: w1), h', w2.
        split; auto. split; [now apply kinds_live|auto].
  Qed.

  Lemma kinds_app w1 l1 w2 l2 : kinds_of w1 l1 -> kinds_of w2 l2 -> kinds_of (w1 ++ w2) (l1 ++ l2).
  Proof. induction 1; intros K; simpl; auto; [apply kinds_dead|apply kinds_live]; auto. Qed.

  Lemma kinds_nil_stuck w : kinds_of w [] -> forall y, ~ heap_move c w y.
  Proof.
    intros K y M. apply move_inv in M. destruct M as (u & h & v & t & -> & _ & O).
    remember (@nil kind) as l eqn:E. remember (u ++ h :: v) as w eqn:W. revert u W E.
    induction K; intros u W E; try discriminate.
    - now destruct u.
    - destruct u as [|h1 u]; injection W as -> W; [now apply (H t)|]. eapply IHK; eauto.
  Qed.

  Theorem quotient_outcomes w : Forall A w ->
    (inP (val w) = true -> misereP (heap_move c) w) /\ (inP (val w) <> true -> misereN (heap_move c) w).
  Proof.
    revert w. apply (misere_law (heap_move c) (Forall A) weight).
    - intros x y Ax M. apply move_inv in M. destruct M as (u & h & v & t & -> & -> & O).
      apply Forall_app in Ax. destruct Ax as [Au Av]. inversion Av; subst.
      apply Forall_app. split; auto. apply Forall_app. split; eauto.
    - intros x y _. apply heap_move_weight.
    - intros x _. destruct (inP (val x)); auto.
    - intros w Aw P. destruct (kinds_exist w Aw) as [l K]. split.
      + destruct l as [|k l].
        * rewrite <- (kinds_product w [] Aw K) in P. simpl in P. congruence.
        * destruct (kinds_split w (k :: l) K [] k l eq_refl) as (w1 & h & w2 & -> & _ & ((t & O) & _) & _).
          exists (w1 ++ t ++ w2). now constructor.
      + intros y M. apply move_inv in M. destruct M as (u & h & v & t & -> & -> & O).
        apply Forall_app in Aw. destruct Aw as [Au Av]. inversion Av as [|? ? Ah Av']; subst.
        rewrite val_mid in P by auto. assert (Forall A t) as At by eauto. rewrite val_option by auto.
        destruct (all_known h Ah) as (R & [[N _]|[_ (k & _ & _ & F)]]); [now destruct (N t)|].
        rewrite (proj1 (F (val (u ++ v)) (val_range _ (proj2 (Forall_app _ _ _) (conj Au Av')))) t O P). discriminate.
    - intros w Aw NP [y M]. destruct (kinds_exist w Aw) as [l K].
      assert (l <> []) as NE by (intros ->; now apply (kinds_nil_stuck w K y)).
      destruct (no_silence l (kinds_incl w l K) NE) as (u & k & v & E & S).
      destruct (kinds_split w l K u k v E) as (w1 & h & w2 & -> & K1 & (_ & _ & _ & P) & K2).
      apply Forall_app in Aw. destruct Aw as [A1 A2']. inversion A2' as [|? ? Ah A2]; subst.
      assert (Forall A (w1 ++ w2)) as A12 by (apply Forall_app; auto).
      rewrite (kinds_product (w1 ++ w2) (u ++ v)) in S by (auto using kinds_app).
      destruct (P (val (w1 ++ w2)) (val_range _ A12) S) as [Q|(t & O & Q)].
      + rewrite val_mid in NP by auto. congruence.
      + exists (w1 ++ t ++ w2). split; [now constructor|]. rewrite val_option; eauto.
    - intros w Aw. destruct (kinds_exist w Aw) as [[|k l] K].
      + right. now apply kinds_nil_stuck.
      + left. destruct (kinds_split w (k :: l) K [] k l eq_refl) as (w1 & h & w2 & -> & _ & ((t & O) & _) & _).
        exists (w1 ++ t ++ w2). now constructor.
  Qed.

End Outcome.

(** ** The check *)

Fixpoint either (a b : list bool) : list bool :=
  match a, b with x :: a', y :: b' => orb x y :: either a' b' | _, _ => [] end.
Fixpoint neither (a b : list bool) : list bool :=
  match a, b with x :: a', y :: b' => negb (orb x y) :: neither a' b' | _, _ => [] end.
Fixpoint disjoint (a b : list bool) : bool :=
  match a, b with x :: a', y :: b' => negb (andb x y) && disjoint a' b' | _, _ => true end.

(** The kind of a heap with the value [v] and the option values [s]; [None] when the P-check fails, [Some None] when it has no move. *)
Definition kind_test (order : N) (column : N -> list bool) (v : N) (s : nset) : option (option kind) :=
  match snd s with
  | [] => if N.eqb v 0 then Some None else None
  | l => let a := column v in
         let u := fold_left (fun u t => either u (column t)) l (map (fun _ => false) (elements order)) in
         if disjoint a u then Some (Some (Kind v (neither a u))) else None
  end.

Fixpoint same_bools (a b : list bool) : bool :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => Bool.eqb x y && same_bools a' b'
  | _, _ => false
  end.

Definition same_kind (k l : kind) : bool :=
  if N.eqb (kind_value k) (kind_value l) then same_bools (kind_silent k) (kind_silent l) else false.

Fixpoint gather (l : list (option kind)) (acc : list kind) : list kind :=
  match l with
  | [] => acc
  | None :: l' => gather l' acc
  | Some k :: l' => gather l' (if existsb (same_kind k) acc then acc else k :: acc)
  end.

Lemma disjoint_spec a : forall b i, disjoint a b = true -> nth i a false = true -> nth i b false = false.
Proof.
  induction a as [|x a IH]; intros [|y b] [|i] D T; simpl in *; try discriminate; auto.
  - subst. apply andb_true_iff in D. destruct D as [D _]. now destruct y.
  - apply andb_true_iff in D. destruct D as [_ D]. eauto.
Qed.

Lemma either_spec a : forall b i, length a = length b -> nth i (either a b) false = nth i a false || nth i b false.
Proof. induction a; intros [|y b] [|i] L; simpl in *; try lia; auto. Qed.

Lemma length_either a : forall b, length a = length b -> length (either a b) = length a.
Proof. induction a; intros [|y b] L; simpl in *; try lia. f_equal. auto. Qed.

Lemma neither_spec a : forall b i, length a = length b -> i < length a ->
  nth i (neither a b) false = negb (nth i a false || nth i b false).
Proof. induction a; intros [|y b] [|i] L I; simpl in *; try lia; auto. apply IHa; lia. Qed.

Lemma gather_old l : forall acc k, In k acc -> In k (gather l acc).
Proof. induction l as [|[k'|] l IH]; intros acc k I; simpl; auto. apply IH. destruct (existsb _ acc); auto. now right. Qed.

Lemma same_bools_eq a : forall b, same_bools a b = true -> a = b.
Proof.
  induction a; intros [|y b] H; simpl in H; try discriminate; auto.
  apply andb_true_iff in H. destruct H as [E H]. apply Bool.eqb_prop in E. f_equal; auto.
Qed.

Lemma gather_in l : forall acc k, In (Some k) l -> In k (gather l acc).
Proof.
  induction l as [|[k'|] l IH]; intros acc k J; [destruct J| |]; destruct J as [E|I]; simpl; auto; try discriminate.
  injection E as ->. apply gather_old. destruct (existsb (same_kind k) acc) eqn:X; [|now left].
  apply existsb_exists in X. destruct X as (k' & I & S). unfold same_kind in S.
  destruct (N.eqb_spec (kind_value k) (kind_value k')); [|discriminate].
  apply same_bools_eq in S. destruct k, k'. simpl in *. subst. exact I.
Qed.

Lemma gather_back l : forall acc k, In k (gather l acc) -> In k acc \/ In (Some k) l.
Proof.
  induction l as [|[k'|] l IH]; intros acc k I; simpl in *; auto; apply IH in I; destruct I as [I|I]; auto.
  destruct (existsb _ acc); auto. destruct I as [<-|I]; auto.
Qed.

(** ** Reduced: elements that behave alike are equal

    Classes of elements are refined by what the generators do to them. However the classes are numbered, elements that behave alike stay
    together; in the end every element has a number of its own. *)
Section Classes.
  Variable order : N.
  Variable gs : list (tree N).

  Definition class_key (labels : tree N) (g : tree N) (x : N) : N * N := (look 0%N labels x, look 0%N labels (act g x)).

  Definition number_of_key (dict : tree (tree N)) (k : N * N) : N := look 0%N (look Leaf dict (fst k)) (snd k).

  Definition new_key (s : tree (tree N) * N) (k : N * N) : tree (tree N) * N :=
    let t := look Leaf (fst s) (fst k) in
    match fetch (snd k) t with
    | Some _ => s
    | None => (set (N.succ_pos (fst k)) (set (N.succ_pos (snd k)) (snd s) t) (fst s), N.succ (snd s))
    end.

  Definition refine (s : tree N * N) (g : tree N) : tree N * N :=
    let keys := map (class_key (fst s) g) (elements order) in
    let (dict, n) := fold_left new_key keys (Leaf, 0%N) in
    (table (map (number_of_key dict) keys), n).

  Fixpoint refined (rounds : nat) (s : tree N * N) : tree N :=
    match rounds with
    | O => fst s
    | S k => let s' := fold_left refine gs s in if N.eqb (snd s') (snd s) then fst s' else refined k s'
    end.

  Definition separated (inP : N -> bool) : bool :=
    let start := table (map (fun x => if inP x then 1%N else 0%N) (elements order)) in
    let labels := refined (N.to_nat order) (start, 0%N) in
    let back := fold_left (fun t x => set (N.succ_pos (look 0%N labels x)) x t) (elements order) Leaf in
    forallb (fun x => N.eqb (look 0%N back (look 0%N labels x)) x) (elements order).

  Variable inP : N -> bool.
  Variable alike : N -> N -> Prop.
  Hypothesis alike_P : forall x y, alike x y -> inP x = inP y.
  Hypothesis alike_gen : forall g x y, In g gs -> (x < order)%N -> (y < order)%N -> alike x y -> alike (act g x) (act g y).
  Hypothesis gen_in : forall g x, In g gs -> (x < order)%N -> (act g x < order)%N.

  Definition keeps (labels : tree N) : Prop :=
    forall x y, (x < order)%N -> (y < order)%N -> alike x y -> look 0%N labels x = look 0%N labels y.

  Lemma look_all {E} (g : N -> E) (d : E) x : (x < order)%N -> look d (table (map g (elements order))) x = g x.
  Proof.
    intros X. rewrite look_table. rewrite nth_indep with (d' := g 0%N) by (rewrite map_length, length_elements; lia).
    rewrite map_nth, nth_elements by lia. now rewrite N2Nat.id.
  Qed.

  Lemma refine_keeps s g : In g gs -> keeps (fst s) -> keeps (fst (refine s g)).
  Proof.
    intros I K. unfold refine. destruct (fold_left new_key _ _) as [dict n]. cbn [fst]. rewrite map_map. intros x y X Y A.
    rewrite !(look_all (fun x => number_of_key dict (class_key (fst s) g x))) by auto. f_equal. unfold class_key. f_equal; apply K; auto.
  Qed.

  Lemma refined_keeps rounds : forall s, keeps (fst s) -> keeps (refined rounds s).
  Proof.
    assert (F : forall l s, incl l gs -> keeps (fst s) -> keeps (fst (fold_left refine l s))).
    { induction l as [|g l IH]; intros s I K; auto. simpl. apply IH; [intros a J; apply I; now right|]. apply refine_keeps; auto. apply I. now left. }
    induction rounds as [|k IH]; intros s K; auto. cbn [refined]. pose proof (F gs s (incl_refl _) K) as K'.
    destruct (N.eqb _ _); auto.
  Qed.

  Theorem separated_correct : separated inP = true -> forall x y, (x < order)%N -> (y < order)%N -> alike x y -> x = y.
  Proof.
    unfold separated. set (labels := refined _ _). set (back := fold_left _ _ _). rewrite forallb_forall. intros H x y X Y A.
    assert (K : keeps labels).
    { apply refined_keeps. cbn [fst]. intros u v U V B. rewrite !(look_all (fun x => if inP x then 1%N else 0%N)) by auto.
      now rewrite (alike_P u v B). }
    pose proof (H x (proj2 (in_elements order x) X)) as Hx. pose proof (H y (proj2 (in_elements order y) Y)) as Hy.
    apply N.eqb_eq in Hx, Hy. rewrite (K x y X Y A) in Hx. congruence.
  Qed.
End Classes.

(** Products with the values of heaps: one table for each value. *)
Definition heap_tables (rows : rows_table) (vals : list N) : tree (tree N) :=
  fold_left (fun t v => match fetch v t with Some _ => t | None => set (N.succ_pos v) (table (row_of rows v)) t end) vals Leaf.

Lemma heap_tables_spec rows vals v : In v vals -> look Leaf (heap_tables rows vals) v = table (row_of rows v).
Proof.
  unfold heap_tables.
  enough (H : forall t, (forall u a, get (N.succ_pos u) t = Some a -> a = table (row_of rows u)) ->
    In v vals \/ get (N.succ_pos v) t <> None ->
    get (N.succ_pos v) (fold_left (fun t v => match fetch v t with Some _ => t | None => set (N.succ_pos v) (table (row_of rows v)) t end) vals t) =
    Some (table (row_of rows v))).
  { intros I. rewrite look_get, H; auto. intros u a. now destruct (N.succ_pos u). }
  induction vals as [|w vals IH]; intros t G I; simpl.
  - destruct I as [[]|I]. destruct (get (N.succ_pos v) t) as [a|] eqn:E; [|congruence]. f_equal. now apply G.
  - rewrite fetch_get. destruct (get (N.succ_pos w) t) as [a|] eqn:E.
    + apply IH; auto. destruct I as [[->|I]|I]; auto. right. congruence.
    + apply IH.
      * intros u b. rewrite get_set. destruct (Pos.eqb_spec (N.succ_pos u) (N.succ_pos w)) as [Q|Q]; [|apply G].
        intros [= <-]. apply succ_pos_inj in Q. now subst.
      * rewrite get_set. destruct (Pos.eqb_spec (N.succ_pos v) (N.succ_pos w)) as [Q|Q]; [right; discriminate|].
        destruct I as [[I|I]|I]; auto. subst. now destruct Q.
Qed.

Definition heap_mul (tables : tree (tree N)) (x y : N) : N := look 0%N (look Leaf tables x) y.

Fixpoint generators_ok (hs : list nat) (gs : list (tree N)) (vals : list N) : bool :=
  match hs, gs with
  | [], [] => true
  | h :: hs', g :: gs' => Nat.ltb h (length vals) && N.eqb (nth h vals 0%N) (act g 0%N) && generators_ok hs' gs' vals
  | _, _ => false
  end.

Record quotient := Quotient {
  q_order : N;
  q_generators : list nat;
  q_steps : list (list N);
  q_p : list N;
  q_values : list N
}.

Section Check.
  Variable c : code.
  Variable q : quotient.
  Variable fuel : nat.

  Let order := q_order q.
  Let vals := q_values q.

  Definition q_inP (x : N) : bool := mem x (set_of (q_p q)).
  Definition q_rows : rows_table := all_rows order (q_steps q).
  Definition q_mul : N -> N -> N := mul (multiplication order q_rows).

  (** Whether the products with [y] are P-positions. *)
  Definition q_column (inP : nset) (rows : rows_table) (y : N) : list bool :=
    if N.ltb y order then map (fun x => mem x inP) (row_of rows y) else [].

  (** A small monoid keeps all columns, a large one makes them anew. *)
  Definition columns_from (inP : nset) (rows : rows_table) : N -> list bool :=
    if N.ltb order 1024 then look [] (table (map (q_column inP rows) (elements order))) else q_column inP rows.

  (** Everything but the generators. *)
  Definition check_outcomes : bool :=
    let rows := q_rows in
    let inP := set_of (q_p q) in
    monoid_ok order (q_steps q) rows && forallb (fun v => N.ltb v order) vals && negb (mem 0%N inP) &&
    separated order (gens (q_steps q)) (fun x => mem x inP) &&
    match survey (heap_mul (heap_tables rows vals)) (kind_test order (columns_from inP rows)) c vals with
    | None => false
    | Some l => check_silence_all order (row_of rows) (gather l []) (map (fun _ => true) (elements order)) fuel
    end.

  Definition check_quotient : bool := generators_ok (q_generators q) (gens (q_steps q)) vals && check_outcomes.

  Section Accepted.
    Hypothesis ok : check_outcomes = true.
    Let phi := fun h => nth h vals 0%N.
    Let column := q_column (set_of (q_p q)) q_rows.

    Lemma accepted_monoid : monoid_ok order (q_steps q) q_rows = true.
    Proof. unfold check_outcomes in ok. rewrite !andb_true_iff in ok. tauto. Qed.

    Lemma accepted_values h : h < length vals -> (phi h < order)%N.
    Proof.
      unfold check_outcomes in ok. rewrite !andb_true_iff, forallb_forall in ok.
      intros H. apply N.ltb_lt. apply ok. now apply nth_In.
    Qed.

    Lemma accepted_one : q_inP 0%N = false.
    Proof. unfold check_outcomes in ok. rewrite !andb_true_iff, negb_true_iff in ok. unfold q_inP. tauto. Qed.

    Lemma o_pos : (0 < order)%N.
    Proof. exact (order_pos _ _ accepted_monoid). Qed.
    Lemma m_range x y : (x < order)%N -> (y < order)%N -> (q_mul x y < order)%N.
    Proof. apply (mul_range _ _ accepted_monoid). Qed.
    Lemma m_comm x y : (x < order)%N -> (y < order)%N -> q_mul x y = q_mul y x.
    Proof. apply (mul_comm _ _ accepted_monoid). Qed.
    Lemma m_assoc x y z : (x < order)%N -> (y < order)%N -> (z < order)%N -> q_mul (q_mul x y) z = q_mul x (q_mul y z).
    Proof. apply (mul_assoc _ _ accepted_monoid). Qed.
    Lemma m_unit x : (x < order)%N -> q_mul 0%N x = x.
    Proof. apply (mul_unit_l _ _ accepted_monoid). Qed.
    Lemma m_row y : (y < order)%N -> row_of q_rows y = map (fun x => q_mul x y) (elements order).
    Proof. apply (row_mul _ _ accepted_monoid). Qed.

    Lemma column_length y : (y < order)%N -> length (column y) = N.to_nat order.
    Proof.
      intros Y. unfold column, q_column. rewrite (proj2 (N.ltb_lt y order) Y). rewrite m_row, !map_length, length_elements; auto.
    Qed.

    Lemma column_has x y : (x < order)%N -> (y < order)%N -> has (column y) x = q_inP (q_mul x y).
    Proof.
      intros X Y. unfold column, q_column. rewrite (proj2 (N.ltb_lt y order) Y). rewrite m_row, map_map by auto. unfold has.
      rewrite nth_indep with (d' := (fun x => mem (q_mul x y) (set_of (q_p q))) 0%N)
        by (rewrite map_length, length_elements; lia).
      rewrite (map_nth (fun x => mem (q_mul x y) (set_of (q_p q)))), nth_elements, N2Nat.id by lia. reflexivity.
    Qed.

    Lemma columns_same y : columns_from (set_of (q_p q)) q_rows y = column y.
    Proof.
      unfold columns_from. destruct (N.ltb order 1024); auto. unfold column. destruct (N.ltb_spec y order) as [Y|Y].
      - now apply look_all.
      - rewrite look_table, nth_overflow by (rewrite map_length, length_elements; lia). unfold q_column.
        destruct (N.ltb_spec y order); auto. lia.
    Qed.

    Lemma heap_mul_same a u : In a vals -> heap_mul (heap_tables q_rows vals) a u = q_mul a u.
    Proof.
      intros I. assert (A : (a < order)%N).
      { pose proof ok as ok'. unfold check_outcomes in ok'. rewrite !andb_true_iff, forallb_forall in ok'. apply N.ltb_lt. now apply ok'. }
      unfold heap_mul. rewrite heap_tables_spec, look_table, m_row by auto. destruct (N.ltb_spec u order) as [U|U].
      - rewrite nth_indep with (d' := (fun x => q_mul x a) 0%N) by (rewrite map_length, length_elements; lia).
        rewrite (map_nth (fun x => q_mul x a)), nth_elements, N2Nat.id by lia. now apply m_comm.
      - rewrite nth_overflow by (rewrite map_length, length_elements; lia). unfold q_mul, mul, multiplication.
        rewrite (look_table _ []), (nth_overflow (map _ _)) by (rewrite map_length, length_elements; lia). now destruct (N.to_nat a).
    Qed.

    Lemma survey_same : survey (heap_mul (heap_tables q_rows vals)) (kind_test order (columns_from (set_of (q_p q)) q_rows)) c vals =
      survey q_mul (kind_test order column) c vals.
    Proof.
      apply survey_ext; [exact heap_mul_same|]. intros v s. unfold kind_test. destruct (snd s) as [|t l]; auto. rewrite columns_same.
      replace (fold_left (fun u t => either u (columns_from (set_of (q_p q)) q_rows t)) (t :: l) (map (fun _ => false) (elements order)))
        with (fold_left (fun u t => either u (column t)) (t :: l) (map (fun _ => false) (elements order))); auto.
      generalize (map (fun _ : N => false) (elements order)). generalize (t :: l). clear. induction l as [|a l IH]; intros u; auto.
      simpl. rewrite columns_same. apply IH.
    Qed.

    Lemma union_spec l : (forall t, In t l -> (t < order)%N) -> forall u, length u = N.to_nat order ->
      length (fold_left (fun u t => either u (column t)) l u) = N.to_nat order /\
      forall x, (x < order)%N -> (has (fold_left (fun u t => either u (column t)) l u) x = true <->
        has u x = true \/ exists t, In t l /\ q_inP (q_mul x t) = true).
    Proof.
      induction l as [|t l IH]; intros R u L; simpl.
      - split; auto. intros x X. split; auto. intros [|(t & [] & _)]; auto.
      - assert (t < order)%N as T by (apply R; now left). pose proof (column_length t T) as C.
        destruct (IH (fun t I => R t (or_intror I)) (either u (column t))) as [L' H]; [rewrite length_either; lia|].
        split; auto. intros x X. rewrite H by auto. unfold has at 1. rewrite either_spec by lia.
        rewrite orb_true_iff. fold (has u x). fold (has (column t) x). rewrite column_has by auto. split.
        + intros [[E|E]|(t' & I & E)]; eauto 6.
        + intros [E|(t' & [<-|I] & E)]; eauto 6.
    Qed.

    Definition heap_kinds : list kind :=
      match survey q_mul (kind_test order column) c vals with Some l => gather l [] | None => [] end.

    Lemma value_vals w : Forall (fun h => h < length vals) w -> (value q_mul phi w < order)%N.
    Proof. induction 1; simpl; [apply o_pos|]. apply m_range; auto. now apply accepted_values. Qed.

    Lemma option_below h t : h < length vals -> take_and_break c h t -> Forall (fun h => h < length vals) t.
    Proof. intros H O. apply Forall_forall. intros x I. pose proof (option_smaller c h t x O I). lia. Qed.

    Lemma accepted_known h : h < length vals -> known c phi order q_mul q_inP heap_kinds h.
    Proof.
      intros H. split; [now apply accepted_values|]. unfold heap_kinds.
      pose proof ok as ok'. unfold check_outcomes in ok'. rewrite !andb_true_iff in ok'. destruct ok' as [_ S]. rewrite survey_same in S.
      destruct (survey q_mul (kind_test order column) c vals) as [l|] eqn:E; [|discriminate]. clear S.
      destruct (proj2 (survey_ok _ _ _ _ _ _ E) h H) as (s & a & Ne & T & G & M). fold phi in T.
      change (fun h => nth h vals 0%N) with phi in M.
      assert (R : forall t, In t (snd s) -> (t < order)%N).
      { intros t I. apply G, M in I. destruct I as (t' & O & <-). apply value_vals. eapply option_below; eauto. }
      unfold kind_test in T. destruct (snd s) as [|b0 l0] eqn:Es.
      - left. fold (phi h) in T. destruct (N.eqb_spec (phi h) 0) as [Z|]; [|discriminate]. split; auto.
        intros t O. assert (mem (value q_mul phi t) s = true) as Q by (apply M; eauto). apply G in Q. rewrite Es in Q. destruct Q.
      - right. rewrite <- Es in *. set (L := snd s) in *. fold (phi h) in T.
        destruct (disjoint _ _) eqn:Dj in T; [|discriminate]. injection T as <-. split.
        { assert (In b0 L) as I by (rewrite Es; now left). apply G, M in I. destruct I as (t & O & _). eauto. }
        pose proof (accepted_values h H) as Hh.
        destruct (union_spec L R (map (fun _ => false) (elements order))) as [LU HU]; [rewrite map_length; apply length_elements|].
        set (u := fold_left _ L _) in *.
        assert (zero : forall x, has (map (fun _ : N => false) (elements order)) x = false).
        { intros x. unfold has. generalize (elements order). intros e. generalize (N.to_nat x). clear.
          induction e; intros [|i]; simpl; auto. }
        eexists. split; [apply gather_in; eapply nth_error_In; exact Ne|]. split; [reflexivity|]. intros x X. split.
        + intros t O P. destruct (q_inP (q_mul x (value q_mul phi t))) eqn:Q; auto.
          rewrite <- column_has in P by auto. unfold has in P. apply (disjoint_spec _ u) in P; auto.
          assert (has u x = true); [|unfold has in *; congruence]. apply HU; auto. right.
          exists (value q_mul phi t). split; auto. apply G, M. eauto.
        + cbn [kind_silent]. unfold has at 1. rewrite neither_spec by (rewrite column_length; auto; lia).
          rewrite negb_false_iff, orb_true_iff. fold (has (column (phi h)) x). fold (has u x). rewrite column_has by auto.
          intros [Q|Q]; auto. apply HU in Q; auto. rewrite zero in Q. destruct Q as [|(t & I & Q)]; [discriminate|]. right.
          apply G, M in I. destruct I as (t' & O & <-). eauto.
    Qed.

    Lemma kinds_value k : In k heap_kinds -> (kind_value k < order)%N.
    Proof.
      unfold heap_kinds. destruct (survey q_mul (kind_test order column) c vals) as [l|] eqn:E; [|intros []].
      intros I. apply gather_back in I. destruct I as [[]|I]. apply In_nth_error in I. destruct I as (n & N).
      destruct (survey_ok _ _ _ _ _ _ E) as [L F]. assert (n < length l) as Hn by (apply nth_error_Some; congruence).
      destruct (F n ltac:(lia)) as (s & a & N' & T & _). rewrite N in N'. injection N' as <-. unfold kind_test in T.
      destruct (snd s).
      - destruct (N.eqb _ 0); discriminate.
      - destruct (disjoint _ _) in T; [|discriminate]. injection T as <-. apply accepted_values. lia.
    Qed.

    Lemma accepted_silence w : incl w heap_kinds -> w <> [] -> exists u k v, w = u ++ k :: v /\
      has (kind_silent k) (product q_mul (u ++ v)) = false.
    Proof.
      intros I NE.
      assert (D0 : forall x, (x < order)%N -> has (map (fun _ => true) (elements order)) x = true).
      { intros x X. unfold has. assert (N.to_nat x < length (elements order)) as L by (rewrite length_elements; lia).
        revert L. generalize (elements order). generalize (N.to_nat x). clear. intros i e. revert i.
        induction e; intros [|i] L; simpl in *; try lia; auto. apply IHe. lia. }
      assert (S : ~ silent q_mul (map (fun _ => true) (elements order)) w 0%N).
      { pose proof ok as ok'. unfold check_outcomes in ok'. rewrite !andb_true_iff in ok'. destruct ok' as [_ S]. rewrite survey_same in S.
        unfold heap_kinds in I. destruct (survey q_mul (kind_test order column) c vals) as [l|] eqn:E; [|discriminate].
        apply (silence_all order q_mul (row_of q_rows) o_pos m_range m_comm m_assoc m_unit m_row (gather l [])
          ltac:(intros k Ik; apply kinds_value; unfold heap_kinds; now rewrite E) _ fuel S w I NE). }
      assert (range : forall u v k, w = u ++ k :: v -> (product q_mul (u ++ v) < order)%N).
      { intros u v k ->. apply (product_range order q_mul o_pos m_range heap_kinds kinds_value). intros a Ha. apply I.
        apply in_app_or in Ha. apply in_or_app. destruct Ha; [now left|]. right. now right. }
      assert (dec : forall v u, w = u ++ v ->
        (exists u' k v', v = u' ++ k :: v' /\ has (kind_silent k) (product q_mul ((u ++ u') ++ v')) = false) \/
        forall u' k v', v = u' ++ k :: v' -> has (kind_silent k) (product q_mul ((u ++ u') ++ v')) = true).
      { induction v as [|k v IH]; intros u E.
        - right. intros [|k1 u'] k v' Q; discriminate.
        - destruct (has (kind_silent k) (product q_mul (u ++ v))) eqn:T.
          + destruct (IH (u ++ [k])) as [(u' & k' & v' & -> & F)|F]; [rewrite E, <- app_assoc; reflexivity| |].
            * left. exists (k :: u'), k', v'. split; auto. rewrite <- app_assoc. repeat rewrite <- app_assoc in F. exact F.
            * right. intros [|k1 u'] k' v' Q; simpl in Q; injection Q as <- ->.
              -- now rewrite app_nil_r.
              -- specialize (F u' k' v' eq_refl). rewrite <- app_assoc. repeat rewrite <- app_assoc in F. exact F.
          + left. exists [], k, v. split; auto. now rewrite app_nil_r. }
      destruct (dec w [] eq_refl) as [(u & k & v & E & F)|F]; [exists u, k, v; auto|].
      exfalso. apply S. split.
      - rewrite m_unit; [apply D0|]; apply (product_range order q_mul o_pos m_range heap_kinds kinds_value w I).
      - intros u k v E. rewrite m_unit by eauto. apply (F u k v E).
    Qed.

    Lemma act_mul g z x : In g (gens (q_steps q)) -> (z < order)%N -> (x < order)%N -> q_mul z (act g x) = q_mul (act g z) x.
    Proof.
      intros I Z X. assert (act g x < order)%N as GX by now apply (gen_range _ _ accepted_monoid).
      assert (act g z < order)%N as GZ by now apply (gen_range _ _ accepted_monoid). rewrite m_comm by auto.
      destruct (mul_word order (q_steps q) accepted_monoid z Z) as (w & Iw & _ & _ & Mw).
      destruct (mul_word order (q_steps q) accepted_monoid x X) as (u & Iu & _ & _ & Mu).
      unfold q_mul, q_rows. rewrite Mw, Mu, !(word_gen _ _ accepted_monoid) by auto. rewrite <- Mw, <- Mu by auto. f_equal. now apply m_comm.
    Qed.

    Lemma accepted_reduced x y : (x < order)%N -> (y < order)%N ->
      (forall z, (z < order)%N -> q_inP (q_mul z x) = q_inP (q_mul z y)) -> x = y.
    Proof.
      pose proof ok as ok'. unfold check_outcomes in ok'. rewrite !andb_true_iff in ok'. destruct ok' as [[_ D] _].
      intros X Y H.
      apply (separated_correct order (gens (q_steps q)) (fun x => mem x (set_of (q_p q)))
        (fun x y => (x < order)%N /\ (y < order)%N /\ forall z, (z < order)%N -> q_inP (q_mul z x) = q_inP (q_mul z y))); auto.
      - intros u v (U & V & A). specialize (A 0%N o_pos). now rewrite !m_unit in A by auto.
      - intros g u v I U V (_ & _ & A). split; [|split]; try now apply (gen_range _ _ accepted_monoid).
        intros z Z. rewrite !act_mul by auto. apply A. now apply (gen_range _ _ accepted_monoid).
      - intros g u I U. now apply (gen_range _ _ accepted_monoid).
    Qed.

    (** When every generator is the value of a heap, every element is the value of a sum. *)
    Variable A : nat -> Prop.
    Variable psi : nat -> N.

    Lemma generated_by x : (forall g, In g (gens (q_steps q)) -> exists h, A h /\ psi h = act g 0%N) -> (x < order)%N -> exists w, Forall A w /\ value q_mul psi w = x.
    Proof.
      intros gen X. destruct (mul_word order (q_steps q) accepted_monoid x X) as (w & I & E & _ & _).
      assert (G : forall w, incl w (gens (q_steps q)) -> exists u, Forall A u /\
        value q_mul psi u = act_all w 0%N).
      { induction w0 as [|g w0 IH]; intros J; [exists []; split; auto|].
        assert (Ig : In g (gens (q_steps q))) by (apply J; now left).
        assert (J' : incl w0 (gens (q_steps q))) by (intros a Ha; apply J; now right).
        destruct (gen g Ig) as (h & Hh & Eh). destruct (IH J') as (u & Fu & Eu). exists (h :: u). split; [now constructor|].
        simpl. rewrite Eh, Eu.
        assert (act g 0%N < order)%N as R1 by (apply (gen_range _ _ accepted_monoid); auto using o_pos).
        assert (act_all w0 0%N < order)%N as R2 by (apply (words_range _ _ accepted_monoid); auto using o_pos).
        destruct (mul_word order (q_steps q) accepted_monoid _ R2) as (v & Iv & Ev & _ & Mv).
        unfold q_mul. fold q_rows in Mv. rewrite Mv by auto.
        rewrite (word_gen _ _ accepted_monoid) by auto using o_pos. rewrite Ev.
        symmetry. apply (word_gen _ _ accepted_monoid); auto using o_pos. }
      destruct (G w I) as (u & Fu & Eu). exists u. split; auto. congruence.
    Qed.
  End Accepted.
End Check.

Lemma generators_spec hs vals : forall gs, generators_ok hs gs vals = true ->
  forall g, In g gs -> exists h, h < length vals /\ nth h vals 0%N = act g 0%N.
Proof.
  induction hs as [|h hs IH]; intros [|g gs] G g' I; simpl in G; try discriminate; [destruct I|].
  rewrite !andb_true_iff, Nat.ltb_lt, N.eqb_eq in G. destruct G as [[G1 G2] G3].
  destruct I as [<-|I]; [now exists h|]. exact (IH gs G3 g' I).
Qed.

(** A checked quotient: the outcome of every sum of heaps below [length (q_values q)], and which sums are indistinguishable. *)
Theorem quotient_correct c q fuel : check_quotient c q fuel = true ->
  let A := fun h => h < length (q_values q) in
  let val := value (q_mul q) (fun h => nth h (q_values q) 0%N) in
  (forall w, Forall A w ->
     (q_inP q (val w) = true -> misereP (heap_move c) w) /\ (q_inP q (val w) <> true -> misereN (heap_move c) w)) /\
  (forall u v, Forall A u -> Forall A v -> (val u = val v <-> indistinguishable c A u v)).
Proof.
  unfold check_quotient. rewrite andb_true_iff. intros [gen ok]. cbv zeta.
  set (A := fun h => h < length (q_values q)). set (val := value (q_mul q) (fun h => nth h (q_values q) 0%N)).
  assert (H : forall w, Forall A w ->
    (q_inP q (val w) = true -> misereP (heap_move c) w) /\ (q_inP q (val w) <> true -> misereN (heap_move c) w)).
  { intros w Aw. exact (quotient_outcomes c A (fun h => nth h (q_values q) 0%N) (q_order q) (q_mul q) (q_inP q) (heap_kinds c q)
      (o_pos c q fuel ok) (m_range c q fuel ok) (m_comm c q fuel ok) (m_assoc c q fuel ok) (m_unit c q fuel ok)
      (option_below c q) (accepted_known c q fuel ok) (accepted_one c q fuel ok) (accepted_silence c q fuel ok) w Aw). }
  split; [exact H|]. apply (exact_values c A (q_order q) (q_mul q) (q_inP q) val (m_comm c q fuel ok)); auto.
  - intros w Aw. exact (value_vals c q fuel ok w Aw).
  - intros u v. exact (val_app c A (fun h => nth h (q_values q) 0%N) (q_order q) (q_mul q) (q_inP q) (heap_kinds c q)
      (o_pos c q fuel ok) (m_range c q fuel ok) (m_assoc c q fuel ok) (m_unit c q fuel ok) (accepted_known c q fuel ok) u v).
  - exact (accepted_reduced c q fuel ok).
  - intros x. apply (generated_by c q fuel ok). intros g I. exact (generators_spec _ _ _ gen g I).
Qed.

(** ** All heaps, by a period *)

Definition check_periodic_quotient (c : code) (q : quotient) (n0 p : nat) (fuel : nat) : bool :=
  ends c && Nat.ltb 0 p && Nat.leb (n0 + p) (length (q_values q)) &&
  Nat.ltb (near c n0 p) (length (q_values q)) &&
  repeats n0 p (q_values q) && check_quotient c q fuel.

Theorem periodic_quotient_correct c q n0 p fuel : check_periodic_quotient c q n0 p fuel = true ->
  let val := value (q_mul q) (continued n0 p (q_values q)) in
  (forall w, (q_inP q (val w) = true -> misereP (heap_move c) w) /\ (q_inP q (val w) <> true -> misereN (heap_move c) w)) /\
  (forall u v, val u = val v <-> indistinguishable c (fun _ => True) u v).
Proof.
  unfold check_periodic_quotient. unfold check_quotient.
  rewrite !andb_true_iff, !Nat.ltb_lt, Nat.leb_le. intros [[[[[E P] L] B] R] [gen ok]]. cbv zeta.
  set (val := value (q_mul q) (continued n0 p (q_values q))). set (phi := continued n0 p (q_values q)) in *. set (B0 := near c n0 p) in *.
  assert (G : forall n, n < length (q_values q) -> nth n (q_values q) 0%N = phi n) by (intros; now apply repeats_continued).
  assert (vals : forall h t, h < length (q_values q) -> take_and_break c h t ->
    value (q_mul q) (fun h => nth h (q_values q) 0%N) t = val t).
  { intros h t H O. pose proof (fun x => option_smaller c h t x O) as S. clear O.
    induction t as [|x t IH]; simpl; auto. rewrite IH, G; auto.
    - specialize (S x (or_introl eq_refl)). lia.
    - intros y I. apply S. now right. }
  assert (K : forall h, True -> known c phi (q_order q) (q_mul q) (q_inP q) (heap_kinds c q) h).
  { intros h _.
    destruct (near_heap (q_mul q) c n0 p phi P E (fun m => continued_period n0 p _ m P) h) as (n & Hn & En & On & _).
    fold B0 in Hn. assert (n < length (q_values q)) as Hn' by lia.
    destruct (accepted_known c q fuel ok n Hn') as (R1 & K). rewrite G in R1, K by auto. rewrite En in R1, K.
    split; auto. destruct K as [[N Z]|[(t & O) (k & I & V & F)]].
    - left. split; auto. intros t O. destruct (proj1 (On (value (q_mul q) phi t))) as (t' & O' & _); [now exists t|]. now apply (N t').
    - right. split.
      + destruct (proj2 (On (value (q_mul q) phi t))) as (t' & O' & _); [now exists t|]. eauto.
      + exists k. split; auto. split; auto. intros x X. destruct (F x X) as [F1 F2]. split.
        * intros t' O' Q. destruct (proj1 (On (value (q_mul q) phi t'))) as (s & Os & Es); [now exists t'|].
          rewrite <- Es. change (value (q_mul q) phi s) with (val s). rewrite <- (vals n s) by auto. now apply F1.
        * intros S. destruct (F2 S) as [Q|(s & Os & Q)]; auto. right.
          destruct (proj2 (On (value (q_mul q) phi s))) as (t' & O' & E'); [now exists s|]. exists t'. split; auto.
          rewrite E'. rewrite (vals n s) in Q by auto. exact Q. }
  assert (cl : forall h t, True -> take_and_break c h t -> Forall (fun _ : nat => True) t) by (intros; now apply Forall_forall).
  assert (all : forall w : list nat, Forall (fun _ => True) w) by (intros; now apply Forall_forall).
  assert (H : forall w, Forall (fun _ => True) w ->
    (q_inP q (val w) = true -> misereP (heap_move c) w) /\ (q_inP q (val w) <> true -> misereN (heap_move c) w)).
  { exact (quotient_outcomes c (fun _ => True) phi (q_order q) (q_mul q) (q_inP q) (heap_kinds c q)
      (o_pos c q fuel ok) (m_range c q fuel ok) (m_comm c q fuel ok) (m_assoc c q fuel ok) (m_unit c q fuel ok)
      cl K (accepted_one c q fuel ok) (accepted_silence c q fuel ok)). }
  split; [intros w; now apply H|]. intros u v.
  apply (exact_values c (fun _ => True) (q_order q) (q_mul q) (q_inP q) val (m_comm c q fuel ok)); auto.
  - exact (val_range c (fun _ => True) phi (q_order q) (q_mul q) (q_inP q) (heap_kinds c q)
      (o_pos c q fuel ok) (m_range c q fuel ok) K).
  - exact (val_app c (fun _ => True) phi (q_order q) (q_mul q) (q_inP q) (heap_kinds c q)
      (o_pos c q fuel ok) (m_range c q fuel ok) (m_assoc c q fuel ok) (m_unit c q fuel ok) K).
  - exact (accepted_reduced c q fuel ok).
  - intros x. apply (generated_by c q fuel ok). intros g I. destruct (generators_spec _ _ _ gen g I) as (h & Hh & Eh).
    exists h. split; auto. now rewrite <- G.
Qed.
