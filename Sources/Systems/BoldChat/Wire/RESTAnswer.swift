import JSON

/// What a REST method answered: a status, a message and the members of the method.
struct RESTAnswer: Hashable, Sendable {
    /// The whole body.
    let body: JSONValue

    /// The HTTP status. The vendor's engine never looks at it for REST methods; file transfers do.
    let httpStatus: Int

    /// Wraps a body.
    init(_ body: JSONValue, httpStatus: Int = 200) {
        self.body = body
        self.httpStatus = httpStatus
    }

    /// The members; none if the body is not an object.
    var members: JSONObject { self.body.object ?? [:] }

    /// Whether `Status` is `success` in any case of letters; a missing status is a failure.
    var isSuccess: Bool { self.members.text("Status")?.lowercased() == "success" }

    /// The human text, which is also the key of an error.
    var message: String? { self.members.text("Message") }

    /// Why no chat is possible, or nil if one is.
    var unavailableReason: UnavailableReason? {
        self.members.text("UnavailableReason").map { UnavailableReason(wireText: $0) }
    }

    /// The form under a member; nil if the member is missing or has no fields.
    func form(_ name: String, kind: FormKind) -> Form? {
        guard let form = Form(kind: kind, wire: self.members[name]), !form.fields.isEmpty else { return nil }
        return form
    }

    /// The texts of `Brandings`.
    var brandings: [String: String]? {
        guard let members = self.members["Brandings"]?.object else { return nil }
        var texts: [String: String] = [:]
        texts.reserveCapacity(members.count)
        for (key, value) in members { texts[key] = value.string }
        return texts
    }
}
