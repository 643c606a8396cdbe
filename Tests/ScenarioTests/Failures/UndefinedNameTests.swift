import LuaRuntime
import Testing

@testable import Scenario

@Suite("A global that nobody has assigned")
struct UndefinedNameTests {
    @Test(
        "what Lua has elsewhere is told as what scripts do not have",
        arguments: ["io", "dofile", "package", "loadfile"])
    func leftOut(name: String) {
        #expect(UndefinedName(name, among: ["os"]).message() == "\(name) is not available to scripts")
    }

    @Test("a misspelt one is told with what was meant: another global, or a local of the script")
    func suggestions() {
        #expect(
            UndefinedName("scenaro", among: ["scenario"]).message()
                == "the global \"scenaro\" is not defined; did you mean \"scenario\"?")
        for source in [
            "local visitor = 1", "local a, visitor <const> = 1, 2", "local function visitor() end",
            "  local  visitor\n",
        ] {
            #expect(
                UndefinedName("vistor", among: []).message(in: source)?.contains("\"visitor\"") == true, "\(source)")
        }
    }

    @Test("one that is like no other is told with how to ask for it")
    func others() {
        #expect(
            UndefinedName("xyzxyz", among: ["scenario"]).message(in: "local visitor = 1")
                == "the global \"xyzxyz\" is not defined; assign it first, or ask "
                + "rawget(_G, \"xyzxyz\") whether it is there"
        )
        #expect(
            UndefinedName("eqals", of: .library("match"), among: ["equals"]).message()
                == "match.eqals is not defined; did you mean match.equals?")
        #expect(
            UndefinedName("xyzxyz", of: .library("match"), among: ["equals"]).message()
                == "match.xyzxyz is not defined; ask rawget(match, \"xyzxyz\") whether it is there")
        // A name is not its own correction.
        #expect(UndefinedName("visitor", among: ["visitor"]).message()?.contains("did you mean") == false)
    }

    @Test("a member that may be absent is a mistake only where it resembles one")
    func members() {
        #expect(
            UndefinedName("txet", of: .members(of: "the event frame", isClosed: false), among: ["text", "json"])
                .message()
                == "the event frame has no field \"txet\"; did you mean \"text\"?")
        // Names of a letter or two resemble each other by chance; where there can be no others that is a mistake, too.
        #expect(UndefinedName("b", of: .members(of: "t.shared", isClosed: false), among: ["a"]).message() == nil)
        #expect(
            UndefinedName("b", of: .members(of: "the row", isClosed: true), among: ["text", "a", "a"]).message()
                == "the row has no field \"b\"; did you mean \"a\"?")
        #expect(
            UndefinedName("mood", of: .members(of: "the event frame", isClosed: false), among: ["text", "json"])
                .message() == nil)
    }
}
