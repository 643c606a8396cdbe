import Machines
import Secrets

/// What a system in Lua got, as one line of a failure.
enum ArrivalLine {
    private static let limit = 200

    /// Returns a text in one line, without what must not be seen, and cut after that.
    static func text(_ text: String, without secrets: SecretMasker) -> String {
        let masked = secrets.masked(Cause.beginning(of: text))
        let line = masked.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.shortened(to: Self.limit)
    }

    /// Returns what came of a request.
    ///
    /// - Parameters:
    ///   - request: Its method and path.
    ///   - failure: Why it got no answer, if it got none.
    static func answer(
        to request: String, status: Int64?, failure: String?, body: String, without secrets: SecretMasker
    ) -> String {
        if let failure { return self.text("\(request) failed: \(failure)", without: secrets) }
        let said = body.isEmpty ? "" : ": " + PageWords.shown(body, masked: { secrets.masked($0) })
        return self.text("\(request) answered \(status ?? 0)\(said)", without: secrets)
    }
}
