/// The fixtures that an execution has made so far, and who waits for whom.
struct FixtureBook {
    var states: [String: FixtureState] = [:]

    /// The fixture that another one waits for, by the name of the one that waits.
    var waits: [String: String] = [:]
    var waiterCount = 0

    /// Returns the names from a fixture that is asked for back to the one that asks, if they use each other.
    func cycle(from asking: String, to asked: String) -> [String]? {
        var names = [asking, asked]
        var next = asked
        while next != asking {
            guard let following = self.waits[next], names.count <= self.states.count + 2 else { return nil }
            names.append(following)
            next = following
        }
        return names
    }
}
