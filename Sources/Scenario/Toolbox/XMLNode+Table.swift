import JSON
import Machines
import XML

extension XMLElement {
    /// The name, namespace and attributes as members of a table.
    var members: JSONObject {
        var members: JSONObject = ["name": .string(self.name)]
        if let namespace = self.namespace { members["namespace"] = .string(namespace) }
        members["attributes"] = .object(JSONObject(self.attributes.map { ($0.name, .string($0.value)) }))
        return members
    }
}

extension XMLNode {
    /// The node as scripts see it: a text, or a table with the name, attributes, children and own text of an element.
    var value: JSONValue {
        switch self {
        case .text(let text): return .string(text)
        case .element(let element, let children):
            var members = element.members
            members["children"] = .array(children.map(\.value))
            members["text"] = .string(Self.text(of: children))
            return .object(members)
        }
    }

    private static func text(of children: [XMLNode]) -> String {
        children.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }

    /// The members of the table that stands for an element.
    static let members = [
        ParameterDeclaration("name", .string, "The name without a prefix."),
        ParameterDeclaration("namespace", .string, optional: true, "The namespace; none unless given."),
        ParameterDeclaration("attributes", .map(.json), optional: true, "The attributes by their names."),
        ParameterDeclaration("children", .list(.json), optional: true, "Elements and texts."),
        ParameterDeclaration("text", .string, optional: true, "The text in it, in place of children."),
    ]

    /// Reads what a script gives for an element.
    ///
    /// - Parameter call: Who asks, for messages.
    /// - Throws: ``UsageError`` that names the member.
    init(_ value: JSONValue, for call: String) throws(UsageError) {
        if let text = value.string {
            self = .text(text)
            return
        }
        guard let table = value.object else {
            throw UsageError(
                "\(call): an element is a table with a name, and its children are such tables and texts")
        }
        let members = try ArgumentChecker(call: call, member: "member").record(table, Self.members)
        let name = members["name"]?.string ?? ""
        var attributes: [XMLAttribute] = []
        for (attribute, value) in members["attributes"]?.object ?? [:] {
            guard let text = value.scalarText else {
                throw UsageError(
                    "\(call): the attribute \(attribute) of \(name) is a text, a number, true or false, not \(value)")
            }
            attributes.append(XMLAttribute(name: attribute, value: text))
        }
        var children: [XMLNode] = []
        for child in members["children"]?.array ?? [] { children.append(try XMLNode(child, for: call)) }
        if let text = members["text"]?.string {
            guard children.isEmpty || Self.text(of: children) == text else {
                throw UsageError("\(call): \(name) has children and another text besides; put the text among them")
            }
            if children.isEmpty, !text.isEmpty { children = [.text(text)] }
        }
        self = .element(
            XMLElement(name: name, namespace: members["namespace"]?.string, attributes: attributes), children)
    }
}

extension XMLEvent {
    /// The event as scripts see it.
    var value: JSONValue {
        switch self {
        case .start(let element): .object((["kind": "start"] as JSONObject).merging(element.members))
        case .end(let name, let namespace):
            .object(
                (["kind": "end", "name": .string(name)] as JSONObject).merging(
                    namespace.map { ["namespace": .string($0)] } ?? [:]))
        case .text(let text): .object(["kind": "text", "text": .string(text)])
        }
    }
}
