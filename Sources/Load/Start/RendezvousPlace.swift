public import Transport

/// Where the shards of a run meet, as `--rendezvous` says.
public enum RendezvousPlace: Hashable, Sendable, CustomStringConvertible {
    /// A folder that all of them see.
    case folder(String)
    /// Host and port of the shard that the others connect to, and what they show to be let in.
    case network(Endpoint, token: String?)

    /// The fewest characters of a token; `openssl rand -hex 16` makes twice as many.
    private static let tokenLength = 16

    /// Reads the name of a folder, `tcp://HOST:PORT` or `tcp://TOKEN@HOST:PORT`.
    ///
    /// Without a token whoever reaches the port may take the place of a shard, so only the loopback goes without.
    ///
    /// - Throws: ``StartError`` that says what to write.
    public init(text: String) throws(StartError) {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            self = .folder(text)
            return
        }
        let address = parts[1].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let token = address.count > 1 ? String(address[0]) : nil
        guard parts[0] == "tcp", let authority = address.last,
            let endpoint = Endpoint(authority: String(authority), defaultPort: 0), endpoint.port > 0
        else {
            throw StartError(
                message:
                    "--rendezvous \"\(Self.shown(text))\" is no place to meet; write tcp://HOST:PORT with the host "
                    + "of the shard that the others connect to, or the name of a folder that all shards see")
        }
        if let token {
            let isSound =
                token.utf8.count >= Self.tokenLength && token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            guard isSound else {
                throw StartError(
                    message:
                        "the token of --rendezvous is \(Self.tokenLength) letters and digits or more, the same in all "
                        + "shards; openssl rand -hex 16 makes one")
            }
        } else if !endpoint.isLoopback {
            throw StartError(
                message:
                    "--rendezvous tcp://\(endpoint) lets in whoever reaches it; put a token before the host, as in "
                    + "TOKEN@\(endpoint), the same in all shards; openssl rand -hex 16 makes a token")
        }
        self = .network(endpoint, token: token)
    }

    /// What may be shown of a text that may have a token in it.
    private static func shown(_ text: String) -> Substring {
        (text.split(separator: "@", omittingEmptySubsequences: false).last ?? "").prefix(80)
    }

    /// The place without its token.
    public var description: String {
        switch self {
        case .folder(let folder): folder
        case .network(let endpoint, _): "tcp://\(endpoint)"
        }
    }
}
