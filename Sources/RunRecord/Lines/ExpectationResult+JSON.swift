import JSON

extension ExpectationResult {
    func addMembers(to line: inout JSONMemberWriter) {
        switch self {
        case .failed: line.add("satisfied", false)
        case .satisfied(let events):
            line.add("satisfied", true)
            if !events.isEmpty { line.add("events", value: .array(events.map { .integer($0) })) }
        }
    }
}
