import JSON
import Machines

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

        /// Whether it is on or off, and has no other value.
        var isOnOrOff: Bool { self == .checkbox || self == .radio || self == .switch }

        /// Whether an agent can type into it.
        var takesText: Bool { self == .text || self == .date }
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
    /// What the radios have in common of which one is on; empty for none.
    let group: String
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

    /// Creates a screen; ``ScreenDescription`` reads one that a script describes.
    init(width: Int, height: Int, elements: [ScreenElement]) {
        self.width = width
        self.height = height
        self.elements = elements
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

    /// Gives an element a value; a radio that goes on turns the others of its group off.
    ///
    /// - Returns: The box around all that was set, or nil if there is no such element.
    mutating func setValue(of id: String, to value: String) -> ScreenElement.Box? {
        guard let element = self.element(id), var box = self.update(id, { $0.value = value }) else { return nil }
        if element.kind == .radio, !element.group.isEmpty, value == "true" {
            Self.turnOff(element.group, but: id, in: &self.elements, around: &box)
        }
        return box
    }

    private static func turnOff(
        _ group: String, but id: String, in elements: inout [ScreenElement], around box: inout ScreenElement.Box
    ) {
        for index in elements.indices {
            if elements[index].group == group, elements[index].id != id, elements[index].value == "true" {
                elements[index].value = "false"
                box = box.union(elements[index].box)
            }
            Self.turnOff(group, but: id, in: &elements[index].children, around: &box)
        }
    }

    /// The named place, or the middle of the named element, as the consumer sees it.
    ///
    /// - Parameter method: What the script calls.
    /// - Throws: That there is no such place, or that two are named.
    func pixels(of place: Place, by method: String) throws(CommandError) -> (x: Int16, y: Int16) {
        try place.check(by: method)
        let x: Int64
        let y: Int64
        if let id = place.element {
            guard let box = self.element(id)?.box else {
                throw CommandError("\(method): there is no element \"\(id)\" on the screen")
            }
            (x, y) = (Int64(box.x + box.width / 2), Int64(box.y + box.height / 2))
        } else {
            guard let right = place.x, let down = place.y else {
                throw CommandError("\(method) needs x and y, or an element of the screen")
            }
            (x, y) = (right, down)
        }
        guard (0..<Int64(self.width)).contains(x), (0..<Int64(self.height)).contains(y) else {
            throw CommandError(
                "\(method): \(x), \(y) is outside of the screen of \(self.width) × \(self.height) pixels")
        }
        return (Int16(clamping: x), Int16(clamping: y))
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
