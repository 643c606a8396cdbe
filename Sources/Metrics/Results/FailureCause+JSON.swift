internal import JSON

extension FailureCause {
    var json: JSONValue {
        [
            "kind": .string(self.kind), "error": .bool(self.isError), "message": .string(self.message),
            "detail": .string(self.detail), "place": self.place.map { .string($0) } ?? .null,
            "limit": self.limit.map { .string($0) } ?? .null, "count": .integer(self.count),
            "user": self.user.map { .integer($0) } ?? .null, "first_us": .integer(self.firstMicroseconds),
            "last_us": .integer(self.lastMicroseconds),
        ]
    }

    init(_ fields: ResultFields) throws(LoadResultError) {
        let first = try fields.integer("first_us")
        // Results that were written before these members were thought of lack them.
        self.init(
            kind: try fields.string("kind"), isError: fields.has("error") ? try fields.bool("error") : false,
            message: try fields.string("message"), detail: try fields.string("detail"),
            place: fields.has("place") ? try fields.string("place") : nil,
            limit: fields.has("limit") ? try fields.string("limit") : nil, count: try fields.integer("count"),
            user: fields.has("user") ? try fields.integer("user") : nil, firstMicroseconds: first,
            lastMicroseconds: fields.has("last_us") ? try fields.integer("last_us") : first)
    }
}
