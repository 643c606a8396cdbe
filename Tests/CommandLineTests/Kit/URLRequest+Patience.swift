import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// Creates a request that waits as long as a machine may take all of whose processors play: the minute of the
    /// library is over there before its own threads had a turn.
    init(to text: String) throws {
        self.init(url: try #require(URL(string: text)))
        self.timeoutInterval = 900
    }
}
