/// A path into a JSON value, the part of RFC 9535 that conversation scripts use.
///
/// `$` is the value itself; `.name` and `['name']` a member, `[2]` and `[-1]` an element, `.*` and `[*]` all children,
/// `..name` all members of that name at any depth.
public struct JSONPath: Hashable, Sendable {
    private enum Step: Hashable {
        case member(String)
        case element(Int)
        case children
        case descendants(String)
    }

    private let steps: [Step]

    /// Reads a path.
    ///
    /// - Parameter text: The path, which starts with `$`.
    /// - Throws: ``JSONSyntaxError`` with the offset of what cannot be read.
    public init(_ text: String) throws(JSONSyntaxError) {
        var steps: [Step] = []
        var rest = Array(text)[...]
        func error(_ message: String) -> JSONSyntaxError {
            JSONSyntaxError(message: message, offset: text.utf8.count - String(rest).utf8.count)
        }
        func takeName() throws(JSONSyntaxError) -> String {
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            guard !name.isEmpty else { throw error("a member name is expected in the path") }
            rest = rest.dropFirst(name.count)
            return String(name)
        }
        guard rest.popFirst() == "$" else { throw JSONSyntaxError(message: "a path starts with '$'", offset: 0) }
        while let first = rest.popFirst() {
            switch (first, rest.first) {
            case (".", "."):
                rest = rest.dropFirst()
                steps.append(.descendants(try takeName()))
            case (".", "*"):
                rest = rest.dropFirst()
                steps.append(.children)
            case (".", _): steps.append(.member(try takeName()))
            case ("[", _):
                guard let end = rest.firstIndex(of: "]") else { throw error("']' is missing in the path") }
                let inner = String(rest[..<end])
                guard let step = Self.bracketStep(inner) else { throw error("[\(inner)] is not a step of a path") }
                steps.append(step)
                rest = rest[(end + 1)...]
            default: throw error("'.' or '[' is expected in the path")
            }
        }
        let descents = steps.count { if case .descendants = $0 { true } else { false } }
        guard descents <= Self.mostDescents else {
            throw error("a path has at most \(Self.mostDescents) '..', which multiply what they find")
        }
        self.steps = steps
    }

    /// With each of them the values multiply by the depth of the document, which a server chooses.
    private static let mostDescents = 2

    private static func bracketStep(_ inner: String) -> Step? {
        if inner == "*" { return .children }
        if let index = Int(inner) { return .element(index) }
        for quote in ["'", "\""] where inner.count >= 2 && inner.hasPrefix(quote) && inner.hasSuffix(quote) {
            return .member(String(inner.dropFirst().dropLast()))
        }
        return nil
    }

    /// Returns all values that the path leads to, in document order.
    public func values(in root: JSONValue) -> [JSONValue] {
        self.steps.reduce([root]) { values, step in
            values.flatMap { Self.take(step, from: $0) }
        }
    }

    /// Whether the path is `$`.
    public var isRoot: Bool { self.steps.isEmpty }

    /// Returns a value in which each value that the path leads to is replaced; all others stay what they are.
    public func replaced(in root: JSONValue, _ replace: (JSONValue) -> JSONValue) -> JSONValue {
        Self.replaced(self.steps[...], in: root, replace)
    }

    private static func replaced(
        _ steps: ArraySlice<Step>, in value: JSONValue, _ replace: (JSONValue) -> JSONValue
    ) -> JSONValue {
        guard let step = steps.first else { return replace(value) }
        func next(_ value: JSONValue) -> JSONValue { Self.replaced(steps.dropFirst(), in: value, replace) }
        switch (step, value) {
        case (.member(let name), .object(var members)):
            guard let member = members[name] else { return value }
            members[name] = next(member)
            return .object(members)
        case (.element(let index), .array(var elements)):
            let position = index < 0 ? elements.count + index : index
            guard elements.indices.contains(position) else { return value }
            elements[position] = next(elements[position])
            return .array(elements)
        case (.children, .array(let elements)): return .array(elements.map(next))
        case (.children, .object(let members)): return .object(JSONObject(members.map { ($0.0, next($0.1)) }))
        case (.descendants, .array(let elements)):
            return .array(elements.map { Self.replaced(steps, in: $0, replace) })
        case (.descendants(let name), .object(let members)):
            return .object(
                JSONObject(
                    members.map { member in
                        let own = member.0 == name ? next(member.1) : member.1
                        return (member.0, Self.replaced(steps, in: own, replace))
                    }))
        default: return value
        }
    }

    private static func take(_ step: Step, from value: JSONValue) -> [JSONValue] {
        switch (step, value) {
        case (.member(let name), .object(let members)): return members[name].map { [$0] } ?? []
        case (.element(let index), .array(let elements)):
            let position = index < 0 ? elements.count + index : index
            return elements.indices.contains(position) ? [elements[position]] : []
        case (.children, .array(let elements)): return elements
        case (.children, .object(let members)): return members.map { $0.1 }
        case (.descendants(let name), _): return Self.descendants(of: value, named: name)
        default: return []
        }
    }

    private static func descendants(of value: JSONValue, named name: String) -> [JSONValue] {
        switch value {
        case .array(let elements): elements.flatMap { Self.descendants(of: $0, named: name) }
        case .object(let members):
            (members[name].map { [$0] } ?? []) + members.flatMap { Self.descendants(of: $0.1, named: name) }
        default: []
        }
    }
}
