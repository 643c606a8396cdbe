import JSON
import Machines

/// One path that an agent drew.
struct Annotation: Hashable, Sendable {
    /// Longer paths are not taken; an agent may be hostile.
    static let longestPath = 100_000

    private static let defaultStroke = "#ff0000"

    let topic: UInt16
    let path: String
    let stroke: String
    let width: Double
    let opacity: Double
    let box: ScreenElement.Box

    /// The path elements of what an agent drew.
    ///
    /// - Throws: That there is none.
    static func elements(of text: String) throws(WireComplaint) -> [String] {
        let elements = text.split(separator: "<").filter { element in
            element.hasPrefix("path") && !(element.dropFirst(4).first?.isLetter ?? false)
        }
        guard !elements.isEmpty else { throw WireComplaint("a drawing without a path") }
        return elements.map { "<" + $0 }
    }

    /// Reads an SVG path element: `d`, `stroke`, `stroke-width`, `stroke-opacity`.
    ///
    /// - Throws: That it has no path, or what no agent draws.
    init(_ text: String, topic: UInt16) throws(WireComplaint) {
        func number(_ name: String) throws(WireComplaint) -> Double? {
            guard let text = Self.attribute(name, of: text) else { return nil }
            guard let number = Double(text) else { throw WireComplaint("a drawing whose \(name) is no number") }
            return number
        }
        self.topic = topic
        self.path = Self.attribute("d", of: text) ?? ""
        self.stroke = Self.attribute("stroke", of: text) ?? Self.defaultStroke
        self.width = try number("stroke-width") ?? 1
        self.opacity = try number("stroke-opacity") ?? 1
        if let wrong = Self.flaw(path: self.path, stroke: self.stroke, width: self.width, opacity: self.opacity) {
            throw WireComplaint("a drawing that cannot be drawn: there must be \(wrong)")
        }
        let numbers = self.path.split { !($0.isNumber || $0 == "." || $0 == "-") }.compactMap { Double($0) }
            .map { Int(max(-32_768, min($0, 32_767))) }
        let xs = stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] }
        let ys = stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] }
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
            throw WireComplaint("a drawing whose path leads nowhere")
        }
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

    /// What a drawing must have in place of what it has; nil if the protocol has all of it.
    private static func flaw(path: String, stroke: String, width: Double, opacity: Double) -> String? {
        guard Self.isPath(path) else { return "an SVG path such as \"M 10 10 L 50 80\"" }
        guard stroke.hasPrefix("#"), Hexadecimal.decode(stroke.dropFirst())?.count == 3 else {
            return "a color as #rrggbb, not \"\(stroke.prefix(100))\""
        }
        guard (1...25).contains(width) else { return "a width from 1 to 25, not \(width)" }
        return (0...1).contains(opacity) ? nil : "an opacity from 0 to 1, not \(opacity)"
    }

    /// Writes the element that an agent sends.
    ///
    /// - Throws: What the vendor's console does not draw.
    static func element(
        path: String, stroke: String?, width: Double?, opacity: Double?
    ) throws(CommandError) -> String {
        let (stroke, width, opacity) = (stroke ?? Self.defaultStroke, width ?? 1, opacity ?? 1)
        if let wrong = Self.flaw(path: path, stroke: stroke, width: width, opacity: opacity) {
            throw CommandError("draw takes \(wrong)")
        }
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
