/// The names of the actors of an execution: each is given once, with a number behind it where it is wanted again.
struct ActorNames {
    /// The first of them, which is the only one of most users of a load test: a set takes a hundred bytes of each.
    private var first: String?
    private var others: Set<String> = []

    /// The last number that each name got, so that the next one need not be looked for from the beginning.
    private var numbers: [String: Int] = [:]

    /// Returns a name that no actor has and gives it away.
    mutating func take(_ wanted: String) -> String {
        var name = wanted
        var number = self.numbers[wanted] ?? 1
        if number > 1 { name = "\(wanted) \(number)" }
        while !self.give(name) {
            number += 1
            name = "\(wanted) \(number)"
        }
        if number > 1 { self.numbers[wanted] = number }
        return name
    }

    /// Gives a name away, unless an actor has it.
    private mutating func give(_ name: String) -> Bool {
        guard let first = self.first else {
            self.first = name
            return true
        }
        return name != first && self.others.insert(name).inserted
    }
}
