import Machines
import Testing

@Suite("Values that wait under numbers of their own")
struct NumberedTests {
    @Test("A number is given once, and takes out what was added under it, once")
    func numbers() {
        var waiting = Numbered<String>()
        #expect(waiting.isEmpty)
        #expect(waiting.add("a") == 1)
        #expect(waiting.add("b") == 2)
        #expect(waiting.take(1) == "a")
        #expect(waiting.take(1) == nil)
        #expect(waiting.add("c") == 3)
        #expect(waiting.numbers == [2, 3])
        waiting.removeAll()
        #expect(waiting.isEmpty)
        #expect(waiting.add("d") == 4)
    }

    @Test("What is meant is taken out and the rest stays; a value can be changed where it waits")
    func changes() {
        var waiting = Numbered<String>()
        for word in ["a", "b", "a"] { _ = waiting.add(word) }
        waiting.removeAll { $0 == "a" }
        #expect(waiting.numbers == [2])
        waiting[2]?.append("!")
        #expect(waiting[2] == "b!")
        waiting[2] = nil
        #expect(waiting.isEmpty)
    }
}
