/// What the process takes of the machine at a moment.
public struct GeneratorSample: Hashable, Sendable {
    /// How much of one processor the thread of the users took since the last sample, in thousandths; nil if that was
    /// too short a time ago to say.
    public let processorThousandths: Int64?
    /// How much memory the process takes, in bytes.
    public let memoryBytes: Int64
    /// How much it may take, in bytes; 0 if that is not known.
    public let memoryLimitBytes: Int64

    /// Creates a sample of what a probe has measured.
    public init(processorThousandths: Int64?, memoryBytes: Int64, memoryLimitBytes: Int64) {
        self.processorThousandths = processorThousandths
        self.memoryBytes = memoryBytes
        self.memoryLimitBytes = memoryLimitBytes
    }
}
