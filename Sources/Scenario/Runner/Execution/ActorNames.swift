/// The names of the actors of an execution: each is given once, with a number behind it where it is wanted again.
struct ActorNames {
    private var taken: Set<String> = []

    /// The last number that each name got, so that the next one need not be looked for from the beginning.
    private var numbers: [String: Int] = [:]

    /// Returns a name that no actor has and gives it away.
    mutating func take(_ wanted: String) -> String {
        var name = wanted
        var number = self.numbers[wanted] ?? 1
        if number > 1 { name = "\(wanted) \(number)" }
        while !self.taken.insert(name).inserted {
            number += 1
            name = "\(wanted) \(number)"
        }
        if number > 1 { self.numbers[wanted] = number }
        return name
    }
}
