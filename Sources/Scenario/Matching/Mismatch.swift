import JSON
import Machines

/// One place at which a value is not what a matcher asks for.
struct Mismatch {
    /// Where in the value: member names and positions from the outside in; empty for the value itself.
    var path: [String]

    /// What was asked for, as a phrase or a value.
    let expected: String

    /// What stood there, or nil if nothing did.
    let found: JSONValue?

    /// Where a misspelt name may have been meant, kept as it is because most mismatches are never shown.
    var clue: Clue?

    /// What a matcher asked by name, and what was there.
    enum Clue {
        /// A member that the table does not have.
        case member(String, asked: [MemberMatcher], of: JSONObject)
        /// A table of which a list of tables has none like it.
        case element(asked: [MemberMatcher], of: [JSONValue])
        /// Something that stands nowhere: where it was looked for.
        case lookedFor(String)
        /// The elements of a list that has another number of them.
        case length(asked: [Matcher], of: [JSONValue])
        /// The elements of a list that has them all, but in another order.
        case order(ElementOrder)
        /// A matcher that has something to say of what it does not accept.
        case remark(by: Matcher)

        /// Adds a name that is understood although the table does not have it.
        mutating func add(_ name: String) {
            guard case .member(let missing, let asked, var object) = self, object[name] == nil else { return }
            object[name] = .null
            self = .member(missing, asked: asked, of: object)
        }
    }

    /// The text that was asked for, if it was asked for as it stands.
    var wantedText: String? { (try? JSONReader.read(self.expected))?.string }

    init(path: [String], expected: String, found: JSONValue?, clue: Clue? = nil) {
        self.path = path
        self.expected = expected
        self.found = found
        self.clue = clue
    }

    /// Returns the mismatch as seen from one level further out.
    func below(_ name: String) -> Mismatch {
        var outer = self
        outer.path.insert(name, at: 0)
        return outer
    }

    /// What stood there, as a failure says it, with what a misspelt name may have meant.
    ///
    /// - Parameter text: Writes a value.
    func found(_ text: (JSONValue) -> String) -> String {
        (self.found.map(text) ?? "nothing") + (self.suggestion.map { "; did you mean \"\($0)\"?" } ?? "")
    }

    /// What a failure says besides of what stood there: which element of a list comes closest, how many it has, where
    /// it was to have another number, in which order they are, where it was looked for in vain, or what the matcher
    /// says.
    ///
    /// - Parameter shown: What may be seen of the value.
    func remark(on shown: JSONValue?) -> String? {
        switch self.clue {
        case .length(let asked, let elements): ElementCount(asked: asked, found: elements).description
        case .order(let order): order.description
        case .element(let asked, let elements):
            // Where a name is misspelt no element has such a member, and the suggestion says so.
            self.suggestion == nil
                ? NearestElement(to: asked, among: elements)?.text(shownAs: shown?.array ?? []) : nil
        case .remark(let matcher): self.found.flatMap { matcher.remark(of: $0, shownAs: shown ?? $0) }
        case .lookedFor(let places): "looked for \(places)"
        case .member, nil: nil
        }
    }

    /// The name that was most likely meant by one that is nowhere.
    private var suggestion: String? {
        switch self.clue {
        case .member(let name, let asked, let object): Self.suggestion(for: name, asked, object.names)
        case .element(let asked, let elements):
            Self.suggestion(among: elements.compactMap(\.object), asked)
        case .length, .order, .lookedFor, .remark, nil: nil
        }
    }

    private static func suggestion(among tables: [JSONObject], _ asked: [MemberMatcher]) -> String? {
        let known = Set(tables.flatMap(\.names))
        for member in asked where !known.contains(member.name) {
            if let suggestion = Self.suggestion(for: member.name, asked, known) { return suggestion }
        }
        return nil
    }

    /// A name of one or two letters is like any other one, and a name that is asked for as well is not meant by
    /// another.
    private static func suggestion(
        for name: String, _ asked: [MemberMatcher], _ known: some Sequence<String>
    ) -> String? {
        guard name.count > 2 else { return nil }
        let others = Set(asked.map(\.name))
        return TextDistance.suggestion(for: name, among: known.filter { !others.contains($0) })
    }
}

extension Mismatch: Equatable {
    /// Whether both say the same of the same place.
    static func == (left: Mismatch, right: Mismatch) -> Bool {
        left.path == right.path && left.expected == right.expected && left.found == right.found
    }
}
