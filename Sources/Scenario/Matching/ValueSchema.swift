import JSON
import Machines
import Patterns

/// What a script asks of a value by a JSON Schema, of which it knows the part that describes what models answer.
///
/// Keywords mean what the drafts 2019-09 and 2020-12 say
/// (https://json-schema.org/draft/2020-12/json-schema-validation): each asks only of values of its own type, `pattern`
/// is found anywhere in a text, and lengths count code points. Each part of a schema looks at each part of a value at
/// most once, so the time grows with the product of their sizes.
struct ValueSchema {
    /// A place in a schema is at most this many names deep.
    static let deepest = 64

    /// A schema has at most this many parts.
    static let mostParts = 1000

    /// A value is said to differ at no more than this many places.
    private static let mostMismatches = 50

    /// What members that `properties` does not name must be.
    private indirect enum Others {
        case anything, nothing
        case schema(ValueSchema)
    }

    private(set) var types: [String]?
    private var properties: [(name: String, schema: ValueSchema)] = []
    private var required: [String] = []
    private var others = Others.anything
    /// One schema, or none.
    private var items: [ValueSchema] = []
    private var allowed: [JSONValue]?
    // Numbers as the script gave them, because that is how they are told.
    private var least: JSONValue?
    private var greatest: JSONValue?
    private var shortest: Int?
    private var longest: Int?
    private var pattern: TextRegex?
    private var alternatives: [ValueSchema] = []

    /// Reads a schema.
    ///
    /// - Throws: ``UsageError`` that names the place in the schema, and what can stand there; also for a schema that
    ///   asks for nothing.
    init(_ value: JSONValue) throws(UsageError) {
        guard let members = Self.object(value) else {
            throw UsageError("match.schema takes a JSON Schema such as { type = \"object\" }, not \(value.given)")
        }
        let acceptsEverything = UsageError("match.schema got a schema that accepts everything; match.any says that")
        guard members.names.contains(where: { !Self.remarks.contains($0) }) else { throw acceptsEverything }
        var parts = 0
        self = try Self(value, at: [], &parts)
        guard !self.asksForNothing else { throw acceptsEverything }
    }
}

// Reading

extension ValueSchema {
    private static let types = ["object", "array", "string", "number", "integer", "boolean", "null"]
    private static let keywords = [
        "type", "properties", "required", "additionalProperties", "items", "enum", "const", "minimum", "maximum",
        "minLength", "maxLength", "pattern", "anyOf",
    ]

    /// Keywords that ask for nothing.
    private static let remarks: Set<String> = ["title", "description", "default", "examples", "$schema", "$comment"]

    /// An empty table of Lua may have become a list.
    private static func object(_ value: JSONValue) -> JSONObject? { value.array?.isEmpty == true ? [:] : value.object }

    private static func mistake(_ path: [String], _ text: String) -> UsageError {
        UsageError("match.schema: \(path.isEmpty ? "the schema" : path.joined(separator: ".")) \(text)")
    }

    private init(_ value: JSONValue, at path: [String], _ parts: inout Int) throws(UsageError) {
        guard let members = Self.object(value) else { throw Self.mistake(path, "is a schema, not \(value)") }
        parts += 1
        guard path.count <= Self.deepest, parts <= Self.mostParts else {
            throw UsageError(
                "match.schema takes schemas of at most \(Self.mostParts) parts, each at most \(Self.deepest) names deep"
            )
        }
        for (name, value) in members where !Self.remarks.contains(name) {
            try self.read(name, value, at: path + [name], &parts)
        }
    }

    private mutating func read(
        _ name: String, _ value: JSONValue, at path: [String], _ parts: inout Int
    ) throws(UsageError) {
        switch name {
        case "type":
            let types = value.string.map { [$0] } ?? value.array?.map { $0.string ?? "" } ?? []
            guard !types.isEmpty, types.allSatisfy(Self.types.contains) else {
                throw Self.mistake(path, "is one or a list of \(Self.types.joined(separator: ", ")), not \(value)")
            }
            self.types = types
        case "properties":
            guard let members = Self.object(value) else { throw Self.mistake(path, "is a table of schemas") }
            for (name, value) in members {
                self.properties.append((name, try Self(value, at: path + [name], &parts)))
            }
        case "required":
            guard let names = value.array ?? Self.object(value).flatMap({ $0.isEmpty ? [] : nil }),
                names.allSatisfy({ $0.string != nil })
            else { throw Self.mistake(path, "is a list of names, not \(value)") }
            self.required = names.compactMap(\.string)
        case "additionalProperties":
            if let isFree = value.bool {
                self.others = isFree ? .anything : .nothing
            } else {
                self.others = .schema(try Self(value, at: path, &parts))
            }
        case "items": self.items = [try Self(value, at: path, &parts)]
        case "enum", "const":
            guard let values = name == "const" ? [value] : value.array, !values.isEmpty else {
                throw Self.mistake(path, "is a list of values that is not empty, not \(value)")
            }
            self.allowed =
                self.allowed.map { allowed in
                    allowed.filter { one in values.contains { $0.isSame(as: one) } }
                } ?? values
        case "minimum": self.least = try Self.number(value, path)
        case "maximum": self.greatest = try Self.number(value, path)
        case "minLength": self.shortest = try Self.length(value, path)
        case "maxLength": self.longest = try Self.length(value, path)
        case "pattern":
            guard let source = value.string else { throw Self.mistake(path, "is a regular expression, not \(value)") }
            do throws(RegexError) { self.pattern = try TextRegex(source) } catch {
                throw Self.mistake(path, "cannot be read: \(error.message)")
            }
        case "anyOf":
            guard let schemas = value.array, !schemas.isEmpty else {
                throw Self.mistake(path, "is a list of schemas that is not empty, not \(value)")
            }
            for (place, schema) in schemas.enumerated() {
                self.alternatives.append(try Self(schema, at: path + ["\(place + 1)"], &parts))
            }
        default:
            let clue =
                TextDistance.suggestion(for: name, among: Self.keywords).map { "; did you mean \"\($0)\"?" } ?? ""
            throw Self.mistake(
                path, "is no keyword that is known\(clue) (\(Self.keywords.joined(separator: ", ")))")
        }
    }

    private static func number(_ value: JSONValue, _ path: [String]) throws(UsageError) -> JSONValue {
        guard value.double != nil else { throw Self.mistake(path, "is a number, not \(value)") }
        return value
    }

    private static func length(_ value: JSONValue, _ path: [String]) throws(UsageError) -> Int {
        guard let length = value.integer, 0...1_000_000_000 ~= length else {
            throw Self.mistake(path, "is a whole number that is not below zero, not \(value)")
        }
        return Int(length)
    }
}

// Judging

extension ValueSchema {
    /// Whether it looks for a pattern, in the value or in what is within it.
    var hasPattern: Bool {
        let others: [ValueSchema] = if case .schema(let schema) = self.others { [schema] } else { [] }
        let within = self.properties.map(\.schema) + self.items + self.alternatives + others
        return self.pattern != nil || within.contains(where: \.hasPattern)
    }

    /// Whether every value fits.
    private var asksForNothing: Bool {
        let areOthersFree =
            switch self.others {
            case .anything: true
            case .nothing: false
            case .schema(let schema): schema.asksForNothing
            }
        return self.types == nil && self.allowed == nil && self.required.isEmpty && self.least == nil
            && self.greatest == nil && self.shortest ?? 0 == 0 && self.longest == nil && self.pattern == nil
            && areOthersFree && (self.properties.map(\.schema) + self.items).allSatisfy(\.asksForNothing)
            && (self.alternatives.isEmpty || self.alternatives.contains(where: \.asksForNothing))
    }

    /// Returns where a value differs from the schema; empty if it fits.
    func mismatches(_ value: JSONValue) -> [Mismatch] {
        func differs(_ expected: String) -> [Mismatch] { [Mismatch(path: [], expected: expected, found: value)] }
        if let types = self.types, !types.contains(where: { Self.isValue(value, ofType: $0) }) {
            return differs(self.phrase)
        }
        if let allowed = self.allowed, !allowed.contains(where: { $0.isSame(as: value) }) {
            return differs(self.phrase)
        }
        var mismatches: [Mismatch] = []
        if let number = ExactNumber(value) {
            if let least = self.least, let bound = ExactNumber(least), number < bound {
                mismatches += differs("at least \(least)")
            }
            if let greatest = self.greatest, let bound = ExactNumber(greatest), number > bound {
                mismatches += differs("at most \(greatest)")
            }
        }
        if let text = value.string {
            let length = text.unicodeScalars.count
            if let least = self.shortest, length < least { mismatches += differs("at least \(least) characters") }
            if let most = self.longest, length > most { mismatches += differs("at most \(most) characters") }
            if let pattern = self.pattern, !pattern.isFound(in: text) {
                mismatches += differs("text in which /\(pattern.pattern)/ is found")
            }
        }
        if let members = value.object { mismatches += self.mismatches(members: members) }
        if let elements = value.array {
            // An empty table of Lua is an empty object as well.
            if elements.isEmpty, self.types.map({ !$0.contains("array") }) ?? false {
                mismatches += self.mismatches(members: [:])
            }
            for schema in self.items {
                for (place, element) in elements.enumerated() where mismatches.count < Self.mostMismatches {
                    mismatches += schema.mismatches(element).map { $0.below("\(place + 1)") }
                }
            }
        }
        return Array((mismatches + self.mismatchesOfAlternatives(value)).prefix(Self.mostMismatches))
    }

    private func mismatches(members: JSONObject) -> [Mismatch] {
        var mismatches: [Mismatch] = []
        // As values names are told apart by their bytes, as they are in an object.
        let schemas = Dictionary(self.properties.map { (JSONValue.string($0.name), $0.schema) }) { $1 }
        for name in self.required where members[name] == nil {
            let expected = schemas[.string(name)]?.phrase ?? "a value"
            mismatches.append(Mismatch(path: [name], expected: expected, found: nil))
        }
        for (name, value) in members where mismatches.count < Self.mostMismatches {
            let found: [Mismatch]
            if let schema = schemas[.string(name)] {
                found = schema.mismatches(value)
            } else {
                switch self.others {
                case .anything: found = []
                case .nothing: found = [Mismatch(path: [], expected: "no such member", found: value)]
                case .schema(let schema): found = schema.mismatches(value)
                }
            }
            mismatches += found.map { $0.below(name) }
        }
        return mismatches
    }

    /// What is wrong with a value that fits no alternative: that of the only one that it was meant for, if it is clear
    /// which.
    private func mismatchesOfAlternatives(_ value: JSONValue) -> [Mismatch] {
        var near: [[Mismatch]] = []
        for schema in self.alternatives {
            let mismatches = schema.mismatches(value)
            if mismatches.isEmpty { return [] }
            if mismatches.allSatisfy({ !$0.path.isEmpty }) { near.append(mismatches) }
        }
        guard !self.alternatives.isEmpty else { return [] }
        if near.count == 1 { return near[0] }
        let phrases = self.alternatives.map(\.phrase).joined(separator: " or ")
        return [Mismatch(path: [], expected: phrases, found: value)]
    }

    /// What is asked for, without its parts.
    var phrase: String {
        if let allowed = self.allowed {
            return (allowed.count == 1 ? "" : "one of ") + allowed.map(\.description).joined(separator: ", ")
        }
        guard let types = self.types else { return "a value that fits the schema" }
        return types.map { "aeio".contains($0.prefix(1)) ? "an \($0)" : $0 == "null" ? $0 : "a \($0)" }
            .joined(separator: " or ")
    }

    private static func isValue(_ value: JSONValue, ofType type: String) -> Bool {
        switch type {
        case "object": Self.object(value) != nil
        case "array": value.array != nil || value.object?.isEmpty == true
        case "string": value.string != nil
        case "number": value.double != nil
        case "integer": value.integer != nil
        case "boolean": value.bool != nil
        default: value.isNull
        }
    }
}
