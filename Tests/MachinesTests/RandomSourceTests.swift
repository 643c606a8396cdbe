import Machines
import Testing

@Suite("Seeded randomness")
struct RandomSourceTests {
    @Test("the same seed gives the same numbers, another seed others")
    func seeds() {
        var first = RandomSource(seed: 1)
        var again = RandomSource(seed: 1)
        var other = RandomSource(seed: 2)
        let numbers = (0..<8).map { _ in first.next() }
        #expect(numbers == (0..<8).map { _ in again.next() })
        #expect(numbers != (0..<8).map { _ in other.next() })
    }

    @Test("a derived source does not depend on what was drawn before")
    func derivation() {
        var source = RandomSource(seed: 7)
        var early = source.derived(for: "a")
        _ = source.next()
        var late = source.derived(for: "a")
        var other = source.derived(for: "b")
        let number = early.next()
        #expect(number == late.next())
        #expect(number != other.next())
    }

    @Test("decimal digits fit a signed 64-bit number")
    func digits() {
        var source = RandomSource(seed: 3)
        for _ in 0..<100 {
            let digits = source.decimalDigits(19)
            #expect(digits.count == 19)
            #expect(Int64(digits) != nil)
        }
    }

    @Test("UUIDs are of version 4, in lower case, and each is another")
    func uuids() {
        var source = RandomSource(seed: 1)
        let ids = (0..<200).map { _ in source.uuid() }
        for id in ids.map({ Array($0) }) {
            #expect(id.count == 36)
            #expect(id[14] == "4" && "89ab".contains(id[19]))
            #expect([8, 13, 18, 23].allSatisfy { id[$0] == "-" })
            #expect(id.allSatisfy { "0123456789abcdef-".contains($0) })
        }
        #expect(Set(ids).count == ids.count)
    }

    @Test("A source that keeps only its seed until it is drawn from gives the same numbers, and copies go on apart")
    func lazy() {
        var plain = RandomSource(seed: 7)
        let expected = [plain.next(), plain.next(), plain.next()]
        var lazy = LazyRandomSource(seed: 7)
        #expect(lazy.source.next() == expected[0])
        var copy = lazy
        #expect([lazy.source.next(), lazy.source.next()] == Array(expected[1...]))
        #expect([copy.source.next(), copy.source.next()] == Array(expected[1...]))
        #expect(MemoryLayout<LazyRandomSource>.size == 16)
    }
}
