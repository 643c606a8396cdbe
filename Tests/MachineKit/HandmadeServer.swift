/// A chat system in Lua whose server writes its answers of HTTP by hand, so that it may break the protocol.
public enum HandmadeServer {
    /// What its server does with a request, in Lua.
    public enum Habit {
        /// It sends something behind each answer; special characters are escaped as in a string of Lua.
        case adds(String)

        /// It ends the first kept connection on which it is asked once more, without an answer.
        case endsKeptConnection
    }

    /// Returns the declaration of the system `S`, whose clients `ask` and then observe a `message` with the answer.
    public static func system(_ habit: Habit) -> String {
        let (ends, surplus) =
            switch habit {
            case .adds(let surplus): ("", surplus)
            case .endsKeptConnection:
                (
                    """
                    if client.was_asked and not desk.has_ended then
                        desk.has_ended = true
                        return client:close()
                    end
                    client.was_asked = true
                    """, ""
                )
            }
        return """
            local S = system {
                name = "probe", events = { message = { text = "string" } }, frames = "bytes",
                options = { url = "string" },
            }
            function S.commands.ask(me)
                me:emit("message", { text = me:request { url = me.options.url .. "/" }.body })
            end
            function S.server.bytes(desk, client)
                \(ends)
                client:send_bytes "HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\na\(surplus)"
            end
            """
    }

    /// Returns a scenario in which a client asks and hears the answer, which is `a`.
    ///
    /// - Parameters:
    ///   - count: How often it asks.
    ///   - before: What comes before there is a server.
    ///   - after: What comes at the end.
    public static func scenario(asking count: Int, before: String = "", after: String = "") -> String {
        """
        scenario("asks", function(t)
            \(before)
            local desk = t:server(S)
            local client = t:actor(S, { url = desk.url:gsub("^tcp", "http") })
            for _ = 1, \(count) do
                client:ask()
                client:expect("message", { text = "a" })
            end
            \(after)
        end)
        """
    }
}
