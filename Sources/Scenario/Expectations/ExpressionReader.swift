import JSON
import Machines

/// Reads event expressions from the values that scripts pass to `expect`.
///
/// An event is a name, `event(name, fields)` or `{ name, fields }`; `all`, `any`, `seq`, `interleave` and `maybe`
/// return tables whose member `@expect` names them.
struct ExpressionReader {
    var matchers: MatcherReader
    private let names: EventNames
    private var nextID = 0

    init(matchers: MatcherReader, names: EventNames) {
        self.matchers = matchers
        self.names = names
    }

    /// Reads an event of a kind with fields.
    ///
    /// - Throws: ``UsageError`` if the kind does not exist or a field cannot be read.
    mutating func event(_ name: String, fields: JSONValue?) throws(UsageError) -> EventMatcher {
        self.nextID += 1
        let kind: EventKind?
        if name == "*" {
            kind = nil
        } else if let known = self.names[name] {
            kind = known
        } else {
            throw UsageError("there is no event \"\(name)\"\(self.names.hint(for: name))")
        }
        switch fields {
        case nil, .null?: return EventMatcher(id: self.nextID, kind: kind, fields: [])
        case .object(let members)? where members["@match"] == nil:
            return EventMatcher(id: self.nextID, kind: kind, fields: try self.matchers.members(members))
        case .object(let members)? where members["@match"] != nil:
            return EventMatcher(
                id: self.nextID, kind: kind, fields: [], whole: try self.matchers.matcher(.object(members)))
        case .array(let elements)? where elements.isEmpty: return EventMatcher(id: self.nextID, kind: kind, fields: [])
        case .some(let other):
            throw UsageError("the fields of event \"\(name)\" are a table such as { text = \"…\" }, not \(other)")
        }
    }

    /// Reads an expression.
    ///
    /// - Throws: ``UsageError`` that says which part cannot be read.
    mutating func expression(_ value: JSONValue) throws(UsageError) -> EventExpression {
        switch value {
        case .string(let name): return .event(try self.event(name, fields: nil))
        case .array(let parts):
            guard let name = parts.first?.string, parts.count <= 2 else { throw Self.mistake(value) }
            return .event(try self.event(name, fields: parts.count > 1 ? parts[1] : nil))
        case .object(let members):
            guard let name = members["@expect"]?.string else { throw Self.mistake(value) }
            if name == "event" {
                return .event(try self.event(members["event"]?.string ?? "", fields: members["fields"]))
            }
            var items: [EventExpression] = []
            for item in members["items"]?.array ?? [] { items.append(try self.expression(item)) }
            guard !items.isEmpty else { throw UsageError("\(name){…} needs at least one event") }
            switch name {
            case "all": return .all(items)
            case "any": return .any(items)
            case "seq": return .sequence(items)
            case "interleave": return .interleave(items)
            case "maybe": return .optional(items[0])
            default: throw Self.mistake(value)
            }
        default: throw Self.mistake(value)
        }
    }

    private static func mistake(_ value: JSONValue) -> UsageError {
        UsageError(
            "an event is expected: a name, event(name, fields), or all{…}, any{…}, seq{…}, interleave{…}; not \(value)")
    }
}
