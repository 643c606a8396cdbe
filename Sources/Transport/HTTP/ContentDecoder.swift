import Compression
import HTTPTypes

/// Expands the body of an answer (RFC 9110 section 8.4.1).
final class ContentDecoder {
    /// What the client says that it takes.
    static let accepted = "gzip, deflate"

    /// At most this many bytes are handed on at a time; defined here.
    private static let pieceLimit = 64 << 10

    /// A body that is damaged or becomes too long.
    struct Failure: Error {
        let message: String
    }

    private enum Coding {
        case gzip
        /// Which of two forms it is, the first byte tells: some servers leave the wrapping out.
        case deflate
    }

    private let coding: Coding
    private let limit: Int
    private var inflater: Inflater?
    private var produced = 0

    /// Creates a decoder for an answer.
    ///
    /// - Parameters:
    ///   - head: The head of the answer.
    ///   - limit: The most bytes that the body may become.
    /// - Returns: Nil if the body is not compressed, or in a way that was not asked for.
    init?(_ head: HTTPResponse, limit: Int) {
        switch head.headerFields[.contentEncoding]?.lowercased() {
        case "gzip"?, "x-gzip"?: self.coding = .gzip
        case "deflate"?: self.coding = .deflate
        default: return nil
        }
        self.limit = limit
    }

    /// What a body says to be in that no client asks for, unless a script does; nil if it says nothing of that kind.
    static func unaskedCoding(of head: HTTPResponse) -> String? {
        guard let coding = head.headerFields[.contentEncoding]?.lowercased() else { return nil }
        return ["", "identity", "gzip", "x-gzip", "deflate"].contains(coding) ? nil : coding
    }

    /// Expands bytes of the body.
    ///
    /// - Parameters:
    ///   - bytes: What arrived.
    ///   - handOn: Gets the expanded bytes in pieces; returns whether more are wanted.
    /// - Throws: ``Failure`` if the body is damaged or becomes longer than the limit.
    func decode(_ bytes: [UInt8], handOn: ([UInt8]) -> Bool) throws(Failure) {
        guard let first = bytes.first else { return }
        let inflater = self.inflater ?? self.makeInflater(first)
        self.inflater = inflater
        inflater.take(bytes)
        do throws(Inflater.Damage) {
            while let piece = try inflater.next(atMost: Self.pieceLimit) {
                self.produced += piece.count
                guard self.produced <= self.limit else { break }
                guard handOn(piece) else { return }
            }
        } catch {
            throw Failure(message: "its \(self.coding) body is damaged: \(error.message)")
        }
        guard self.produced <= self.limit else {
            throw Failure(message: "its \(self.coding) body becomes longer than \(self.limit) bytes")
        }
    }

    /// Takes in that the body has ended.
    ///
    /// - Throws: ``Failure`` if it ended too early, or went on behind the end of what was compressed.
    func finish() throws(Failure) {
        guard let inflater = self.inflater else { return }
        guard inflater.isAtEnd else { throw Failure(message: "its \(self.coding) body ends too early") }
        guard !inflater.hasTrailingBytes else {
            throw Failure(message: "its \(self.coding) body goes on behind its end")
        }
    }

    private func makeInflater(_ first: UInt8) -> Inflater {
        switch self.coding {
        case .gzip: Inflater(.gzip)
        // The lower half of the first byte of a wrapping says that what follows is deflate (RFC 1950 section 2.2).
        case .deflate: first & 0x0F == 8 ? Inflater(.zlib) : Inflater(.raw)
        }
    }
}
