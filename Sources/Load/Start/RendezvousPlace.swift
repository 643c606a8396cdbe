public import Transport

/// Where the shards of a run meet, as `--rendezvous` says.
public enum RendezvousPlace: Hashable, Sendable {
    /// A folder that all of them see.
    case folder(String)
    /// Host and port of the shard that the others connect to.
    case network(Endpoint)

    /// Reads the name of a folder, or `tcp://HOST:PORT`.
    ///
    /// - Throws: ``StartError`` that says what to write.
    public init(text: String) throws(StartError) {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            self = .folder(text)
            return
        }
        guard parts[0] == "tcp", let endpoint = Endpoint(authority: String(parts[1]), defaultPort: 0), endpoint.port > 0
        else {
            throw StartError(
                message:
                    "--rendezvous \"\(text.prefix(80))\" is no place to meet; write tcp://HOST:PORT with the host of "
                    + "the part that the others connect to, or the name of a folder that all parts see")
        }
        self = .network(endpoint)
    }
}

extension Endpoint {
    /// Where the shard at this endpoint listens: at the address, or at all of its own where the others know it by a name.
    var listening: Endpoint {
        let isAddress = self.host.contains(":") || self.host.allSatisfy { $0.isNumber || $0 == "." }
        return isAddress || self.host == "localhost" ? self : Endpoint(host: "0.0.0.0", port: self.port)
    }
}
