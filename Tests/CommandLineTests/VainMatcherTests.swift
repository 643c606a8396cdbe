import CommandLine
import RunRecord
import Testing

@Suite("Matchers and requests that would ask for nothing")
struct VainMatcherTests {
    @Test(
        "a text that is too long to be searched breaks what must not match",
        arguments: [
            Trap(
                "local text = (\"a\"):rep(100001)\nexpect(text, match.is_not(match.regex \".*a.*\"))", .failure,
                "expected not text that matches"),
            Trap(
                "expect({ text = (\"a\"):rep(100001) }, match.is_not { text = match.template \"a<rest>\" })", .failure,
                "expected not "),
            Trap(
                "expect((\"a\"):rep(100001), match.is_not(match.schema { pattern = \"a\" }))", .failure,
                "expected not "),
            Trap(
                "local client, peer = connected(t)\nclient:never(\"frame\", { text = match.regex \".*a.*\" })\n"
                    + "peer:send((\"a\"):rep(100001))\nwait \"1s\"", .failure, "must never happen"),
            Trap(
                "expect({ kind = \"a\", text = (\"a\"):rep(100001) }, match.is_not { kind = \"a\", text = match.regex \"b\" })",
                .failure, "expected not "),
        ])
    func longTexts(trap: Trap) async throws { try await trap.expect() }

    @Test("a long text that another member rules out breaks nothing")
    func ruledOut() async throws {
        let end = try await Trap.end(
            of: """
                local text = ("a"):rep(100001)
                expect({ kind = "b", text = text }, match.is_not { kind = "a", text = match.regex "b" })
                expect({ text, "x" }, match.is_not { match.regex "b" })
                local client, peer = connected(t)
                client:never("frame", { type = "binary", text = match.regex "b" })
                peer:send(text)
                client:expect "frame"
                """)
        #expect(end.outcome == .passed, "\(end.problems)")
    }

    @Test(
        "what asks for a misspelt member, or for two values under one name, is refused",
        arguments: [
            Trap("t:allow(\"frame\", { jsn = match.absent })\nconnected(t)", .error, "t:allow lets nothing pass: "),
            Trap(
                "expect({ a = 1, b = 2 }, { a = match.capture \"id\", b = match.capture \"id\" })", .error,
                "two values are captured as \"id\""),
            Trap(
                "expect({}, match.is_not(match.card { tilte = \"Forbidden\" }))", .error, "did you mean \"title\"?"),
            Trap("expect({}, match.is_not(match.button { lable = \"Delete\" }))", .error, "did you mean \"label\"?"),
            Trap("expect({}, match.is_not(match.form { feilds = { \"a\" } }))", .error, "did you mean \"fields\"?"),
            Trap("connected(t):end_guard(1)", .error, "has no \"end_guard\""),
        ])
    func misspelt(trap: Trap) async throws { try await trap.expect() }

    @Test("a long text of which only the end is another is not taken for the same")
    func longLikeness() async throws {
        let end = try await Trap.end(
            of: "expect((\"a\"):rep(10000) .. (\"b\"):rep(10000), match.fuzzy((\"a\"):rep(20000), 0.9))")
        #expect(end.outcome == .failed)
    }

    @Test(
        "a request has one body and says in one way who asks",
        arguments: [
            Trap(
                "t:server(http)\nt:actor(http):post(\"/x\", { a = 1 }, { form = { b = 1 } })", .error,
                "a request has one body, not a body and form"),
            Trap(
                "t:server(http)\nt:actor(http, { token = \"abcdef\", headers = { Authorization = \"Basic x\" } }):get \"/\"",
                .error, "token and the header Authorization exclude each other"),
        ])
    func requests(trap: Trap) async throws { try await trap.expect() }
}
