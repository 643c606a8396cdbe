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
}
