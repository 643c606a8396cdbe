import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A request of whatever bytes, for heads that HTTP clients write themselves.
enum RawRequest {
    /// Why nothing came back.
    struct Unanswered: Error {}

    /// Sends bytes to a server on this machine and returns all that comes until it closes.
    ///
    /// - Parameter origin: Such as `http://127.0.0.1:4242`.
    static func send(_ bytes: String, to origin: String) throws -> String {
        let descriptor = try self.connect(to: origin)
        defer { close(descriptor) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        try handle.write(contentsOf: Data(bytes.utf8))
        return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// Opens a connection and returns its descriptor, which the caller closes.
    static func connect(to origin: String) throws -> Int32 {
        guard let port = origin.split(separator: ":").last.flatMap({ UInt16($0) }) else { throw Unanswered() }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            throw Unanswered()
        }
        return descriptor
    }
}
