/// A hash of bytes that is the same in every process and on every machine: FNV-1a of Fowler, Noll and Vo.
///
/// It has no seed, so whoever chooses the bytes can choose the hash; nothing hostile may depend on it.
public enum FNV1a {
    /// Returns the hash of 64 bits.
    ///
    /// - Parameter start: The hash of what stands before the bytes.
    @inlinable
    public static func hash64(_ bytes: some Sequence<UInt8>, from start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Returns the hash of 32 bits.
    ///
    /// - Parameter start: The hash of what stands before the bytes.
    @inlinable
    public static func hash32(_ bytes: some Sequence<UInt8>, from start: UInt32 = 0x811C_9DC5) -> UInt32 {
        bytes.reduce(start) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
