public import JSON
public import RunRecord
import Synchronization

/// The secrets of a run, from wherever in the process they become known.
///
/// There is one for a command, and whatever it writes is masked with it: reports, what it prints, what it stores.
public final class SecretVault: Sendable {
    private let secrets = Mutex(Secrets())

    /// Creates a vault without secrets.
    public init() {}

    /// Adds a secret; one that is too short to be hidden is no secret.
    ///
    /// - Parameter isLearnt: Whether it belongs to one conversation of many; see ``Secrets/add(_:isLearnt:)``.
    public func add(_ value: String, isLearnt: Bool = false) {
        self.secrets.withLock { $0.add(value, isLearnt: isLearnt) }
    }

    /// The secrets so far.
    public var current: Secrets { self.secrets.withLock { $0 } }

    /// Returns a text without the secrets.
    public func masked(_ text: String) -> String { self.current.masked(text) }

    /// Returns a value without the secrets.
    public func masked(_ value: JSONValue) -> JSONValue { self.current.masked(value) }

    /// Returns an entry of a run record without the secrets.
    public func masked(_ entry: RunEntry) -> RunEntry { self.current.masked(entry) }
}
