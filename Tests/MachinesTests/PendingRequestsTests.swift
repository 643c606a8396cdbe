import Machines
import Testing

@Suite("The requests of a machine that have no answer yet")
struct PendingRequestsTests {
    private var requests = PendingRequests<String>()

    @Test("two requests for one purpose are two keys")
    mutating func keys() {
        let first = self.requests.begin("page")
        let second = self.requests.begin("page")
        #expect(first != second)
        #expect(first.purpose == second.purpose)
    }

    @Test("a request that has ended is not canceled any more")
    mutating func end() {
        let first = self.requests.begin("a")
        let second = self.requests.begin("a")
        self.requests.end(first)
        #expect(self.requests.endAll { _ in true } == [second])
        #expect(self.requests.endAll { _ in true }.isEmpty)
    }

    @Test("of many requests those that are meant are taken out, in the order in which they were started")
    mutating func endAll() {
        let kept = self.requests.begin("keep")
        let others = (0..<20).map { _ in self.requests.begin("drop") }
        #expect(self.requests.contains("drop"))
        #expect(self.requests.endAll { $0 == "drop" } == others)
        #expect(!self.requests.contains("drop"))
        #expect(self.requests.endAll { _ in true } == [kept])
    }
}
