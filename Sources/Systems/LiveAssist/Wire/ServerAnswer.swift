import HTTPTypes
import JSON
import Machines

/// The JSON with which the server answers a request, and the texts that must stand in it.
struct ServerAnswer: Sendable {
    private static let longestToken = 4_096
    // What opens a session must not stand in an error.
    private static let filledText = MemberRule.Kind("a text with something in it", isShown: false) { value in
        value.string.map { !$0.isEmpty } ?? false
    }
    private static let token = MemberRule.Kind("a text that a URL takes", isShown: false) { value in
        value.string.map { !$0.isEmpty && $0.utf8.count <= longestToken && $0.isVisibleASCII } ?? false
    }

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
            throw Self.unreadable(request, Misreading("it is no JSON"))
        }
        self.value = value
        self.request = request
    }

    /// Returns a member.
    ///
    /// - Throws: That it is not there, no text, or an empty one.
    func text(_ name: String) throws(WireComplaint) -> String { try self.text(name, Self.filledText) }

    /// Returns a member that is to stand in a URL.
    ///
    /// - Throws: As ``text(_:)``, and that it is too long or has characters that no URL has.
    func token(_ name: String) throws(WireComplaint) -> String { try self.text(name, Self.token) }

    private func text(_ name: String, _ kind: MemberRule.Kind) throws(WireComplaint) -> String {
        do throws(Misreading) { try MemberRule.check(self.value.object ?? [:], [.needs(name, kind)]) } catch {
            throw Self.unreadable(self.request, error)
        }
        return self.value[name]?.string ?? ""
    }

    private static func unreadable(_ request: String, _ problem: Misreading) -> WireComplaint {
        WireComplaint("the server's answer to \(request) cannot be read: \(problem.text)")
    }
}
