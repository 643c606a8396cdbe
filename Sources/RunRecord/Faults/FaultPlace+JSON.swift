import JSON

extension FaultPlace {
    var json: JSONValue {
        .object([
            "number": .integer(Int64(self.number)), "at_ns": .integer(self.atNanoseconds), "sent": .bool(self.isSent),
            "what": .string(self.summary),
        ])
    }

    /// Reads a point as ``json`` writes it.
    init?(_ json: JSONValue) {
        guard let number = json["number"]?.integer, let instant = json["at_ns"]?.integer,
            let isSent = json["sent"]?.bool, let summary = json["what"]?.string
        else { return nil }
        self.init(number: Int(number), atNanoseconds: instant, isSent: isSent, summary: summary)
    }
}
