import HTTPTypes
import JSON
import Machines

/// The files that the user sends (chapters "Attachment Filtering", "Share Menu Options" and "Attachment Security").
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `chosen`, a file that may be sent | uploading | past actions go; sends the file |
/// | any | `chosen` from where the menu does not lead | unchanged | not offered |
/// | any | `chosen` otherwise | unchanged | `error` |
/// | any | `menuSet` | unchanged | refused, if it is no menu |
/// | uploading | `answered` with its URL | idle, unless more are under way | `attachment_uploaded`; sends the message |
/// | uploading | `answered` otherwise | idle, unless more are under way | `error` |
/// | uploading | `connectionGivenUp` | idle | cancels the uploads, each of which is an `error` |
/// | uploading | `stopped` | idle | cancels the uploads |
struct AttachmentPart: Sendable {
    /// What happens to files.
    enum Input: Sendable {
        case chosen(ChosenFile, ClientMoment)
        case menuSet(JSONValue)
        case answered(UInt64, Result<Response, TransportFailure>)
        /// All connections are closed, for the user or the application wants it, or the device has no network.
        case connectionGivenUp
        case stopped
    }

    private let settings: ClientSettings
    private var menu: ShareMenu
    private var uploads = Numbered<Upload>()

    /// Creates a part without files.
    init(_ settings: ClientSettings) {
        self.settings = settings
        self.menu = ShareMenu(settings.values["sharePopupConfiguration"])
    }

    /// The menu with its words; empty where attachments are switched off, for nothing opens it then.
    var menuFields: JSONValue {
        guard self.settings.flag("enableAttachment") else { return ["items": [], "custom": []] }
        return self.menu.menu(self.settings.strings)
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, random: inout RandomSource) -> [ClientAction] {
        switch input {
        case .chosen(let file, let moment):
            if let refusal = self.refusal(of: file, moment) { return [refusal] }
            return self.begin(file, moment, &random)
        case .menuSet(let value):
            if let problem = ShareMenu.problem(in: value) { return [.answer(.refused(problem))] }
            self.menu = ShareMenu(value)
            return []
        case .answered(let number, let result):
            guard let upload = self.uploads.take(number) else { return [] }
            return self.answered(upload, result)
        case .connectionGivenUp:
            let failures = self.uploads.numbers.compactMap { self.uploads[$0] }.map { upload in
                self.failure("The upload was stopped, for the connection is given up.", upload)
            }
            return self.stop() + failures
        case .stopped: return self.stop()
        }
    }

    private mutating func stop() -> [ClientAction] {
        defer { self.uploads.removeAll() }
        return self.uploads.numbers.map { .perform(.cancel(.upload($0))) }
    }

    // MARK: Before the upload

    private func refusal(of file: ChosenFile, _ moment: ClientMoment) -> ClientAction? {
        guard self.settings.flag("enableAttachment") else {
            return .fail("UploadNotAvailable", "Attachments are switched off (enable_attachment).")
        }
        guard moment.isOpen else {
            return .fail("ConnectionNone", "The file was not sent, for the client is not connected.")
        }
        guard !moment.isStreaming else {
            return .fail("StreamInProgress", "The file was not sent, for a text is still coming in.")
        }
        guard self.menu.leads(to: file.source) else {
            return .answer(.notOffered("the share menu does not lead to \(file.source)"))
        }
        let details: JSONObject = [
            "name": .string(file.name), "title": .string(self.settings.words("odais_alert")),
        ]
        if let source = file.deniedSource {
            return .fail("UploadNotAvailable", self.settings.words("odais_\(source)_permission_denied"), details)
        }
        switch self.menu.check(name: file.name, mimeType: file.mimeType, size: file.bytes.count) {
        case .accepted: return nil
        case .empty: return .fail("UploadZeroSize", self.settings.words("odais_zero_byte_file_warning"), details)
        case .tooLarge(let limit):
            // Limits under a megabyte are shown with a fraction; defined here.
            let megabytes = Double(limit) / 1_048_576
            let text = megabytes == megabytes.rounded() ? "\(limit / 1_048_576)" : "\(megabytes)"
            return .fail("UploadMaxSize", self.settings.words("odais_file_size_warning", text), details)
        case .unsupported: return .fail("UploadBadFile", self.settings.words("odais_file_not_supported"), details)
        }
    }

    private mutating func begin(
        _ file: ChosenFile, _ moment: ClientMoment, _ random: inout RandomSource
    ) -> [ClientAction] {
        let upload = Upload(
            name: file.name, mimeType: file.mimeType, bytes: file.bytes,
            boundary: "part-" + random.hexadecimalDigits(32))
        let number = self.uploads.add(upload)
        let request = upload.request(
            moment.address, token: self.settings.flag("clientAuthEnabled") ? moment.token : nil,
            isProtected: self.settings.flag("enableAttachmentSecurity"))
        // Past actions go as soon as the upload starts.
        return [
            .markPast, .perform(.send(.upload(number), request)),
            .answer(.done(.string(self.settings.words("odais_upload_attachment")))),
        ]
    }

    // MARK: After it

    /// The error of a file that did not reach the server.
    private func failure(
        _ message: String, _ upload: Upload, code: String = "UploadNetworkFail", _ more: JSONObject = [:]
    ) -> ClientAction {
        let banner = self.settings.words("odais_upload_attachment_error")
        let fields: JSONObject = ["name": .string(upload.name), "banner": .string(banner)]
        return .fail(code, message, fields.merging(more))
    }

    private func answered(_ upload: Upload, _ result: Result<Response, TransportFailure>) -> [ClientAction] {
        let response: Response
        switch result {
        case .failure(let failure): return [self.failure(failure.message, upload)]
        case .success(let answer): response = answer
        }
        let status = response.head.status.code
        guard response.head.status == .ok else {
            return [
                self.failure(
                    "The server refused the file with status \(status).", upload,
                    code: Upload.errorCode(status: status), ["status": .integer(Int64(status))])
            ]
        }
        guard let answer = try? JSONReader.read(response.body), let url = answer["url"]?.string else {
            return [self.failure("The server's answer to the upload has no url.", upload)]
        }
        let type = answer["type"]?.string ?? upload.mimeType
        let attachment: JSONObject = [
            "type": .string(Attachment.Kind(mimeType: type).rawValue), "url": .string(url),
            "title": answer["fileName"] ?? .string(upload.name),
        ]
        let fields: JSONObject = [
            "name": .string(upload.name), "url": .string(url), "type": attachment["type"] ?? .null,
            "media_type": .string(type), "size": .integer(Int64(upload.bytes.count)),
        ]
        return [
            .emit(.attachmentUploaded, fields, raw: answer),
            .send(Outgoing(["type": "attachment", "attachment": .object(attachment)], kind: .visible)),
        ]
    }

    /// Returns where an attachment can be downloaded: a protected one needs the token.
    func downloadURL(_ url: String, token: String?) -> String {
        guard self.settings.flag("enableAttachmentSecurity"), let token else { return url }
        return url + (url.contains("?") ? "&" : "?") + "token=" + token
    }
}
