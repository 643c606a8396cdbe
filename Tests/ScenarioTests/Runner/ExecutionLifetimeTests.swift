import BoldChat
import LuaRuntime
import Machines
import RunRecord
import Testing
import Transport

@testable import Scenario

@Suite("What a play leaves behind")
struct ExecutionLifetimeTests {
    private static let source = """
        local boldchat = require "boldchat"
        scenario("a conversation", function(t)
            local desk = t:server(boldchat)
            local sam = desk:agent "Sam"
            local visitor = t:actor(boldchat)
            visitor:create_chat { skip_pre_chat = true }
            sam:expect "chat_waiting"
            sam:accept(visitor)
            visitor:expect "accepted"
            visitor:say "Hello"
            sam:expect("message", { text = "Hello" })
            visitor:end_session()
            sam:expect "chat_ended"
        end)
        """

    @Test(
        "nothing of a conversation stays once its play has ended: no collection has to come first",
        arguments: [true, false])
    func nothing(isCollected: Bool) throws {
        let settings = ExecutionSettings(
            systems: [BoldChatSystem.system], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(),
            seed: 1)
        let member = try #require(
            ScenarioSuite([ScriptFile(name: "a.lua", source: Self.source)], settings: settings).members.first)
        let engine = ScriptEngine()
        defer { engine.close() }
        // Both ends of each connection hold it.
        weak var loop: Worker?
        weak var execution: ScenarioExecution?
        weak var server: AnyObject?
        weak var visitor: Actor?
        weak var agent: Actor?
        func runOut() {
            var end: ScenarioEnd?
            let worker = Worker()
            loop = worker
            let played = ScenarioExecution(
                member.definition, attempt: member.attempt(1), settings: settings, worker: worker,
                network: MemoryNetwork(scheduler: worker), engine: engine, emit: { _ in }, onEnd: { end = $0 })
            execution = played
            played.start(member.file)
            _ = worker.runVirtually { played.actors.count == 2 }
            server = played.servers.home(of: "boldchat")
            agent = played.actors.first
            visitor = played.actors.last
            #expect(server != nil && agent != nil && visitor != nil)
            _ = worker.runVirtually { end != nil }
            #expect(end?.outcome == .passed)
            worker.end()
        }
        runOut()
        if isCollected {
            engine.state.collect()
            engine.state.collect()
        } else {
            engine.collectIfDue()
        }
        let held = [
            ("the worker", loop != nil), ("the play", execution != nil), ("the server", server != nil),
            ("the agent", agent != nil),
            ("the visitor", visitor != nil),
        ].filter(\.1).map(\.0)
        // By name, because an expectation that fails looks into what it compares.
        #expect(held == [])
    }

    /// A system of the script's own whose parts hold one another, as those of scripts do.
    private static let own = """
        local bot = system {
            name = "bot", client = "visitor", events = { message = { text = "string" } },
            parties = { agent = { events = { told = { text = "string" } } } },
        }
        function bot.commands.connect(me)
            me.link = me:open { path = "/chat" }
            me:wait "open"
        end
        bot.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
        function bot.on.text(me, text) me:emit("message", { text = text }) end
        function bot.server.text(desk, client, text)
            desk.last = client
            client:send(text)
        end
        function bot.parties.agent.take(agent, visitor)
            agent.visitor = visitor
            agent:emit("told", { text = "taken" })
        end
        scenario("a conversation", function(t)
            local desk = t:server(bot)
            local visitor = t:actor(bot)
            visitor:connect()
            local sam = desk:agent "Sam"
            sam:take(visitor)
            sam:expect "told"
            visitor:say "Hello"
            visitor:expect("message", { text = "Hello" })
        end)
        """

    /// Plays a script again and again in one state.
    private struct Repetition {
        let engine = ScriptEngine()
        private let settings: ExecutionSettings
        private let member: ScenarioSuite.Member
        private let worker = Worker()

        init(_ source: String) throws {
            self.settings = ExecutionSettings(
                systems: [BoldChatSystem.system], projectRoot: "/", workingDirectory: "/",
                project: ProjectConfiguration(), seed: 1)
            self.member = try #require(
                ScenarioSuite([ScriptFile(name: "a.lua", source: source)], settings: self.settings).members.first)
        }

        /// Plays it once, and expects that it passes.
        func play() {
            var end: ScenarioEnd?
            let execution = ScenarioExecution(
                self.member.definition, attempt: self.member.attempt(1), settings: self.settings, worker: self.worker,
                network: MemoryNetwork(scheduler: self.worker), engine: self.engine, emit: { _ in },
                onEnd: { end = $0 })
            execution.start(self.member.file)
            _ = self.worker.runVirtually { end != nil }
            #expect(end?.outcome == .passed, "\(end?.problems ?? [])")
        }
    }

    @Test("plays of one state after another leave no memory in it", arguments: [Self.source, Self.own])
    func memory(source: String) throws {
        let repetition = try Repetition(source)
        let engine = repetition.engine
        defer { engine.close() }
        func play(times: Int) -> Int {
            for _ in 0..<times { repetition.play() }
            engine.state.collect()
            return engine.state.memoryInUse
        }
        let before = play(times: 20)
        // A play holds tens of thousands of bytes while it lasts; the latest ones may not be gone yet.
        let after = play(times: 100)
        #expect(after < before + 20_000, "\(before) bytes, then \(after)")
    }

    @Test("matchers that a loop makes go with their functions while the scenario goes on")
    func matchers() throws {
        let source = """
            scenario("a", function(t)
                for number = 1, 10000 do
                    expect(number, match.where(function(value) return value == number end))
                    expect("a" .. number, match.pattern "%a%d+")
                end
                log.info "all met"
            end)
            """
        let settings = ScriptRun.settings()
        let member = try #require(
            ScenarioSuite([ScriptFile(name: "a.lua", source: source)], settings: settings).members.first)
        let worker = Worker()
        let engine = ScriptEngine()
        defer { engine.close() }
        var end: ScenarioEnd?
        var kept: Int?
        weak var played: ScenarioExecution?
        let execution = ScenarioExecution(
            member.definition, attempt: member.attempt(1), settings: settings, worker: worker,
            network: MemoryNetwork(scheduler: worker), engine: engine,
            emit: { entry in
                guard case .happened(_, _, .logged) = entry else { return }
                kept = (played?.script as? Script)?.functions.count
            }, onEnd: { end = $0 })
        played = execution
        execution.start(member.file)
        _ = worker.runVirtually { end != nil }
        #expect(end?.outcome == .passed, "\(end?.problems ?? [])")
        // Garbage is collected in steps, so that some of the twenty thousand may be there yet.
        #expect(try #require(kept) < 10_000)
    }

    /// A client in Lua that leaves some megabytes, which goes once the actor that holds it has gone.
    static let large = """
        local S = system { name = "keeper", events = {} }
        function S.commands.keep(me) me.text = ("x"):rep(6000000) end
        function S.server.request() return 204 end
        scenario("a", function(t)
            t:server(S)
            t:actor(S):keep()
        end)
        """

    @Test("what large scenarios leave is gone before it takes up much of what the next may hold")
    func leftovers() throws {
        let repetition = try Repetition(Self.large)
        let engine = repetition.engine
        defer { engine.close() }
        let limit = try #require(engine.state.limits.memoryBytes)
        for _ in 0..<40 {
            repetition.play()
            engine.collectIfDue()
            #expect(engine.state.memoryInUse < limit / 4)
        }
    }
}
