import HTTPTypes
import JSON
import Machines

/// A file on its way to the server.
struct Upload: Hashable, Sendable {
    /// The file name.
    let name: String
    /// The MIME type.
    let mimeType: String
    /// What is in it.
    let bytes: [UInt8]

    /// The boundary between the parts of the request; it must not occur in the file, which 128 random bits see to.
    let boundary: String

    /// The MIME types of the extensions that the vendor's web client lists; anything else is plain bytes.
    private static let types = [
        "aac": "audio/aac", "amr": "audio/amr", "m4a": "audio/mp4", "mp3": "audio/mpeg", "mp4a": "audio/mp4",
        "mpga": "audio/mpeg", "oga": "audio/ogg", "ogg": "audio/ogg", "wav": "audio/wav",
        "gif": "image/gif", "jfif": "image/jpeg", "jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png",
        "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp",
        "3g2": "video/3gpp2", "3gp": "video/3gpp", "avi": "video/x-msvideo", "m4v": "video/x-m4v",
        "mov": "video/quicktime", "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg", "ogv": "video/ogg",
        "qt": "video/quicktime", "webm": "video/webm", "wmv": "video/x-ms-wmv",
        "csv": "text/csv", "ics": "text/calendar", "log": "text/plain", "pdf": "application/pdf",
        "rtf": "application/rtf", "txt": "text/plain", "vcf": "text/vcard", "xml": "application/xml",
        "7z": "application/x-7z-compressed", "doc": "application/msword", "xls": "application/vnd.ms-excel",
        "ppt": "application/vnd.ms-powerpoint", "odt": "application/vnd.oasis.opendocument.text",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ]

    /// Returns the MIME type for a file name.
    static func mimeType(of name: String) -> String {
        let suffix = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        return self.types[suffix] ?? "application/octet-stream"
    }

    /// Returns the request: one part named `attachment`.
    func request(_ address: ChannelAddress, token: String?, isProtected: Bool) -> Request {
        var head = address.httpRequest(.post, path: "/chat/v1/attachments", token: token)
        Self.set("x-oda-meta-file-size", "\(self.bytes.count)", in: &head)
        if isProtected, token != nil {
            Self.set("x-oda-meta-file-isProtected", "True", in: &head)
            Self.set("x-oda-meta-file-authType", "ChannelClientAuth", in: &head)
        }
        var request = Request(head)
        let file = MultipartFile(
            name: Self.encoded(self.name), type: self.mimeType, content: self.bytes)
        request.attach(file, as: "attachment", boundary: self.boundary)
        return request
    }

    /// Encodes a name as the vendor's web client does: as a whole URL, of which delimiters stay as they are.
    private static func encoded(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            ";,/?:@&=+$#!*'()".unicodeScalars.contains(scalar)
                ? String(scalar) : FormEncoding.percentEncode(String(scalar))
        }.joined()
    }

    private static func set(_ name: String, _ value: String, in head: inout HTTPRequest) {
        guard let field = HTTPField.Name(name) else { return }
        head.headerFields[field] = value
    }

    /// Returns the vendor's error code for a status that is not 200.
    static func errorCode(status: Int) -> String {
        switch status {
        case 413: "UploadMaxSize"
        case 415: "UploadBadFile"
        case 401, 403: "UploadUnauthorized"
        default: "UploadNetworkFail"
        }
    }
}
