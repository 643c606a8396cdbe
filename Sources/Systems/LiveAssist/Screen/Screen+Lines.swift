import Machines

extension Screen {
    /// The screen as the consumer sees it, which is more than what agents may see; secure fields show dots.
    var lines: [ScreenLine] {
        var lines: [ScreenLine] = []
        for element in self.elements { Self.add(element, to: &lines) }
        return lines
    }

    private static func add(_ element: ScreenElement, to lines: inout [ScreenLine]) {
        let value = element.isSecure ? String(repeating: "•", count: min(element.value.count, 1) * 8) : element.value
        let name = element.label.isEmpty ? element.id : element.label
        switch element.kind {
        case .container: if !element.label.isEmpty { lines.append(ScreenLine(.heading, element.label)) }
        case .label: lines.append(ScreenLine(.text, value.isEmpty ? name : value))
        case .image: lines.append(ScreenLine(.text, "image", label: name))
        case .button: lines.append(ScreenLine(.button, name))
        default: lines.append(ScreenLine(.field, value, label: name))
        }
        for child in element.children { Self.add(child, to: &lines) }
    }
}
