import JSON
import Machines

/// What a wallet must hold to enter a room.
struct TokenGate: Sendable {
    /// As the room resource names it.
    let requirements: [JSONValue]

    /// The wallets that hold it.
    private let wallets: Set<String>

    /// Reads what a script or a call says of a new room.
    init(_ fields: JSONObject) {
        self.requirements = Array((fields["token_gates"]?.array ?? []).filter { $0.object != nil }.prefix(100))
        self.wallets = Set((fields["wallets"]?.array ?? []).prefix(10_000).compactMap(\.string))
    }

    /// Answers whether a wallet opens a room.
    ///
    /// That the answer does not keep anybody out, since only the application asks for it, is defined here.
    func access(of wallet: String, to room: String) -> ServiceAnswer {
        let isOpen = self.requirements.isEmpty || self.wallets.contains(wallet)
        return ServiceAnswer([
            "chat_room_id": .string(room), "access": isOpen ? "allowed" : "disallowed",
            "wallet_details": ["wallet_address": .string(wallet)],
        ])
    }
}
