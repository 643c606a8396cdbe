import JSON

extension JSONValue {
    /// What a script gave, as errors quote it: nothing is `nil` there, not the `null` of JSON.
    var given: String { self.isNull ? "nil" : self.description }
}
