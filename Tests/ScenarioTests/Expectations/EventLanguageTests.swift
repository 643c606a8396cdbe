import Machines
import Testing

@testable import Scenario

/// Words over letters, as an independent meaning of expressions: the set of all orders that satisfy one.
private indirect enum Shape: CustomStringConvertible {
    case letter(Character)
    case sequence([Shape])
    case all([Shape])
    case interleave([Shape])
    case any([Shape])
    case optional(Shape)

    /// Draws one; the deeper it stands, the sooner it is a letter.
    static func random(depth: Int, using random: inout RandomSource) -> Shape {
        guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else {
            return .letter("abc".randomElement(using: &random) ?? "a")
        }
        let members = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            Self.random(depth: depth - 1, using: &random)
        }
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: .sequence(members)
        case 1: .all(members)
        case 2: .interleave(members)
        case 3: .any(members)
        default: .optional(members[0])
        }
    }

    /// How many letters stand in it.
    var letterCount: Int {
        switch self {
        case .letter: 1
        case .sequence(let members), .all(let members), .interleave(let members), .any(let members):
            members.reduce(0) { $0 + $1.letterCount }
        case .optional(let member): member.letterCount
        }
    }

    /// All words that satisfy it.
    var words: Set<String> {
        switch self {
        case .letter(let letter): [String(letter)]
        case .sequence(let members): Self.concatenated(members.map(\.words)[...])
        case .all(let members):
            Set(Self.orders(of: members.map(\.words)).flatMap { Self.concatenated($0[...]) })
        case .interleave(let members):
            members.map(\.words).reduce([""] as Set<String>) { (left: Set<String>, right: Set<String>) -> Set<String> in
                var words: Set<String> = []
                for one in left {
                    for other in right { words.formUnion(Self.mixed(one[...], other[...])) }
                }
                return words
            }
        case .any(let members): Set(members.flatMap(\.words))
        case .optional(let member): member.words.union([""])
        }
    }

    private static func concatenated(_ sets: ArraySlice<Set<String>>) -> Set<String> {
        var words: Set<String> = [""]
        for set in sets { words = Set(words.flatMap { one in set.map { one + $0 } }) }
        return words
    }

    private static func orders<Element>(of elements: [Element]) -> [[Element]] {
        guard !elements.isEmpty else { return [[]] }
        return elements.indices.flatMap { place in
            var others = elements
            let first = others.remove(at: place)
            return Self.orders(of: others).map { [first] + $0 }
        }
    }

    private static func mixed(_ left: Substring, _ right: Substring) -> Set<String> {
        guard let first = left.first, let second = right.first else { return [String(left + right)] }
        return Set(Self.mixed(left.dropFirst(), right).map { String(first) + $0 })
            .union(Self.mixed(left, right.dropFirst()).map { String(second) + $0 })
    }

    /// The expression that means the same, each letter an event of its own.
    func expression(_ count: inout Int) -> EventExpression {
        func members(_ shapes: [Shape]) -> [EventExpression] { shapes.map { $0.expression(&count) } }
        switch self {
        case .letter(let letter):
            count += 1
            return .event(.message(String(letter), id: count))
        case .sequence(let shapes): return .sequence(members(shapes))
        case .all(let shapes): return .all(members(shapes))
        case .interleave(let shapes): return .interleave(members(shapes))
        case .any(let shapes): return .any(members(shapes))
        case .optional(let shape): return .optional(shape.expression(&count))
        }
    }

    var description: String {
        func list(_ name: String, _ shapes: [Shape]) -> String {
            name + "(" + shapes.map(\.description).joined(separator: " ") + ")"
        }
        return switch self {
        case .letter(let letter): String(letter)
        case .sequence(let shapes): list("seq", shapes)
        case .all(let shapes): list("all", shapes)
        case .interleave(let shapes): list("mix", shapes)
        case .any(let shapes): list("any", shapes)
        case .optional(let shape): list("maybe", [shape])
        }
    }
}

@Suite("Expected orders of events, compared with all orders that they allow")
struct EventLanguageTests {
    private struct Case {
        let shape: Shape
        let words: Set<String>
        let letters: String

        /// Draws an expression and what comes; expressions that allow too many orders to list are drawn again.
        init(using random: inout RandomSource) {
            var shape = Shape.random(depth: 3, using: &random)
            while shape.letterCount > 6 { shape = Shape.random(depth: 3, using: &random) }
            let words = shape.words
            self.shape = shape
            self.words = words
            // Half of what comes is an order that is allowed, with something in it that is not.
            var letters = Bool.random(using: &random) ? Array(words.sorted().randomElement(using: &random) ?? "") : []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let place = Int.random(in: 0...letters.count, using: &random)
                letters.insert("abcx".randomElement(using: &random) ?? "x", at: place)
            }
            self.letters = String(letters)
        }

        var search: EventExpression {
            var count = 0
            return self.shape.expression(&count)
        }
    }

    private static func isSubsequence(_ word: String, of letters: Substring) -> Bool {
        var rest = letters
        for letter in word {
            guard let place = rest.firstIndex(of: letter) else { return false }
            rest = rest[rest.index(after: place)...]
        }
        return true
    }

    @Test(
        "where nothing may come in between, a search ends with the first allowed order, or is hopeless once none is left",
        arguments: 1...12 as ClosedRange<UInt64>)
    func strict(seed: UInt64) {
        var random = RandomSource(seed: seed)
        for _ in 0..<60 {
            let one = Case(using: &random)
            var search = EventSearch(one.search, skipsAllowed: false)
            for (place, letter) in one.letters.enumerated() {
                let prefix = String(one.letters.prefix(place + 1))
                let taken = search.take(.message(String(letter)), at: place, isNoise: false)
                let isSatisfied = one.words.contains(prefix)
                #expect((taken != nil) == isSatisfied, "\(one.shape) after \(prefix)")
                if let taken { #expect(taken == Array(0...place), "\(one.shape) after \(prefix)") }
                guard taken == nil else { break }
                let hasHope = one.words.contains { $0.hasPrefix(prefix) }
                #expect(search.isHopeless == !hasHope, "\(one.shape) after \(prefix)")
                guard hasHope else { break }
            }
        }
    }

    @Test(
        "where others may come in between, a search ends as soon as an allowed order is among what has come",
        arguments: 1...12 as ClosedRange<UInt64>)
    func lenient(seed: UInt64) {
        var random = RandomSource(seed: seed &* 977)
        for _ in 0..<60 {
            let one = Case(using: &random)
            let words = one.words.subtracting([""])
            var search = EventSearch(one.search, skipsAllowed: true)
            for (place, letter) in one.letters.enumerated() {
                let prefix = one.letters.prefix(place + 1)
                let taken = search.take(.message(String(letter)), at: place, isNoise: false)
                let isSatisfied = words.contains { Self.isSubsequence($0, of: prefix) }
                #expect((taken != nil) == isSatisfied, "\(one.shape) after \(prefix)")
                #expect(!search.isHopeless, "\(one.shape) after \(prefix)")
                guard let taken else { continue }
                let word = String(taken.map { Array(prefix)[$0] })
                #expect(words.contains(word) && taken == taken.sorted(), "\(one.shape) took \(word) of \(prefix)")
                break
            }
        }
    }

    @Test(
        "noise may come in between everywhere, and counts where it is asked for",
        arguments: 1...6 as ClosedRange<UInt64>)
    func noise(seed: UInt64) {
        var random = RandomSource(seed: seed &* 31)
        for _ in 0..<60 {
            let one = Case(using: &random)
            var (strict, lenient) = (
                EventSearch(one.search, skipsAllowed: false), EventSearch(one.search, skipsAllowed: true)
            )
            for (place, letter) in one.letters.enumerated() {
                let event = ChatEvent.message(String(letter))
                let taken = strict.take(event, at: place, isNoise: true)
                #expect(taken == lenient.take(event, at: place, isNoise: false), "\(one.shape)")
                guard taken == nil else { break }
            }
        }
    }

    @Test("what could come next is what some allowed order goes on with", arguments: 1...12 as ClosedRange<UInt64>)
    func candidates(seed: UInt64) {
        var random = RandomSource(seed: seed &* 7919)
        for _ in 0..<60 {
            let one = Case(using: &random)
            var expressions = [one.search]
            var prefix = ""
            for letter in one.letters {
                let next = Set(
                    one.words.filter { $0.hasPrefix(prefix) }.compactMap { $0.dropFirst(prefix.count).first })
                let candidates = expressions.flatMap(\.candidates)
                let found = Set(
                    "abcx".filter { letter in candidates.contains { $0.matches(.message(String(letter))) } })
                #expect(found == next, "\(one.shape) after \(prefix)")
                expressions = expressions.flatMap { $0.residuals(after: .message(String(letter))) }
                prefix.append(letter)
                let isSatisfied = expressions.contains(where: \.isSatisfied)
                #expect(isSatisfied == one.words.contains(prefix), "\(one.shape) after \(prefix)")
                guard !expressions.isEmpty, expressions.count < 500 else { break }
            }
        }
    }

    @Test("an expression that is satisfied by nothing waits all the same, for it was asked for an event")
    func empty() {
        var search = EventSearch(.optional(.event(.message("a", id: 1))), skipsAllowed: true)
        #expect(search.take(.message("b"), at: 0, isNoise: false) == nil)
        #expect(search.take(.message("a"), at: 1, isNoise: false) == [1])
    }

    @Test("more ways than are kept do not make a search forget the earliest")
    func limit() {
        let count = 14
        let members = (1...count).map { EventExpression.event(.message("a", id: $0)) }
        var search = EventSearch(.interleave(members), skipsAllowed: true)
        var taken: [Int]?
        for place in 0..<count {
            #expect(taken == nil)
            taken = search.take(.message("a"), at: place, isNoise: false)
        }
        #expect(taken == Array(0..<count))
    }

    @Test("the way that got furthest is told, also after the event that ended the search")
    func closest() throws {
        let shape = EventExpression.sequence([
            .event(.message("a", id: 1)), .event(.message("b", id: 2)), .event(.message("c", id: 3)),
        ])
        var search = EventSearch(shape, skipsAllowed: false)
        _ = search.take(.message("a"), at: 4, isNoise: false)
        _ = search.take(.message("x"), at: 5, isNoise: true)
        #expect(search.closest?.taken == [4])
        #expect(search.closest?.expected.candidates.map(\.id) == [2])
        _ = search.take(.message("c"), at: 6, isNoise: false)
        #expect(search.isHopeless)
        #expect(search.closest?.taken == [4])
        var single = EventSearch(.event(.message("a", id: 1)), skipsAllowed: false)
        _ = single.take(.message("b"), at: 0, isNoise: false)
        #expect(single.isHopeless && single.closest?.expected.candidates.map(\.id) == [1])
        #expect(single.take(.message("a"), at: 1, isNoise: false) == nil)
    }

    @Test("an expression reads as the script wrote it")
    func description() {
        let (a, b) = (EventExpression.event(.message("a", id: 1)), EventExpression.event(.message("b", id: 2)))
        let text = "message { text = \"a\" }"
        #expect(a.description == text)
        #expect(EventExpression.sequence([a, .optional(b)]).description.hasPrefix("seq { \(text), maybe(message"))
        #expect(EventExpression.all([a]).description == "all { \(text) }")
        #expect(EventExpression.any([a]).description == "any { \(text) }")
        #expect(EventExpression.interleave([a]).description == "interleave { \(text) }")
    }

    @Test("only one event, or a choice among single events, can be put as alternatives")
    func alternatives() {
        let (a, b) = (EventExpression.event(.message("a", id: 1)), EventExpression.event(.message("b", id: 2)))
        #expect(a.alternatives?.map(\.id) == [1])
        #expect(EventExpression.any([a, .any([b, a])]).alternatives?.map(\.id) == [1, 2, 1])
        for other in [.sequence([a]), .all([a, b]), .interleave([a]), .optional(a), .any([a, .sequence([b])])]
            as [EventExpression]
        {
            #expect(other.alternatives == nil, "\(other)")
        }
    }
}
