/// What actors of a user say in a conversation that no other user takes part in, and what of it need not come once the
/// user is broken off.
///
/// Each change returns how many deliveries need not come; below zero are those that have come though they needed not.
struct OwnDeliveries {
    /// How many deliveries are to come, by the number of the sender.
    private var underWay: [UInt32: Int] = [:]
    private var isBrokenOff = false

    /// An actor says something.
    mutating func sent(by sender: UInt32, to receivers: Int) -> Int {
        self.underWay[sender, default: 0] += receivers
        return self.isBrokenOff ? receivers : 0
    }

    /// What an actor said could not be sent.
    mutating func takenBack(by sender: UInt32, to receivers: Int) -> Int {
        // Of a user that is broken off, all is excused already.
        guard !self.isBrokenOff else { return 0 }
        self.underWay[sender]? -= receivers
        return receivers
    }

    /// What an actor said has come to another one.
    mutating func came(from sender: UInt32) -> Int {
        guard let count = self.underWay[sender], count > 0 else { return 0 }
        self.underWay[sender] = count - 1
        return self.isBrokenOff ? -1 : 0
    }

    /// The user is broken off: nothing more has to come.
    ///
    /// - Returns: How many deliveries need not come, by who sent them.
    mutating func brokenOff() -> [UInt32: Int] {
        self.isBrokenOff = true
        return self.underWay.filter { $0.value > 0 }
    }
}
