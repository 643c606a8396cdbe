import Testing

@testable import Scenario

@Suite("Secrets in texts")
struct SecretFilterTests {
    private static let value = "tk-8&<\"ö 1815/+?%"

    private var filter: SecretFilter {
        var filter = SecretFilter()
        filter.add(Self.value)
        return filter
    }

    @Test(
        "every usual form of a secret is hidden",
        arguments: [
            "tk-8&<\"ö 1815/+?%", "tk-8&<\\\"ö 1815/+?%", "tk-8&amp;&lt;&quot;ö 1815/+?%",
            "tk-8%26%3C%22%C3%B6%201815%2F%2B%3F%25", "tk-8%26%3c%22%c3%b6%201815%2f%2b%3f%25",
            "tk-8%26%3C%22%C3%B6+1815%2F%2B%3F%25", "746b2d38263c22c3b620313831352f2b3f25",
            "746B2D38263C22C3B620313831352F2B3F25", "dGstOCY8IsO2IDE4MTUvKz8l",
        ])
    func forms(form: String) {
        #expect(self.filter.masked("before \(form) after") == "before *** after")
    }

    @Test("base64 of a longer text hides the secret inside, wherever it begins", arguments: ["", "u", "us", "use"])
    func base64(prefix: String) {
        let text = Self.base64(prefix + Self.value + "tail")
        #expect(self.filter.masked(text).contains("***"))
        #expect(!self.filter.masked(text).contains(text.dropFirst(prefix.count + 3).prefix(12)))
    }

    private static func base64(_ text: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bits = text.utf8.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        return stride(from: 0, to: bits.count, by: 6).reduce(into: "") { result, start in
            let group = (0..<6).map { start + $0 < bits.count ? bits[start + $0] : 0 }
            result.append(alphabet[group.reduce(0) { $0 * 2 + Int($1) }])
        }
    }

    @Test("texts without a secret stay as they are")
    func others() {
        #expect(self.filter.masked("tk-8 and 1815") == "tk-8 and 1815")
        #expect(SecretFilter().masked("anything") == "anything")
    }
}
