/// A source of randomness that nearly all who have one never draw from: until somebody does, it takes no more room than
/// its seed.
///
/// Each user of a load test has some of them.
public struct LazyRandomSource: Sendable {
    private let seed: UInt64

    @Boxed private var drawn: RandomSource?

    /// Creates a source.
    ///
    /// - Parameter seed: Any number; equal seeds give equal sequences.
    public init(seed: UInt64) { self.seed = seed }

    /// The source itself, as far as it has been drawn from.
    public var source: RandomSource {
        get { self.drawn ?? RandomSource(seed: self.seed) }
        set { self.drawn = newValue }
    }
}
