import Machines
import Testing

@Suite("Names seen lately")
struct RecentNamesTests {
    @Test("what comes twice is known, until as many others came after it")
    func forgetting() {
        var names = RecentNames(limit: 2)
        #expect(["a", "b", "a", "c"].map { names.insert($0) } == [true, true, false, true])
        #expect(["a", "b", "c"].map { names.contains($0) } == [false, true, true])
        #expect(["a", "a", "b"].map { names.insert($0) } == [true, false, true])
    }

    @Test("a memory for none remembers the last one")
    func smallest() {
        var names = RecentNames(limit: 0)
        #expect(["a", "a", "b", "a"].map { names.insert($0) } == [true, false, true, true])
    }
}
