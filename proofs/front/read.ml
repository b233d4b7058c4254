(* From JSON to the values that the checker takes. Nothing here decides whether a claim is true; what is not as the specification
   says is refused. *)

open Json

exception Refused of string
exception Unknown of string

let refuse fmt = Printf.ksprintf (fun s -> raise (Refused s)) fmt
let unknown fmt = Printf.ksprintf (fun s -> raise (Unknown s)) fmt

(* Numbers *)

let rec positive n = if n = 1 then Core.XH else if n land 1 = 1 then Core.XI (positive (n lsr 1)) else Core.XO (positive (n lsr 1))
let number n = if n = 0 then Core.N0 else Core.Npos (positive n)
let integer n = if n = 0 then Core.Z0 else if n > 0 then Core.Zpos (positive n) else Core.Zneg (positive (- n))
let nat n = let rec go acc n = if n = 0 then acc else go (Core.S acc) (n - 1) in go Core.O n

(* An increasing list, each number sharing the one before: a list of large numbers takes no more room than the largest. *)
let increasing l =
  let rec more acc n = if n = 0 then acc else more (Core.S acc) (n - 1) in
  let _, _, out = List.fold_left (fun (at, acc, out) n -> let acc = more acc (n - at) in n, acc, acc :: out) (0, Core.O, []) l in
  List.rev out

(* Two to this power steps are more than any run lasts. *)
let fuel = nat 60

(* Objects *)

let keys place known m =
  Keys.iter (fun k _ -> if not (List.mem k known) then refuse "%s: unknown key \"%s\"" place k) m

let find m key = Keys.find_opt key m
let need place m key = match find m key with Some v -> v | None -> refuse "%s: \"%s\" is missing" place key
let an_object place = function Object m -> m | _ -> refuse "%s is not an object" place
let a_list place = function List l -> l | _ -> refuse "%s is not a list" place

let an_int place least most = function
  | Number s ->
    (match int_of_string_opt s with
     | Some n when least <= n && n <= most -> n
     | _ -> refuse "%s: %s is out of range" place s)
  | _ -> refuse "%s: not an integer" place

let ints place least most v = List.map (an_int place least most) (a_list place v)
let natural place = an_int place 0 ((1 lsl 32) - 1)
let naturals place v = List.map (natural place) (a_list place v)

(* Lists that stand for sets have no entry twice. *)
let once place l = if List.length (List.sort_uniq compare l) <> List.length l then refuse "%s: an entry twice" place

(* Heap games *)

let longest = 1_000_000

let code_of_text text =
  let bad () = refuse "game.code: \"%s\" is no code" (String.sub text 0 (min 40 (String.length text))) in
  let digit c = match c with
    | '0' .. '9' -> Char.code c - 48
    | 'a' .. 'f' -> Char.code c - 87
    | 'A' .. 'F' -> Char.code c - 55
    | _ -> bad () in
  let n = String.length text in
  if n < 3 || n > longest || text.[1] <> '.' then bad ();
  let rest = String.sub text 2 (n - 2) in
  let before, block = match String.index_opt rest '[' with
    | None -> rest, ""
    | Some i ->
      let m = String.length rest in
      if rest.[m - 1] <> ']' || m - i < 3 then bad ();
      String.sub rest 0 i, String.sub rest (i + 1) (m - i - 2) in
  let list s = List.map digit (List.of_seq (String.to_seq s)) in
  let fixed = digit text.[0] :: list before and block = list block in
  if List.hd fixed land 3 <> 0 then bad ();
  fixed, block

let heap_game game =
  if find game "moves" <> None then unknown "heap games by clauses";
  keys "game" ["kind"; "code"; "subtract"] game;
  if find game "kind" <> Some (String "heap") then refuse "game.kind is not \"heap\"";
  match find game "code", find game "subtract" with
  | Some (String text), None ->
    let fixed, block = code_of_text text in
    let digits = List.filter (fun (_, d) -> d <> 0) (List.mapi (fun k d -> k, d) fixed) in
    { Core.digits = List.map2 (fun k (_, d) -> k, number d) (increasing (List.map fst digits)) digits;
      start = nat (List.length fixed); block = List.map number block }
  | None, Some set ->
    let set = ints "game.subtract" 1 longest set in
    once "game.subtract" set;
    let set = List.sort compare set in
    { Core.digits = List.map (fun k -> k, number 3) (increasing set); start = Core.O; block = [] }
  | _ -> refuse "game: it has neither a code nor a list of numbers to subtract"

(* Lattice games *)

let largest = 1 lsl 40
let largest_in_chart = 1 lsl 24

let vector place size most v =
  let l = ints place (- most) most v in
  if List.length l <> size then refuse "%s: a vector that has not %d entries" place size;
  l

let matrix place size most v = List.map (vector place size most) (a_list place v)

type lattice = { core : Core.lattice_game; d : int; rules : int list list; board : int list list option; defeated : int list list }

let integers = List.map integer
let rec split_last = function [] -> [], 0 | [b] -> [], b | a :: l -> let r, b = split_last l in a :: r, b
let row r = let a, b = split_last r in integers a, integer b

let lattice_game game misere =
  if find game "kind" = Some (String "chains") then unknown "poset games with chains";
  keys "game" ["kind"; "rules"; "defeated"; "board"] game;
  if find game "kind" <> Some (String "lattice") then refuse "game.kind is not \"lattice\"";
  let rules = a_list "game.rules" (need "game" game "rules") in
  if rules = [] then refuse "game.rules: there is no rule";
  let d = List.length (a_list "game.rules" (List.hd rules)) in
  if d < 1 || d > 64 then refuse "game.rules: %d coordinates are not between 1 and 64" d;
  let rules = matrix "game.rules" d largest (List rules) in
  let board = Option.map (matrix "game.board" (d + 1) largest) (find game "board") in
  let defeated = matrix "game.defeated" d largest (need "game" game "defeated") in
  if List.length (List.sort_uniq compare defeated) <> List.length defeated then refuse "game.defeated: a position twice";
  let outside p = match board with
    | None -> List.exists (fun x -> x < 0) p
    | Some rows ->
      (* Products of two numbers below 2^40 need more than 63 bits: the core's integers have no bound. *)
      List.exists (fun r ->
        let a, b = row r in
        match Core.Z.add (Core.dot a (integers p)) b with Core.Zneg _ -> true | _ -> false) rows in
  if List.exists outside defeated then refuse "game.defeated: a position that does not satisfy the board's inequalities";
  let only_zero = match defeated with [p] -> List.for_all (fun x -> x = 0) p | _ -> false in
  if misere <> only_zero then refuse "\"play\" is \"misere\" exactly when the origin alone is defeated";
  { d; rules; board; defeated;
    core = { Core.dimension = nat d; rules = List.map integers rules;
             rows = Option.map (List.map row) board; defeated = List.map integers defeated } }

let chart g certificate =
  match g.board, find certificate "chart" with
  | None, None -> None
  | None, Some _ -> refuse "certificate.chart: the orthant needs no chart"
  | Some _, None -> refuse "certificate.chart: missing for a game with a board"
  | Some rows, Some chart ->
    let place = "certificate.chart" in
    let chart = an_object place chart in
    keys place ["matrix"; "inverse"; "shift"; "bounds"; "functional_bound"] chart;
    let get key = need place chart key in
    let square key =
      let m = matrix (place ^ "." ^ key) g.d largest_in_chart (get key) in
      if List.length m <> g.d then refuse "%s.%s: not a square matrix" place key;
      List.map integers m in
    let bound key v = match vector (place ^ "." ^ key) (List.length rows + 1) largest v with
      | t :: l -> integer t, integers l
      | [] -> assert false in
    Some { Core.matrix = square "matrix"; inverse = square "inverse";
           shift = integers (vector (place ^ ".shift") g.d largest_in_chart (get "shift"));
           bounds = List.map (bound "bounds") (a_list (place ^ ".bounds") (get "bounds"));
           functional_bound = bound "functional_bound" (get "functional_bound") }

(* The table of an automaton: it must describe a set of vectors. *)
let transitions place d map =
  let list = naturals (place ^ ".transitions") (need place map "transitions") in
  let rec pairs = function a :: b :: l -> (a, b) :: pairs l | [] -> [] | _ -> refuse "%s.transitions: an odd number of entries" place in
  let next = Array.of_list (pairs list) in
  let n = Array.length next in
  if n = 0 then refuse "%s: there is no state" place;
  Array.iter (fun (a, b) -> if a >= n || b >= n then refuse "%s: there is no state %d" place (max a b)) next;
  let coordinate = Array.make n (-1) in
  coordinate.(0) <- 0;
  let queue = Queue.create () in
  Queue.add 0 queue;
  while not (Queue.is_empty queue) do
    let s = Queue.pop queue in
    let c = (coordinate.(s) + 1) mod d in
    List.iter (fun t ->
      if coordinate.(t) < 0 then (coordinate.(t) <- c; Queue.add t queue)
      else if coordinate.(t) <> c then refuse "%s: state %d reads digits of two coordinates" place t)
      [fst next.(s); snd next.(s)]
  done;
  Array.iteri (fun s c -> if c < 0 then refuse "%s: state %d is not reached" place s) coordinate;
  next, coordinate

let automaton place d v outputs =
  let map = an_object place v in
  keys place ["transitions"; (match outputs with `Accepting -> "accepting" | `Values _ -> "values")] map;
  let next, coordinate = transitions place d map in
  let n = Array.length next in
  let out = Array.make n None in
  (match outputs with
   | `Accepting ->
     List.iter (fun s ->
       if s >= n then refuse "%s: there is no state %d" place s;
       if out.(s) <> None then refuse "%s: \"accepting\" names state %d twice" place s;
       out.(s) <- Some 0) (naturals (place ^ ".accepting") (need place map "accepting"))
   | `Values most ->
     let list = a_list (place ^ ".values") (need place map "values") in
     if List.length list <> n then refuse "%s: not two transitions and one value for each state" place;
     List.iteri (fun s v -> if v <> Null then out.(s) <- Some (an_int (place ^ ".values") 0 most v)) list);
  Array.iteri (fun s v -> if v <> None && coordinate.(s) <> 0 then refuse "%s: state %d accepts inside a digit block" place s) out;
  { Core.table_of = Array.to_list (Array.map (fun (a, b) -> number a, number b) next);
    outputs_of = Array.to_list (Array.map (Option.map number) out) }
