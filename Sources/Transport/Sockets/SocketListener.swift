import NIOCore

/// An open door of a ``SocketNetwork``.
final class SocketListener: Listener {
    let endpoint: Endpoint
    let isSecure: Bool
    var onAccept: ((any ByteStream) -> (any ByteStreamDelegate)?)?
    private var channel: (any Channel)?
    private var isClosed = false

    /// Creates a listener whose socket is bound.
    init(endpoint: Endpoint, isSecure: Bool) {
        self.endpoint = endpoint
        self.isSecure = isSecure
        OwnSockets.ofProcess.opened(at: endpoint.port)
    }

    /// Takes the channel that accepts connections.
    func started(_ channel: any Channel) {
        self.channel = channel
        if self.isClosed { channel.close(promise: nil) }
    }

    func close() {
        self.onAccept = nil
        if !self.isClosed { OwnSockets.ofProcess.closed(at: self.endpoint.port) }
        self.isClosed = true
        self.channel?.close(promise: nil)
        self.channel = nil
    }
}
