(* proved-check FILE…: says of each strategy file whether it is valid, by a checker that was proved correct. Exit 0 when all are,
   1 when one is refused, 2 when one cannot be read or is of no form that was proved. *)

open Json
open Read

let automaton_form file_game misere certificate ~values =
  let g = lattice_game file_game misere in
  keys "certificate" ["functional"; "chart"; "automaton"] certificate;
  let functional = integers (vector "certificate.functional" g.d largest (need "certificate" certificate "functional")) in
  let chart = chart g certificate in
  let outputs = if values then `Values (List.length g.rules) else `Accepting in
  let a = automaton "certificate.automaton" g.d (need "certificate" certificate "automaton") outputs in
  let accepted = match chart, values with
    | None, false -> Core.check_automaton g.core a functional fuel
    | Some c, false -> Core.check_automaton_board g.core a functional c fuel
    | None, true -> Core.check_grundy g.core a functional fuel
    | Some c, true -> Core.check_grundy_board g.core a functional c fuel in
  if not accepted then refuse "the automaton does not satisfy the game's equation, or play need not end, or the chart is wrong";
  Printf.sprintf "the %s of the lattice game in dimension %d are exactly those of the automaton"
    (if values then "Grundy values" else "P-positions") g.d

(* Modules with their automata, and the automata of their unions. *)
let modules ?(sectors = true) g certificate =
  let place = "certificate.modules" in
  let list = a_list place (need "certificate" certificate "modules") in
  let need_automata = function None when sectors -> unknown "stratifications without automata (by sectors)" | _ -> () in
  need_automata (find certificate "unions");
  let one v =
    let m = an_object place v in
    keys place ["generators"; "bases"; "automata"] m;
    need_automata (find m "automata");
    let generators = matrix (place ^ ".generators") g.d largest (need place m "generators") in
    let bases = matrix (place ^ ".bases") g.d largest (need place m "bases") in
    if bases = [] then refuse "%s.bases: a module without elements" place;
    if List.length (List.sort_uniq compare bases) <> List.length bases then refuse "%s.bases: a base twice" place;
    let automata = List.map (fun a -> automaton (place ^ ".automata") g.d a `Accepting) (a_list (place ^ ".automata") (need place m "automata")) in
    if List.length automata <> List.length generators + 1 then
      refuse "%s.automata: not one for the bases and one for each generator" place;
    (* The order of the bases means nothing; the checker sees by it that none stands twice. *)
    let bases = List.sort compare bases in
    { Core.its_module = { Core.generators = List.map integers generators; bases = List.map integers bases }; its_automata = automata } in
  let unions = List.map (fun a -> automaton "certificate.unions" g.d a `Accepting) (a_list "certificate.unions" (need "certificate" certificate "unions")) in
  if List.length unions <> max 0 (List.length list - 1) then refuse "certificate.unions: not one for each module after the first";
  List.map one list, unions

let stratification_form file_game misere certificate =
  let g = lattice_game file_game misere in
  keys "certificate" ["functional"; "chart"; "modules"; "unions"] certificate;
  let functional = integers (vector "certificate.functional" g.d largest (need "certificate" certificate "functional")) in
  let chart = chart g certificate in
  let modules, unions = modules g certificate in
  let accepted = match chart with
    | None -> Core.check_stratification g.core modules unions functional fuel
    | Some c -> Core.check_stratification_board g.core modules unions functional c fuel in
  if not accepted then refuse "the automata are not those of the modules, or these are not disjoint, or their union does not satisfy the game's equation";
  Printf.sprintf "the P-positions of the lattice game in dimension %d are exactly the disjoint union of the %d modules" g.d (List.length modules)

let term g v =
  let place = "certificate.terms" in
  let t = an_object place v in
  keys place ["coefficient"; "exponent"; "denominators"] t;
  let get key = need place t key in
  let factor = match a_list (place ^ ".coefficient") (get "coefficient") with
    | [n; m] ->
      let m = an_int (place ^ ".coefficient") 1 max_int m in
      { Core.qnum = integer (an_int (place ^ ".coefficient") (- max_int) max_int n); qden = positive m }
    | _ -> refuse "%s.coefficient is not a pair of integers" place in
  { Core.factor; exponent = integers (vector (place ^ ".exponent") g.d largest (get "exponent"));
    denominators = List.map integers (matrix (place ^ ".denominators") g.d largest (get "denominators")) }

let series_form file_game misere certificate =
  let g = lattice_game file_game misere in
  if find certificate "modules" = None then unknown "sums over characters";
  keys "certificate" ["functional"; "chart"; "modules"; "unions"; "terms"] certificate;
  let functional = integers (vector "certificate.functional" g.d largest (need "certificate" certificate "functional")) in
  let chart = chart g certificate in
  let modules, unions = modules ~sectors:false g certificate in
  let terms = List.map (term g) (a_list "certificate.terms" (need "certificate" certificate "terms")) in
  let accepted = match chart with
    | None -> Core.check_series g.core modules unions terms functional fuel
    | Some c -> Core.check_series_board g.core modules unions terms functional c fuel in
  if not accepted then refuse "the modules are not the P-positions, each once, or the terms are not the generating function of the modules";
  Printf.sprintf "the generating function of the P-positions of the lattice game in dimension %d is the sum of the %d terms" g.d (List.length terms)

let most_heaps = 1 lsl 26

(* A hint that saves time: which heaps are rare. Without one, and with one that does not fit the game, all are. *)
let all_rare = { Core.space_mask = Core.N0; space_parity = false; space_odd = false }

let space game certificate = match find certificate "space" with
  | None -> all_rare
  | Some v ->
    let place = "certificate.space" in
    let map = an_object place v in
    keys place ["mask"; "parity"] map;
    let mask = natural (place ^ ".mask") (need place map "mask") in
    let parity = match need place map "parity" with Bool b -> b | _ -> refuse "%s.parity is neither true nor false" place in
    let digits = match find game "code" with
      | Some (String text) -> fst (code_of_text text)
      | _ -> [] in
    let splits = List.filter (fun (_, d) -> d land 4 <> 0) (List.mapi (fun k d -> k, d) digits) in
    let some r = List.exists (fun (k, _) -> k land 1 = r) splits in
    if List.exists (fun d -> d >= 8) digits || (parity && some 0 && some 1) then all_rare
    else { Core.space_mask = number mask; space_parity = parity; space_odd = parity && some 1 }

(* The keys that both theorems have. *)
let nim_sequence game certificate =
  let code = heap_game game in
  let get key = need "certificate" certificate key in
  let number_of key = an_int ("certificate." ^ key) 0 most_heaps (get key) in
  let n0 = number_of "preperiod" and p = number_of "period" and s = number_of "saltus" in
  let values = naturals "certificate.values" (get "values") in
  if p = 0 || List.length values <> n0 + p then refuse "certificate.values: not preperiod + period values";
  code, n0, p, s, values

let guy_smith game certificate =
  keys "certificate" ["theorem"; "preperiod"; "period"; "saltus"; "values"; "space"] certificate;
  let code, n0, p, s, values = nim_sequence game certificate in
  let space = space game certificate in
  if s <> 0 || code.Core.block <> [] then refuse "theorem \"guy-smith\" is about finite codes and saltus 0";
  code, space, n0, p, values

let theorem certificate = match need "certificate" certificate "theorem" with
  | String "guy-smith" -> `Guy_smith
  | String "induction" -> `Induction
  | _ -> refuse "certificate.theorem is neither \"guy-smith\" nor \"induction\""

let rec gcd a b = if b = 0 then a else gcd b (a mod b)

let induction game certificate =
  keys "certificate" ["theorem"; "preperiod"; "period"; "saltus"; "values"; "base"; "block"] certificate;
  let code, n0, p, s, values = nim_sequence game certificate in
  let number_of key = an_int ("certificate." ^ key) 0 (1 lsl 20) (need "certificate" certificate key) in
  let base = number_of "base" and block = number_of "block" in
  let repeated = max 1 (List.length code.Core.block) in
  let step = p / gcd p repeated * repeated in
  if block = 0 || block mod step <> 0 || base < n0 + block || base + block > 1 lsl 20 then
    refuse "\"base\" or \"block\" does not fit the period";
  if not (Core.check_induction code (nat n0) (nat p) (number s) (List.map number values) (nat step) (nat base) (nat block) fuel) then
    refuse "the values are not the Grundy values, or the options of one block cannot be translated, or preperiod or period is not the least";
  n0, p, s

let nim_sequence_form game misere certificate =
  if misere then refuse "form \"nim-sequence\" is about normal play";
  let n0, p, s = match theorem certificate with
    | `Induction -> induction game certificate
    | `Guy_smith ->
      let code, space, n0, p, values = guy_smith game certificate in
      if not (Core.check_nim_sequence space code (nat n0) (nat p) (List.map number values)) then
        refuse "the values are not the Grundy values, or preperiod or period is not the least";
      n0, p, 0 in
  Printf.sprintf "g(n + %d) = g(n) + %d for all n >= %d (least period and preperiod), and g(n) is as listed for n < %d" p s n0 (n0 + p)

(* The values are computed here, by the definition, and checked like listed ones: they are trusted in nothing. *)
let longest_period = 4096

let grundy_values digits size =
  let g = Array.make size 0 in
  for n = 1 to size - 1 do
    let seen = Array.make (n + 2) false in
    let add v = if v <= n then seen.(v) <- true in
    List.iteri (fun k d ->
      let rest = n - k in
      if d land 1 <> 0 && rest = 0 then add 0;
      if d land 2 <> 0 && rest > 0 then add g.(rest);
      if d land 4 <> 0 then for a = 1 to rest / 2 do add (g.(a) lxor g.(rest - a)) done) digits;
    let rec mex v = if seen.(v) then mex (v + 1) else v in
    g.(n) <- mex 0
  done;
  Array.to_list g

let nim_period_form game misere certificate =
  if misere then refuse "form \"nim-period\" is about normal play";
  let place = "certificate" in
  keys place ["preperiod"; "period"; "space"; "window"] certificate;
  let code = heap_game game in
  let digits = match find game "code" with Some (String text) -> fst (code_of_text text) | _ -> [] in
  if code.Core.block <> [] || List.exists (fun d -> d >= 8) digits || not (List.exists (fun d -> d land 4 <> 0) digits) then
    refuse "form \"nim-period\" is about finite codes that leave two heaps at most, and sometimes two";
  let number_of key least = an_int (place ^ "." ^ key) least (1 lsl 40) (need place certificate key) in
  let n0 = number_of "preperiod" 0 and p = number_of "period" 1 in
  ignore (need place certificate "space");
  let hint = space game certificate in
  let mask = an_object "certificate.space" (need place certificate "space") in
  if natural "certificate.space.mask" (need "certificate.space" mask "mask") >= 64 then refuse "certificate.space does not fit this game";
  if hint == all_rare && find mask "parity" = Some (Bool true) then refuse "certificate.space does not fit this game";
  (* A window that comes again is another theorem. *)
  if find certificate "window" <> None then unknown "periods by a window that comes again";
  if n0 + p > longest_period then unknown "periods whose values are left out, beyond %d values" longest_period;
  if not (Core.check_nim_sequence hint code (nat n0) (nat p) (List.map number (grundy_values digits (n0 + p)))) then
    refuse "the values do not repeat so, or preperiod or period is not the least";
  Printf.sprintf "g(n + %d) = g(n) for all n >= %d (least period and preperiod)" p n0

let parity_form game misere certificate =
  if misere then refuse "form \"parity-kernel\" is about normal play";
  let get key = need "certificate" certificate key in
  match find game "kind" with
  | Some (String "lattice") ->
    keys "certificate" ["values"; "functional"] certificate;
    let g = lattice_game game misere in
    let values = naturals "certificate.values" (get "values") in
    let functional = naturals "certificate.functional" (get "functional") in
    if List.length functional <> g.d then refuse "certificate.functional: not one entry for each coordinate";
    if not (Core.check_parity g.core (List.map number values) (integers functional)) then
      refuse "the rules are not squarefree, or a value is not the mex of the options' values, or play need not end";
    Printf.sprintf "the Grundy value of a point of N^%d is the nim-sum of the values of its odd coordinates" g.d
  | _ ->
    keys "certificate" ["values"; "max_heap"] certificate;
    let code = heap_game game in
    let values = naturals "certificate.values" (get "values") in
    if an_int "certificate.max_heap" 0 most_heaps (get "max_heap") <> List.length values then
      refuse "certificate.max_heap: not the number of values";
    if not (Core.check_values code (List.map number (0 :: values))) then refuse "a value is not the mex of the options' values";
    Printf.sprintf "a sum of heaps up to %d has the nim-sum of the values as its Grundy value" (List.length values)

(* What the check of a kernel needs; found here, and trusted in nothing. *)
let kernel_of order steps generators values g space =
  let maps = List.map Array.of_list steps in
  let gamma = Array.make order (-1) in
  let rec spread = function
    | [] -> ()
    | x :: todo ->
      let found = List.filter_map (fun (map, h) ->
        let y = map.(x) in
        if gamma.(y) < 0 then (gamma.(y) <- gamma.(x) lxor g h; Some y) else None) (List.combine maps generators) in
      spread (found @ todo) in
  gamma.(0) <- 0;
  spread [0];
  let deep = List.fold_left (fun x map -> let x = ref x in for _ = 1 to order do x := map.(!x) done; !x) 0 maps in
  let inside = Array.make order false in
  let rec fill = function
    | [] -> ()
    | x :: todo -> if inside.(x) then fill todo else (inside.(x) <- true; fill (List.map (fun map -> map.(x)) maps @ todo)) in
  fill [deep];
  let members = List.filter (fun x -> inside.(x)) (List.init order Fun.id) in
  let size = List.length members in
  let element = Array.make size 0 in
  List.iter (fun x -> if gamma.(x) >= 0 && gamma.(x) < size then element.(gamma.(x)) <- x
              else refuse "certificate.kernel: the kernel is not the group of Grundy values below its order") members;
  let last = ref 0 in
  List.iteri (fun h x -> if not inside.(x) then last := h) values;
  size, { Core.k_gamma = List.map (fun v -> number (max v 0)) (Array.to_list gamma); k_inside = Array.to_list inside;
    k_element = List.map number (Array.to_list element); k_last = nat !last; k_space = space }

let monoid certificate =
  let get key = need "certificate" certificate key in
  let generators = naturals "certificate.generators" (get "generators") in
  let steps = List.map (naturals "certificate.steps") (a_list "certificate.steps" (get "steps")) in
  let order = match steps with [] -> 1 | r :: _ -> List.length r in
  if order = 0 || List.length steps <> List.length generators
     || List.exists (fun r -> List.length r <> order || List.exists (fun x -> x >= order) r) steps then
    refuse "certificate.steps: not one map on the elements for each generator";
  generators, steps, order

let quotient_form game misere certificate =
  if not misere then refuse "a quotient is a strategy for misère play";
  let code = heap_game game in
  keys "certificate" ["generators"; "steps"; "p"; "values"; "period"; "kernel"] certificate;
  let get key = need "certificate" certificate key in
  let generators, steps, order = monoid certificate in
  let p = naturals "certificate.p" (get "p") and values = naturals "certificate.values" (get "values") in
  if List.exists (fun x -> x >= order) p then refuse "certificate.p: there is no such element";
  once "certificate.p" p;
  if values = [] || List.hd values <> 0 then refuse "certificate.values: heap 0 is not element 0";
  if List.exists (fun x -> x >= order) values then refuse "certificate.values: there is no such element";
  let largest_generator = if find certificate "kernel" = None then List.length values - 1 else longest in
  if List.exists (fun h -> h > largest_generator) generators then refuse "certificate.generators: a heap without a value";
  let q = { Core.q_order = number order; q_generators = List.map nat generators; q_steps = List.map (List.map number) steps;
            q_p = List.map number p; q_values = List.map number values } in
  let bad () = refuse "the monoid does not give the outcomes of the game" in
  match get "period", find certificate "kernel" with
  | Null, Some sequence ->
    let sequence = an_object "certificate.kernel" sequence in
    if theorem sequence = `Induction then unknown "kernels whose Grundy values are proved by induction";
    let code, space, n0, period, gvals = guy_smith game sequence in
    let table = Array.of_list gvals in
    let g h = table.(if h < n0 + period then h else n0 + ((h - n0) mod period)) in
    let size, k = kernel_of order steps generators values g space in
    if List.exists (fun v -> v >= size) gvals then refuse "certificate.kernel: a heap has a larger Grundy value than the kernel";
    if not (Core.check_kernel code q (nat n0) (nat period) (List.map number gvals) k fuel) then bad ();
    Printf.sprintf "the misère quotient of all heaps has order %d, and large heaps behave as in normal play" order
  | _, Some _ -> refuse "certificate.kernel beside a period"
  | Null, None ->
    if not (Core.check_quotient code q fuel) then bad ();
    Printf.sprintf "the misère quotient of the heaps up to %d has order %d" (List.length values - 1) order
  | Object m, None ->
    keys "certificate.period" ["preperiod"; "period"] m;
    let number_of key = an_int ("certificate.period." ^ key) 0 (List.length values) (need "certificate.period" m key) in
    if number_of "preperiod" + number_of "period" >= List.length values then refuse "certificate.period: the values do not show the period";
    if not (Core.check_periodic_quotient code q (nat (number_of "preperiod")) (nat (number_of "period")) fuel) then bad ();
    Printf.sprintf "the misère quotient of all heaps has order %d" order
  | _, None -> refuse "certificate.period is neither null nor an object"

(* The claim that no two multiples of a counter are alike. The element by which two slices differ, and the heaps whose product it is,
   are found here and trusted in nothing. *)
let infinity map r order generators steps next output slices =
  let place = "certificate.infinite" in
  keys place ["step"; "from"; "counter"; "at"; "period"; "far"] map;
  let get key = need place map key in
  let count key = an_int (place ^ "." ^ key) 0 1_000_000 (get key) in
  let counts key =
    let l = ints (place ^ "." ^ key) 0 1_000_000 (get key) in
    if List.length l <> r then refuse "%s.%s: not one number for each counter" place key;
    l in
  let step = counts "step" and from = counts "from" and at = counts "at" in
  let i = count "counter" and period = count "period" and far = count "far" in
  if i >= r then refuse "%s.counter: there is no counter %d" place i;
  let next = Array.of_list (List.map Array.of_list next) and output = Array.of_list output and slices = Array.of_list slices in
  let slice a =
    let rec run s a = if List.for_all ((=) 0) a then s
      else run next.(s).(List.fold_right (fun x e -> (2 * e) + (x land 1)) a 0) (List.map (fun x -> x lsr 1) a) in
    slices.(output.(run 0 a)) in
  let rec difference g a b = match a, b with
    | x :: a, y :: b -> if x <> y then g else difference (g + 1) a b
    | _ -> refuse "%s: the slices do not differ" place in
  let element = difference 0 (slice at) (slice (List.mapi (fun j x -> if j = i then x + far else x) at)) in
  let words = Array.make order None in
  words.(0) <- Some [];
  let queue = Queue.create () in
  Queue.add 0 queue;
  let maps = List.combine generators (List.map Array.of_list steps) in
  while not (Queue.is_empty queue) do
    let x = Queue.pop queue in
    List.iter (fun (h, map) -> if words.(map.(x)) = None then begin
      words.(map.(x)) <- Some (h :: Option.get words.(x)); Queue.add map.(x) queue end) maps
  done;
  let word = match words.(element) with Some w -> w | None -> refuse "certificate.steps: element %d is not reached" element in
  { Core.f_step = List.map number step; f_from = List.map number from; f_counter = nat i; f_at = List.map number at;
    f_period = number period; f_far = number far; f_element = number element; f_word = List.map nat word }

let counters_form game misere certificate =
  if not misere then refuse "counters are a strategy for misère play";
  let code = heap_game game in
  let place = "certificate" in
  keys place ["generators"; "steps"; "values"; "counters"; "slices"; "next"; "output"; "infinite"; "period"] certificate;
  let get key = need place certificate key in
  let generators, steps, order = monoid certificate in
  let counters = ints "certificate.counters" 0 longest (get "counters") in
  let r = List.length counters in
  if r = 0 || r > 6 || List.sort_uniq compare counters <> counters then refuse "certificate.counters: not one to six increasing heaps";
  let element v = an_int "certificate.values" 0 (order - 1) v in
  let list = a_list "certificate.values" (get "values") in
  let size = List.length list in
  let word v = List.concat_map (fun pair -> match a_list "certificate.values" pair with
    | [h; n] ->
      let h = an_int "certificate.values" 1 (size - 1) h in
      List.init (an_int "certificate.values" 1 1000 n) (fun _ -> h)
    | _ -> refuse "certificate.values: a word is a list of pairs") (a_list "certificate.values" v) in
  let index h = let rec go i = function [] -> None | c :: l -> if c = h then Some i else go (i + 1) l in go 0 counters in
  let entry h v = match v, index h with
    | Null, Some i -> Core.Count (nat i), 0, true
    | Object m, None ->
      keys "certificate.values" ["element"; "counts"; "like"] m;
      let get key = need "certificate.values" m key in
      let counts = ints "certificate.values" 0 1000 (get "counts") in
      if List.length counts <> r then refuse "certificate.values: heap %d has not one count for each counter" h;
      let like = List.map word (a_list "certificate.values" (get "like")) in
      if like = [] || List.length like > 16 then refuse "certificate.values: heap %d is like no words, or too many" h;
      let g = element (get "element") in
      Core.Follower (number g, List.map number counts, List.map (List.map nat) like), g, List.exists (fun n -> n > 0) counts
    | Number _, None -> let g = element v in Core.Element (number g), g, false
    | _ -> refuse "certificate.values: heap %d has neither a value nor is it a counter" h in
  let entries = List.mapi entry list in
  (match entries with
   | (Core.Element Core.N0, _, _) :: _ -> ()
   | _ -> refuse "certificate.values: heap 0 is not element 0");
  if List.exists (fun h -> h >= size) counters then refuse "certificate.counters: a counter is beyond the values";
  let table = Array.of_list entries in
  List.iter2 (fun h map ->
    if h >= size then refuse "certificate.generators: heap %d has no value" h;
    let _, g, counts = table.(h) in
    if counts || g <> List.hd map then refuse "certificate.generators: heap %d does not have its own value" h) generators steps;
  let slice v =
    let set = Array.make order false in
    once "certificate.slices" (naturals "certificate.slices" v);
    List.iter (fun x -> if x >= order then refuse "certificate.slices: there is no element %d" x; set.(x) <- true)
      (naturals "certificate.slices" v);
    Array.to_list set in
  let slices = List.map slice (a_list "certificate.slices" (get "slices")) in
  let next = List.map (naturals "certificate.next") (a_list "certificate.next" (get "next")) in
  let states = List.length next in
  if List.exists (fun row -> List.length row <> 1 lsl r || List.exists (fun s -> s >= states) row) next then
    refuse "certificate.next: not one state for each digit vector";
  let output = naturals "certificate.output" (get "output") in
  if states = 0 || List.length output <> states || List.exists (fun k -> k >= List.length slices) output then
    refuse "certificate.output: not one slice for each state";
  let n = { Core.n_order = number order; n_steps = List.map (List.map number) steps; n_counters = List.map nat counters;
            n_entries = List.map (fun (e, _, _) -> e) entries; n_slices = slices;
            n_next = List.map (List.map number) next; n_output = List.map number output } in
  let infinity = match get "infinite" with
    | Null -> None
    | Object m -> Some (infinity m r order generators steps next output slices)
    | _ -> refuse "certificate.infinite is neither null nor an object" in
  let period = match find certificate "period" with
    | None -> None
    | Some m ->
      let m = an_object "certificate.period" m in
      keys "certificate.period" ["preperiod"; "period"] m;
      let number_of key least = an_int ("certificate.period." ^ key) least size (need "certificate.period" m key) in
      let n0 = number_of "preperiod" 0 and p = number_of "period" 1 in
      if code.Core.block <> [] then refuse "certificate.period: the code never ends";
      if n0 + p >= size then refuse "certificate.period: the values do not show the period";
      Some (n0, p) in
  let accepted = match period with
    | None -> Core.check_counters code n fuel
    | Some (n0, p) -> Core.check_periodic_counters code n (nat n0) (nat p) fuel in
  if not accepted then
    refuse "the monoid and the counters do not give the outcomes of the game%s" (if period = None then "" else ", or the values do not show or prove the period");
  (match infinity with
   | Some i when not (Core.check_infinite n fuel i) -> refuse "certificate.infinite: the slices do not repeat as claimed, or do not differ"
   | _ -> ());
  let reach = match period with
    | None -> Printf.sprintf "up to %d" (size - 1)
    | Some (n0, p) -> Printf.sprintf "of any size (values with period %d from heap %d on)" p n0 in
  Printf.sprintf "the outcome of every sum of heaps %s is given by %d counters and a monoid of order %d%s" reach r order
    (match infinity, period with
     | None, _ -> ""
     | Some _, None -> ", and the misère quotient of these heaps is infinite"
     | Some _, Some _ -> ", and the misère quotient of all heaps is infinite")

(* The game in full, and the proved claim. *)
let check (text : string) : string * string =
  let file = match Json.parse text with
    | Object m -> m
    | _ -> refuse "the text is not a JSON object"
    | exception Json.Bad what -> refuse "not JSON: %s" what in
  let digest = find file "digest" in
  let file = Keys.remove "digest" file in
  if digest <> Some (String (Sha256.hex (Json.to_text (Object file)))) then
    refuse "\"digest\" does not belong to the content: the file is damaged";
  keys "the file" ["format"; "version"; "form"; "play"; "game"; "certificate"] file;
  let get key = need "the file" file key in
  if get "format" <> String "impartial-strategy" then refuse "\"format\" is not \"impartial-strategy\"";
  (match get "version" with
   | Number "2" -> ()
   | Number "1" -> refuse "version 1 is no longer read: write the file anew with `impartial solve GAME -o FILE`"
   | _ -> refuse "not \"impartial-strategy\" of version 2");
  let misere = match get "play" with
    | String "normal" -> false
    | String "misere" -> true
    | _ -> refuse "\"play\" is neither \"normal\" nor \"misere\"" in
  let game = an_object "game" (get "game") and certificate = an_object "certificate" (get "certificate") in
  let claim = match get "form" with
  | String "automaton" -> automaton_form game misere certificate ~values:false
  | String "grundy-automaton" -> automaton_form game misere certificate ~values:true
  | String "nim-sequence" -> nim_sequence_form game misere certificate
  | String "nim-period" -> nim_period_form game misere certificate
  | String "parity-kernel" -> parity_form game misere certificate
  | String "counters" -> counters_form game misere certificate
  | String "quotient" -> quotient_form game misere certificate
  | String "stratification" -> stratification_form game misere certificate
  | String "table" -> Table.form game misere certificate
  | String "series" -> series_form game misere certificate
  | String (("blocks" | "grundy-blocks" | "chains" | "sectors" | "grundy-sectors" | "presentation" | "dominance" | "ranks" | "numeration") as form) ->
    unknown "form \"%s\"" form
  | String form -> refuse "\"form\": no form is called \"%s\"" form
  | _ -> refuse "\"form\" is not a string" in
  Printf.sprintf "%s play of %s" (if misere then "misère" else "normal") (Json.to_text (Object game)), claim

let read_file name =
  let channel = if name = "-" then stdin else open_in_bin name in
  let b = Buffer.create 65536 in
  (try while true do Buffer.add_channel b channel 1 done with End_of_file -> ());
  if name <> "-" then close_in channel;
  Buffer.contents b

let judge name =
  match read_file name with
  | exception Sys_error why -> Printf.eprintf "proved-check: %s; give the path of a strategy file\n" why; 2
  | text ->
    match check text with
    | game, claim -> Printf.printf "%s: valid: in %s, %s\n" name game claim; 0
    | exception Refused why -> Printf.printf "%s: refused: %s\n" name why; 1
    | exception Unknown what -> Printf.printf "%s: not among the forms proved by machine: %s\n" name what; 2
    | exception (Stack_overflow | Out_of_memory) -> Printf.printf "%s: not checked: too large for this machine\n" name; 2

let () =
  (* Much is made and soon forgotten: a nursery that holds some tables, and as long as memory is not scarce few sweeps, save a third of the time. *)
  let set overhead = Gc.set { (Gc.get ()) with Gc.minor_heap_size = 1 lsl 22; space_overhead = overhead } in
  set 1000;
  ignore (Gc.create_alarm (fun () -> if (Gc.quick_stat ()).Gc.heap_words > 1 lsl 26 then set 200));
  match List.tl (Array.to_list Sys.argv) with
  | [] | ["-h"] | ["--help"] ->
    prerr_endline "usage: proved-check FILE…   (- is standard input)\nVerifies strategy files by a checker that was proved correct."; exit 2
  | files -> exit (List.fold_left (fun worst f -> max worst (judge f)) 0 files)
