import Testing

@testable import Scenario

@Suite("Until when shared parts live in real time")
struct SharedPartLifetimeTests {
    @Test("a file is over with the last of its scenarios, once, whatever others do")
    func lastOfFile() {
        var lifetime = SharedPartLifetime(files: ["a.lua", "b.lua", "a.lua"])
        #expect(lifetime.scenarioEnded(of: "a.lua") == nil)
        #expect(lifetime.scenarioEnded(of: "b.lua") == "b.lua")
        #expect(lifetime.scenarioEnded(of: "a.lua") == "a.lua")
        #expect(lifetime.scenarioEnded(of: "a.lua") == nil)
        #expect(lifetime.scenarioEnded(of: "c.lua") == nil)
    }
}
