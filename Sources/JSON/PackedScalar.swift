/// A packed value that is not made of parts, where it lies in memory.
public enum PackedScalar {
    /// The word `null`.
    case null
    /// The word `true` or `false`.
    case bool(Bool)
    /// An integer of 64 bits.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    /// A text, in UTF-8.
    case text(UnsafeBufferPointer<UInt8>)
}
