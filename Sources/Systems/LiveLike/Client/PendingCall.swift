import JSON
import Machines

/// A call whose answer goes to the script as it is.
struct PendingCall: Hashable, Sendable {
    /// What the client does with the answer besides telling the script.
    enum Reading: Hashable, Sendable {
        /// The body does not matter, only the status.
        case status
        /// Told as it is, if these members are as they must be.
        case value([MemberRule])
        /// A page of a list, whose neighbours are remembered.
        case page
        /// The other one is blocked from now on.
        case block(profile: String)
        case unblock(profile: String)
        /// Deleted messages are hidden at once.
        case delete(message: String)
    }

    /// The method of the vendor's SDK.
    let callback: String
    let room: String?
    let reading: Reading

    /// Creates a call.
    init(_ callback: String, _ reading: Reading, room: String? = nil) {
        self.callback = callback
        self.reading = reading
        self.room = room
    }

    /// Reads the answer; nil where its body does not matter and is none.
    func value(_ body: [UInt8]) throws(SDKError) -> JSONValue? {
        let rules: [MemberRule]
        switch self.reading {
        case .status, .delete, .block, .unblock: return try? JSONReader.read(body)
        case .value(let needed): rules = needed
        case .page: rules = [.needs("results", .list), .may("next", .text), .may("previous", .text)]
        }
        return try SDKError.reading("the answer to \(self.callback)", body) { value throws(Misreading) in
            // An answer that need not have any member may be a list.
            try MemberRule.check(value.object ?? [:], rules)
            return value
        }
    }

    /// What every event about it says.
    var fields: JSONObject {
        var fields: JSONObject = [:]
        fields["room"] = self.room.map { .string($0) }
        return fields
    }

    /// The list whose pages it asks for.
    var list: String { self.callback + (self.room ?? "") }
}
