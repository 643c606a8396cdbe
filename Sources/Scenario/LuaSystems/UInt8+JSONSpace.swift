extension UInt8 {
    /// Whether it is white space between values of JSON (RFC 8259 section 2). Some send nothing else to show that they
    /// are alive.
    var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
