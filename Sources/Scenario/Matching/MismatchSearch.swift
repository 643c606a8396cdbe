import JSON

/// How far a failure looks for what does not match: a server may send lists in lists whose every part differs, and a
/// script may expect them.
final class MismatchSearch {
    /// A failure shows the first few, and with so many nothing comes near to what was asked for.
    static let mostMismatches = 100

    /// So many values in lists are compared to find out whether these are in another order. An ordinary answer of a
    /// chat has some hundred values.
    static let mostCompared = 1_000_000

    private let most: Int
    private var comparisonsLeft: Int

    /// Whether lists were too long to be compared.
    private(set) var isCut = false

    /// How many values were compared.
    var comparedCount: Int { self.most - self.comparisonsLeft }

    /// - Parameter most: So many values in lists are compared, where several searches share what one may compare.
    init(comparing most: Int = MismatchSearch.mostCompared) {
        self.most = most
        self.comparisonsLeft = most
    }

    /// So many values are compared for one list: within few long lists there are many short ones, about which there is
    /// more to say.
    private var mostForList: Int { min(self.most, Self.mostCompared / 10) }

    /// Returns whether each element of a list may be compared with each, which counts as done then.
    func affordsOrder(of elements: [JSONValue]) -> Bool {
        let most = min(self.comparisonsLeft, self.mostForList) / max(elements.count, 1)
        let count = elements.reduce(0) { $0 + ($0 > most ? 0 : $1.count(upTo: most - $0 + 1)) }
        guard count <= most else {
            self.isCut = true
            return false
        }
        self.comparisonsLeft -= count * elements.count
        return true
    }

    /// Returns where the search for mismatches stopped, in lines of a failure; none if it did not.
    func remarks(on mismatches: [Mismatch]) -> [String] {
        (mismatches.count < Self.mostMismatches
            ? [] : ["the search stopped after \(Self.mostMismatches) differences: there may be more"])
            + (self.isCut
                ? [
                    "the search for other orders of lists stopped at \(self.mostForList) values for a list, and "
                        + "\(self.most) for all"
                ] : [])
    }
}

extension JSONValue {
    /// Returns how many values a value is made of, itself included, or so many if there are more.
    fileprivate func count(upTo most: Int) -> Int {
        var count = 1
        func add(_ part: JSONValue) -> Bool {
            count += part.count(upTo: most - count)
            return count < most
        }
        switch self {
        case .array(let elements): _ = elements.allSatisfy(add)
        case .object(let members): _ = members.allSatisfy { add($1) }
        default: break
        }
        return count
    }
}
