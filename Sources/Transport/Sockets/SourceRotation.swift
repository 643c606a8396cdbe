import NIOCore

/// The source addresses of a network as its users take them: one after another, and the first again after the last.
struct SourceRotation: Sendable {
    private let addresses: [SocketAddress]

    /// Creates the rotation of some addresses; of none, the system chooses for all users.
    init(_ addresses: SourceAddresses?) {
        self.addresses = (addresses?.list ?? []).compactMap { try? SocketAddress(ipAddress: $0, port: 0) }
    }

    /// Whether the system chooses.
    var isEmpty: Bool { self.addresses.isEmpty }

    /// The address of what belongs to no user; nil leaves it to the system.
    var first: SocketAddress? { self.addresses.first }

    /// Returns the address of a turn; nil leaves it to the system.
    ///
    /// - Parameter turn: Any number; it is counted on and on.
    subscript(turn: Int) -> SocketAddress? {
        self.isEmpty ? nil : self.addresses[Int(UInt(bitPattern: turn) % UInt(self.addresses.count))]
    }
}
