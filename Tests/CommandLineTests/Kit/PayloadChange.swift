import Transport

/// What one side says is changed on its way, or how it is divided.
final class PayloadChange {
    /// What happens on the way.
    enum Kind {
        /// What servers say is changed by seed.
        case answers
        /// What clients say is changed by seed.
        case requests
        /// Bytes arrive at clients one by one.
        case drips
    }

    private let kind: Kind
    private var mutation: PayloadMutation

    init(_ kind: Kind, seed: UInt64) {
        self.kind = kind
        self.mutation = PayloadMutation(seed: seed)
    }

    /// How many payloads were changed.
    var count: Int { self.mutation.count }

    /// Another network, on which that happens.
    func network(over base: any Network) -> ChangingNetwork {
        ChangingNetwork(base: base) { self.change() }
    }

    /// What becomes of the bytes of one connection.
    private func change() -> ChangingNetwork.Change {
        var payloads = PayloadStream()
        let mutated = { (bytes: [UInt8]) in payloads.take(bytes) { self.mutation.changed($0) } }
        return switch self.kind {
        case .answers: ChangingNetwork.Change(sent: { $0 }, received: { [mutated($0)] })
        case .requests: ChangingNetwork.Change(sent: mutated, received: { [$0] })
        case .drips: ChangingNetwork.Change(sent: { $0 }, received: { $0.map { [$0] } })
        }
    }
}
