import Synchronization

/// The secrets that the scripts of a run have asked for, to keep them out of what shows the scripts themselves.
///
/// Run records are masked as they are written; a report that shows a script must also mask what somebody typed there.
public final class SecretVault: Sendable {
    private let filter = Mutex(SecretFilter())

    /// Creates a vault without secrets.
    public init() {}

    /// Adds the values of the variables that a script names as secrets, before the script has asked for them.
    ///
    /// - Parameters:
    ///   - source: The text of a script.
    ///   - variables: The environment variables.
    public func add(secretsNamedIn source: String, variables: [String: String]) {
        for match in source.matches(of: /\bsecret\s*\(?\s*["']([^"'\n]+)["']/) {
            if let value = variables[String(match.1)] { self.add(value) }
        }
    }

    /// Adds a secret; one that is too short to be hidden is no secret.
    func add(_ value: String) {
        guard value.count >= SecretFilter.leastLength else { return }
        self.filter.withLock { $0.add(value) }
    }

    /// Returns a text without the secrets.
    public func masked(_ text: String) -> String {
        let filter = self.filter.withLock { $0 }
        return filter.masked(text)
    }
}
