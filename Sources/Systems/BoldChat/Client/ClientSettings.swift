import JSON
import Machines

/// What a client is made from: where, as whom, and how.
struct ClientSettings: Sendable {
    /// Where the account is.
    let origin: WebAddress
    /// What lets the client in.
    let key: AccessKey
    /// Which generation of the vendor's client it is.
    let profile: Profile
    /// Which of the vendor's mistakes it makes.
    let quirks: Quirks
    /// Whether it does without a WebSocket.
    let startsWithLongPoll: Bool
    /// The wall-clock time at the start of the run, in milliseconds since 1970 UTC.
    let epochMilliseconds: Int64
    /// How the screen is put together.
    let view: ViewSettings

    /// Where files go: the vendor has a host of its own for them, a simulated account has none.
    var uploadOrigin: WebAddress {
        guard self.origin.authority.hasPrefix("api"), let dot = self.origin.authority.firstIndex(of: "."),
            [".boldchat.com", ".bold360.com", ".bold360.io"].contains(where: self.origin.authority.hasSuffix)
        else { return self.origin }
        let set = self.origin.authority[..<dot].dropFirst(3)
        let host = "upload\(set)\(self.origin.authority[dot...])"
        return WebAddress(webSocket: "\(self.origin.scheme)://\(host)") ?? self.origin
    }

    /// What `create_chat` uses where its own options say nothing.
    let creation: CreationOptions

    /// Reads the options of an actor.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        let options = configuration.options
        let keyText = options.text("access_key") ?? configuration.target.text("access_key") ?? AccessKey.rehearsal
        guard let key = AccessKey(keyText) else {
            throw ConfigurationError(
                "'access_key' is not a BoldChat access key; write it as \"account:setting:key\" with an optional "
                    + "\":server set\", as the account's API settings show it")
        }
        let address = try configuration.serverAddress(configuration.origin.isEmpty ? key.vendorOrigin : nil)
        let name = options.text("profile") ?? Profile.ios.name
        guard let profile = Profile.all.first(where: { $0.name == name }) else {
            let names = Profile.all.map { "\"\($0.name)\"" }.joined(separator: " or ")
            throw ConfigurationError("'\(name)' is not a profile; use \(names)")
        }
        var switches: [Quirk: Bool] = [:]
        for (name, value) in options["quirks"]?.object ?? [:] {
            guard let quirk = Quirk(rawValue: name) else {
                let names = Quirk.allCases.map(\.rawValue).joined(separator: ", ")
                throw ConfigurationError("'\(name)' is not a quirk; there are \(names)")
            }
            switches[quirk] = value.bool ?? true
        }
        self.origin = address
        self.key = key
        self.profile = profile
        self.quirks = Quirks(switches, of: profile)
        self.epochMilliseconds = configuration.epochMilliseconds
        self.view = try ViewSettings(options)
        self.startsWithLongPoll = options.text("link") == "long_poll"
        self.creation = CreationOptions(options, over: CreationOptions())
    }
}
