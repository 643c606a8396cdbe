import JSON
import Machines

/// What an agent sees of a consumer's screen.
///
/// | state | input | → state | events |
/// |---|---|---|---|
/// | any | a picture | its elements shown, over or in place of those before | `screen` |
/// | any | a picture or a snapshot that is damaged or no picture | unchanged | `error` 2 |
/// | any | a form that is new | the form to fill in | `form` |
/// | any | a form of an older number, or with a field that cannot be filled in | unchanged | `error` 2 |
/// | any | the parts of a snapshot, then its end | unchanged | `snapshot` |
/// | a form | its topic closed | no form | `form` without fields |
/// | any | `blank` | nothing shown | |
/// | any | `supportEnded` | over | |
/// | over | a picture | over | `error` 2 |
/// | over | `supportBegan` | as before | |
struct AgentScreen: Sendable {
    /// How many pictures have come.
    private(set) var frames: Int64 = 0

    /// The elements that are seen.
    private(set) var shown: [JSONValue] = []

    /// The form that can be filled in.
    private(set) var form: JSONValue?

    /// How large the screen is, as the last picture says; nil before the first one.
    private var size: (width: Int64, height: Int64)?

    private var snapshot: [UInt8]?

    /// The types of fields that are in no form (vendor's web SDK).
    private static let unoffered: Set = ["password", "hidden", "image", "submit"]

    /// Whether its consumer has ended support.
    private var isOver = false

    /// What is told of the screen: the event, with the name of the console's callback.
    typealias News = (kind: EventKind, callback: String, fields: JSONObject, raw: JSONValue?)

    /// Takes what a topic says of the screen.
    ///
    /// - Returns: The event to tell; nil if there is nothing to tell.
    mutating func received(_ message: WindowMessage, on topic: Topic) -> News? {
        switch (message, topic.type) {
        case (.rectangleUpdated(_, _, let width, let height, let format, let image), _) where topic.isScreen:
            guard !self.isOver else { return Self.wrong("a picture after the end of support") }
            guard ContentFormat(of: image) == format.content else {
                return Self.wrong("a picture that is no \(format)")
            }
            guard !ScreenPicture.isDamaged(image) else { return Self.unreadable("picture") }
            return (.screen, "", self.drawn(image, width: width, height: height), nil)
        case (.snapshotStart, "snapshot"): self.snapshot = []
        case (.snapshotChunk(let part), "snapshot"):
            if let count = self.snapshot?.count, count + part.count <= TopicFrame.limit { self.snapshot? += part }
        case (.snapshotEnd, "snapshot"):
            guard let image = self.snapshot else { return nil }
            self.snapshot = nil
            return self.shared(image)
        case (.inputElements(let value), "input"): return self.offered(value, isPopulated: false)
        case (.inputPopulated(let value), "input"): return self.offered(value, isPopulated: true)
        default: break
        }
        return nil
    }

    private func shared(_ image: [UInt8]) -> News {
        guard let format = ContentFormat(of: image), format != .pdf else {
            return Self.wrong("a snapshot that is no picture")
        }
        guard !ScreenPicture.isDamaged(image) else { return Self.unreadable("snapshot") }
        var fields: JSONObject = ["size": .integer(Int64(image.count))]
        fields["elements"] = ScreenPicture.decode(image)?["elements"]
        return (.snapshot, "snapshot", fields, nil)
    }

    private static func unreadable(_ what: String) -> News {
        Self.wrong("a \(what) that says what it shows so that it cannot be read")
    }

    private static func wrong(_ what: String) -> News {
        (.error, "onError", ["code": 2, "name": "SOCKET", "message": .string("the consumer sent \(what)")], nil)
    }

    private mutating func drawn(_ image: [UInt8], width: Int16, height: Int16) -> JSONObject {
        self.frames += 1
        self.size = (Int64(width), Int64(height))
        var fields: JSONObject = [
            "width": .integer(Int64(width)), "height": .integer(Int64(height)), "size": .integer(Int64(image.count)),
        ]
        if let content = ScreenPicture.decode(image) {
            let elements = content["elements"]?.array ?? []
            let isFull = content["full"]?.bool ?? true
            if isFull { self.shown = elements } else { self.overpaint(Self.box(content.object ?? [:]), elements) }
            fields["full"] = .bool(isFull)
            fields["elements"] = .array(elements)
        }
        return fields
    }

    /// Puts what is drawn in a rectangle in the place of all that was seen there.
    ///
    /// Where as many elements come as go, each takes the place of the one before in the order of drawing.
    private mutating func overpaint(_ rectangle: ScreenElement.Box, _ elements: [JSONValue]) {
        let places = self.shown.indices.filter { Self.box(self.shown[$0].object ?? [:]).overlaps(rectangle) }
        if places.count == elements.count {
            for (place, element) in zip(places, elements) { self.shown[place] = element }
        } else {
            for place in places.reversed() { self.shown.remove(at: place) }
            self.shown += elements
        }
        if self.shown.count > 2 * Screen.elementLimit { self.shown.removeFirst(self.shown.count - Screen.elementLimit) }
    }

    private static func box(_ members: JSONObject) -> ScreenElement.Box {
        func number(_ name: String) -> Int { Int(max(-32_768, min(members[name]?.integer ?? 0, 32_767))) }
        return ScreenElement.Box(
            x: number("x"), y: number("y"), width: number("width"), height: number("height"))
    }

    private mutating func offered(_ value: JSONValue, isPopulated: Bool) -> News? {
        if let wrong = self.complaint(ofForm: value) { return Self.wrong(wrong) }
        // The form comes again whenever somebody joins; that is no news to those who have it.
        guard self.form != value else { return nil }
        self.form = value
        let fields: JSONObject = [
            "screen_id": value["screenId"] ?? .null, "fields": value["descriptors"] ?? [],
            "populated": .bool(isPopulated),
        ]
        return (.form, "form", fields, value)
    }

    /// Says what is wrong with a form; nil if nothing is.
    private func complaint(ofForm value: JSONValue) -> String? {
        if let last = self.form?["screenId"]?.integer, let number = value["screenId"]?.integer, number < last {
            return "the form \(number) after the form \(last), though their numbers rise"
        }
        for field in value["descriptors"]?.array ?? [] {
            guard field["index"]?.integer != nil, let type = field["type"]?.string else {
                return "a form with a field that has no number or no type"
            }
            if Self.unoffered.contains(type) { return "a form with a field of the type \(type), which none offers" }
        }
        return nil
    }

    /// Forgets the form whose topic is closed; returns whether there was one.
    mutating func formClosed() -> Bool {
        defer { self.form = nil }
        return self.form != nil
    }

    /// Its consumer has ended support.
    mutating func supportEnded() { self.isOver = true }

    /// A consumer has come.
    mutating func supportBegan() { self.isOver = false }

    /// Shows nothing any more.
    mutating func blank() {
        self.shown = []
        self.form = nil
    }

    /// The named place, or the middle of the named element.
    ///
    /// - Parameters:
    ///   - touch: What is to happen there.
    ///   - method: What the script calls.
    /// - Throws: That there is no such place, that two are named, or nothing there that takes text, as far as the agent
    ///   sees.
    func pixels(of place: Place, for touch: Touch, by method: String) throws(CommandError) -> (x: Int16, y: Int16) {
        try place.check(by: method)
        if let x = place.x, let y = place.y, let size = self.size,
            x < 0 || y < 0 || x >= size.width || y >= size.height
        {
            throw CommandError(
                "\(method): \(x), \(y) is outside of the screen of \(size.width) × \(size.height) pixels")
        }
        guard let (x, y) = self.pixels(of: place) else {
            throw CommandError("\(method) needs x and y, or an element that the agent sees")
        }
        guard case .type = touch, let kind = self.kind(atX: Int(x), y: Int(y)), !kind.takesText else { return (x, y) }
        throw CommandError(
            "\(method): there is an element of type \(kind.rawValue), into which nothing is typed; take one of type text "
                + "or date")
    }

    /// What is seen at a place, but for containers; nil if it is covered, or nothing.
    private func kind(atX x: Int, y: Int) -> ScreenElement.Kind? {
        let seen = self.shown.last { element in
            element["type"]?.string != ScreenElement.Kind.container.rawValue
                && Self.box(element.object ?? [:]).contains(x: x, y: y)
        }
        return seen?["type"]?.string.flatMap(ScreenElement.Kind.init)
    }

    private func pixels(of place: Place) -> (x: Int16, y: Int16)? {
        if let x = place.x, let y = place.y { return (Int16(clamping: x), Int16(clamping: y)) }
        guard let id = place.element, let shown = self.shown.last(where: { $0["id"]?.string == id }),
            let x = shown["x"]?.integer, let y = shown["y"]?.integer, let width = shown["width"]?.integer,
            let height = shown["height"]?.integer
        else { return nil }
        let (right, isWide) = x.addingReportingOverflow(width / 2)
        let (bottom, isHigh) = y.addingReportingOverflow(height / 2)
        return isWide || isHigh ? nil : (Int16(clamping: right), Int16(clamping: bottom))
    }

    /// Returns what fills the form in.
    ///
    /// - Throws: ``FormMismatch`` if there is no form, or it has no such field, or none that takes the value.
    func filled(with values: JSONObject) throws(FormMismatch) -> WindowMessage {
        guard let form else { throw FormMismatch(text: "there is no form; expect \"form\" first") }
        let fields = form["descriptors"]?.array ?? []
        var descriptors: [JSONValue] = []
        for (label, value) in values {
            guard let field = fields.first(where: { $0["label"]?.string == label }), let index = field["index"] else {
                let labels = fields.compactMap { $0["label"]?.string }.joined(separator: ", ")
                throw FormMismatch(text: "the form has no field \"\(label)\"; it has \(labels)")
            }
            guard field["checked"] == nil else {
                guard value.bool != nil else {
                    throw FormMismatch(text: "the field \"\(label)\" is on or off; fill in true or false, not \(value)")
                }
                descriptors.append(["index": index, "checked": value])
                continue
            }
            let text = value.string ?? value.description
            let options = (field["options"]?.array ?? []).compactMap { $0["value"]?.string }
            guard options.isEmpty || options.contains(text) else {
                let offered = options.joined(separator: ", ")
                throw FormMismatch(text: "the field \"\(label)\" does not offer \"\(text)\"; it offers \(offered)")
            }
            descriptors.append(["index": index, "value": .string(text)])
        }
        return .inputPopulated(["screenId": form["screenId"] ?? 0, "descriptors": .array(descriptors)])
    }

    /// That the consumer offers no such form, field or value.
    struct FormMismatch: Error {
        /// What is there.
        let text: String
    }
}
