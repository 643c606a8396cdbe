import Machines

/// The failures that a script has prepared.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | none, prepared | `prepared` | prepared | |
/// | prepared | `requested` with the path of a failure | none after the last time, else prepared | answers the failure, or drops the request |
/// | any | `requested` otherwise | unchanged | |
struct FailurePart: Sendable {
    enum State: String, Sendable {
        case none, prepared
    }

    /// A failure that a script has prepared.
    struct Failure: Sendable {
        /// What stands in the path of the requests that fail.
        let path: String
        /// The HTTP status, or zero to drop the connection.
        let status: Int
        let detail: String
        /// How many more requests fail.
        var count: Int64
    }

    /// What happens to failures.
    enum Input: Sendable {
        case prepared(Failure)
        case requested(ExchangeID, path: String)
    }

    private var failures: [Failure] = []

    var state: State { self.failures.isEmpty ? .none : .prepared }

    /// Takes in what happened; nothing is to be done if the request does not fail.
    mutating func handle(_ input: Input) -> [ServiceAction] {
        switch input {
        case .prepared(let failure):
            self.failures.append(failure)
            return []
        case .requested(let exchange, let path):
            guard let index = self.failures.firstIndex(where: { path.contains($0.path) }) else { return [] }
            self.failures[index].count -= 1
            let failure = self.failures[index]
            if failure.count <= 0 { self.failures.remove(at: index) }
            if failure.status == 0 { return [.perform(.drop(exchange))] }
            return [.answer(.error(failure.status, failure.detail))]
        }
    }
}
