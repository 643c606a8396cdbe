import RunRecord
import Testing

@testable import Scenario

@Suite("Which words lead where an answer was no success")
struct RefusalHeadlineTests {
    private static func failure(_ body: String) throws -> String {
        let failure = try ScriptRun.failure(
            of: """
                local S = system { name = "probe", client = "ada", events = { form = { stages = "list", id = "string" } } }
                function S.commands.register(me)
                    local answer = me:request { path = "/register", json = {} }
                    if answer.status == 401 then me:emit("form", { stages = answer.json.stages, id = "7" }) end
                end
                function S.commands.ask(me) local _ = me:request { path = "/refused" }.ok end
                function S.server.request(_, request)
                    if request.path == "/refused" then return 403 end
                    return { status = 401, json = { stages = json.array { "token", "dummy" } } }
                end
                t:server(S)
                local ada = t:actor(S)
                \(body)
                """)
        return try #require(failure)
    }

    @Test("an event that the client has made of the answer and that differs in one value leads")
    func takenUp() throws {
        let headline = try Self.failure("ada:register() ada:expect('form', { stages = { 'token' } })")
        #expect(headline.hasPrefix("ada: #1 form has stages"), "\(headline)")
    }

    @Test("the answer leads where nothing was made of it, and where the event came before it")
    func notTakenUp() throws {
        let alone = try Self.failure("ada:ask() ada:expect 'form'")
        #expect(alone.hasPrefix("ada: the server answered 403"), "\(alone)")
        let later = try Self.failure("ada:register() ada:ask() ada:expect('form', { id = '8' })")
        #expect(later.hasPrefix("ada: the server answered 403"), "\(later)")
    }
    @Test(
        "an answer that nothing asked about leads where another client waits for what comes of it",
        arguments: [
            ("ada:create() sam:expect 'invited'", "\"}, and nothing asked whether that is ok; sam cannot observe"),
            ("ada:create() sam:start() sam:expect('invited', nil, { within = '1s' })", "is ok; sam did not observe"),
            ("ada:look() ada:create() ada:expect 'invited'", "is ok; ada cannot observe"),
            ("ada:look() sam:expect 'invited'", nil),
        ] as [(String, String?)])
    func elsewhere(body: String, text: String?) throws {
        let failure = try ScriptRun.failure(
            of: """
                local S = system { name = "rooms", events = { invited = {} } }
                function S.commands.create(me)
                    me.room = me:request({ path = "/rooms", json = {} }).json.room
                    me:request { path = "/sync" }
                end
                function S.commands.look(me) return me:request({ path = "/rooms", json = {} }).ok end
                function S.commands.start(me) me:after("poll", "1h") end
                function S.on.timer() end
                function S.server.request(_, request)
                    return request.path == "/sync" and 200 or { status = 404, json = { error = "unknown" } }
                end
                t:server(S)
                local ada, sam = t:actor(S, { name = "ada" }), t:actor(S, { name = "sam" })
                \(body)
                """)
        let headline = try #require(failure)
        #expect(headline.hasPrefix("ada: POST /rooms answered 404: ") == (text != nil), "\(headline)")
        if let text { #expect(headline.contains(text), "\(headline)") }
    }
}
