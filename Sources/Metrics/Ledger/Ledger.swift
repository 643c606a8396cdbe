/// The account of every message of a load run: what was sent, to how many, and what became of it.
///
/// A sender's worker notes what it sends and a receiver's worker what it receives; they may be on different machines,
/// for the account is made when the ledgers of all are merged. Memory is bounded for each pair of receiver and sender
/// in a channel, and a receiver belongs to one worker, so merging only adds.
public struct Ledger: Sendable {
    /// The messages of one sender in one channel.
    struct StreamKey: Hashable, Comparable, Sendable {
        let sender: UInt32
        let channel: UInt32

        static func < (left: Self, right: Self) -> Bool {
            (left.sender, left.channel) < (right.sender, right.channel)
        }
    }

    /// What became of the messages of one stream.
    struct Stream: Hashable, Sendable {
        /// How many messages were sent.
        var sent: Int64 = 0
        /// How many deliveries they were to become, one for each receiver.
        var expected: Int64 = 0
        /// How many arrived, each message once for each receiver.
        var delivered: Int64 = 0
        var duplicated: Int64 = 0
        var reordered: Int64 = 0
        /// How many came to someone who was not to receive them.
        var misdelivered: Int64 = 0
        /// How many deliveries need not come, because whoever was to send the message could not, or whoever was to
        /// receive it had gone.
        var excused: Int64 = 0

        /// How many deliveries there were to be: those that need not come count only if they came.
        var due: Int64 { max(self.expected - min(self.excused, self.expected), min(self.delivered, self.expected)) }
    }

    private struct PairKey: Hashable {
        let receiver: UInt32
        let stream: StreamKey
    }

    /// The number of the run in envelopes; see ``LedgerEnvelope/runNumber(of:)``.
    public let run: UInt32
    private(set) var streams: [StreamKey: Stream] = [:]
    private var pairs: [PairKey: ArrivalWindow] = [:]
    /// How many messages came that belong to another run.
    private(set) var foreign: Int64 = 0
    /// How many of each stream have not come although 64 later ones have, of those sent while the receiver was there.
    private(set) var overdue: [StreamKey: Int64] = [:]
    /// Whose texts were not acknowledged although that is declared, as a sample.
    private(set) var unacknowledged = UnacknowledgedTexts()

    /// Creates an account with nothing in it.
    public init(run: UInt32) {
        self.run = run
    }

    /// Notes that a message is sent, and returns the envelope for it.
    ///
    /// - Parameters:
    ///   - sender: The global number of the user.
    ///   - channel: The room or conversation, by its global number.
    ///   - receivers: How many users are to receive it, the sender not counted unless the server echoes.
    ///   - intendedMicroseconds: When it was to be sent by the plan.
    public mutating func send(
        from sender: UInt32, in channel: UInt32, receivers: Int, intendedMicroseconds: Int64
    ) -> LedgerEnvelope {
        let key = StreamKey(sender: sender, channel: channel)
        let sequence = UInt32(truncatingIfNeeded: self.streams[key, default: Stream()].sent)
        self.streams[key, default: Stream()].sent += 1
        self.streams[key, default: Stream()].expected += Int64(max(0, receivers))
        return LedgerEnvelope(
            run: self.run, sender: sender, channel: channel, sequence: sequence,
            intendedMicroseconds: intendedMicroseconds)
    }

    /// Notes that deliveries need not come: those to somebody who has gone, and those of a message that could not be
    /// sent, as far as is known. They may come all the same.
    ///
    /// - Parameter count: How many; below zero for those that have come, so that they excuse no other ones.
    public mutating func excuse(_ count: Int, from sender: UInt32, in channel: UInt32) {
        guard count != 0 else { return }
        let key = StreamKey(sender: sender, channel: channel)
        let excused = self.streams[key, default: Stream()].excused + Int64(count)
        self.streams[key, default: Stream()].excused = max(0, excused)
    }

    /// Notes that a message came back to its own sender once more in the same form.
    public mutating func repeated(from sender: UInt32, in channel: UInt32) {
        self.streams[StreamKey(sender: sender, channel: channel), default: Stream()].duplicated += 1
    }

    /// Notes that texts of a user were not acknowledged although that is declared. A few users are kept, to be named.
    ///
    /// - Parameters:
    ///   - count: How many texts.
    ///   - user: The global number of the user.
    public mutating func lacksAcknowledgement(_ count: Int, ofUser user: UInt32) {
        self.unacknowledged.add(Int64(count), of: user)
    }

    /// Returns whether a message, or a later one of its sender, has come to a receiver.
    public func hasCome(_ envelope: LedgerEnvelope, to receiver: UInt32) -> Bool {
        let key = StreamKey(sender: envelope.sender, channel: envelope.channel)
        return self.pairs[PairKey(receiver: receiver, stream: key)].map { $0.end > envelope.sequence } ?? false
    }

    /// What a message was to the one who received it.
    public enum Receipt: Hashable, Sendable {
        /// As it should be.
        case delivered
        /// New to the receiver, but a later one came before.
        case reordered
        /// Received before.
        case duplicated
        /// Received before the receiver began anew; shown again as what was said earlier.
        case history
        /// The receiver was not to have it.
        case misdelivered
        /// It is of another run.
        case foreign
    }

    /// Notes that a message is received.
    ///
    /// - Parameters:
    ///   - envelope: What the message carried.
    ///   - receiver: The global number of the user.
    ///   - isAddressee: Whether the user belongs to the envelope's channel.
    ///   - begin: When the user began to play, in microseconds since the start of the run: servers show what was said
    ///     earlier to whoever comes again.
    @discardableResult
    public mutating func receive(
        _ envelope: LedgerEnvelope, by receiver: UInt32, isAddressee: Bool, since begin: Int64 = .min
    ) -> Receipt {
        guard envelope.run == self.run else {
            self.foreign += 1
            return .foreign
        }
        let key = StreamKey(sender: envelope.sender, channel: envelope.channel)
        guard isAddressee else {
            self.streams[key, default: Stream()].misdelivered += 1
            return .misdelivered
        }
        var window = self.pairs[PairKey(receiver: receiver, stream: key), default: ArrivalWindow()]
        let missing = window.missing
        let arrival = window.receive(envelope.sequence, since: begin)
        self.pairs[PairKey(receiver: receiver, stream: key)] = window
        if window.missing != missing {
            self.overdue[key, default: 0] += Int64(window.missing) - Int64(missing)
        }
        switch arrival {
        case .duplicate:
            guard envelope.intendedMicroseconds >= begin else { return .history }
            self.streams[key, default: Stream()].duplicated += 1
            return .duplicated
        case .reordered:
            self.streams[key, default: Stream()].delivered += 1
            self.streams[key, default: Stream()].reordered += 1
            return .reordered
        case .inOrder:
            self.streams[key, default: Stream()].delivered += 1
            return .delivered
        }
    }

    /// Adds what another worker or shard of the same run noted.
    public mutating func merge(_ other: Ledger) {
        self.foreign = self.foreign.saturatingAdd(other.foreign)
        self.overdue.merge(other.overdue) { $0.saturatingAdd($1) }
        self.unacknowledged.merge(other.unacknowledged)
        for (key, stream) in other.streams { self.add(stream, to: key) }
        self.pairs.merge(other.pairs) { $0.end >= $1.end ? $0 : $1 }
    }

    private mutating func add(_ stream: Stream, to key: StreamKey) {
        var sum = self.streams[key, default: Stream()]
        sum.sent = sum.sent.saturatingAdd(stream.sent)
        sum.expected = sum.expected.saturatingAdd(stream.expected)
        sum.delivered = sum.delivered.saturatingAdd(stream.delivered)
        sum.duplicated = sum.duplicated.saturatingAdd(stream.duplicated)
        sum.reordered = sum.reordered.saturatingAdd(stream.reordered)
        sum.misdelivered = sum.misdelivered.saturatingAdd(stream.misdelivered)
        sum.excused = sum.excused.saturatingAdd(stream.excused)
        self.streams[key] = sum
    }

    /// Creates an account to which nothing more comes from what a file holds.
    init(
        run: UInt32, streams: [StreamKey: Stream], foreign: Int64, overdue: [StreamKey: Int64],
        unacknowledged: UnacknowledgedTexts = UnacknowledgedTexts()
    ) {
        self.run = run
        self.streams = streams
        self.foreign = foreign
        self.overdue = overdue
        self.unacknowledged = unacknowledged
    }

    /// Returns the account as it stands.
    ///
    /// - Parameter isOver: Whether all was waited for that was to arrive. Until then, and where a run ended before its
    ///   time, a message counts as lost only when 64 later ones of its stream have come, and others that have not
    ///   arrived are under way.
    public func account(isOver: Bool) -> DeliveryAccount {
        var account = DeliveryAccount()
        account.foreign = self.foreign
        for (key, stream) in self.streams {
            account.sent = account.sent.saturatingAdd(stream.sent)
            account.expected = account.expected.saturatingAdd(stream.due)
            account.delivered = account.delivered.saturatingAdd(min(stream.delivered, stream.expected))
            account.unexpected = account.unexpected.saturatingAdd(max(0, stream.delivered - stream.expected))
            account.duplicated = account.duplicated.saturatingAdd(stream.duplicated)
            account.reordered = account.reordered.saturatingAdd(stream.reordered)
            account.misdelivered = account.misdelivered.saturatingAdd(stream.misdelivered)
            let absent = stream.due - min(stream.delivered, stream.expected)
            let lost = isOver ? absent : min(absent, max(0, self.overdue[key] ?? 0))
            account.lost = account.lost.saturatingAdd(lost)
            account.underWay = account.underWay.saturatingAdd(absent - lost)
        }
        return account
    }

    /// Returns the streams that lost, duplicated or misdelivered messages, the worst first.
    ///
    /// - Parameters:
    ///   - limit: How many to return.
    ///   - isOver: Whether all was waited for that was to arrive, as in ``account(isOver:)``.
    public func worstStreams(
        limit: Int, isOver: Bool
    ) -> [(sender: UInt32, channel: UInt32, account: DeliveryAccount)] {
        self.streams.map { key, stream in
            let part = Ledger(
                run: self.run, streams: [key: stream], foreign: 0, overdue: self.overdue[key].map { [key: $0] } ?? [:])
            return (key.sender, key.channel, part.account(isOver: isOver))
        }
        .filter { !$0.2.isClean }
        .sorted { ($1.2.problems, $0.0, $0.1) < ($0.2.problems, $1.0, $1.1) }
        .prefix(limit).map { (sender: $0.0, channel: $0.1, account: $0.2) }
    }
}

extension Ledger: Equatable {
    /// Whether both come to the same account of every stream.
    public static func == (left: Ledger, right: Ledger) -> Bool {
        left.run == right.run && left.streams == right.streams && left.foreign == right.foreign
    }
}
