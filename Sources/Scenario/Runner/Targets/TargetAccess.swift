import JSON
import Machines
import Transport

/// How the clients of a target get to its servers, whatever system they speak: by which proxy, with which certificate,
/// and as whom.
struct TargetAccess: Hashable, Sendable {
    /// What clients show to a server that asks for a certificate.
    private(set) var identity: ClientIdentity?

    /// By which proxies the servers are reached.
    private(set) var proxies = ProxySettings.none

    /// Whether HTTP/2 is offered.
    private(set) var offersHTTP2 = true

    /// What requests to the target's own servers say of who asks, unless they say it themselves.
    private(set) var authorization: OriginAuthorization?

    /// What of it must not be seen.
    private(set) var secrets: [String] = []

    /// Which member names a variable that the environment does not have, in words; nil if none does.
    ///
    /// Who plays without this target needs none of its secrets, so it is a mistake only where the target is asked for.
    private(set) var missingVariable: String?

    /// The members of a target in `repartee.lua` that say it.
    static let parameters =
        [
            ParameterDeclaration(
                "certificate", .string, optional: true,
                "A PEM file of the certificate that clients show to a server that asks for one; `key` goes with it."),
            ParameterDeclaration("key", .string, optional: true, "A PEM file of the certificate's key, unencrypted."),
            ParameterDeclaration(
                "proxy", .string, optional: true,
                "The proxy by which its servers are reached, such as `http://user:password@host:3128`; `environment` for what HTTP_PROXY, HTTPS_PROXY and NO_PROXY say. This machine is always reached directly; none unless given."
            ),
            ParameterDeclaration(
                "http2", .boolean, optional: true,
                "Whether HTTP/2 is offered to its servers where they are encrypted; true unless given."),
        ] + RequestAuthorization.options + [RequestAuthorization.grantOption]

    /// Reaches everything directly and says nothing of itself.
    init() {}

    /// Reads the members of a target, checked already.
    ///
    /// - Parameters:
    ///   - target: The members.
    ///   - origins: The URLs of the target's servers, that of requests for tokens first.
    ///   - hosts: Further hosts that may be reached.
    ///   - folder: Where files are that are named by relative paths.
    ///   - variables: The environment: a secret may be given as the name of a variable, `$SHOP_TOKEN`.
    /// - Throws: ``UsageError`` that names the target and the member.
    init(
        _ target: JSONObject, of name: String, origins: [String], hosts: [String], folder: String,
        variables: [String: String]
    ) throws(UsageError) {
        switch (target["certificate"]?.string, target["key"]?.string) {
        case (nil, nil): break
        case (let certificate?, let key?):
            self.identity = ClientIdentity(
                certificateFile: Self.file(certificate, in: folder), keyFile: Self.file(key, in: folder))
        default: throw UsageError("targets.\(name): certificate and key go together; give both, or neither")
        }
        self.offersHTTP2 = target["http2"]?.bool ?? true
        do throws(ConfigurationError) {
            self.proxies = try Self.proxies(target["proxy"]?.string, variables)
            self.secrets = self.proxies.secrets
            let options = self.filled(target, Self.parameters, variables)
            if let header = try RequestAuthorization.header(options) {
                self.authorization = OriginAuthorization(.header(header), origins: origins)
            } else if let oauth = options["oauth"]?.object {
                let home = try TargetAddress(origin: origins.first ?? "", friends: hosts)
                self.authorization = OriginAuthorization(.grant(try OAuthGrant(oauth, from: home)), origins: origins)
            }
            // What stands there in place of a secret is none.
            if self.missingVariable != nil { self.authorization = nil }
        } catch {
            throw UsageError("targets.\(name): \(error.message)")
        }
    }

    /// Returns where a file is that the project file names.
    static func file(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") || folder == "." ? path : folder + "/" + path
    }

    private static func proxies(
        _ text: String?, _ variables: [String: String]
    ) throws(ConfigurationError) -> ProxySettings {
        guard let text else { return .none }
        if text == "environment" {
            // One that cannot be read would be gone around without a word.
            for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"] {
                guard let value = variables[name], !value.isEmpty, Proxy(value) == nil else { continue }
                throw ConfigurationError(
                    "proxy: the variable \(name) is no URL of an HTTP proxy, such as http://host:3128")
            }
            return ProxySettings { variables[$0] }
        }
        // A word alone would be the name of a host, and is a misspelt "environment" more often.
        guard text.contains(":"), let proxy = Proxy(text) else {
            throw ConfigurationError(
                "proxy is the URL of an HTTP proxy, such as \"http://host:3128\", or \"environment\""
                    + TextDistance.hint(text, among: ["environment"], otherwise: ""))
        }
        return ProxySettings(plain: proxy, secure: proxy)
    }

    /// Returns options with the secrets that they name put in.
    private mutating func filled(
        _ options: JSONObject, _ parameters: [ParameterDeclaration], _ variables: [String: String]
    ) -> JSONObject {
        var result = JSONObject()
        for parameter in parameters {
            guard let value = options[parameter.name] else { continue }
            if case .record(let members) = parameter.type, let table = value.object {
                result[parameter.name] = .object(self.filled(table, members, variables))
            } else if parameter.isSecret, let text = value.string {
                let secret = EnvironmentSecret.value(of: text, variables)
                if let secret {
                    self.secrets.append(secret)
                } else {
                    self.missingVariable =
                        self.missingVariable ?? EnvironmentSecret.absence(of: text, in: parameter.name)
                }
                result[parameter.name] = .string(secret ?? text)
            } else {
                result[parameter.name] = value
            }
        }
        return result
    }
}
