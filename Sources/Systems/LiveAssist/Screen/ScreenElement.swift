import JSON

/// One element of the synthetic screen that stands for the application's views.
struct ScreenElement: Hashable, Sendable {
    /// What an element is; the words are defined here after the vendor's list of fillable controls.
    enum Kind: String, CaseIterable, Hashable, Sendable {
        case container, label, image, button, text, password, slider, `switch`, stepper, date, select, checkbox, radio

        /// Whether an agent may fill it in, if its label allows.
        var isFillable: Bool {
            switch self {
            case .container, .label, .image, .password: false
            default: true
            }
        }
    }

    /// Where an element is, in pixels.
    struct Box: Hashable, Sendable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int

        func contains(x: Int, y: Int) -> Bool {
            x >= self.x && y >= self.y && x < self.x + self.width && y < self.y + self.height
        }

        func overlaps(_ other: Box) -> Bool {
            self.x < other.x + other.width && other.x < self.x + self.width && self.y < other.y + other.height
                && other.y < self.y + self.height
        }

        /// The smallest box around both.
        func union(_ other: Box) -> Box {
            let left = min(self.x, other.x)
            let top = min(self.y, other.y)
            return Box(
                x: left, y: top, width: max(self.x + self.width, other.x + other.width) - left,
                height: max(self.y + self.height, other.y + other.height) - top)
        }
    }

    let id: String
    let kind: Kind
    let box: Box
    let tag: Int64?
    /// The permission marker in lower case; nil inherits.
    var permission: String?
    let label: String
    var value: String
    /// A secure field shows dots and is never offered for filling.
    let isSecure: Bool
    let options: [String]
    var children: [ScreenElement]
}

/// The synthetic screen of a consumer: a tree of elements with values and permission markers.
struct Screen: Hashable, Sendable {
    /// At most this many elements, this deep; defined here.
    static let elementLimit = 2_000
    static let depthLimit = 20

    let width: Int
    let height: Int
    private(set) var elements: [ScreenElement]

    /// An empty screen of a common phone.
    static let empty = Screen(width: 390, height: 844, elements: [])

    private init(width: Int, height: Int, elements: [ScreenElement]) {
        self.width = width
        self.height = height
        self.elements = elements
    }

    /// Reads a screen that a script describes.
    ///
    /// - Returns: Nil if an element has no id, an id stands twice, or there are too many.
    init?(_ value: JSONValue) {
        func side(_ name: String, _ fallback: Int64) -> Int {
            Int(max(1, min(value[name]?.integer ?? fallback, 32_767)))
        }
        let width = side("width", 390)
        let height = side("height", 844)
        var ids: Set<String> = []
        var row = 0
        guard let list = value["elements"]?.array,
            let elements = Self.read(list, width: width, depth: 0, ids: &ids, row: &row)
        else { return nil }
        self.init(width: width, height: height, elements: elements)
    }

    /// Elements without a place get a row of their own, 40 pixels high.
    private static func read(
        _ list: [JSONValue], width: Int, depth: Int, ids: inout Set<String>, row: inout Int
    ) -> [ScreenElement]? {
        guard depth < Self.depthLimit else { return nil }
        var elements: [ScreenElement] = []
        for value in list {
            guard let id = value["id"]?.string, ids.insert(id).inserted, ids.count <= Self.elementLimit else {
                return nil
            }
            func number(_ name: String, _ fallback: Int) -> Int {
                Int(max(0, min(value[name]?.integer ?? Int64(fallback), 32_767)))
            }
            let first = row
            if value["elements"] == nil { row += 1 }
            guard
                let children = Self.read(
                    value["elements"]?.array ?? [], width: width, depth: depth + 1, ids: &ids, row: &row)
            else { return nil }
            let rows = max(row - first, 1)
            let kind = value["type"]?.string.flatMap(ScreenElement.Kind.init)
            elements.append(
                ScreenElement(
                    id: id, kind: kind ?? (children.isEmpty ? .label : .container),
                    box: ScreenElement.Box(
                        x: number("x", 0), y: number("y", first * 40), width: number("width", width),
                        height: number("height", rows * 40)),
                    tag: value["tag"]?.integer, permission: value["permission"]?.string?.lowercased(),
                    label: value["label"]?.string ?? "", value: Self.text(value["value"]),
                    isSecure: kind == .password || value["secure"]?.bool == true,
                    options: (value["options"]?.array ?? []).compactMap(\.string), children: children))
        }
        return elements
    }

    private static func text(_ value: JSONValue?) -> String {
        switch value {
        case .string(let text)?: text
        case .null?, nil: ""
        case let value?: value.description
        }
    }

    /// Changes one element.
    ///
    /// - Returns: Its box, or nil if there is no such element.
    mutating func update(_ id: String, _ change: (inout ScreenElement) -> Void) -> ScreenElement.Box? {
        Self.update(id, in: &self.elements, change)
    }

    private static func update(
        _ id: String, in elements: inout [ScreenElement], _ change: (inout ScreenElement) -> Void
    ) -> ScreenElement.Box? {
        for index in elements.indices {
            if elements[index].id == id {
                change(&elements[index])
                return elements[index].box
            }
            if let box = Self.update(id, in: &elements[index].children, change) { return box }
        }
        return nil
    }

    /// The element of that id.
    func element(_ id: String) -> ScreenElement? {
        var rest = self.elements[...]
        var waiting: [ScreenElement] = []
        while let element = rest.popFirst() ?? waiting.popLast() {
            if element.id == id { return element }
            waiting += element.children
        }
        return nil
    }
}
