/// What the numbers of senders and channels mean in the ledger of a load run.
extension Ledger {
    /// The number of a sender is that of a user and, in so many of its lowest bits, which of the user's actors it is.
    public static let actorBits: UInt32 = 8

    /// Set in the number of a channel that is a room; without it the number is that of a user who talks to nobody else.
    public static let roomBit: UInt32 = 1 << 31

    /// Whether messages came to the wrong user, and none of them was sent in a room: users who talk to each other, and
    /// are in no room for the workload declares none, are no addressees.
    public var straysOutsideRooms: Bool {
        let strays = self.worstStreams(limit: .max, isOver: true).filter { $0.account.misdelivered > 0 }
        return !strays.isEmpty && strays.allSatisfy { $0.channel & Self.roomBit == 0 }
    }

    /// Whether texts that were due at several others did not come to all of them: in a chat that has private messages
    /// they may have been for some only, which no text says.
    public var losesAmongSeveral: Bool {
        self.worstStreams(limit: .max, isOver: true).contains {
            $0.account.lost > 0 && $0.account.expected > $0.account.sent
        }
    }

    /// Whose texts did not go the way they should, those of the worst first, a line for each such as
    /// `texts of user 7 in room 2: 4 of 16 deliveries, 12 lost, 0 duplicated`.
    ///
    /// - Parameters:
    ///   - limit: How many lines there are at most; a last one counts the senders that are left out.
    ///   - isOver: Whether all was waited for that was to arrive, as in ``account(isOver:)``.
    public func defectLines(limit: Int, isOver: Bool) -> [String] {
        let streams = self.worstStreams(limit: .max, isOver: isOver)
        let lines = streams.prefix(limit).map { stream in
            "texts of \(Self.name(ofSender: stream.sender, channel: stream.channel)): \(stream.account.line)"
        }
        guard streams.count > limit else { return lines }
        return lines + ["and \(NumberText.counted(streams.count - limit, "other sender"))"]
    }

    /// Names who sends and where, as people know them.
    public static func name(ofSender sender: UInt32, channel: UInt32) -> String {
        let (user, actor) = (sender >> Self.actorBits, sender & (1 << Self.actorBits - 1))
        let room = channel & Self.roomBit == 0 ? "" : " in room \(channel & ~Self.roomBit)"
        return "user \(user)" + (actor == 0 ? "" : ", its actor \(actor + 1)") + room
    }
}
