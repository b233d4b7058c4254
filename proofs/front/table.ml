(* Form "table": finite poset games. *)

open Json
open Read

let digit = function
  | '0' .. '9' as c -> Char.code c - 48
  | 'A' .. 'Z' as c -> Char.code c - 55
  | 'a' .. 'z' as c -> Char.code c - 61
  | '-' -> 62
  | '_' -> 63
  | _ -> refuse "certificate.values: a character that is no digit"

let values certificate =
  keys "certificate" ["width"; "values"] certificate;
  let width = an_int "certificate.width" 1 3 (need "certificate" certificate "width") in
  match need "certificate" certificate "values" with
  | String text when text <> "" && String.length text mod width = 0 ->
    List.init (String.length text / width) (fun i ->
      let v = ref 0 in
      for j = 0 to width - 1 do v := (64 * !v) + digit text.[(width * i) + j] done;
      number !v)
  | _ -> refuse "certificate.values is empty, no text, or no multiple of the width long"

(* For each element, the last first, which of those before it are below it, the last first: it decides the order in which the checker visits
   the positions, and is trusted in nothing. *)
let rows_below n below = List.init n (fun i -> let y = n - 1 - i in List.init y (fun j -> below (y - 1 - j) y))

(* The relation is a square: boards of more elements are refused, as the specification allows. *)
let most_elements = 8192

let form game misere certificate =
  let values = values certificate in
  let positions = List.length values in
  let what, accepted = match find game "kind" with
    | Some (String "chomp") ->
      keys "game" ["kind"; "rows"] game;
      let rows = ints "game.rows" 1 max_int (need "game" game "rows") in
      if rows = [] || List.exists2 (<) rows (List.tl rows @ [0]) then refuse "game.rows are not positive and decreasing";
      if List.fold_left (fun left r -> if r > left then -1 else left - r) positions rows < 0 then
        refuse "there are more squares than positions in the table";
      if List.fold_left (+) 0 rows > most_elements then refuse "game.rows: more than %d squares" most_elements;
      let squares = Array.of_list (List.tl (List.concat (List.mapi (fun i r -> List.init r (fun j -> i, j)) rows))) in
      let below x y = fst squares.(x) <= fst squares.(y) && snd squares.(x) <= snd squares.(y) in
      "Chomp", Core.check_chomp (List.map nat rows) misere (rows_below (Array.length squares) below) values
    | Some (String "poset") ->
      keys "game" ["kind"; "elements"; "covers"] game;
      let names = List.map (function String s -> s | _ -> refuse "game.elements: a name that is no text") (a_list "game.elements" (need "game" game "elements")) in
      once "game.elements" names;
      let n = List.length names in
      if n >= positions then refuse "there are more elements than positions in the table";
      if n > most_elements then refuse "game.elements: more than %d" most_elements;
      let covers = List.map (fun pair -> match ints "game.covers" 0 (n - 1) pair with
        | [x; y] when x < y -> x, y
        | _ -> refuse "game.covers: a pair is not of the form [x, y] with x < y") (a_list "game.covers" (need "game" game "covers")) in
      let below = Array.make_matrix n n false in
      let covered = Array.make n [] in
      List.iter (fun (x, y) -> covered.(y) <- x :: covered.(y)) covers;
      for y = 0 to n - 1 do
        below.(y).(y) <- true;
        List.iter (fun x -> for z = 0 to x do if below.(z).(x) then below.(z).(y) <- true done) covered.(y)
      done;
      "the poset game", Core.check_poset (nat n) (List.map (fun (x, y) -> nat x, nat y) covers) misere (rows_below n (fun x y -> below.(x).(y))) values
    | _ -> refuse "game.kind is neither \"poset\" nor \"chomp\"" in
  if accepted = None then refuse "a value does not follow from those of the options, or the table does not end with the last position";
  Printf.sprintf "the %s of all %d positions of %s are as listed" (if misere then "outcomes" else "Grundy values") positions what
