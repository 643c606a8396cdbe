import JSON
import Testing

@testable import Secrets

@Suite("Credentials that nobody declared")
struct CredentialTests {
    private let secrets = SecretMasker()

    @Test(
        "are hidden by their names",
        arguments: [
            (
                "GET / HTTP/1.1\r\nAuthorization: Basic YTpi\r\nHost: h",
                "GET / HTTP/1.1\r\nAuthorization: ***\r\nHost: h"
            ),
            ("a\nset-cookie: sid=1; Path=/\nb", "a\nset-cookie: ***\nb"), ("Cookie: a=b", "Cookie: ***"),
            (#"{"password":"a\"b","user":"ada"}"#, #"{"password":"***","user":"ada"}"#),
            (#"{"clientSecret" : "x" , "n":1}"#, #"{"clientSecret" : "***" , "n":1}"#),
            (#""{\"api_key\":\"a\\\"b\",\"k\":\"v\"}""#, #""{\"api_key\":\"***\",\"k\":\"v\"}""#),
            (#"{"pwd":1234,"x":1}"#, #"{"pwd":***,"x":1}"#),
            (#"{"set-cookie":["a=1","b=2"]}"#, #"{"set-cookie":[***]}"#),
            (#"{"password":"cut of"#, #"{"password":"***"#),
            (#"{"token":"eyJhbGciOi9.eyJz"}"#, #"{"token":"***"}"#),
            ("user=ada&password=x%20y&z=1", "user=ada&password=***&z=1"), ("password=x", "password=***"),
            ("https://h/p?access_token=abc&v=1#f", "https://h/p?access_token=***&v=1#f"),
            ("wss://h/?token=a", "wss://h/?token=***"), ("see https://ada:pw@h:8/x", "see https://***@h:8/x"),
            (#"password = "hunter2", x = "y""#, #"password = "***", x = "y""#),
            (#"api_key="k" a"#, #"api_key="***" a"#),
            (#"["Set-Cookie"] = "sid=1; Path=/", x = 1"#, #"["Set-Cookie"] = "***", x = 1"#),
            (#"['Proxy-Authorization']='Basic "x"' a"#, #"['Proxy-Authorization']='***' a"#),
            (#"[\"Cookie\"]=\"a=b\" }"#, #"[\"Cookie\"]=\"***\" }"#),
            ("passwd=\"cut of\nexpect(\"a\")", "passwd=\"***\nexpect(\"a\")"),
        ])
    func texts(text: String, expected: String) {
        #expect(self.secrets.masked(text) == expected)
    }

    @Test(
        "and what only resembles them stays",
        arguments: [
            #"{"token":"It left"}"#, #"{"token":"conversational"}"#, #"{"token":"one two three 4 five six"}"#,
            #"{"timetoken":"17000000000000001"}"#, #"{"type":"password","label":"PIN"}"#, #"{"password":""}"#,
            "the password: not here", "a Cookie: jar", "token_gap = 200", "?token", "x=1&y=2", "http://h/@ada",
            "passwords=abc", "Set the password=", "event token text=\"It left\"", "at 12:30", #"{"tokenType":"jwt"}"#,
        ])
    func others(text: String) {
        #expect(self.secrets.masked(text) == text)
    }

    @Test("and where one begins within another both are, as far as either goes")
    func nested() {
        let text = #"?pwd=https://ada:x&y@host "pwd":["pwd":["a"],"b"] ?pwd=?pwd=a"#
        #expect(self.secrets.masked(text) == #"?pwd=***@host "pwd":[***],"b"] ?pwd=***"#)
    }

    @Test(
        "in texts made so that each value seems to reach to the end, in one walk over them",
        arguments: ["?pwd=", #""pwd":["#, #""pwd":[?pwd="#, "a:pwd='?pwd=", "?pwd=://"])
    func endless(piece: String) {
        // Looking for the end of each anew would take some ten thousand million steps.
        let text = String(repeating: piece, count: 100_000)
        let hidden = self.secrets.masked(text)
        #expect(hidden.utf8.count <= text.utf8.count)
        #expect(hidden == text || hidden.contains("***"))
    }

    @Test("by each of their names, however it is spelled", arguments: CredentialNames.memberNames)
    func everyName(name: String) {
        let second = name.index(after: name.startIndex)
        for spelling in [
            name, name.uppercased(), name.prefix(1).uppercased() + name.dropFirst(), "_\(name)", "\(name)-",
            "\(name[..<second])-\(name[second...])",
        ] {
            #expect(self.secrets.masked([spelling: "x"] as JSONValue) == [spelling: "***"], "\(spelling)")
            #expect(self.secrets.masked("{\"\(spelling)\":\"x\"}") == "{\"\(spelling)\":\"***\"}", "\(spelling)")
        }
    }

    @Test("in values, whatever they hold")
    func values() {
        let value: JSONValue = [
            "headers": ["Authorization": "Bearer x", "accept": "*/*"], "api-key": 12, "refresh_token": ["a", "b"],
            "token": "abc", "password": "", "session_token": .null, "secret": ["k": "v"],
        ]
        #expect(
            self.secrets.masked(value) == [
                "headers": ["Authorization": "***", "accept": "*/*"], "api-key": "***",
                "refresh_token": ["***", "***"], "token": "abc", "password": "", "session_token": .null,
                "secret": ["k": "***"],
            ])
        #expect(self.secrets.masked("Bearer x", at: ["headers", "authorization"]) == "***")
        #expect(self.secrets.masked("Bearer x", at: ["headers", "accept"]) == "Bearer x")
    }
}
