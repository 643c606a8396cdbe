import CommandLine
import RunRecord
import Testing

/// A pattern that an engine which goes back in the text needs ages for, wherever a server or a script can put one.
///
/// How many steps each takes at most is held in `TextRegexTests`, and of Lua's own patterns in `LimitTests`.
@Suite("Patterns that would take ages", .timeLimit(.minutes(3)))
struct CatastrophicPatternTests {
    /// What the scenarios begin with.
    private static let head = """
        local bad, long = "(a*)*(a|a)*(a+)+b", ("a"):rep(5000)
        local livelike, liveassist, oracle = require "livelike", require "liveassist", require "oracle"

        """

    private static let places: [(place: String, script: String)] = [
        (
            "the field of a server's form",
            """
            local desk, user = t:server(oracle, { echo = true }), t:actor(oracle)
            user:connect()
            user:expect "connected"
            desk:say {
                type = "editForm", formColumns = 1, actions = { { type = "submitForm", label = "Send" } },
                fields = {
                    { displayType = "textInput", id = "word", label = "Word", validationRegularExpression = bad },
                },
            }
            user:expect("form").form:fill { word = long }:submit()
            user:expect("form_invalid", { problems = match.has { key = "word", reason = "pattern" } })
            """
        ),
        (
            "the links of an application",
            """
            local service = t:server(livelike)
            local ada = t:actor(livelike, { enableChatMessageURLs = true, chatMessageUrlPatterns = bad })
            ada:connect "lobby"
            ada:expect "connected"
            local text = ("a"):rep(200)
            service:moderator("Host"):say(text)
            expect(ada:expect("message", { text = text }).links, nil)
            """
        ),
        (
            "the conditions of a script",
            """
            expect(long, match.is_not(match.regex(bad)))
            expect(long, match.is_not(match.glob(("*a"):rep(500) .. "b")))
            expect(long, match.is_not(match.template(("<any>a"):rep(20) .. "b")))
            """
        ),
        (
            "Lua's own patterns",
            """
            local done, message = pcall(string.find, long, ("a-"):rep(30) .. "b")
            expect(done, false)
            expect(tostring(message), match.contains "pattern")
            """
        ),
    ]

    @Test("end within the steps of a scenario", arguments: Self.places.map(\.place))
    func place(_ name: String) async throws {
        let script = try #require(Self.places.first { $0.place == name }?.script)
        let folder = try TemporaryFolder()
        try folder.write(
            Self.head + "scenario(\"plays\", function(t)\n\(script)\nend)\n", to: "Scenarios/patterns.lua")
        let run = try await ToolRun(["test", "--seed", "5"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }
}
