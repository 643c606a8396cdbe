/// A color as the vendor's tables write it: a name, or red, green and blue in hexadecimal, and an opacity.
struct Color: Hashable, Sendable {
    /// The named colors that the tables and samples use.
    static let names = [
        "clear": "#00000000", "white": "#FFFFFF", "black": "#000000", "red": "#FF0000", "green": "#00FF00",
        "blue": "#0000FF", "brown": "#996633", "gray": "#808080",
    ]

    /// From 0 to 255.
    let red: UInt8, green: UInt8, blue: UInt8

    /// From 0 (clear) to 1.
    let opacity: Double

    /// Reads `white`, `UIColor.white`, `#RRGGBB`, `#RRGGBBAA` or any of these with `.withAlphaComponent(0.5)`.
    init?(_ text: String) {
        var name = text
        var opacity = 1.0
        if let call = name.firstRange(of: ".withAlphaComponent("), name.hasSuffix(")") {
            guard let value = Double(name[call.upperBound...].dropLast()), (0...1).contains(value) else { return nil }
            opacity = value
            name = String(name[..<call.lowerBound])
        }
        if name.hasPrefix("UIColor.") { name = String(name.dropFirst(8)) }
        let digits = (Self.names[name] ?? name).drop { $0 == "#" }
        guard digits.utf8.count == 6 || digits.utf8.count == 8, digits.allSatisfy(\.isHexDigit),
            let value = UInt32(digits, radix: 16)
        else {
            return nil
        }
        let rgb = digits.utf8.count == 8 ? value >> 8 : value
        self.red = UInt8(rgb >> 16 & 255)
        self.green = UInt8(rgb >> 8 & 255)
        self.blue = UInt8(rgb & 255)
        self.opacity = digits.utf8.count == 8 ? Double(value & 255) / 255 * opacity : opacity
    }

    /// The color for a style sheet.
    var css: String { "rgb(\(self.red) \(self.green) \(self.blue) / \(self.opacity))" }
}
