import Machines
import Testing

@Suite("Values that are seldom there")
struct BoxedTests {
    private struct Holder: Hashable {
        @Boxed var value: [Int]?
        var other = 0
    }

    @Test("what is put away comes back, takes one word, and is no part of a copy that gets another one")
    func values() {
        var holder = Holder()
        #expect(holder.value == nil)
        holder.value = [1, 2]
        var copy = holder
        copy.value = nil
        #expect(holder.value == [1, 2])
        #expect(copy.value == nil)
        #expect(MemoryLayout<Boxed<(Int, Int, Int, Int)>>.size == MemoryLayout<Int>.size)
    }

    @Test("two are equal if what they hold is, wherever it lies")
    func equality() {
        var (first, second) = (Holder(), Holder())
        first.value = [1]
        #expect(first != second)
        second.value = [1]
        #expect(first == second)
        #expect(Set([first, second]).count == 1)
        second.value = [2]
        #expect(first != second)
    }
}
