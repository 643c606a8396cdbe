import HTTPTypes
import JSON
import Machines

extension OracleClient {
    /// Checks a file and begins to upload it.
    mutating func upload(_ arguments: JSONObject, in step: inout Step) -> CommandOutcome {
        guard let name = (arguments["name"] ?? arguments["file"]?["name"])?.string, !name.isEmpty else {
            return .refused(
                "upload takes a table with a file, such as { file = \"menu.pdf\" }, or with a name, such as "
                    + "{ name = \"a.txt\", text = \"…\" }")
        }
        let bytes: [UInt8]
        if let text = arguments["text"]?.string {
            bytes = Array(text.utf8)
        } else if let encoded = (arguments["base64"] ?? arguments["file"]?["base64"])?.string {
            guard let decoded = Base64.decode(encoded) else {
                return .refused("base64 of upload is not base64 text (RFC 4648 §4, with padding)")
            }
            bytes = decoded
        } else {
            let size = arguments["size"]?.integer ?? 0
            guard 0...100_000_000 ~= size else { return .refused("size of upload is from 0 to 100000000 bytes") }
            bytes = Array(repeating: UInt8(ascii: "."), count: Int(size))
        }
        let type = arguments["type"]?.string ?? Upload.mimeType(of: name)
        guard self.settings.flag("enableAttachment") else {
            self.fail("UploadNotAvailable", "Attachments are switched off (enable_attachment).", in: &step)
            return .done(.null)
        }
        guard self.connection.status == .open else {
            self.fail("ConnectionNone", "The file was not sent, for the client is not connected.", in: &step)
            return .done(.null)
        }
        guard self.stream == nil else {
            self.fail("StreamInProgress", "The file was not sent, for a text is still coming in.", in: &step)
            return .done(.null)
        }
        let details: JSONObject = ["name": .string(name), "title": .string(self.words("odais_alert"))]
        if let source = arguments["from"]?.string, source != "files", !(arguments["permission"]?.bool ?? true) {
            self.fail("UploadNotAvailable", self.words("odais_\(source)_permission_denied"), details, in: &step)
            return .done(.null)
        }
        switch self.shareMenu.check(name: name, mimeType: type, size: bytes.count) {
        case .accepted: break
        case .empty:
            self.fail("UploadZeroSize", self.words("odais_zero_byte_file_warning"), details, in: &step)
            return .done(.null)
        case .tooLarge(let limit):
            // Limits under a megabyte are shown with a fraction; defined here.
            let megabytes = Double(limit) / 1_048_576
            let text = megabytes == megabytes.rounded() ? "\(limit / 1_048_576)" : "\(megabytes)"
            self.fail("UploadMaxSize", self.words("odais_file_size_warning", text), details, in: &step)
            return .done(.null)
        case .unsupported:
            self.fail("UploadBadFile", self.words("odais_file_not_supported"), details, in: &step)
            return .done(.null)
        }
        let upload = Upload(
            name: name, mimeType: type, bytes: bytes,
            boundary: "part-" + step.random.hexadecimalDigits(32))
        let number = self.nextUpload()
        self.uploads[number] = upload
        // Past actions go as soon as the upload starts.
        self.screen.markPast()
        let request = upload.request(
            self.address, token: self.settings.flag("clientAuthEnabled") ? self.tokens.current : nil,
            isProtected: self.settings.flag("enableAttachmentSecurity"))
        step.ask(.send(.upload(number), request))
        return .done(.string(self.words("odais_upload_attachment")))
    }

    /// An upload has ended.
    mutating func uploadAnswered(
        _ upload: Upload, _ result: Result<Response, TransportFailure>, in step: inout Step
    ) {
        let banner: JSONObject = [
            "name": .string(upload.name), "banner": .string(self.words("odais_upload_attachment_error")),
        ]
        switch result {
        case .failure(let failure): self.fail("UploadNetworkFail", failure.message, banner, in: &step)
        case .success(let response) where response.head.status != .ok:
            let status = response.head.status.code
            let details = banner.merging(["status": .integer(Int64(status))])
            self.fail(
                Upload.errorCode(status: status), "The server refused the file with status \(status).", details,
                in: &step)
        case .success(let response):
            guard let answer = try? JSONReader.read(response.body), let url = answer["url"]?.string else {
                self.fail("UploadNetworkFail", "The server's answer to the upload has no url.", banner, in: &step)
                return
            }
            let type = answer["type"]?.string ?? upload.mimeType
            let attachment: JSONObject = [
                "type": .string(Attachment.Kind(mimeType: type).rawValue), "url": .string(url),
                "title": answer["fileName"] ?? .string(upload.name),
            ]
            self.emit(
                .attachmentUploaded,
                [
                    "name": .string(upload.name), "url": .string(url), "type": attachment["type"] ?? .null,
                    "media_type": .string(type), "size": .integer(Int64(upload.bytes.count)),
                ], raw: answer, in: &step)
            self.send(Outgoing(["type": "attachment", "attachment": .object(attachment)], kind: .visible), in: &step)
        }
    }

    /// Returns where an attachment can be downloaded: a protected one needs the token.
    func downloadURL(_ url: String) -> String {
        guard self.settings.flag("enableAttachmentSecurity"), let token = self.tokens.current else { return url }
        return url + (url.contains("?") ? "&" : "?") + "token=" + token
    }
}
