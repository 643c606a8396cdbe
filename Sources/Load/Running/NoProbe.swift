/// A probe that sees nothing.
public final class NoProbe: GeneratorProbe {
    /// Creates a probe.
    public init() {}

    public func begin() {}
    public func sample() -> GeneratorSample {
        GeneratorSample(processorThousandths: 0, memoryBytes: 0, memoryLimitBytes: 0)
    }
}
