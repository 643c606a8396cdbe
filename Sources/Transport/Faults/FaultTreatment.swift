/// What becomes of bytes at a point.
enum FaultTreatment {
    case pass
    /// The connection is dropped after so many of the bytes.
    case cut(keeping: Int)
    case halfClose
    case drip
    case duplicate
    /// They wait until they are overtaken.
    case holdBack
    case delay(Duration)
    /// Others take their place; nothing follows if they are the last.
    case replace([UInt8], isLast: Bool)
}
