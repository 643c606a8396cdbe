import Machines

/// The names of the actors of an execution: each is given once, with a number behind it where it is wanted again.
struct ActorNames {
    /// What was given away. Each user of a load test has one of these and mostly one actor, whose name a set would keep
    /// in a hundred bytes.
    private struct Given {
        var first: String
        var others: Set<String> = []

        /// The last number that each name got, so that the next one need not be looked for from the beginning.
        var numbers: [String: Int] = [:]
    }

    @Boxed private var given: Given?

    /// Returns a name that no actor has and gives it away.
    mutating func take(_ wanted: String) -> String {
        guard var given = self.given else {
            self.given = Given(first: wanted)
            return wanted
        }
        // Changed where it lies, for it may hold thousands of names.
        self.given = nil
        var name = wanted
        var number = given.numbers[wanted] ?? 1
        if number > 1 { name = "\(wanted) \(number)" }
        while name == given.first || !given.others.insert(name).inserted {
            number += 1
            name = "\(wanted) \(number)"
        }
        if number > 1 { given.numbers[wanted] = number }
        self.given = given
        return name
    }
}
