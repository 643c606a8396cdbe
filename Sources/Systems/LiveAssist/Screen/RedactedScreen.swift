import JSON

/// The screen as agents with certain permissions may see and touch it.
///
/// Everything that leaves the consumer about its screen goes through here: pictures, form descriptors and clicks.
struct RedactedScreen: Sendable {
    /// How an element is drawn.
    enum Drawing: Hashable, Sendable {
        case shown(label: String, value: String)
        /// A box of one color without content.
        case covered(color: String)
    }

    /// One drawn element.
    struct Item: Hashable, Sendable {
        let id: String
        let kind: ScreenElement.Kind
        let box: ScreenElement.Box
        let drawing: Drawing
        let isInteractive: Bool
        let options: [String]
        /// The radios of which one is on.
        let group: String
        let isSecure: Bool
    }

    /// What is drawn, parents before their children.
    let items: [Item]

    /// Draws a screen.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - permissions: What those who watch may see together.
    ///   - configuration: Tags and colors.
    init(_ screen: Screen, for permissions: AgentPermissions, _ configuration: SupportConfiguration) {
        var items: [Item] = []
        for element in screen.elements {
            Self.draw(element, inherited: AgentPermissions.defaultMarker, permissions, configuration, into: &items)
        }
        self.items = items
    }

    private static func draw(
        _ element: ScreenElement, inherited: String, _ permissions: AgentPermissions,
        _ configuration: SupportConfiguration, into items: inout [Item]
    ) {
        let marker = element.permission ?? inherited
        var cover: String?
        if !permissions.viewable.contains(marker) {
            cover = configuration.masks.permissionColors[marker] ?? configuration.masks.maskColor
        }
        if let tag = element.tag {
            if configuration.masks.maskingTags.contains(tag) { cover = configuration.masks.maskColor }
            if configuration.masks.hidingTags.contains(tag) { cover = "black" }
        }
        if let cover {
            // Children go with their parent: nothing of them is drawn, not even that they are there. The id of the
            // element is left out too, since a script may have put a name into it.
            items.append(
                Item(
                    id: "", kind: .container, box: element.box, drawing: .covered(color: cover), isInteractive: false,
                    options: [], group: "", isSecure: false))
            return
        }
        let value = element.isSecure ? String(repeating: "•", count: min(element.value.count, 1) * 8) : element.value
        items.append(
            Item(
                id: element.id, kind: element.kind, box: element.box,
                drawing: .shown(label: element.label, value: value),
                isInteractive: permissions.interactive.contains(marker), options: element.options,
                group: element.group, isSecure: element.isSecure))
        for child in element.children {
            Self.draw(child, inherited: marker, permissions, configuration, into: &items)
        }
    }

    /// The topmost element at a place, if one is there.
    func item(x: Int, y: Int) -> Item? {
        self.items.last { $0.box.contains(x: x, y: y) && $0.kind != .container }
    }

    /// What an agent may fill in, with its place in the list as index; labels must be there and be unique.
    ///
    /// Buttons have no value to fill and are offered as the vendor's iOS SDK offers them.
    var fillable: [Item] {
        var labels: [String: Int] = [:]
        for item in self.items where item.kind.isFillable { labels[item.label, default: 0] += 1 }
        return self.items.filter { item in
            item.kind.isFillable && !item.isSecure && item.isInteractive
                && (item.kind == .select || !item.label.isEmpty && labels[item.label] == 1)
        }
    }
}

extension RedactedScreen.Item {
    /// The label of a shown element.
    var label: String {
        if case .shown(let label, _) = self.drawing { label } else { "" }
    }

    /// The value of a shown element.
    var value: String {
        if case .shown(_, let value) = self.drawing { value } else { "" }
    }

    /// How the picture and the agent's events describe it.
    var json: JSONValue {
        var fields: JSONObject = [
            "x": .integer(Int64(self.box.x)), "y": .integer(Int64(self.box.y)),
            "width": .integer(Int64(self.box.width)), "height": .integer(Int64(self.box.height)),
        ]
        switch self.drawing {
        case .shown(let label, let value):
            fields["id"] = .string(self.id)
            fields["type"] = .string(self.kind.rawValue)
            if !label.isEmpty { fields["label"] = .string(label) }
            if !value.isEmpty { fields["value"] = .string(value) }
        case .covered(let color): fields["covered"] = .string(color)
        }
        return .object(fields)
    }
}
