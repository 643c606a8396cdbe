import JSON

extension ImpossibleFault {
    var json: JSONValue {
        .object([
            "fault": .string(self.kind), "system": .string(self.system), "sent": self.isSent.map { .bool($0) } ?? .null,
            "reason": .string(self.reason),
        ])
    }
}
