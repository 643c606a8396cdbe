/// What some bytes are, as the first of them say.
enum ContentFormat: CaseIterable, Hashable, Sendable {
    case pdf, png, gif, jpeg

    /// Reads a MIME type, in lower case.
    ///
    /// - Returns: Nil if it is none of those that the vendor's SDK displays.
    init?(type: String) {
        switch type {
        case "application/pdf": self = .pdf
        case "image/png": self = .png
        case "image/gif": self = .gif
        case "image/jpg", "image/jpeg": self = .jpeg
        default: return nil
        }
    }

    /// A PDF may have other bytes before its beginning, such as a byte order mark; readers look for it in so many.
    private static let searchedForPDF = 1_024

    /// Looks at the first of some bytes.
    ///
    /// - Returns: Nil if they are nothing that is known here.
    init?(of bytes: [UInt8]) {
        if let format = Self.allCases.first(where: { bytes.starts(with: $0.beginning) }) {
            self = format
        } else if bytes.prefix(Self.searchedForPDF).contains(Self.pdf.beginning) {
            self = .pdf
        } else {
            return nil
        }
    }

    /// The bytes with which content of the format begins: ISO 32000 §7.5.2, PNG §5.2, GIF89a §17, ITU T.81 §B.1.
    var beginning: [UInt8] {
        switch self {
        case .pdf: Array("%PDF".utf8)
        case .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        case .gif: Array("GIF8".utf8)
        case .jpeg: [0xFF, 0xD8]
        }
    }

    /// Whether the application's reader of a MIME type can read some bytes.
    ///
    /// There is one for PDF, and one for pictures, which goes by what they are; defined here.
    static func isReadable(_ bytes: [UInt8], as type: String) -> Bool {
        guard let named = Self(type: type), let found = Self(of: bytes) else { return false }
        return (named == .pdf) == (found == .pdf)
    }
}
