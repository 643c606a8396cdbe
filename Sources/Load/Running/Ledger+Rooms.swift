public import Metrics

extension Ledger {
    /// Whether messages came to the wrong user, and none of them was sent in a room: users who talk to each other, and
    /// are in no room for the workload declares none, are no addressees.
    public var straysOutsideRooms: Bool {
        let strays = self.worstStreams(limit: .max).filter { $0.account.misdelivered > 0 }
        return !strays.isEmpty && strays.allSatisfy { $0.channel & UserRecorder.roomBit == 0 }
    }
}
