internal import CZlib

/// Checks of whether bytes are those that were written, by the system's zlib.
public enum Checksum {
    /// Returns the check of a chunk of a PNG, or of a file of gzip (CRC-32 as in RFC 1952).
    public static func crc32(_ bytes: [UInt8]) -> UInt32 {
        let check = bytes.withUnsafeBufferPointer { CZlib.crc32_z(0, $0.baseAddress, $0.count) }
        return UInt32(truncatingIfNeeded: check)
    }
}
