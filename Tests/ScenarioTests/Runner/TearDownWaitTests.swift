import Machines
import Testing

@testable import Scenario

@Suite("The wait for conversations to end")
struct TearDownWaitTests {
    @Test("goes on for whoever is busy, and no longer than its limit")
    func limit() {
        var wait = TearDownWait(since: .start + .seconds(1), isNoticed: false)
        #expect(!wait.goesOn(at: .start + .seconds(1), for: nil) { nil })
        #expect(wait.goesOn(at: .start + .seconds(1), for: "ada") { nil })
        #expect(wait.goesOn(at: .start + .milliseconds(5999), for: "ada") { nil })
        #expect(!wait.goesOn(at: .start + .seconds(6), for: "ada") { nil })
        #expect(wait.slowness == nil)
    }

    @Test("tells people how long it took and what for once that was long, and asks nobody before")
    func slowness() {
        var wait = TearDownWait(since: .start, isNoticed: true)
        var asked = 0
        func goesOn(at time: Duration, _ work: String?) -> Bool {
            wait.goesOn(at: .start + time, for: "ada") {
                asked += 1
                return work
            }
        }
        #expect(goesOn(at: .milliseconds(999), "a request") && wait.slowness == nil && asked == 0)
        #expect(goesOn(at: .seconds(2), "a request"))
        #expect(wait.slowness == "waited 2s for ada: a request" && asked == 1)
        #expect(goesOn(at: .seconds(3), nil) && wait.slowness == "waited 3s for ada")
        #expect(!wait.goesOn(at: .start + .seconds(4), for: nil) { nil })
        #expect(wait.slowness == "waited 3s for ada")
    }
}
