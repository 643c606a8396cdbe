import JSON

/// What one wants to know of a value by its mismatches.
enum MismatchPurpose {
    /// Whether it fits at all: one mismatch says that it does not.
    case verdict
    /// What a failure says of it, as far as the search goes.
    case explanation(MismatchSearch)

    /// What a failure says of a single value.
    static var failure: MismatchPurpose { .explanation(MismatchSearch()) }

    /// Returns the mismatches of the parts of a value, as many as are asked for.
    func collect<Part>(_ parts: some Sequence<Part>, _ mismatches: (Part) -> [Mismatch]) -> [Mismatch] {
        var all: [Mismatch] = []
        for part in parts {
            if self.isEnough(all.count) { break }
            all += mismatches(part)
        }
        return all
    }

    private func isEnough(_ count: Int) -> Bool {
        switch self {
        case .verdict: count > 0
        case .explanation: count >= MismatchSearch.mostMismatches
        }
    }

    /// Returns the mismatches of the elements of a list, as many as are asked for, and in which other order the list
    /// has what is asked of it, if a failure is to say so.
    ///
    /// A verdict needs no order: each element may have to be compared with each, in the lists within them again.
    ///
    /// - Parameters:
    ///   - elements: The elements that there are, as many as are asked for.
    ///   - mismatches: Returns those of the element at a place.
    ///   - fits: Returns whether an element is one that is asked for, by the place of that and its own.
    func collect(
        _ elements: [JSONValue], _ mismatches: (Int) -> [Mismatch], fits: (_ asked: Int, _ found: Int) -> Bool
    ) -> (all: [Mismatch], order: ElementOrder?) {
        var isInPlace: [Bool] = []
        let all = self.collect(elements.indices) { place in
            let found = mismatches(place)
            isInPlace.append(found.isEmpty)
            return found.map { $0.below("\(place + 1)") }
        }
        guard case .explanation(let search) = self, !all.isEmpty else { return (all, nil) }
        let order = ElementOrder(count: elements.count) { asked, found in
            asked == found && asked < isInPlace.count ? isInPlace[asked] : fits(asked, found)
        } isWorthIt: {
            search.affordsOrder(of: elements)
        }
        return (all, order)
    }
}
