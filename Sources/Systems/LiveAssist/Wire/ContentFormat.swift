/// What some bytes are, as their beginning says.
enum ContentFormat: CaseIterable, Hashable, Sendable {
    case pdf, png, gif, jpeg

    /// Looks at the beginning of some bytes.
    ///
    /// - Returns: Nil if they are nothing that is known here.
    init?(of bytes: [UInt8]) {
        guard let format = Self.allCases.first(where: { bytes.starts(with: $0.beginning) }) else { return nil }
        self = format
    }

    /// The bytes with which all content of the format begins: ISO 32000 §7.5.2, PNG §5.2, GIF89a §17, ITU T.81 §B.1.
    var beginning: [UInt8] {
        switch self {
        case .pdf: Array("%PDF".utf8)
        case .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        case .gif: Array("GIF8".utf8)
        case .jpeg: [0xFF, 0xD8]
        }
    }
}
