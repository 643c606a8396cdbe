import JSON
import Machines

/// Several ways to say the same things, and the combinations that are played.
///
/// One list gives its utterances; several lists with names give rows with a member for each.
struct UtteranceLists {
    /// At most this many combinations are written out.
    static let mostRows = RowReader.mostRows

    /// The names of the lists in alphabetical order, for tables of scripts have none; nil for a single list.
    private let names: [String]?
    private let lists: [[JSONValue]]

    /// Reads one list, or a table of lists.
    ///
    /// - Throws: ``UsageError`` that says what is expected.
    init(_ value: JSONValue, _ call: String) throws(UsageError) {
        if let list = value.array {
            guard !list.isEmpty else { throw UsageError("\(call) takes a list of utterances that is not empty") }
            self.names = nil
            self.lists = [list]
        } else if let table = value.object, !table.isEmpty {
            let names = table.names.sorted()
            var lists: [[JSONValue]] = []
            for name in names {
                guard let list = table[name]?.array, !list.isEmpty else {
                    throw UsageError("\(call): \(name) is a list of utterances that is not empty")
                }
                lists.append(list)
            }
            self.names = names
            self.lists = lists
        } else {
            throw UsageError(
                "\(call) takes a list of utterances, or a table of lists such as { ask = { … }, thank = { … } }")
        }
        guard self.lists.count <= 20, self.lists.allSatisfy({ $0.count <= 1000 }) else {
            throw UsageError("\(call) takes at most 20 lists of at most 1000 utterances")
        }
    }

    /// How many combinations there are, or nil if more than can be counted.
    private var total: Int? {
        var total = 1
        for list in self.lists {
            let (product, overflow) = total.multipliedReportingOverflow(by: list.count)
            guard !overflow else { return nil }
            total = product
        }
        return total
    }

    private func row(_ choice: [Int]) -> JSONValue {
        let values = zip(self.lists, choice).map { $0[$1] }
        guard let names = self.names else { return values[0] }
        return .object(JSONObject(zip(names, values).map { ($0, $1) }))
    }

    private func choice(_ number: Int) -> [Int] {
        var rest = number
        var choice: [Int] = []
        for list in self.lists.reversed() {
            choice.append(rest % list.count)
            rest /= list.count
        }
        return choice.reversed()
    }

    /// Every combination.
    ///
    /// - Throws: ``UsageError`` if there are too many.
    func all() throws(UsageError) -> [JSONValue] {
        guard let total = self.total, total <= Self.mostRows else {
            throw UsageError(
                "utterances.all gives \(self.total.map { "\($0)" } ?? "countless") combinations, and a scenario has at "
                    + "most \(Self.mostRows) rows; utterances.sample or utterances.pairwise choose fewer")
        }
        return (0..<total).map { self.row(self.choice($0)) }
    }

    /// The first of each list.
    var first: [JSONValue] { [self.row(self.lists.map { _ in 0 })] }

    /// Some combinations by chance, each at most once, in the order of ``all()``; all of them if there are no more.
    func sample(_ count: Int, using random: inout RandomSource) throws(UsageError) -> [JSONValue] {
        guard let total = self.total else {
            throw UsageError("utterances.sample has more combinations than can be counted; give it fewer lists")
        }
        guard count < total else { return try self.all() }
        var numbers: Set<Int> = []
        while numbers.count < count { numbers.insert(Int.random(in: 0..<total, using: &random)) }
        return numbers.sorted().map { self.row(self.choice($0)) }
    }

    /// A pair of utterances of two lists.
    private struct Pair: Hashable {
        let left: Int
        let leftChoice: Int
        let right: Int
        let rightChoice: Int

        init(_ one: (list: Int, choice: Int), _ other: (list: Int, choice: Int)) {
            let (low, high) = one.list < other.list ? (one, other) : (other, one)
            (self.left, self.leftChoice, self.right, self.rightChoice) = (low.list, low.choice, high.list, high.choice)
        }
    }

    /// Few combinations in which any two utterances of different lists meet at least once.
    ///
    /// - Throws: ``UsageError`` if there are too many pairs.
    func pairwise() throws(UsageError) -> [JSONValue] {
        guard self.lists.count > 1 else { return try self.all() }
        var open: [Pair] = []
        for left in self.lists.indices {
            for right in self.lists.indices where right > left {
                guard open.count + self.lists[left].count * self.lists[right].count <= 100_000 else {
                    throw UsageError("utterances.pairwise has more than 100000 pairs; give it shorter lists")
                }
                for leftChoice in self.lists[left].indices {
                    for rightChoice in self.lists[right].indices {
                        open.append(Pair((left, leftChoice), (right, rightChoice)))
                    }
                }
            }
        }
        var uncovered = Set(open)
        var rows: [JSONValue] = []
        for pair in open where uncovered.contains(pair) {
            var choice = [Int?](repeating: nil, count: self.lists.count)
            choice[pair.left] = pair.leftChoice
            choice[pair.right] = pair.rightChoice
            for list in self.lists.indices where choice[list] == nil {
                // The utterance that meets most others of the row for the first time.
                var best = (choice: 0, count: -1)
                for candidate in self.lists[list].indices {
                    let count = choice.indices.count { other in
                        guard other != list, let chosen = choice[other] else { return false }
                        return uncovered.contains(Pair((list, candidate), (other, chosen)))
                    }
                    if count > best.count { best = (candidate, count) }
                }
                choice[list] = best.choice
            }
            let full = choice.map { $0 ?? 0 }
            for left in full.indices {
                for right in full.indices where right > left {
                    uncovered.remove(Pair((left, full[left]), (right, full[right])))
                }
            }
            rows.append(self.row(full))
        }
        return rows
    }
}
