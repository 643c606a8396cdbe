import JSON
import Machines
import Patterns

/// Text with typed holes: `Order <id:number> ships on <date>.`
///
/// A hole is `<type>` or `<name:type>`; what stands in one with a name is captured. `\<` is a plain `<`, and so is one
/// that begins no hole. The whole text must match.
struct TextTemplate {
    private enum Piece: Hashable {
        case literal([Character])
        case hole(TypedText, name: String?)
    }

    /// The template as the script wrote it.
    let source: String

    private let pieces: [Piece]

    /// Whether the template has a hole.
    var hasHoles: Bool {
        self.pieces.contains { if case .hole = $0 { true } else { false } }
    }

    /// Whether it is one hole and nothing else; then it stands for values of any type, not just for text.
    var onlyHole: TypedText? {
        if self.pieces.count == 1, case .hole(let type, _) = self.pieces[0] { type } else { nil }
    }

    /// The names of its holes.
    var holeNames: [String] {
        self.pieces.compactMap { if case .hole(_, let name) = $0 { name } else { nil } }
    }

    /// What cannot be meant, for messages: holes that share a name, one of a type that does not exist, too many of
    /// them.
    private(set) var problem: String?

    /// What is almost a hole, and is read as text: a mistake where a person writes a template, and no mistake where one
    /// is made of what was said.
    private(set) var nearHole: String?

    /// Reads a template; anything can be read.
    init(_ source: String) {
        self.source = source
        var pieces: [Piece] = []
        var literal: [Character] = []
        var names: Set<String> = []
        var rest = Array(source)[...]
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.first, next == "<" || next == "\\" {
                literal.append(next)
                rest.removeFirst()
                continue
            }
            guard character == "<", let end = rest.prefix(60).firstIndex(of: ">") else {
                literal.append(character)
                continue
            }
            let parts = rest[..<end].split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
            guard let word = parts.last, parts.count <= 2, let type = TypedText(rawValue: word),
                parts.count == 1 || (!parts[0].isEmpty && parts[0].allSatisfy(RegexCharacters.isWord))
            else {
                if parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(RegexCharacters.isWord) }) {
                    self.problem =
                        "there is no type \"\(parts[1])\" for a hole"
                        + TextDistance.hint(parts[1], among: TypedText.allCases.map(\.rawValue))
                } else if parts.count == 1, parts[0].count >= 4,
                    let near = TextDistance.suggestion(for: parts[0], among: TypedText.allCases.map(\.rawValue))
                {
                    self.nearHole =
                        "<\(parts[0])> is no hole; did you mean <\(near)>? As text it is written \\<\(parts[0])>"
                }
                literal.append(character)
                continue
            }
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = []
            let name = parts.count == 2 ? parts[0] : nil
            if let name, !names.insert(name).inserted { self.problem = "two holes have the name \"\(name)\"" }
            pieces.append(.hole(type, name: name))
            rest = rest[(end + 1)...]
        }
        if !literal.isEmpty || pieces.isEmpty { pieces.append(.literal(literal)) }
        self.pieces = pieces
        if pieces.count > Self.mostPieces {
            self.problem = "it has \(pieces.count) holes and texts between them; \(Self.mostPieces) are the most"
        }
    }

    /// Each piece takes some of the stack when a text is matched, and may be tried at each place of it.
    private static let mostPieces = 100

    /// Returns what stands in the holes with names if a whole text matches, or nil if it does not.
    ///
    /// Each piece is tried once at most at each place of the text, so no text makes it run long.
    func captures(in text: String) -> JSONObject? {
        guard !TextRegex.isTooLong(text) else { return nil }
        let characters = Array(text)
        var dead = DeadEnds()
        return self.captures(characters, piece: 0, at: 0, &dead)
    }

    /// Returns which piece a text does not fit, and what stands there; nil if it fits, or is too long to say.
    func misfit(in text: String) -> String? {
        guard !TextRegex.isTooLong(text) else { return nil }
        let characters = Array(text)
        var dead = DeadEnds()
        guard self.captures(characters, piece: 0, at: 0, &dead) == nil else { return nil }
        let (piece, place) = dead.farthest
        let rest = String(characters[place...].prefix(Self.shownRest))
        let what = place == characters.count ? "the end" : JSONValue.string(rest).description
        guard piece < self.pieces.count else { return "it ends before \(what)" }
        switch self.pieces[piece] {
        case .literal(let literal):
            return "\(JSONValue.string(String(literal))) does not stand where \(what) is"
        case .hole(let type, let name):
            return "<\(name.map { $0 + ":" } ?? "")\(type.rawValue)> does not fit \(what)"
        }
    }

    /// So many characters are shown from where a text does not fit.
    private static let shownRest = 40

    /// What has been tried in vain.
    private struct DeadEnds {
        var states: Set<Int> = []

        /// The piece that was come to last, and the first place at which it was tried.
        var farthest = (piece: 0, place: 0)

        /// The first place at which a hole for any text was tried; it fails at all later ones, too.
        var anyFrom: [Int: Int] = [:]
    }

    private func captures(_ text: [Character], piece: Int, at place: Int, _ dead: inout DeadEnds) -> JSONObject? {
        if piece > dead.farthest.piece { dead.farthest = (piece, place) }
        guard piece < self.pieces.count else { return place == text.count ? [:] : nil }
        let key = piece * (text.count + 1) + place
        guard !dead.states.contains(key), place < dead.anyFrom[piece] ?? .max else { return nil }
        switch self.pieces[piece] {
        case .literal(let literal):
            if text[place...].starts(with: literal, by: { $0.hasSameBytes(as: $1) }),
                let rest = self.captures(text, piece: piece + 1, at: place + literal.count, &dead)
            {
                return rest
            }
        case .hole(.any, let name):
            if piece == self.pieces.count - 1 { return Self.captured(name, .string(String(text[place...])), [:]) }
            for end in place...text.count {
                guard let rest = self.captures(text, piece: piece + 1, at: end, &dead) else { continue }
                return Self.captured(name, .string(String(text[place..<end])), rest)
            }
            dead.anyFrom[piece] = min(place, dead.anyFrom[piece] ?? .max)
        case .hole(let type, let name):
            for reading in type.readings(text, at: place) {
                guard let rest = self.captures(text, piece: piece + 1, at: reading.end, &dead) else { continue }
                return Self.captured(name, reading.value, rest)
            }
        }
        dead.states.insert(key)
        return nil
    }

    private static func captured(_ name: String?, _ value: JSONValue, _ rest: JSONObject) -> JSONObject {
        guard let name else { return rest }
        var captures: JSONObject = [name: value]
        for (other, value) in rest { captures[other] = value }
        return captures
    }
}
