import CommandLine
import Metrics
import Testing

@Suite("What a load run says of texts that fail nothing")
struct TextRemarkTests {
    /// A chat in Lua whose server does this with each text.
    private static func chat(_ reaction: String, command: String = "sends = \"text\"") -> String {
        """
        local S = system {
            name = "own", events = { message = { text = "string" }, message_sent = { text = "string" } },
            noise = { "message_sent", "message" },
        }
        function S.commands.connect(me) me.link = me:open {} me:wait "open" end
        S.commands.say = { \(command), function(me, text) me.link:send_json { text = text } end }
        function S.on.open(me) me:wake "open" end
        function S.on.text(me, text)
            local said = json.decode(text)
            me:emit(said.ack and "message_sent" or "message", { text = said.text })
        end
        function S.server.text(desk, from, text)
            local said = json.decode(text)
            desk.count = (desk.count or 0) + 1
            \(reaction)
        end

        """
    }

    private static let acknowledge = "from:send_json { ack = true, text = said.text }"
    private static let relay =
        "for _, client in ipairs(desk.clients) do if client ~= from then client:send_json { text = said.text } end end"

    private static func talk(users: Int, _ extra: String = "") -> String {
        """
        workload { executor = "per_vu_iterations", users = \(users), iterations = 1, max_duration = "20s", \(extra) }
        scenario("talks", function(t)
            t:server(S, { shared = true })
            local ada = t:actor(S)
            ada:connect()
            for number = 1, 8 do ada:say("hello " .. number) wait "10ms" end
            wait "100ms"
        end)
        """
    }

    private static let lonely = "texts were sent, none of them was to reach anybody, and none came"

    @Test("Texts of several users that are for nobody, and of which none comes, are told with how to declare a room")
    func forNobody() async throws {
        let (silent, _) = try await ToolRun.load(Self.chat(Self.acknowledge) + Self.talk(users: 3))
        #expect(silent.ended(.success), "\(silent.output)\(silent.error)")
        #expect(silent.output.contains("warning     24 \(Self.lonely)"), "\(silent.output)")
        #expect(silent.output.contains("rooms = { size = 10 }"), "\(silent.output)")
        let (alone, _) = try await ToolRun.load(Self.chat(Self.acknowledge) + Self.talk(users: 1))
        #expect(alone.ended(.success) && !alone.output.contains(Self.lonely), "\(alone.output)")
        let (heard, _) = try await ToolRun.load(Self.chat(Self.acknowledge + " " + Self.relay) + Self.talk(users: 3))
        #expect(!heard.output.contains(Self.lonely), "\(heard.output)")
        let (room, _) = try await ToolRun.load(
            Self.chat(Self.acknowledge + " " + Self.relay) + Self.talk(users: 3, "rooms = { size = 3 }"))
        #expect(!room.output.contains(Self.lonely), "\(room.output)")
    }

    @Test(
        "Texts that message_sent does not acknowledge are told where that is not declared, and fail where it is",
        arguments: [
            ("if desk.count % 3 > 0 then \(Self.acknowledge) end", "2 of 8"), ("", "8 of 8"), (Self.acknowledge, nil),
        ])
    func unacknowledged(reaction: String, told: String?) async throws {
        let (usual, _) = try await ToolRun.load(Self.chat(reaction) + Self.talk(users: 1))
        #expect(usual.ended(.success), "\(usual.output)\(usual.error)")
        let warning = "texts were not acknowledged by message_sent; acknowledged_by = \"message_sent\" beside sends"
        #expect(usual.output.contains(warning) == (told != nil), "\(usual.output)")
        if let told { #expect(usual.output.contains("warning     \(told) \(warning)"), "\(usual.output)") }
        let declared = "sends = \"text\", acknowledged_by = \"message_sent\""
        let (failed, _) = try await ToolRun.load(Self.chat(reaction, command: declared) + Self.talk(users: 1))
        #expect(failed.ended(told == nil ? .success : .failed), "\(failed.output)\(failed.error)")
        #expect(!failed.output.contains(warning), "\(failed.output)")
    }
}
