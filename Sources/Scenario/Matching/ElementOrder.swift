/// In which other order a list has the elements that are asked of it.
struct ElementOrder {
    /// Where the list has each element that is asked for, counted from one.
    private let places: [Int]

    /// In longer lists nobody looks for it: each element may have to be compared with each.
    private static let longest = 16

    /// Looks for the order; nil if the elements are not all there, or stand where they are asked for.
    ///
    /// - Parameters:
    ///   - count: How many elements are asked for, which is how many there are.
    ///   - fits: Returns whether an element is one that is asked for, by the place of that and its own.
    ///   - isWorthIt: Returns whether each element may be compared with each.
    init?(count: Int, fits: (_ asked: Int, _ found: Int) -> Bool, isWorthIt: () -> Bool) {
        guard (2...Self.longest).contains(count) else { return nil }
        let misplaced = (0..<count).filter { !fits($0, $0) }
        // One that stands elsewhere stands in the place of another one.
        guard misplaced.count > 1, isWorthIt() else { return nil }
        var places = Array(1...count)
        var free = misplaced
        for asked in misplaced {
            guard let index = free.firstIndex(where: { fits(asked, $0) }) else { return nil }
            places[asked] = free.remove(at: index) + 1
        }
        self.places = places
    }
}

extension ElementOrder: CustomStringConvertible {
    /// The order, in words.
    var description: String {
        "what was expected, but in another order: at \(self.places.map { "\($0)" }.joined(separator: ", "))"
    }
}
