/// What kind of file a file is, in the vendor's words.
enum FileKind: String, CaseIterable, Sendable {
    case other = "DEFAULT"
    case picture = "PICTURE"
    case video = "VIDEO"
    case audio = "AUDIO"
    case pdf = "PDF"
    case word = "WORD"
    case excel = "EXCEL"
    case presentation = "PRESENTATION"
    case code = "CODE"
    case text = "TEXT"
    case archive = "ARCHIVE"

    private static let kinds: [(FileKind, [String])] = [
        (.picture, ["png", "jpg", "jpeg", "gif", "bmp", "webp", "svg"]), (.video, ["mp4", "mov", "avi", "webm"]),
        (.audio, ["mp3", "wav", "ogg", "m4a"]), (.pdf, ["pdf"]), (.word, ["doc", "docx", "odt"]),
        (.excel, ["xls", "xlsx", "ods", "csv"]), (.presentation, ["ppt", "pptx", "odp"]),
        (.code, ["swift", "js", "html", "css", "json", "xml", "java", "c", "py"]), (.text, ["txt", "log", "md"]),
        (.archive, ["zip", "gz", "tar", "7z", "rar"]),
    ]

    /// Tells the kind by the extension of the name, else by the media type; the mapping is defined here.
    init(name: String, mediaType: String) {
        let ending = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
        if let found = Self.kinds.first(where: { $0.1.contains(ending) }) {
            self = found.0
            return
        }
        switch mediaType.prefix(while: { $0 != "/" }) {
        case "image": self = .picture
        case "video": self = .video
        case "audio": self = .audio
        case "text": self = .text
        default: self = .other
        }
    }
}
