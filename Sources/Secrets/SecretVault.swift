public import JSON
import Synchronization

/// The secrets of a run, from wherever in the process they become known.
///
/// There is one for a command, and whatever it writes is masked with it: reports, what it prints, what it stores.
public final class SecretVault: Sendable {
    private let secrets = Mutex(SecretMasker())

    /// Creates a vault without secrets.
    public init() {}

    /// Adds a secret; one that is too short to be hidden is no secret.
    ///
    /// - Parameter isLearnt: Whether it belongs to one conversation of many; see ``SecretMasker/add(_:isLearnt:)``.
    public func add(_ value: String, isLearnt: Bool = false) {
        self.secrets.withLock { $0.add(value, isLearnt: isLearnt) }
    }

    /// Adds the values of cookies that a script reads, which reports show in no header either.
    ///
    /// - Parameter cookies: A list of objects, each with its `value`.
    public func add(cookies: JSONValue) {
        for value in (cookies.array ?? []).compactMap({ $0["value"]?.string }) { self.add(value, isLearnt: true) }
    }

    /// Hides what a script computed, if a secret went into it and it does not show, in a way that is found, in what
    /// came out: a digest, a signature, what was compressed, what was decoded.
    ///
    /// - Parameters:
    ///   - result: What came out.
    ///   - inputs: What it was computed from.
    public func add(_ result: [UInt8], computedFrom inputs: [[UInt8]]) {
        // What is current is let go before something is added, for the sets are copied while somebody else has them.
        guard self.isSecret(result, computedFrom: inputs) else { return }
        self.secrets.withLock { $0.add(computed: result) }
    }

    private func isSecret(_ result: [UInt8], computedFrom inputs: [[UInt8]]) -> Bool {
        let secrets = self.current
        return inputs.contains { secrets.stand(in: $0) } && !secrets.stand(in: result)
    }

    /// Whether there is nothing to hide yet.
    public var isEmpty: Bool { self.secrets.withLock { $0.isEmpty } }

    /// The secrets so far.
    public var current: SecretMasker { self.secrets.withLock { $0 } }

    /// Returns a text without the secrets.
    public func masked(_ text: String) -> String { self.current.masked(text) }

    /// Returns a value without the secrets.
    public func masked(_ value: JSONValue) -> JSONValue { self.current.masked(value) }
}
