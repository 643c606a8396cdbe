import RunRecord
import Testing

@testable import Scenario

@Suite("Requests that the simulated servers of systems in Lua take and send")
struct LuaServerRequestTests {
    @Test("a form with files is the list of its parts, and any other body has none")
    func parts() throws {
        let source = """
            local S = system { name = "probe", events = {} }
            function S.commands.send(me, options) return me:request(options).body end
            function S.server.request(desk, request)
                local texts = {}
                for _, part in ipairs(request.parts or {}) do
                    texts[#texts + 1] = ("%s %s %s %d"):format(part.name, part.filename, part.type, #part.bytes)
                    expect(part.body == nil or part.body == part.bytes)
                    expect(part.json ~= nil, part.name == "data")
                end
                return request.parts and table.concat(texts, ", ") or "no parts"
            end
            scenario("sends", function(t)
                t:server(S)
                local client = t:actor(S)
                expect(client:send { multipart = {
                    { name = "note", text = "hi" }, { name = "data", json = { 1 } },
                    { name = "photo", filename = "a.jpg", type = "image/jpeg", base64 = base64.encode "\\xFF\\0\\xFE" },
                } }, "note nil nil 2, data nil application/json 3, photo a.jpg image/jpeg 3")
                expect(client:send { body = "text" }, "no parts")
                local headers = { ["content-type"] = "multipart/form-data; boundary=b" }
                expect(client:send { body = "--b junk", headers = headers }, "no parts")
            end)
            """
        #expect(try ScriptRun(source).messages == [])
        let misspelt = source.replacing("part.filename", with: "part.fliename")
        #expect(
            try ScriptRun(misspelt).messages.first?.contains("part.fliename is not there; did you mean \"filename\"?")
                == true)
    }
}
