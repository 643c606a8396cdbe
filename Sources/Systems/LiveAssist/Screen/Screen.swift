import Machines

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

extension Screen {
    /// The screen as admitted agents together may see it; nil if none of them is admitted.
    ///
    /// Admitted ones count from the moment of admission on, because the server may relay to them from then on.
    func view(for agents: some Sequence<AgentRecord>, _ configuration: SupportConfiguration)
        -> RedactedScreen?
    {
        let allowed = agents.filter(\.isAllowed).map(\.permissions)
        return AgentPermissions.together(allowed).map { RedactedScreen(self, for: $0, configuration) }
    }

    /// Says how large it is.
    var sizeMessage: WindowMessage {
        .windowResized(width: Int16(clamping: self.width), height: Int16(clamping: self.height))
    }

    /// The whole of it.
    var box: ScreenElement.Box {
        ScreenElement.Box(x: 0, y: 0, width: self.width, height: self.height)
    }
}
