/// Text with gaps: `~~~` stands for anything, also for nothing and for several lines.
struct ExpectedText {
    let pieces: [String]

    init(_ text: String) {
        self.pieces = text.split(separator: "~~~", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns nil if a text fits, or else what it should have gone on with and where.
    func mismatch(_ text: String) -> String? {
        var rest = text[...]
        guard let first = self.pieces.first, rest.hasPrefix(first) else {
            return Self.difference(self.pieces.first ?? "", text)
        }
        rest = rest.dropFirst(first.count)
        guard self.pieces.count > 1 else { return rest.isEmpty ? nil : "more than expected: \(rest.prefix(400))" }
        for piece in self.pieces.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: piece) else { return Self.difference(piece, String(rest)) }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(self.pieces.last ?? "") ? nil : Self.difference(self.pieces.last ?? "", String(rest))
    }

    /// The first line that differs, for a reader of a failure.
    private static func difference(_ expected: String, _ found: String) -> String {
        let lines = zip(
            expected.split(separator: "\n", omittingEmptySubsequences: false),
            found.split(separator: "\n", omittingEmptySubsequences: false))
        let first = lines.first { $0.0 != $0.1 }
        return "expected: \(first?.0 ?? expected.prefix(200))\nfound:    \(first?.1 ?? found.prefix(200))"
    }
}
