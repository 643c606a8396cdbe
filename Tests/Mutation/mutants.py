"""Finds what can be changed in the rules of a chat system and writes sources in which every change is asleep.

A point is one small change of one place. All points of all systems are compiled into one program, each behind a number
that is compared with the one of the environment, so that trying a mutant costs a run and not a build.
"""
import bisect
import re
from dataclasses import dataclass

# What every module gets: the number of the mutant that is awake, and a mark in a file for each point that is passed.
SWITCH = """\
import Glibc

public enum Mutant {
    private static let awake: Int = getenv("REPARTEE_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
    nonisolated(unsafe) private static let passed: UnsafeMutablePointer<UInt8>? = {
        guard let path = getenv("REPARTEE_PASSED") else { return nil }
        let file = open(path, O_RDWR)
        var facts = stat()
        guard file >= 0, fstat(file, &facts) == 0, facts.st_size > 0 else { return nil }
        let map = mmap(nil, Int(facts.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        return map == MAP_FAILED ? nil : map!.assumingMemoryBound(to: UInt8.self)
    }()

    public static func at(_ point: Int) -> Bool {
        passed?[point] = 1
        return point == awake
    }

    public static func isKept(_ point: Int) -> Bool { !at(point) }

    public static func flip(_ point: Int, _ condition: Bool) -> Bool { at(point) ? !condition : condition }

    public static func bound<T>(
        _ point: Int, _ left: T, _ right: T, _ rule: (T, T) -> Bool, _ other: (T, T) -> Bool
    ) -> Bool { at(point) ? other(left, right) : rule(left, right) }

    public static func number<T: Numeric>(_ point: Int, _ number: T) -> T { at(point) ? number + number + 1 : number }

    public static func number(_ point: Int, _ number: UInt8) -> UInt8 { at(point) ? number &+ 1 : number }

    public static func without<T>(_ points: ClosedRange<Int>, _ effects: [T]) -> [T] {
        var effects = effects
        for (index, point) in points.enumerated().reversed() where at(point) { effects.remove(at: index) }
        return effects
    }
}
"""

OPENING = {"(": ")", "[": "]", "{": "}"}
# Statements that are no effects, or that must stay for the sources to compile.
KEYWORDS = {
    "let", "var", "func", "if", "guard", "for", "while", "switch", "case", "default", "return", "throw", "defer", "do",
    "break", "continue", "else", "catch", "import", "init", "self.init", "super.init", "struct", "enum", "extension",
    "typealias", "static", "private", "public", "mutating", "indirect", "final", "fallthrough", "repeat", "subscript",
    "fileprivate", "package", "nonisolated", "inout", "lazy", "protocol", "class", "precondition", "assert", "yield",
    "willSet", "didSet", "get", "set",
}
OTHER_BOUND = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}

# How much is kept or taken of what a peer or a script sends: hostile input is bounded by numbers that are defined here,
# which may be any large ones, so that no conversation can tell one from the next. Tests of units hold these bounds.
LARGE = 1000
QUANTITY = r"(\d[\d_]*)(?: << (\d+))?"


def quantity(text):
    """The value of a number, or of a shifted one; 0 for anything else."""
    match = re.fullmatch(QUANTITY, text)
    return int(match.group(1).replace("_", "")) << int(match.group(2) or 0) if match else 0


def limits(name, text):
    """The large limits that a file declares, as they are called from everywhere."""
    declared = re.finditer(rf"\bstatic let (\w*(?:[lL]imit|[mM]aximum)\w*)(?:: \w+)? = {QUANTITY}(?!\S)", text)
    return {
        f"{name}.{match.group(1)}" for match in declared if quantity(match.group(0).partition(" = ")[2]) >= LARGE}


@dataclass
class Edit:
    """Text put around a span, or in place of it."""
    start: int
    end: int
    before: str
    after: str
    replaces: bool = False


@dataclass
class Point:
    number: int
    line: int
    change: str
    edits: list


def masked(text):
    """The text with comments and what stands in string literals blanked, so that places stay the same."""
    out = list(text)
    index = 0
    while index < len(text):
        if text.startswith("//", index):
            end = text.find("\n", index)
            end = len(text) if end < 0 else end
            out[index:end] = " " * (end - index)
            index = end
        elif text.startswith("/*", index):
            end = text.find("*/", index) + 2
            for place in range(index, end):
                out[place] = "\n" if text[place] == "\n" else " "
            index = end
        elif text[index] == '"' or (text[index] == "#" and re.match(r'#+"', text[index:])):
            hashes = len(re.match(r"#*", text[index:]).group())
            index = _blank_string(text, index + hashes, hashes, out)
        else:
            index += 1
    return "".join(out)


def _blank_string(text, start, hashes, out):
    quote = '"""' if text.startswith('"""', start) else '"'
    index = start + len(quote)
    escape = "\\" + "#" * hashes
    while not text.startswith(quote + "#" * hashes, index):
        if text.startswith(escape + "(", index):
            depth, place = 1, index + len(escape) + 1
            while depth:
                if text[place] == '"':
                    place = _blank_string(text, place, 0, out)
                    continue
                depth += {"(": 1, ")": -1}.get(text[place], 0)
                place += 1
        elif text.startswith(escape, index):
            place = index + len(escape) + 1
        else:
            place = index + 1
        for blank in range(index, place):
            out[blank] = "\n" if text[blank] == "\n" else "x"
        index = place
    return index + len(quote) + hashes


class Source:
    """One file: where its points are."""

    def __init__(self, name, text, first, limits):
        self.name = name
        self.limits = limits
        self.text = text
        self.code = masked(text)
        self.first = first
        self.points = []
        self.conditions = set()
        self.identities = re.findall(r"\bprivate var (\w+): UInt64 = \d", self.code)
        # What is done where a large limit is reached.
        self.beyond = []
        self.lines = [0] + [match.end() for match in re.finditer("\n", text)]
        self.pairs = self._pairs()
        for find in (self._clauses, self._choices, self._closures, self._results, self._statements, self._effects,
                     self._numbers):
            find()

    def _pairs(self):
        stack, pairs = [], {}
        for index, character in enumerate(self.code):
            if character in OPENING:
                stack.append(index)
            elif character in ")]}" and stack:
                start = stack.pop()
                pairs[start] = index
                pairs[index] = start
        return pairs

    def line(self, place):
        return bisect.bisect_right(self.lines, place)

    def _add(self, place, change, *edits):
        self.points.append(Point(self.first + len(self.points), self.line(place), change, list(edits)))

    def _next(self):
        return self.first + len(self.points)

    def _short(self, start, end):
        words = " ".join(self.text[start:end].split())
        return words if len(words) < 90 else words[:87] + "..."

    def _trim(self, start, end):
        while start < end and self.code[start].isspace():
            start += 1
        while end > start and self.code[end - 1].isspace():
            end -= 1
        return start, end

    def _split(self, start, end, separators):
        """The parts between separators that stand outside of all brackets."""
        parts, index, begin = [], start, start
        while index < end:
            if self.code[index] in OPENING and index in self.pairs and self.pairs[index] < end:
                index = self.pairs[index] + 1
                continue
            found = next((s for s in separators if self.code.startswith(s, index)), None)
            if found:
                parts.append(self._trim(begin, index))
                index += len(found)
                begin = index
            else:
                index += 1
        parts.append(self._trim(begin, end))
        return parts

    def _condition(self, start, end):
        """Points of an expression that is true or false: the whole, its parts, and where a comparison turns."""
        start, end = self._trim(start, end)
        clause = self.code[start:end]
        if not clause or re.match(r"(let|var|case|#|_ =|try\b|await\b)", clause):
            return
        if (start, end) in self.conditions:
            return
        self.conditions.add((start, end))
        number = self._next()
        self._add(start, f"not: {self._short(start, end)}", Edit(start, end, f"Mutant.flip({number}, ", ")"))
        if len(self._split(start, end, [" ? ", "? ", "\n? "])) > 1 and " ? " in clause:
            return
        parts = self._split(start, end, ["&&", "||"])
        for a, b in parts:
            if len(parts) > 1:
                number = self._next()
                self._add(a, f"not: {self._short(a, b)}", Edit(a, b, f"Mutant.flip({number}, ", ")"))
            for operator in OTHER_BOUND:
                sides = self._split(a, b, [f" {operator} "])
                if len(sides) != 2 or "try " in self.code[a:b]:
                    continue
                if self._is_limit(sides):
                    continue
                number = self._next()
                (_, left), (right, _) = sides
                self._add(
                    a, f"{operator} is {OTHER_BOUND[operator]}: {self._short(a, b)}",
                    Edit(a, b, f"Mutant.bound({number}, ", f", {operator}, {OTHER_BOUND[operator]})"),
                    Edit(left, right, ", ", "", replaces=True))

    def _is_limit(self, sides):
        """Whether a comparison is one of how many are kept with a large limit; sizes in bytes may be a vendor's."""
        kept, limit = (self.code[start:end] for start, end in sides)
        if not re.search(r"(?<!utf8)(?<!body)(?<!content)\.count$", kept):
            return False
        owner, _, member = limit.rpartition(".")
        # A limit that is smaller only in tests is told by its default.
        told = re.search(rf"\b{member}: Int = ([\w.]+)", self.code) if owner == "self" else None
        if told:
            owner, _, member = told.group(1).rpartition(".")
        return quantity(limit) >= LARGE or f"{self.name if owner == 'Self' else owner}.{member}" in self.limits

    def _reaches_limit(self, start, end):
        """Whether an expression asks for such a limit and for nothing else."""
        return any(
            len(sides := self._split(start, end, [f" {operator} "])) == 2 and self._is_limit(sides)
            for operator in OTHER_BOUND)

    def _is_beyond(self, place):
        return any(start < place < end for start, end in self.beyond)

    def _body(self, index, stop):
        """Where the brace is that ends a condition, from a place on."""
        while index < stop:
            character = self.code[index]
            if character == "{":
                close = self.pairs.get(index, index)
                # A closure of the condition goes on behind its brace.
                if not re.match(r"\s*(\.|\)|,|\?|==|!=|&&|\|\||<|>)", self.code[close + 1:close + 40]):
                    return index
                index = close + 1
            elif character in "([" and index in self.pairs:
                index = self.pairs[index] + 1
            else:
                index += 1
        return None

    def _clauses(self):
        for match in re.finditer(r"(?m)(?:^ *|else |[{:] )(if|guard) ", self.code):
            start = match.end()
            if match.group(1) == "guard":
                other = re.compile(r"\belse\b").search(self.code, start)
                end = other.start() if other else None
            else:
                end = self._body(start, len(self.code))
            if end is None:
                continue
            parts = self._split(start, end, [","])
            for a, b in parts:
                self._condition(a, b)
            if match.group(1) == "guard" and all(self._reaches_limit(a, b) for a, b in parts):
                brace = self.code.index("{", end)
                self.beyond.append((brace, self.pairs[brace]))
        for match in re.finditer(r"(?m)^ *for [^{}\n]*? where ", self.code):
            end = self._body(match.end(), len(self.code))
            if end:
                self._condition(match.end(), end)
        for match in re.finditer(r"(?m)^ *case [^:\n]*? where ", self.code):
            end = match.end()
            while self.code[end] != ":" or self.code[end - 1] == " ":
                end = self.pairs[end] + 1 if self.code[end] in OPENING else end + 1
            self._condition(match.end(), end)

    def _choices(self):
        """The conditions of `a ? b : c`."""
        for match in re.finditer(r"\s\? ", self.code):
            index = match.start() - 1
            while index >= 0:
                character = self.code[index]
                if character in ")]}" and index in self.pairs:
                    index = self.pairs[index] - 1
                    continue
                if character in "([{,;" or self.code[index:index + 2] == ": " or self.code[index - 1:index + 2] == " = " \
                        or self.code[index - 1:index + 3] == " += " \
                        or re.match(r"\b(return|in|case)\s", self.code[index:index + 7]) and not self.code[index - 1].isalnum() \
                        or self.code[index - 1:index + 2] == " ? ":
                    break
                index -= 1
            word = re.match(r"(return|in|case|\+=|[^\sA-Za-z.!$]{0,2})\s*", self.code[index:])
            start = index + (word.end() if re.match(r"return|in\s|case", self.code[index:]) else 1)
            if self.code[index] == "+":
                start = index + 2
            if self.code[start:match.start()].strip().startswith("="):
                start = self.code.index("=", start) + 1
            if "\n" in self.code[start:match.start()].strip():
                continue
            self._condition(start, match.start())

    def _closures(self):
        """Conditions that are closures of one line."""
        for match in re.finditer(
                r"\.(?:contains|filter|first|last|firstIndex|lastIndex|removeAll|allSatisfy|prefix|drop)"
                r"(?:\((?:where|while): )? ?\{", self.code):
            brace = match.end() - 1
            close = self.pairs.get(brace)
            if close is None or "\n" in self.code[brace:close]:
                continue
            head = re.match(r"\{ *(?:[\w, ()]+ in\b)?", self.code[brace:close])
            self._condition(brace + head.end(), close)

    def _functions(self):
        """The bodies of functions and properties that give something: type, start, end."""
        for match in re.finditer(r"(?m)^ *[\w() ]*\bfunc [^{}]*?-> ([\w.\[\]?: ]+?)\s*(?:where [^{]*)?\{", self.code):
            brace = match.end() - 1
            if brace in self.pairs:
                yield match.group(1), brace, self.pairs[brace]
        for match in re.finditer(r"(?m)^ *[\w() ]*\bvar \w+: ([\w.\[\]?: ]+?) \{", self.code):
            brace = match.end() - 1
            if brace in self.pairs:
                yield match.group(1), brace, self.pairs[brace]

    def _results(self):
        for kind, start, end in self._functions():
            if kind != "Bool":
                continue
            inside = self.code[start + 1:end]
            returns = list(re.finditer(r"\breturn ", inside))
            if not returns and not re.search(r"\b(if|switch|guard|let|var|get)\b", inside):
                a, b = self._trim(start + 1, end)
                self._condition(a, b)
            for match in returns:
                a = start + 1 + match.end()
                self._condition(a, self._end(a))

        # What is named before it is asked: `let isIdle = a && b`.
        for match in re.finditer(r"\blet (?:is|has|does|can|was|shows|wants|needs)(?:[A-Z]\w*)? = ", self.code):
            if not re.search(r"\b(if|guard|while)\s+(let .*)?$|, $", self.code[self.lines[self.line(match.start()) - 1]:match.start()]):
                self._condition(match.end(), self._end(match.end()))

    def _end(self, start):
        """Where an expression ends that begins there."""
        index = start
        while index < len(self.code):
            character = self.code[index]
            if character in OPENING and index in self.pairs:
                index = self.pairs[index] + 1
                continue
            if character in ")]};":
                return self._trim(start, index)[1]
            if character == "\n":
                following = self.code[index:].lstrip()
                if not re.match(r"(\.|\?|:|\+|-|&&|\|\||==|<|>)", following):
                    return self._trim(start, index)[1]
            index += 1
        return index

    def _statements(self):
        """Statements that are an effect: they are left out."""
        initializers = [
            (match.end() - 1, self.pairs.get(match.end() - 1, 0))
            for match in re.finditer(r"(?m)^ *[\w() ]*\binit\??(?:<[^>]*>)?\([^{}]*\{", self.code)]
        functions = list(self._functions())
        declared = [
            (match.end() - 1, self.pairs.get(match.end() - 1, 0))
            for match in re.finditer(r"(?m)^ *[\w() ]*\b(?:enum|struct|extension|class) [^{}\n]*\{", self.code)]
        for match in re.finditer(
                r"(?m)(?:^ *|[{:] )((?:self|[a-z]\w*)(?:[.?!]|\w|\[[^\]\n]*\])*(?:\(| [-+|^*]?= ))", self.code):
            start = match.start(1)
            word = re.match(r"[\w.]+", self.code[start:]).group()
            if word.split(".")[0] in KEYWORDS or word in KEYWORDS:
                continue
            brace = self._around(start)
            if brace is None or self.code[brace] != "{" or any(a == brace for a, _ in declared) or self._is_beyond(start):
                continue
            # What is declared without a value gets it once; what stands alone in a branch is the value of the function.
            if re.match(r"\w+ = ", self.code[start:]) and re.search(rf"(?m)\blet {word}: [^=\n]*$", self.code):
                continue
            around = max((f for f in functions if f[1] < start < f[2]), key=lambda f: f[1], default=None)
            if around and " = " not in match.group(1)[-4:] and "return" not in self.code[around[1]:around[2]]:
                continue
            if any(a < start < b for a, b in initializers):
                continue
            end = self._end(start)
            if end == start or not re.match(r"\s*(\n|\}|$)", self.code[end:]):
                continue
            # The last value of a closure or a function is what it gives.
            alone = not self.code[brace + 1:start].strip() and self.pairs[brace] - 1 <= end + 40 \
                and not self.code[end:self.pairs[brace]].strip()
            head = self.code[self.lines[self.line(brace) - 1]:brace]
            if alone and not re.search(r"\)\s*$|else\s*$|if .*$|case .*$", head):
                continue
            if alone and re.search(r"->|\bvar ", head):
                continue
            number = self._next()
            self._add(
                start, f"left out: {self._short(start, end)}", Edit(start, end, f"if Mutant.isKept({number}) {{ ", " }"))

    def _around(self, place):
        """The bracket that a place stands in."""
        index = place - 1
        while index >= 0:
            character = self.code[index]
            if character in ")]}" and index in self.pairs:
                index = self.pairs[index]
            elif character in "([{":
                return index
            index -= 1
        return None

    def _effects(self):
        """What stands in lists of actions: each is left out alone."""
        for match in re.finditer(r"\[\s*\.[a-z]", self.code):
            bracket = match.start()
            close = self.pairs.get(bracket)
            before = self.code[:bracket].rstrip()
            if close is None or not re.search(r"(\breturn|\+|\+=|[?:(])$", before) or self._is_beyond(bracket):
                continue
            # Not a subscript, not a default value, not a member of a dictionary.
            items = self._split(bracket + 1, close, [","])
            items = [item for item in items if item[0] < item[1]]
            if not all(self.code[a] == "." or self.code[a].isalpha() for a, _ in items):
                continue
            if any(len(self._split(a, b, [": "])) > 1 and " ? " not in self.code[a:b] for a, b in items):
                continue
            number = self._next()
            for a, b in items:
                self._add(a, f"left out: {self._short(a, b)}")
            whole = Edit(bracket, close + 1, f"Mutant.without({number}...{number + len(items) - 1}, ", ")")
            # They share one wrapper, which belongs to all of them.
            for point in self.points[-len(items):]:
                point.edits = [whole]

    def _numbers(self):
        for match in re.finditer(r"(?<![\w.$\[#\"])(\d[\d_]*(?:\.\d+)?)(?![\w.\"]|\s*:(?! )|\])", self.code):
            start, end = match.span(1)
            head = self.code[self.lines[self.line(start) - 1]:start]
            if re.search(r"\bcase\b[^:]*$|@available|\.\.[.<]$", head) or "..<" in head[-4:] or "..." in head[-4:]:
                continue
            shifted = re.match(QUANTITY, self.code[start:]).group()
            # Either number of a shifted one is part of the bound.
            if (head.endswith(" << ") or quantity(shifted) >= LARGE) and re.search(
                    r"\b(let|var) \w*([lL]imit|[mM]aximum)\w*\b[^=]*= (\d+ << )?[^=<]*$"
                    r"|(?<!utf8)(?<!body)(?<!content)\.count (<|<=|>|>=) (\d+ << )?$|\.prefix\((\d+ << )?$", head):
                continue
            # Numbers that only tell one call, request or file from the next may begin and grow as they like.
            if re.search(r"\bvar \w+: UInt64 = $", head) or any(
                    head.endswith(f"self.{name} += ") for name in self.identities):
                continue
            # So that nothing is divided by zero.
            if re.search(r"/ max\([^()]*, $", head):
                continue
            # Room that is asked for beforehand changes nothing that anybody can see.
            if "reserveCapacity" in head:
                continue
            number = self._next()
            self._add(
                start, f"{match.group(1)} is doubled and one more: {self._short(self.lines[self.line(start) - 1], self.lines[self.line(start)] if self.line(start) < len(self.lines) else end)}",
                Edit(start, end, f"Mutant.number({number}, ", ")"))

    def rewritten(self, dropped):
        """The source with all points but the dropped ones."""
        edits = []
        for point in self.points:
            for edit in point.edits:
                if point.number not in dropped and edit not in edits:
                    edits.append(edit)
        inserts = []
        for order, edit in enumerate(edits):
            if edit.replaces:
                inserts.append((edit.start, 1, 0, order, edit.before, edit.end))
            else:
                # Outer texts come first where several begin, and last where several end.
                inserts.append((edit.start, 2, -edit.end, order, edit.before, edit.start))
                inserts.append((edit.end, 0, -edit.start, -order, edit.after, edit.end))
        out, place = [], 0
        for start, _, _, _, text, end in sorted(inserts):
            out.append(self.text[place:start])
            out.append(text)
            place = max(place, end)
        out.append(self.text[place:])
        return "".join(out)
