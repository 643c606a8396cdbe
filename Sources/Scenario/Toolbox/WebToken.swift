import Digests
import JSON
import Machines

/// A JSON Web Token in its compact form (RFC 7515 section 7.1, RFC 7519), as the functions of `jwt` make and read it.
struct WebToken {
    /// How a token is signed (RFC 7518 section 3.1).
    enum Algorithm: String, CaseIterable {
        case hs256 = "HS256", hs384 = "HS384", hs512 = "HS512"
        case rs256 = "RS256", rs384 = "RS384", rs512 = "RS512"
        case es256 = "ES256", es384 = "ES384"

        /// The digest of the HMAC, or nil for those that sign with a pair of keys.
        fileprivate var authentication: Digest? {
            switch self {
            case .hs256: .sha256
            case .hs384: .sha384
            case .hs512: .sha512
            case .rs256, .rs384, .rs512, .es256, .es384: nil
            }
        }

        fileprivate var scheme: SignatureScheme {
            switch self {
            case .hs256, .hs384, .hs512, .es256: .p256
            case .es384: .p384
            case .rs256: .rsa(.sha256)
            case .rs384: .rsa(.sha384)
            case .rs512: .rsa(.sha512)
            }
        }
    }

    /// Why a token cannot be made or is not taken.
    enum Problem: Error {
        case malformed
        case unknownAlgorithm(String)
        case unreadableKey(isPrivate: Bool)
        case unsuitedKey(Algorithm)
        case wrongSignature
    }

    /// Longer tokens are not read.
    private static let longestText = 1 << 20

    /// The object of the first part.
    let header: JSONObject

    /// The object of the second part.
    let claims: JSONObject

    /// The bytes of the third part.
    let signature: [UInt8]

    /// The token.
    let text: String

    /// Makes a signed token.
    ///
    /// - Parameters:
    ///   - claims: The object of the second part.
    ///   - key: The bytes of the HMAC's key, or the PEM text of a private key.
    ///   - algorithm: How it is signed.
    ///   - header: Members of the first part besides `alg` and `typ`, or instead of `typ`.
    init(claims: JSONObject, key: [UInt8], algorithm: Algorithm, header: JSONObject) throws(Problem) {
        self.header = (["typ": "JWT"] as JSONObject).merging(header).merging(["alg": .string(algorithm.rawValue)])
        self.claims = claims
        let signed = [self.header, claims].map { Base64URL.encode(JSONWriter.write(.object($0))) }
            .joined(separator: ".")
        let message = Array(signed.utf8)
        if let digest = algorithm.authentication {
            self.signature = HMAC(key, digest: digest).code(for: message)
        } else {
            self.signature = try Self.withKey(algorithm, isPrivate: true) { () throws(KeyPair.Problem) in
                try KeyPair(privateKey: key).signature(of: message, algorithm.scheme)
            }
        }
        self.text = signed + "." + Base64URL.encode(self.signature)
    }

    /// Reads a token without checking its signature.
    init(reading text: String) throws(Problem) {
        guard text.utf8.count <= Self.longestText else { throw .malformed }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .malformed }
        self.header = header
        self.claims = claims
        self.signature = signature
        self.text = text
    }

    private static func object(_ part: Substring) -> JSONObject? {
        Base64URL.decode(part).flatMap { try? JSONReader.read($0, depth: 32) }?.object
    }

    /// Checks the signature.
    ///
    /// What the key is decides how: a token that says `HS256` is not checked with the text of a public key, which
    /// everybody knows.
    func check(key: [UInt8]) throws(Problem) {
        let name = self.header["alg"]?.string ?? ""
        guard let algorithm = Algorithm(rawValue: name) else { throw .unknownAlgorithm(name) }
        let message = Array(self.text.utf8.prefix(self.text.utf8.count - self.signatureLength - 1))
        let isPEM = key.starts(with: "-----BEGIN".utf8)
        let isValid: Bool
        if let digest = algorithm.authentication {
            guard !isPEM else { throw .unsuitedKey(algorithm) }
            isValid = HMAC(key, digest: digest).isValid(self.signature, for: message)
        } else {
            isValid = try Self.withKey(algorithm, isPrivate: false) { () throws(KeyPair.Problem) in
                try KeyPair(publicKey: key).isValid(self.signature, for: message, algorithm.scheme)
            }
        }
        guard isValid else { throw .wrongSignature }
    }

    private var signatureLength: Int { self.text.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }.count }

    private static func withKey<Value>(
        _ algorithm: Algorithm, isPrivate: Bool, _ body: () throws(KeyPair.Problem) -> Value
    ) throws(Problem) -> Value {
        do throws(KeyPair.Problem) { return try body() } catch {
            switch error {
            case .unreadable: throw .unreadableKey(isPrivate: isPrivate)
            case .unsuited: throw .unsuitedKey(algorithm)
            }
        }
    }
}

extension WebToken.Problem: CustomStringConvertible {
    var description: String {
        switch self {
        case .malformed: "it is no token: three parts of base64 for URLs with dots between, the first two JSON objects"
        case .unknownAlgorithm(let name):
            "its algorithm is \"\(name)\"; known are \(WebToken.Algorithm.allCases.map(\.rawValue).joined(separator: ", "))"
        case .unreadableKey(true): "the key is no private key in PEM without a password (-----BEGIN PRIVATE KEY-----)"
        case .unreadableKey(false): "the key is no public key in PEM (-----BEGIN PUBLIC KEY-----)"
        case .unsuitedKey(let algorithm): "the key is not one for \(algorithm.rawValue)"
        case .wrongSignature: "the signature is not the one of the key"
        }
    }
}
