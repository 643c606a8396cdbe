import HTTPTypes
import Machines
import Testing

@Suite("The path and the query of a request")
struct PathAndQueryTests {
    private static func target(_ path: String?) -> PathAndQuery {
        PathAndQuery(HTTPRequest(method: .get, scheme: "http", authority: "a.test", path: path))
    }

    @Test(
        "they are divided at the first question mark",
        arguments: [
            ("/a/b", "/a/b", ""), ("/a?b=c", "/a", "b=c"), ("/a?", "/a", ""), ("?b", "", "b"),
            ("/a?b=?c", "/a", "b=?c"), ("/ä?ö=ü", "/ä", "ö=ü"), ("", "", ""),
        ])
    func divided(target: String, path: String, query: String) {
        #expect(Self.target(target).path == path)
        #expect(Self.target(target).query == query)
    }

    @Test("a request without a path names the root")
    func root() {
        #expect(Self.target(nil).path == "/")
        #expect(Self.target(nil).parameters().isEmpty)
    }

    @Test("parameters are decoded, the last one of a name counts, and a plus is what the server takes it for")
    func parameters() {
        let target = Self.target("/a?x=1&x=b%20c+d&%79=&z")
        #expect(target.parameters() == ["x": "b c d", "y": "", "z": ""])
        #expect(target.parameters(plusIsSpace: false) == ["x": "b c+d", "y": "", "z": ""])
    }
}
