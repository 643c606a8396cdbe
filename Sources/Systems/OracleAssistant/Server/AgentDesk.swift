/// Who waits for an agent, and who talks to which: what agents ask for without going through all users.
struct AgentDesk: Sendable {
    private var waiting = SortedNames()
    private var served: [String: SortedNames] = [:]

    /// Takes in what an input has made of a hand-over.
    mutating func note(_ userID: String, _ former: HandoverPart, became current: HandoverPart) {
        if former.isWaiting != current.isWaiting {
            if current.isWaiting { self.waiting.insert(userID) } else { self.waiting.remove(userID) }
        }
        guard former.agent != current.agent else { return }
        if let agent = former.agent {
            self.served[agent]?.remove(userID)
            if self.served[agent]?.first == nil { self.served[agent] = nil }
        }
        if let agent = current.agent { self.served[agent, default: SortedNames()].insert(userID) }
    }

    /// The user who waits for an agent and comes first by name.
    var firstWaiting: String? { self.waiting.first }

    /// The user who talks to an agent and comes first by name.
    func firstServed(by agent: String) -> String? { self.served[agent]?.first }
}

/// Names in order.
private struct SortedNames: Sendable {
    private var names: [String] = []

    var first: String? { self.names.first }

    mutating func insert(_ name: String) { self.names.insert(name, at: self.place(of: name)) }

    mutating func remove(_ name: String) {
        let place = self.place(of: name)
        if place < self.names.count, self.names[place] == name { self.names.remove(at: place) }
    }

    /// Where a name stands, or would stand.
    private func place(of name: String) -> Int {
        var places = 0..<self.names.count
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            places = self.names[middle] < name ? (middle + 1)..<places.upperBound : places.lowerBound..<middle
        }
        return places.lowerBound
    }
}
