/// What sockets have brought in one turn of the loop and nobody has taken in yet, in the order in which it came.
///
/// To read a socket, and to do what its bytes ask for, are programs that fill a processor's first caches each. Some
/// dozen connections that are first read and then worked on cost a tenth less than when each does both in turn. What
/// they have between them still lies in the second cache then; that of a thousand connections would not.
struct ArrivedBytes<Receiver: AnyObject> {
    /// At most so many pieces are worth waiting for.
    private static var mostPieces: Int { 32 }

    /// As are so many bytes.
    private static var mostBytes: Int { 65_536 }

    private var pieces: [(receiver: Receiver, end: Int)] = []
    private var bytes: [UInt8] = []

    /// Whether there is nothing.
    var isEmpty: Bool { self.pieces.isEmpty }

    /// Whether it should be taken in before more comes.
    var isFull: Bool { self.pieces.count >= Self.mostPieces || self.bytes.count >= Self.mostBytes }

    /// How many pieces there are.
    var count: Int { self.pieces.count }

    /// Takes a copy of bytes, which whoever has read them uses again.
    mutating func append(_ piece: Span<UInt8>, for receiver: Receiver) {
        self.bytes.append(piece, 0..<piece.count)
        self.pieces.append((receiver, self.bytes.count))
    }

    /// Calls back with each piece.
    func forEach(_ take: (Receiver, Span<UInt8>) -> Void) {
        var start = 0
        for piece in self.pieces {
            take(piece.receiver, self.bytes.span.extracting(start..<piece.end))
            start = piece.end
        }
    }

    /// Returns all that there is, and is empty then.
    mutating func take() -> Self { exchange(&self, with: Self()) }

    /// Takes the room of what was taken in, unless that is more than is usual, or more has come meanwhile.
    mutating func reuse(_ other: consuming Self) {
        guard self.isEmpty, other.bytes.capacity <= 2 * Self.mostBytes else { return }
        self = other
        self.pieces.removeAll(keepingCapacity: true)
        self.bytes.removeAll(keepingCapacity: true)
    }
}
