import JSON
import Machines

/// One path that an agent drew.
struct Annotation: Hashable, Sendable {
    /// Longer paths are dropped; an agent may be hostile.
    static let longestPath = 100_000

    let topic: UInt16
    let path: String
    let stroke: String
    let width: Double
    let opacity: Double
    let box: ScreenElement.Box

    /// Reads an SVG path element: `d`, `stroke`, `stroke-width`, `stroke-opacity`.
    ///
    /// - Returns: Nil if it has no path.
    init?(_ text: String, topic: UInt16) {
        guard text.utf8.count <= Self.longestPath, let path = Self.attribute("d", of: text) else { return nil }
        self.topic = topic
        self.path = path
        self.stroke = Self.attribute("stroke", of: text) ?? "#ff0000"
        self.width = Double(Self.attribute("stroke-width", of: text) ?? "") ?? 1
        self.opacity = Double(Self.attribute("stroke-opacity", of: text) ?? "") ?? 1
        let numbers = path.split { !($0.isNumber || $0 == "." || $0 == "-") }.compactMap { Double($0) }
            .map { Int(max(-32_768, min($0, 32_767))) }
        let xs = stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] }
        let ys = stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] }
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return nil }
        self.box = ScreenElement.Box(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    /// Whether a text is an SVG path: it begins by moving somewhere, and has commands and numbers only.
    static func isPath(_ text: String) -> Bool {
        let commands = "MmLlHhVvCcSsQqTtAaZz"
        guard let first = text.first(where: { $0 != " " }), first == "M" || first == "m",
            text.utf8.count <= Self.longestPath
        else { return false }
        return text.contains(where: \.isNumber)
            && text.allSatisfy { $0.isASCII && ($0.isNumber || $0.isWhitespace || (commands + "eE.,+-").contains($0)) }
    }

    /// Writes the element that an agent sends.
    ///
    /// - Throws: What the vendor's console does not draw.
    static func element(
        path: String, stroke: String?, width: Double?, opacity: Double?
    ) throws(CommandError) -> String {
        let (stroke, width, opacity) = (stroke ?? "#ff0000", width ?? 1, opacity ?? 1)
        guard Self.isPath(path) else { throw CommandError("draw takes an SVG path such as \"M 10 10 L 50 80\"") }
        guard stroke.hasPrefix("#"), Hexadecimal.decode(stroke.dropFirst())?.count == 3 else {
            throw CommandError("draw takes a color as #rrggbb, not \"\(stroke)\"")
        }
        guard (1...25).contains(width) else { throw CommandError("draw takes a width from 1 to 25, not \(width)") }
        guard (0...1).contains(opacity) else { throw CommandError("draw takes an opacity from 0 to 1, not \(opacity)") }
        return "<path d=\"\(path)\" stroke=\"\(stroke)\" stroke-width=\"\(width)\" stroke-opacity=\"\(opacity)\" "
            + "fill=\"none\"/>"
    }

    private static func attribute(_ name: String, of text: String) -> String? {
        guard let start = text.firstRange(of: " \(name)=\"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }

    /// How scripts see it, with the vendor's keys.
    var fields: JSONObject {
        [
            "kASDKSVGPathKey": .string(self.path), "kASDKSVGPathStrokeKey": .string(self.stroke),
            "kASDKSVGPathStrokeWidthKey": .double(self.width), "kASDKSVGPathStrokeOpacityKey": .double(self.opacity),
        ]
    }
}
