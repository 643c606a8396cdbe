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
