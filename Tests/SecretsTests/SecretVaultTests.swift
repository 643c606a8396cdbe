import Testing

@testable import Secrets

@Suite("Secrets that scripts name")
struct SecretVaultTests {
    @Test(
        "the names are found however the call is written",
        arguments: [
            (#"local key = secret "API_KEY""#, ["API_KEY"]), (#"secret("A") .. secret( 'B' )"#, ["A", "B"]),
            ("secret\n  \"A\"", ["A"]), ("secret", []), ("secret \"", []), ("secret \"A", []), ("secret \"A\nB\"", []),
            ("secret \"\"", []), (#"my_secret "A""#, []), (#"ésecret "A""#, []), (#"secrets "A""#, []),
            (#"secret(name)"#, []), (#"t.secret "A""#, ["A"]), ("", []),
        ])
    func names(source: String, names: [String]) {
        #expect(SecretVault.texts(givenTo: "secret", in: source) == names)
    }

    @Test("what a script names is hidden if the environment has it")
    func hiding() {
        let vault = SecretVault()
        vault.add(
            secretsNamedIn: #"secret "TOKEN" secret "ABSENT""#, variables: ["TOKEN": "hunter2!", "OTHER": "visible"])
        #expect(!vault.masked("say hunter2! to the visible").contains("hunter2!"))
        #expect(vault.masked("visible") == "visible")
    }
}
