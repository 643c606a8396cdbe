import HTTPTypes
import Machines
import Testing

@Suite("The errands of a client")
struct ErrandBookTests {
    private static let request = Request(HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/"))

    private var step = ClientStep(now: .start, random: RandomSource(seed: 1))
    private var book = ErrandBook<String>()

    @Test("an exchange is sent once and gives its errand once")
    mutating func finish() {
        let first = self.book.send("first", Self.request, in: &self.step)
        let second = self.book.send("second", Self.request, in: &self.step)
        #expect(first != second)
        #expect(self.step.effects == [.send(first, Self.request), .send(second, Self.request)])
        #expect(self.book.finish(second) == "second")
        #expect(self.book.finish(second) == nil)
        #expect(self.book.finish(first) == "first")
    }

    @Test("a canceled exchange has no errand any more")
    mutating func cancel() {
        let exchange = self.book.send("a", Self.request, in: &self.step)
        self.book.cancel(exchange, in: &self.step)
        #expect(self.step.effects.last == .cancel(exchange))
        #expect(self.book.finish(exchange) == nil)
    }

    @Test("of many exchanges those that are meant are canceled, in the order in which they were started")
    mutating func cancelAll() {
        let kept = self.book.send("keep", Self.request, in: &self.step)
        let others = (0..<20).map { _ in self.book.send("drop", Self.request, in: &self.step) }
        self.book.cancelAll(where: { $0 == "drop" }, in: &self.step)
        #expect(self.step.effects.suffix(20) == others.map { .cancel($0) }[...])
        #expect(self.book.finish(kept) == "keep")
    }
}
