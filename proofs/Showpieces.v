(** * Showpieces: theorems about three games, with no mention of files

    Each is one run of a checker inside Rocq, and the checker's theorem. *)

From Coq Require Import List Arith NArith ZArith Bool.
From Impartial Require Import Games Laws Heaps Periods Sparse NimSequence Digits Walk Lattice Automaton Monoid Quotient Counters Infinite.
Import ListNotations.

(** ** Dawson's Kayles 0.07 in normal play: period 34 from heap 53 on *)

Definition dawsons_kayles : code := Code [(2, 7%N)] 0 [].

Definition dawsons_values : list N := [
   0; 0; 1; 1; 2; 0; 3; 1; 1; 0; 3; 3; 2; 2; 4; 0; 5; 2; 2; 3; 3; 0; 1; 1; 3; 0; 2; 1; 1; 0; 4; 5; 2; 7; 4; 0; 1; 1;
   2; 0; 3; 1; 1; 0; 3; 3; 2; 2; 4; 4; 5; 5; 2; 3; 3; 0; 1; 1; 3; 0; 2; 1; 1; 0; 4; 5; 3; 7; 4; 8; 1; 1; 2; 0; 3; 1;
   1; 0; 3; 3; 2; 2; 4; 4; 5; 5; 9]%N.

Lemma dawsons_kayles_checked : check_nim_sequence no_space dawsons_kayles 53 34 dawsons_values = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Definition dawsons_g : nat -> N := continued 53 34 dawsons_values.

(** Every sum of heaps has the nim-sum of the values as its Grundy value; the values have the period 34, and no smaller one. *)
Theorem dawsons_kayles_period :
  (forall w, grundy (heap_move dawsons_kayles) w (nim_sum dawsons_g w)) /\
  (forall n, 53 <= n -> dawsons_g (n + 34) = dawsons_g n) /\
  (forall q n1, 0 < q -> (forall n, n1 <= n -> dawsons_g (n + q) = dawsons_g n) -> 34 <= q /\ 53 <= n1).
Proof. exact (nim_sequence_correct _ _ _ _ _ dawsons_kayles_checked). Qed.

(** ** Misère Kayles: a monoid of 40 elements, for heaps of every size *)

Definition kayles : code := Code [(1, 7%N); (2, 7%N)] 0 [].

Definition kayles_monoid : quotient := {|
  q_order := 40;
  q_generators := [1; 2; 5; 9; 12; 25; 27];
  q_steps := [
  [
   1; 0; 3; 2; 5; 4; 7; 6; 9; 8; 11; 10; 13; 12; 15; 14; 17; 16; 19; 18; 21; 20; 23; 22; 25; 24; 27; 26; 29; 28; 31;
   30; 33; 32; 35; 34; 37; 36; 39; 38]%N;
  [
   2; 3; 4; 5; 2; 3; 8; 9; 10; 11; 8; 9; 2; 3; 8; 9; 2; 3; 8; 9; 2; 3; 8; 9; 3; 2; 9; 8; 9; 8; 3; 2; 34; 35; 32; 33;
   38; 39; 36; 37]%N;
  [
   6; 7; 8; 9; 10; 11; 12; 13; 2; 3; 4; 5; 6; 7; 4; 5; 10; 11; 4; 5; 10; 11; 4; 5; 11; 10; 5; 4; 5; 4; 11; 10; 36; 37;
   38; 39; 32; 33; 34; 35]%N;
  [
   14; 15; 8; 9; 10; 11; 4; 5; 2; 3; 4; 5; 10; 11; 16; 17; 14; 15; 20; 21; 22; 23; 20; 21; 26; 27; 24; 25; 30; 31; 28;
   29; 36; 37; 38; 39; 32; 33; 34; 35]%N;
  [
   18; 19; 8; 9; 10; 11; 4; 5; 2; 3; 4; 5; 10; 11; 20; 21; 22; 23; 20; 21; 22; 23; 20; 21; 28; 29; 30; 31; 30; 31; 28;
   29; 36; 37; 38; 39; 32; 33; 34; 35]%N;
  [
   24; 25; 3; 2; 5; 4; 11; 10; 9; 8; 11; 10; 5; 4; 26; 27; 24; 25; 28; 29; 30; 31; 28; 29; 4; 5; 10; 11; 10; 11; 4; 5;
   33; 32; 35; 34; 37; 36; 39; 38]%N;
  [
   32; 33; 34; 35; 32; 33; 36; 37; 38; 39; 36; 37; 32; 33; 36; 37; 32; 33; 36; 37; 32; 33; 36; 37; 33; 32; 37; 36; 37;
   36; 33; 32; 4; 5; 2; 3; 10; 11; 8; 9]%N];
  q_p := [1; 4; 7; 13; 14; 17; 18; 21; 27]%N;
  q_values := [
   0; 1; 2; 3; 1; 6; 3; 2; 5; 14; 2; 8; 18; 5; 2; 9; 5; 22; 3; 2; 21; 10; 8; 9; 10; 24; 2; 32; 11; 10; 9; 2; 5; 32; 8;
   9; 10; 5; 2; 3; 5; 10; 9; 2; 5; 32; 2; 9; 10; 5; 2; 32; 5; 10; 9; 2; 5; 10; 2; 9; 10; 5; 2; 32; 5; 10; 9; 2; 5; 32;
   8; 9; 10; 5; 2; 32; 5; 10; 9; 2; 5; 32; 2; 9; 10; 5; 2; 32; 5; 10; 9; 2; 5; 32; 2; 9; 10; 5; 2; 32; 5; 10; 9; 2; 5;
   32; 2; 9; 10; 5; 2; 32; 5; 10; 9; 2; 5; 32; 2; 9; 10; 5; 2; 32; 5; 10; 9; 2; 5; 32; 2; 9; 10; 5; 2; 32; 5; 10; 9;
   2; 5; 32; 2; 9; 10; 5; 2; 32; 5; 10; 9; 2; 5; 32; 2; 9; 10; 5; 2; 32; 5; 10; 9; 2; 5; 32; 2]%N
|}.

Lemma kayles_checked : check_periodic_quotient kayles kayles_monoid 71 12 60 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** The element of the monoid that a sum of heaps has: the product of those of its heaps, which repeat with the period 12. *)
Definition kayles_element : list nat -> N := value (q_mul kayles_monoid) (continued 71 12 (q_values kayles_monoid)).

(** A sum of heaps of any sizes is a P-position of misère Kayles exactly when its element is one of the nine; two sums are
    indistinguishable exactly when they have the same element. *)
Theorem misere_kayles :
  (forall w, (In (kayles_element w) (q_p kayles_monoid) -> misereP (heap_move kayles) w) /\
             (~ In (kayles_element w) (q_p kayles_monoid) -> misereN (heap_move kayles) w)) /\
  (forall u v, kayles_element u = kayles_element v <-> indistinguishable kayles (fun _ => True) u v).
Proof.
  destruct (periodic_quotient_correct _ _ _ _ _ kayles_checked) as [H1 H2]. split; [|exact H2].
  intros w. destruct (H1 w) as [P N]. fold (kayles_element w) in P, N. split; intros I.
  - apply P. unfold q_inP. now apply Search.mem_set_of.
  - apply N. unfold q_inP. intros M. apply I. now apply Search.mem_set_of.
Qed.

(** ** Example 4.7 of Guo and Miller (2011): a misère game on N^5 with an infinite quotient *)

Definition example_4_7 : lattice_game := {|
  dimension := 5;
  rules := [[1; 0; 0; 0; 0]; [0; 1; 0; 0; 0]; [0; 0; 0; 1; 0]; [0; 0; 0; 0; 1];
            [-1; 1; 0; 0; 0]; [0; -1; 1; 0; 0]; [0; 0; -1; 1; 0]; [0; 0; 0; -1; 1]]%Z;
  rows := None;
  defeated := [[0; 0; 0; 0; 0]]%Z
|}.

Definition automaton_4_7 : automaton := {|
  table_of := [
   (1, 2); (3, 4); (5, 6); (7, 8); (9, 10); (11, 12); (13, 14); (15, 16); (17, 18); (19, 20); (21, 22); (23, 24); (25,
   26); (27, 28); (29, 30); (31, 32); (33, 34); (35, 36); (37, 37); (33, 38); (39, 33); (37, 40); (34, 41); (32, 42);
   (43, 32); (36, 34); (35, 44); (45, 46); (47, 48); (34, 49); (41, 50); (51, 51); (52, 52); (53, 53); (54, 54); (55,
   55); (56, 56); (57, 57); (58, 58); (59, 59); (60, 60); (61, 61); (62, 62); (63, 63); (64, 64); (65, 65); (66, 66);
   (67, 67); (68, 68); (69, 69); (70, 70); (71, 72); (73, 74); (75, 75); (76, 76); (77, 77); (78, 78); (79, 79); (80,
   80); (81, 81); (82, 82); (83, 83); (84, 85); (86, 86); (87, 87); (88, 88); (89, 89); (90, 90); (91, 92); (93, 93);
   (94, 94); (95, 96); (97, 96); (98, 99); (100, 99); (101, 99); (102, 99); (103, 96); (104, 99); (99, 99); (105,
   106); (107, 108); (109, 96); (110, 99); (111, 110); (112, 110); (105, 113); (114, 99); (115, 99); (99, 114); (116,
   99); (117, 118); (119, 118); (120, 99); (121, 96); (122, 123); (124, 124); (125, 123); (126, 127); (18, 18); (128,
   127); (127, 129); (130, 18); (131, 132); (133, 134); (135, 131); (136, 132); (137, 138); (139, 138); (140, 136);
   (141, 134); (142, 143); (144, 143); (145, 132); (146, 18); (18, 130); (129, 147); (148, 149); (150, 124); (151,
   149); (152, 146); (153, 136); (154, 155); (156, 157); (158, 158); (159, 155); (160, 161); (162, 163); (37, 161);
   (37, 162); (44, 37); (164, 165); (166, 167); (168, 169); (170, 168); (165, 171); (167, 165); (172, 173); (41, 170);
   (170, 170); (164, 171); (168, 168); (174, 169); (173, 168); (169, 169); (167, 167); (37, 163); (175, 37); (176,
   177); (178, 157); (158, 179); (156, 177); (37, 44); (167, 171); (180, 180); (181, 181); (182, 182); (183, 183);
   (184, 184); (185, 185); (186, 186); (187, 187); (188, 188); (189, 189); (190, 190); (191, 191); (192, 192); (193,
   193); (194, 194); (195, 195); (196, 196); (197, 197); (198, 198); (199, 199); (200, 200); (201, 201); (202, 202);
   (203, 203); (204, 204); (205, 205); (206, 207); (208, 208); (209, 209); (210, 210); (211, 211); (207, 207); (212,
   79); (213, 213); (214, 214); (215, 215); (216, 216); (217, 217); (218, 218); (219, 219); (220, 220); (221, 221);
   (222, 222); (223, 223); (224, 224); (225, 225); (226, 221); (227, 227); (228, 209); (229, 229); (230, 230); (231,
   231); (232, 96); (233, 96); (234, 96); (235, 96); (236, 96); (96, 96); (237, 99); (238, 99); (239, 99); (240, 99);
   (241, 96); (242, 96); (243, 96); (244, 96); (245, 99); (246, 99); (247, 99); (248, 96); (249, 99); (250, 99); (251,
   99); (252, 99); (253, 96); (254, 96); (255, 96); (256, 96); (257, 258); (259, 258); (260, 259); (261, 258); (262,
   258); (263, 18); (264, 265); (265, 128); (266, 18); (267, 268); (269, 268); (268, 145); (270, 268); (271, 272);
   (273, 272); (272, 141); (274, 270); (275, 141); (276, 141); (277, 272); (128, 278); (279, 258); (280, 281); (281,
   282); (283, 124); (284, 158); (158, 285); (285, 158); (179, 286); (285, 179); (155, 158); (160, 37); (37, 287);
   (161, 37); (163, 37); (288, 171); (167, 288); (171, 288); (288, 288); (289, 289); (168, 289); (290, 289); (171,
   291); (169, 289); (168, 290); (292, 289); (162, 37); (284, 179); (155, 286); (285, 285); (159, 285); (179, 158);
   (293, 293); (294, 294); (295, 295); (296, 296); (297, 297); (298, 298); (299, 299); (300, 300); (301, 301); (302,
   303); (303, 303); (304, 304); (305, 305); (306, 306); (307, 307); (308, 308); (309, 309); (310, 308); (311, 96);
   (312, 96); (313, 96); (314, 99); (315, 96); (316, 99); (317, 99); (318, 96); (319, 99); (320, 259); (321, 259);
   (322, 321); (323, 264); (324, 270); (325, 271); (326, 271); (327, 324); (328, 271); (329, 286); (158, 286); (286,
   158); (287, 37); (288, 291); (289, 330); (290, 330); (291, 291); (292, 330); (331, 331); (332, 332); (333, 211);
   (334, 334); (335, 96); (336, 99); (337, 124); (338, 325); (329, 158); (330, 330)]%N;
  outputs_of := map (fun b : bool => if b then Some 0%N else None) (map (fun s => existsb (N.eqb (N.of_nat s)) [
   32; 35; 39; 40; 50; 156; 158; 159; 160; 163; 164; 166; 167; 169; 172; 178; 285; 287; 288; 290; 330]%N)
    (seq 0 339))
|}.

Lemma example_4_7_checked : check_automaton example_4_7 automaton_4_7 [1; 2; 3; 4; 5]%Z 60 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** The outcome of every position. *)
Theorem example_4_7_outcome : forall x k, on_board example_4_7 x -> fits k x ->
  (reads automaton_4_7 k x <> None -> isP (lattice_move example_4_7) x) /\
  (reads automaton_4_7 k x = None -> isN (lattice_move example_4_7) x).
Proof. exact (automaton_correct _ _ _ _ example_4_7_checked). Qed.

(** ** An infinite quotient: the game 0.76 on heaps up to 12, in misère play

    One or two beans may be taken; taking one may leave nothing, one heap or two, taking two one heap or two. *)

Definition game_76 : code := Code [(1, 7%N); (2, 6%N)] 3 [].

Definition counted_76 : counted := Counted 22
  [[1; 0; 3; 2; 5; 4; 7; 6; 9; 8; 11; 10; 13; 12; 15; 14; 17; 16; 19; 18; 21; 20];
   [2; 3; 4; 5; 2; 3; 8; 9; 10; 11; 8; 9; 2; 3; 3; 2; 9; 8; 3; 2; 2; 3];
   [6; 7; 8; 9; 10; 11; 12; 13; 2; 3; 4; 5; 6; 7; 16; 17; 18; 19; 16; 17; 10; 11];
   [14; 15; 3; 2; 5; 4; 16; 17; 9; 8; 11; 10; 18; 19; 20; 21; 10; 11; 4; 5; 21; 20]]%N
  [7; 12]
  [Element 0; Element 1; Element 0; Element 2; Element 3; Element 6; Element 1; Count 0; Element 2; Element 3; Element 10; Element 14; Count 1]
  (map (fun s => map (fun x => existsb (N.eqb x) s) (numbers_from 22 0))
    [[1; 4; 12; 17; 20];
     [1; 8];
     [1; 4; 12; 19];
     [1; 8; 14; 21];
     [0; 4; 12; 15; 19; 20];
     [8]]%N)
  [[1; 2; 3; 4]; [1; 4; 5; 4]; [2; 6; 7; 6]; [3; 6; 7; 7]; [4; 4; 5; 4]; [5; 4; 5; 5]; [6; 6; 7; 6]; [7; 6; 7; 7]]%N
  [0; 0; 1; 1; 2; 4; 3; 5]%N.

Definition infinity_76 : infinity :=
  Infinity [1; 1]%N [1; 1]%N 0 [1; 2]%N 2 60 1 [1].

Lemma counted_76_checked : check_counters game_76 counted_76 40 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma infinity_76_checked : check_infinite counted_76 40 infinity_76 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** No two different numbers of heaps of 7 beans are indistinguishable. *)
Theorem game_76_infinite : forall m k, m <> k ->
  ~ indistinguishable game_76 (fun h => h < 13) (repeat 7 m) (repeat 7 k).
Proof. exact (infinite_correct game_76 counted_76 infinity_76 40 counted_76_checked infinity_76_checked). Qed.
