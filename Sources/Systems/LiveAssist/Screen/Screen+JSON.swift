import JSON

extension Screen {
    /// The screen as scripts read it.
    var json: JSONValue {
        [
            "width": .integer(Int64(self.width)), "height": .integer(Int64(self.height)),
            "elements": .array(self.elements.map(Self.json)),
        ]
    }

    private static func json(_ element: ScreenElement) -> JSONValue {
        var fields: JSONObject = [
            "id": .string(element.id), "type": .string(element.kind.rawValue),
            "label": .string(element.label),
            "value": .string(element.value),
        ]
        if !element.children.isEmpty { fields["elements"] = .array(element.children.map(Self.json)) }
        return .object(fields)
    }
}
