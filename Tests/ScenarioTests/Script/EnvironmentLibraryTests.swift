import JSON
import Machines
import Secrets
import Testing

@testable import Scenario

@Suite("env, secret and keep_secret in scripts")
struct EnvironmentLibraryTests {
    private static func settings(_ variables: [String: String] = [:]) -> ExecutionSettings {
        ScriptRun.settings(variables: variables)
    }

    @Test("variables that a project need not name are read, and those that are not set have their default")
    func reading() throws {
        let settings = Self.settings(["REPARTEE_SHOP": "north", "CI": "true", "HOME": "/home/ada"])
        #expect(
            try ScriptRun.value(
                of:
                    "{ env \"REPARTEE_SHOP\", env \"CI\", env(\"REPARTEE_X\", \"none\"), env(\"REPARTEE_SHOP\", \"none\"), tostring(env \"LANG\") }",
                settings: settings) == ["north", "true", "none", "north", "nil"])
    }

    @Test(
        "a variable that the project does not name is not read, and the message says how to name it",
        arguments: ["HOME", "PATH", "repartee_x", "", "CI2"])
    func refused(name: String) throws {
        #expect(
            try ScriptRun.mistake(in: "env \"\(name)\"", settings: Self.settings(["HOME": "/home/ada"]))
                == "env cannot read \(name): a script reads no variable that the project does not name; write "
                + "env = { \"\(name)\" } in repartee.lua, or read it with secret if nobody may see it")
    }

    @Test("a secret is given to the script and hidden from everybody else")
    func secrets() throws {
        let run = try ScriptRun(
            body: """
                local token = secret "TOKEN"
                assert(#token == 9)
                log.info("the token is " .. token)
                log.info(keep_secret("learned-one") .. ".")
                log.info(keep_secret(123456789))
                """, settings: Self.settings(["TOKEN": "swordfish"]))
        #expect(run.messages == [])
        for text in ["swordfish", "learned-one", "123456789"] {
            #expect(run.secrets.withoutValues("x \(text) y") != "x \(text) y", "\(text)")
        }
    }

    @Test(
        "what is no secret, or cannot be hidden, is refused with what to do",
        arguments: [
            (
                "secret \"MISSING\"",
                "the secret MISSING is not set; give it as an environment variable: MISSING=… repartee test …"
            ),
            (
                "secret \"EMPTY\"",
                "the secret EMPTY is not set; give it as an environment variable: EMPTY=… repartee test …"
            ),
            ("secret()", "secret: argument 1 (name) must be a string, not nothing"),
            ("keep_secret(nil)", "keep_secret takes a text, such as the token that a login answered, not nil"),
            ("keep_secret(true)", "keep_secret takes a text, such as the token that a login answered, not true"),
            ("env(\"CI\", 5)", "env: argument 2 (default) must be a string, not an integer"),
        ] as [(String, String)])
    func mistakes(call: String, message: String) throws {
        #expect(try ScriptRun.mistake(in: call, settings: Self.settings(["EMPTY": "", "SHORT": "ab"])) == message)
    }

    @Test("a secret that is too short is told how long it has to be")
    func short() throws {
        let settings = Self.settings(["SHORT": "ab"])
        let secret = try #require(try ScriptRun.mistake(in: "secret \"SHORT\"", settings: settings))
        #expect(
            secret.hasPrefix("the secret SHORT is too short")
                && secret.contains("at least \(SecretMasker.leastLength) bytes"))
        let kept = try #require(try ScriptRun.mistake(in: "keep_secret \"ab\""))
        #expect(kept.hasPrefix("keep_secret cannot hide a text of fewer than \(SecretMasker.leastLength) bytes"))
    }
}
