(* JSON as strategy files use it: integers only, no key twice. Objects are sorted by key. *)

module Keys = Map.Make (String)

type t = Null | Bool of bool | Number of string | String of string | List of t list | Object of t Keys.t

exception Bad of string

let deepest = 127

let parse (text : string) : t =
  let n = String.length text in
  let pos = ref 0 in
  let bad what = raise (Bad (Printf.sprintf "%s at byte %d" what !pos)) in
  let peek () = if !pos < n then text.[!pos] else '\000' in
  let rec blank () =
    if !pos < n then match text.[!pos] with ' ' | '\t' | '\n' | '\r' -> incr pos; blank () | _ -> ()
  in
  let expect c = if !pos < n && text.[!pos] = c then incr pos else bad (Printf.sprintf "expected '%c'" c) in
  let word w v =
    let k = String.length w in
    if !pos + k <= n && String.sub text !pos k = w then (pos := !pos + k; v) else bad "unknown word"
  in
  let hex4 () =
    if !pos + 4 > n then bad "short escape";
    let v = ref 0 in
    for _ = 1 to 4 do
      let d = match text.[!pos] with
        | '0' .. '9' as c -> Char.code c - 48
        | 'a' .. 'f' as c -> Char.code c - 87
        | 'A' .. 'F' as c -> Char.code c - 55
        | _ -> bad "bad escape" in
      v := (16 * !v) + d; incr pos
    done;
    !v
  in
  let string () =
    expect '"';
    let b = Buffer.create 16 in
    let rec go () =
      if !pos >= n then bad "unfinished string";
      match text.[!pos] with
      | '"' -> incr pos
      | '\\' ->
        incr pos;
        let c = peek () in
        incr pos;
        (match c with
         | '"' | '\\' | '/' -> Buffer.add_char b c
         | 'b' -> Buffer.add_char b '\b'
         | 'f' -> Buffer.add_char b '\012'
         | 'n' -> Buffer.add_char b '\n'
         | 'r' -> Buffer.add_char b '\r'
         | 't' -> Buffer.add_char b '\t'
         | 'u' ->
           let v = hex4 () in
           let v =
             if v >= 0xD800 && v < 0xDC00 then begin
               expect '\\'; expect 'u';
               let w = hex4 () in
               if w < 0xDC00 || w > 0xDFFF then bad "bad surrogate";
               0x10000 + ((v - 0xD800) lsl 10) + (w - 0xDC00)
             end else v in
           if not (Uchar.is_valid v) then bad "bad surrogate";
           Buffer.add_utf_8_uchar b (Uchar.of_int v)
         | _ -> bad "bad escape");
        go ()
      | c when Char.code c < 32 -> bad "control character in a string"
      | c -> Buffer.add_char b c; incr pos; go ()
    in
    go ();
    Buffer.contents b
  in
  let number () =
    let from = !pos in
    if peek () = '-' then incr pos;
    let first = !pos in
    while !pos < n && text.[!pos] >= '0' && text.[!pos] <= '9' do incr pos done;
    if !pos = first || (text.[first] = '0' && !pos > first + 1) then bad "bad number";
    (match peek () with '.' | 'e' | 'E' -> bad "a number that is no integer" | _ -> ());
    let s = String.sub text from (!pos - from) in
    if s = "-0" then bad "a number that is no integer";
    s
  in
  let rec value depth =
    if depth > deepest then bad "nested too deeply";
    blank ();
    let v = match peek () with
      | '{' -> incr pos; blank ();
        if peek () = '}' then (incr pos; Object Keys.empty) else Object (members depth Keys.empty)
      | '[' -> incr pos; blank ();
        if peek () = ']' then (incr pos; List []) else List (items depth [])
      | '"' -> String (string ())
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | '-' | '0' .. '9' -> Number (number ())
      | _ -> bad "expected a value" in
    blank (); v
  and members depth acc =
    blank ();
    let k = string () in
    blank (); expect ':';
    let v = value (depth + 1) in
    if Keys.mem k acc then bad (Printf.sprintf "the key \"%s\" twice" k);
    let acc = Keys.add k v acc in
    if peek () = ',' then (incr pos; members depth acc) else (expect '}'; acc)
  and items depth acc =
    let v = value (depth + 1) in
    if peek () = ',' then (incr pos; items depth (v :: acc)) else (expect ']'; List.rev (v :: acc))
  in
  let v = value 0 in
  if !pos <> n then bad "text after the end";
  v

(* The compact text over which the digest is taken. *)
let to_text (v : t) : string =
  let b = Buffer.create 4096 in
  let quote s =
    Buffer.add_char b '"';
    String.iter (fun c -> match c with
      | '"' -> Buffer.add_string b "\\\""
      | '\\' -> Buffer.add_string b "\\\\"
      | '\b' -> Buffer.add_string b "\\b"
      | '\012' -> Buffer.add_string b "\\f"
      | '\n' -> Buffer.add_string b "\\n"
      | '\r' -> Buffer.add_string b "\\r"
      | '\t' -> Buffer.add_string b "\\t"
      | c when Char.code c < 32 -> Buffer.add_string b (Printf.sprintf "\\u%04x" (Char.code c))
      | c -> Buffer.add_char b c) s;
    Buffer.add_char b '"' in
  let rec go = function
    | Null -> Buffer.add_string b "null"
    | Bool x -> Buffer.add_string b (if x then "true" else "false")
    | Number s -> Buffer.add_string b s
    | String s -> quote s
    | List l ->
      Buffer.add_char b '[';
      List.iteri (fun i v -> if i > 0 then Buffer.add_char b ','; go v) l;
      Buffer.add_char b ']'
    | Object m ->
      Buffer.add_char b '{';
      ignore (Keys.fold (fun k v first ->
        if not first then Buffer.add_char b ',';
        quote k; Buffer.add_char b ':'; go v; false) m true);
      Buffer.add_char b '}' in
  go v;
  Buffer.contents b
