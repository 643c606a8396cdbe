/// An open door of a ``MemoryNetwork``.
final class MemoryListener: Listener {
    let endpoint: Endpoint
    let isSecure: Bool
    var onAccept: ((any ByteStream) -> (any ByteStreamDelegate)?)?
    private let network: MemoryNetwork

    /// Creates a listener; the network knows it by its endpoint.
    init(endpoint: Endpoint, isSecure: Bool, network: MemoryNetwork) {
        self.endpoint = endpoint
        self.isSecure = isSecure
        self.network = network
    }

    func close() {
        self.onAccept = nil
        self.network.remove(self)
    }
}
