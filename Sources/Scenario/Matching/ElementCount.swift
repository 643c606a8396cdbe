import JSON

/// How many elements a list has that was to have another number of them.
struct ElementCount {
    /// What was asked of the elements, one by one.
    let asked: [Matcher]

    /// The elements that there are.
    let found: [JSONValue]

    /// At most so many elements are named.
    private static let mostNamed = 5

    /// Which elements are missing or too many, where all others are what was asked for and in their order; nil where
    /// they are not, for what is missing then is not known, or where a function of the script would have to say it.
    private var odd: String? {
        guard !self.asked.contains(where: \.callsScript) else { return nil }
        let lacksSome = self.asked.count > self.found.count
        let fewer = min(self.asked.count, self.found.count)
        var place = 0
        var others: [Int] = []
        for index in 0..<max(self.asked.count, self.found.count) {
            let (asked, found) = lacksSome ? (index, place) : (place, index)
            if place < fewer, self.asked[asked].fits(self.found[found]) {
                place += 1
            } else {
                others.append(index + 1)
            }
        }
        guard fewer > 0, place == fewer, others.count <= Self.mostNamed else { return nil }
        let numbers = others.map { "\($0)" }.joined(separator: ", ")
        let (noun, verb) = others.count == 1 ? ("element", "is") : ("elements", "are")
        return lacksSome ? "the expected \(noun) \(numbers) \(verb) missing" : "\(noun) \(numbers) \(verb) too many"
    }
}

extension ElementCount: CustomStringConvertible {
    /// The number, and which elements make the difference.
    var description: String {
        let count = self.found.count
        let number = "\(count) \(count == 1 ? "element" : "elements"), not \(self.asked.count)"
        return number + (self.odd.map { "; \($0)" } ?? "")
    }
}
