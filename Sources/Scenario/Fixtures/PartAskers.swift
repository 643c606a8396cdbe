import RunRecord

/// Who asked for shared parts, so that reports can say which scenario plays a part again.
///
/// What is noted does not depend on the order of plays: of all scenarios that ask, for a part or for one that uses it,
/// the one that is declared first counts.
struct PartAskers {
    /// A scenario by its place among all.
    private struct Place: Comparable {
        let file: String
        let index: Int
        let name: String
        let choice: ScenarioChoice?

        static func < (left: Place, right: Place) -> Bool {
            (left.file, left.index, left.name) < (right.file, right.index, right.name)
        }
    }

    private var scenarios: [SharedPart.Key: Place] = [:]
    private var parts: [SharedPart.Key: Set<SharedPart.Key>] = [:]

    /// Notes who asks for a part.
    ///
    /// - Parameters:
    ///   - asker: What is played: a scenario, or a part itself.
    ///   - chain: The parts that wait for it; the innermost one is what is played.
    mutating func note(_ part: SharedPart.Key, askedBy asker: ScenarioDefinition, chain: [SharedPart.Key]) {
        if let asking = chain.last {
            self.parts[part, default: []].insert(asking)
            return
        }
        let place = Place(file: asker.file, index: asker.index, name: asker.title, choice: asker.choice)
        self.scenarios[part] = self.scenarios[part].map { min($0, place) } ?? place
    }

    /// Whether a part is one of some, or is used by one of them.
    func isUsed(_ part: SharedPart.Key, by users: Set<SharedPart.Key>) -> Bool {
        var seen: Set<SharedPart.Key> = []
        var open = [part]
        while let key = open.popLast() {
            guard seen.insert(key).inserted else { continue }
            if users.contains(key) { return true }
            open += self.parts[key] ?? []
        }
        return false
    }

    /// The scenario that plays a part again, or nil if nobody has asked.
    func asker(of part: SharedPart.Key) -> ScenarioStart.Asker? {
        var seen: Set<SharedPart.Key> = []
        var open = [part]
        var first: Place?
        while let key = open.popLast() {
            guard seen.insert(key).inserted else { continue }
            if let place = self.scenarios[key] { first = first.map { min($0, place) } ?? place }
            open += self.parts[key] ?? []
        }
        return first.map { .init(file: $0.file, name: $0.name, choice: $0.choice) }
    }
}
