import JSON
import Machines

/// Reads a screen that a script describes; whatever it does not know is refused, since a misspelt mask shows a secret.
struct ScreenDescription {
    /// The members of a screen and what they are.
    static let members: [ParameterDeclaration] = [
        .init("width", .integer, optional: true, "Pixels; 390 unless given."),
        .init("height", .integer, optional: true, "Pixels; 844 unless given."),
        .init("elements", .list(.json), "The elements, those that are drawn first at the beginning."),
    ]

    /// The members of an element and what they are.
    static let elementMembers: [ParameterDeclaration] = [
        .init("id", .string, "The name, which stands once."),
        .init(
            "type", .choice(ScreenElement.Kind.allCases.map(\.rawValue)), optional: true,
            "What it is; a container if it has elements, else a label, unless given."),
        .init("label", .string, optional: true, "What stands beside it."),
        .init("value", .json, optional: true, "What stands in it: a text, a number or a truth value."),
        .init("tag", .integer, optional: true, "The tag that `hidingTags` and `maskingTags` name."),
        .init("permission", .string, optional: true, "The permission marker; that of its parent unless given."),
        .init("secure", .boolean, optional: true, "Whether dots stand for the value; true for a password."),
        .init("x", .integer, optional: true, "Pixels; 0 unless given."),
        .init("y", .integer, optional: true, "Pixels; a row of 40 for each element unless given."),
        .init("width", .integer, optional: true, "Pixels; that of the screen unless given."),
        .init("height", .integer, optional: true, "Pixels; 40 for each row unless given."),
        .init("options", .list(.string), optional: true, "The choices of a select."),
        .init("group", .string, optional: true, "What the radios have in common of which one is on."),
        .init("elements", .list(.json), optional: true, "What is in a container."),
    ]

    /// The members of a screen or an element in one line, for the reference.
    static func summary(_ members: [ParameterDeclaration]) -> String {
        members.map { "`\($0.name)`" }.joined(separator: ", ")
    }

    /// The members with what they are, for the reference.
    static func details(_ members: [ParameterDeclaration]) -> String {
        let kinds = ScreenElement.Kind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        let texts = members.map { member in
            "`\(member.name)` (\(member.summary.dropLast().lowercasedFirst)"
                + (member.name == "type" ? ": \(kinds))" : ")")
        }
        return texts.joined(separator: ", ") + "."
    }

    private let width: Int
    private var ids: Set<String> = []
    private var row = 0

    /// Reads a screen.
    ///
    /// - Throws: ``CommandError`` that names what is wrong and where.
    static func read(_ value: JSONValue) throws(CommandError) -> Screen {
        guard let object = value.object, let list = object["elements"] else {
            throw CommandError("a screen is { width, height, elements = { { id = …, … } } }")
        }
        try Self.check(object, Self.members, of: "a screen")
        let width = try Self.side("width", object, unless: 390)
        let height = try Self.side("height", object, unless: 844)
        var description = ScreenDescription(width: width)
        let elements = try description.elements(list, depth: 0, of: "a screen")
        return Screen(width: width, height: height, elements: elements)
    }

    private init(width: Int) { self.width = width }

    private static func check(
        _ object: JSONObject, _ members: [ParameterDeclaration], of what: String
    ) throws(CommandError) {
        let names = members.map(\.name)
        for (name, _) in object where !names.contains(name) {
            throw CommandError("\(what) has no member \"\(name)\"\(TextDistance.hint(name, among: names))")
        }
    }

    private static func side(
        _ name: String, _ object: JSONObject, unless fallback: Int64
    ) throws(CommandError) -> Int {
        guard let value = object[name], !value.isNull else { return Int(fallback) }
        guard let side = value.integer, side > 0 else {
            throw CommandError("\(name) of a screen is a number of pixels, not \(value)")
        }
        return Int(min(side, 32_767))
    }

    private mutating func elements(
        _ value: JSONValue, depth: Int, of what: String
    ) throws(CommandError) -> [ScreenElement] {
        let list = value.object?.isEmpty == true ? [] : value.array
        guard let list else { throw CommandError("elements of \(what) is a list of tables, not \(value)") }
        guard depth < Screen.depthLimit else {
            throw CommandError("elements stand in each other at most \(Screen.depthLimit) deep")
        }
        var elements: [ScreenElement] = []
        for value in list { elements.append(try self.element(value, depth: depth)) }
        return elements
    }

    /// Reads an element; one without a place gets a row of its own, 40 pixels high.
    private mutating func element(_ value: JSONValue, depth: Int) throws(CommandError) -> ScreenElement {
        guard let object = value.object, let id = object["id"]?.string else {
            throw CommandError("an element of a screen needs an id, such as { id = \"name\" }; this one is \(value)")
        }
        guard self.ids.insert(id).inserted else {
            throw CommandError("the id \"\(id)\" is on the screen twice; give each element its own")
        }
        guard self.ids.count <= Screen.elementLimit else {
            throw CommandError("a screen has at most \(Screen.elementLimit) elements")
        }
        let members = Members(object, of: "the element \"\(id)\"")
        try Self.check(object, Self.elementMembers, of: members.owner)
        let first = self.row
        let inner = members.object["elements"]
        if inner == nil { self.row += 1 }
        let children = try self.elements(inner ?? [], depth: depth + 1, of: members.owner)
        let rows = max(self.row - first, 1)
        let kind = try members.kind ?? (children.isEmpty ? .label : .container)
        return ScreenElement(
            id: id, kind: kind,
            box: ScreenElement.Box(
                x: try members.pixels("x", unless: 0), y: try members.pixels("y", unless: first * 40),
                width: try members.pixels("width", unless: self.width),
                height: try members.pixels("height", unless: rows * 40)),
            tag: try members.integer("tag"), permission: try members.text("permission")?.lowercased(),
            label: try members.text("label") ?? "", value: try members.value,
            isSecure: try members.truth("secure") || kind == .password, options: try members.options,
            group: try members.group(of: kind), children: children)
    }
}

extension ScreenDescription {
    /// The members of one element, read by their types.
    fileprivate struct Members {
        /// Those that were given: null is as good as nothing.
        let object: JSONObject
        let owner: String

        init(_ object: JSONObject, of owner: String) {
            self.object = JSONObject(object.filter { !$0.1.isNull })
            self.owner = owner
        }

        private func wrong(_ name: String, _ what: String) -> CommandError {
            CommandError("\(name) of \(self.owner) is \(what), not \(self.object[name] ?? .null)")
        }

        func text(_ name: String) throws(CommandError) -> String? {
            guard let value = self.object[name] else { return nil }
            guard let text = value.string else { throw self.wrong(name, "a text") }
            return text
        }

        func integer(_ name: String) throws(CommandError) -> Int64? {
            guard let value = self.object[name] else { return nil }
            guard let number = value.integer else { throw self.wrong(name, "a whole number") }
            return number
        }

        func pixels(_ name: String, unless fallback: Int) throws(CommandError) -> Int {
            Int(max(0, min(try self.integer(name) ?? Int64(fallback), 32_767)))
        }

        func truth(_ name: String) throws(CommandError) -> Bool {
            guard let value = self.object[name] else { return false }
            guard let truth = value.bool else { throw self.wrong(name, "true or false") }
            return truth
        }

        var kind: ScreenElement.Kind? {
            get throws(CommandError) {
                guard let name = try self.text("type") else { return nil }
                guard let kind = ScreenElement.Kind(rawValue: name) else {
                    let hint = TextDistance.hint(name, among: ScreenElement.Kind.allCases.map(\.rawValue))
                    throw CommandError("\"\(name)\" is no type of an element\(hint)")
                }
                return kind
            }
        }

        var value: String {
            get throws(CommandError) {
                switch self.object["value"] {
                case nil: ""
                case .string(let text)?: text
                case .array?, .object?: throw self.wrong("value", "a text, a number or a truth value")
                case let value?: value.description
                }
            }
        }

        func group(of kind: ScreenElement.Kind) throws(CommandError) -> String {
            guard let group = try self.text("group") else { return "" }
            guard kind == .radio else {
                throw CommandError("group of \(self.owner) is for radios, and the element is a \(kind.rawValue)")
            }
            return group
        }

        var options: [String] {
            get throws(CommandError) {
                guard let value = self.object["options"] else { return [] }
                let texts = value.array.map { $0.compactMap(\.string) }
                guard let texts, texts.count == value.array?.count else {
                    throw self.wrong("options", "a list of texts")
                }
                return texts
            }
        }
    }
}

extension Substring {
    /// The text with a small letter at its beginning.
    fileprivate var lowercasedFirst: String { self.prefix(1).lowercased() + self.dropFirst() }
}
