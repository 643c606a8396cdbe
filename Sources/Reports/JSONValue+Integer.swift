import JSON

extension JSONValue {
    /// A whole number as Swift counts, in a document of reports.
    static func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}
