import Testing

@testable import Secrets

@Suite("Pieces of values in bytes")
struct SecretIndexTests {
    private static func index(_ values: [String]) -> SecretIndex {
        var index = SecretIndex()
        for value in values { index.add(Array(value.utf8)) }
        return index
    }

    @Test("a value that repeats itself is kept once, and looked up once where a text repeats it")
    func repetition() {
        let index = Self.index([String(repeating: "a", count: 4096), String(repeating: "ab", count: 2048)])
        // All of "a", and those of both that begin with either letter.
        #expect(index.groups.map(\.count) == [3])
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 16)
        #expect(index.pieces(in: text) == [0..<text.count])
    }

    @Test("values with a common beginning share what is kept of it")
    func commonBeginning() {
        let head = "eyJhbGciOiJIUzI1NiJ9"
        let values = (0..<1000).map { "\(head)\(1000 + $0)" }
        // Those within the beginning, and of each value those that reach into its number: by one digit to four.
        let ends = (1...4).map { digits in Set((1000..<2000).map { String(String($0).prefix(digits)) }).count }
        let within = head.utf8.count - SecretIndex.leastPiece + 1
        #expect(Self.index(values).groups.map(\.count) == [within + ends.reduce(0, +)])
    }

    @Test("what belongs to a piece of either of two values is found, though the pieces overlap")
    func overlap() {
        let index = Self.index(["xabcdefghij", "defghklmnopq"])
        #expect(index.pieces(in: Array("--abcdefghklmnopq--".utf8)) == [2..<17])
    }

    @Test("a short value counts only as a whole, a long one from eight bytes on, whatever zeros are before")
    func lengths() {
        var index = Self.index(["pin4", "secret7"])
        index.add([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])
        #expect(index.groups.map(\.length) == [4, 7, 8])
        #expect(index.pieces(in: Array("a PIN4".utf8)) == [2..<6])
        #expect(index.pieces(in: Array("pin secret".utf8)).isEmpty)
        #expect(index.pieces(in: [1, 2, 3, 4]).isEmpty)
        #expect(index.pieces(in: [UInt8](repeating: 0, count: 7)).isEmpty)
        #expect(index.pieces(in: [9] + [UInt8](repeating: 0, count: 9)) == [1..<10])
        #expect(index.pieces(in: [0, 0, 0, 0, 1, 2, 3, 4]) == [0..<8])
    }
}
