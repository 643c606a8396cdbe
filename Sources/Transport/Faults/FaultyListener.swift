/// A listener whose connections have faults.
final class FaultyListener: Listener {
    private let base: any Listener
    private let network: FaultyNetwork

    /// Creates a listener around another one.
    init(base: any Listener, network: FaultyNetwork) {
        self.base = base
        self.network = network
    }

    var endpoint: Endpoint { self.base.endpoint }

    var isSecure: Bool { self.base.isSecure }

    var onAccept: ((any ByteStream) -> (any ByteStreamDelegate)?)? {
        didSet {
            guard let onAccept = self.onAccept else {
                self.base.onAccept = nil
                return
            }
            let network = self.network
            self.base.onAccept = { network.accept($0, onAccept) }
        }
    }

    func close() {
        self.base.close()
    }
}
