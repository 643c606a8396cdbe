import HTTPTypes
import JSON
import Machines

/// The JSON with which the server answers a request, and the texts that must stand in it.
struct ServerAnswer: Sendable {
    private static let longestToken = 4_096

    let value: JSONValue
    private let request: String

    /// Reads an answer.
    ///
    /// - Parameter request: Method and path of what was asked, for what is said of the answer.
    /// - Throws: That the server refused, or answered with what is no JSON.
    init(_ response: Response, to request: String) throws(WireComplaint) {
        let status = response.head.status
        guard status.kind == .successful else {
            throw WireComplaint("the server refused \(request) with \(status.code)")
        }
        guard let value = try? JSONReader.read(response.body, depth: 16) else {
            throw WireComplaint("the server answered \(request) with \(status.code) and what is no JSON")
        }
        self.value = value
        self.request = request
    }

    /// Returns a member.
    ///
    /// - Throws: That it is not there, no text, or an empty one.
    func text(_ name: String) throws(WireComplaint) -> String {
        switch self.value[name] {
        case .string(let text)? where !text.isEmpty: return text
        case .string?: throw WireComplaint("the server answered \(self.request) with an empty \"\(name)\"")
        case nil, .null?: throw WireComplaint("the server answered \(self.request) without \"\(name)\"")
        default: throw WireComplaint("the server answered \(self.request) with a \"\(name)\" that is no text")
        }
    }

    /// Returns a member that is to stand in a URL.
    ///
    /// - Throws: As ``text(_:)``, and that it is too long or has characters that no URL has.
    func token(_ name: String) throws(WireComplaint) -> String {
        let text = try self.text(name)
        guard text.utf8.count <= Self.longestToken, text.isVisibleASCII else {
            throw WireComplaint("the server answered \(self.request) with a \"\(name)\" that no URL takes")
        }
        return text
    }
}
