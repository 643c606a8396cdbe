import Testing

@testable import JSON

@Suite("JSON objects")
struct JSONObjectTests {
    /// An object that is kept as a list and one that has an index.
    static let counts = [0, 1, JSONObject.indexingThreshold, JSONObject.indexingThreshold + 1, 500]

    private static func object(of count: Int) -> JSONObject {
        JSONObject((0..<count).map { ("name \($0)", .integer(Int64($0))) })
    }

    @Test("members keep their order and are found, however many there are", arguments: counts)
    func finding(count: Int) {
        let object = Self.object(of: count)
        #expect(object.names == (0..<count).map { "name \($0)" })
        #expect(object.map(\.0) == object.names)
        for number in 0..<count { #expect(object["name \(number)"] == .integer(Int64(number))) }
        #expect(object["name \(count)"] == nil)
    }

    @Test("a member that is set again keeps its place", arguments: counts.dropFirst())
    func replacing(count: Int) {
        var object = Self.object(of: count)
        object["name 0"] = "again"
        #expect(object.count == count)
        #expect(object.names.first == "name 0")
        #expect(object["name 0"] == "again")
    }

    @Test("a repeated name keeps the last value at the first place", arguments: counts.dropFirst())
    func repeating(count: Int) {
        let members = (0..<count).map { ("name \($0)", JSONValue.integer(0)) }
        let object = JSONObject(members + members.reversed().map { ($0.0, 1) })
        #expect(object.names == members.map(\.0))
        #expect(object.allSatisfy { $0.1 == 1 })
    }

    @Test("names and texts are the same when their bytes are", arguments: counts)
    func bytes(count: Int) {
        var object = Self.object(of: count)
        object["caf\u{E9}"] = 1
        object["cafe\u{301}"] = 2
        #expect(object.count == count + 2)
        #expect(object["caf\u{E9}"] == 1 && object["cafe\u{301}"] == 2)
        #expect(JSONValue.string("caf\u{E9}") != .string("cafe\u{301}"))
        // Marks in another order take as many bytes.
        #expect(JSONValue.string("a\u{323}\u{302}") != .string("a\u{302}\u{323}"))
        #expect(JSONValue.string("caf\u{E9}") == .string("caf" + "\u{E9}"))
        #expect(JSONValue.string("") == .string(""))
    }

    @Test("members that are taken away leave the others where they are", arguments: counts.dropFirst())
    func removing(count: Int) {
        var object = Self.object(of: count)
        for number in 0..<count {
            object["name \(number)"] = nil
            #expect(object["name \(number)"] == nil)
            #expect(object.names == (number + 1..<count).map { "name \($0)" })
            if number + 1 < count { #expect(object["name \(count - 1)"] == .integer(Int64(count - 1))) }
        }
        object["new"] = true
        #expect(object == ["new": true])
    }

    @Test("a copy does not change with the original", arguments: counts)
    func copying(count: Int) {
        let original = Self.object(of: count)
        var copy = original
        copy["another"] = 1
        #expect(original == Self.object(of: count))
        #expect(copy == original.merging(["another": 1]))
    }
}

@Suite("JSON numbers")
struct JSONNumberTests {
    @Test(
        "integers are read to the edge of 64 bits, and what lies past it keeps its spelling",
        arguments: [
            ("0", JSONValue.integer(0)), ("-0", .numeral("-0")), ("-1", -1), ("10", 10),
            ("9223372036854775807", .integer(.max)), ("9223372036854775808", .numeral("9223372036854775808")),
            ("-9223372036854775808", .integer(.min)), ("-9223372036854775809", .numeral("-9223372036854775809")),
            ("92233720368547758070", .numeral("92233720368547758070")), ("-00", nil), ("-", nil),
        ] as [(String, JSONValue?)])
    func integers(text: String, value: JSONValue?) {
        #expect((try? JSONReader.read(text)) == value)
    }
}
