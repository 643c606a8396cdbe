import JSON
import Machines

/// Which files the user can send (chapters "Attachment Filtering" and "Share Menu Options").
struct ShareMenu: Sendable {
    /// The kinds of items of the menu.
    enum Item: String, CaseIterable, Sendable {
        case visual, audio, file, location
        /// The two ways to pictures that the vendor's iOS client tells apart; `visual` is both.
        case gallery, camera

        /// The names under which the vendor's iOS client has items.
        static let aliases: [String: Item] = [
            "photoAndVideoLibrary": .gallery, "photo_and_video_library": .gallery, "files": .file,
        ]

        /// The item whose files it sends.
        var contents: Item { self == .gallery || self == .camera ? .visual : self }
    }

    /// An item of its own: only some types, and not too large.
    struct Custom: Sendable {
        let types: [String]
        let label: String?
        /// The limit in bytes.
        let limit: Int
    }

    /// How a file passed the checks or why not.
    enum Verdict: Hashable, Sendable {
        case accepted
        /// It has no bytes.
        case empty
        /// It is larger than this many bytes.
        case tooLarge(limit: Int)
        case unsupported
    }

    /// The property as scripts write it.
    static let scriptType: ScriptType = {
        let items = ScriptType.list(.string)
        return .either([
            .record([
                optional("items", items, "Kinds: visual, audio, file, location, gallery, camera."),
                optional(
                    "custom",
                    .list(
                        .record([
                            parameter("types", .list(.string), "File extensions or MIME types."),
                            optional("label", .string, "The words; the types unless given."),
                            optional("max_size", .integer, "The limit in KB; 25 MB unless given."),
                        ])), "Items of their own."),
            ]), items,
        ])
    }()

    /// The limit in bytes: 25 MB.
    static let sizeLimit = 25 * 1024 * 1024

    /// What the type identifiers of the vendor's platform stand for: extensions, or beginnings of MIME types.
    private static let identifiers: [String: [String]] = [
        "public.item": ["*"], "public.data": ["*"], "public.content": ["*"], "com.adobe.pdf": ["pdf"],
        "public.text": ["text/*", "txt", "csv", "xml", "log", "yml", "yaml"],
        "public.plain-text": ["text/plain", "txt", "log"],
        "public.utf8-plain-text": ["text/plain", "txt", "log"], "public.comma-separated-values-text": ["csv"],
        "public.xml": ["xml"], "public.rtf": ["rtf"], "public.image": ["image/*"], "public.png": ["png"],
        "public.jpeg": ["jpg", "jpeg"], "com.compuserve.gif": ["gif"], "public.tiff": ["tif", "tiff"],
        "public.movie": ["video/*"], "public.video": ["video/*"], "public.mpeg-4": ["mp4"],
        "com.apple.quicktime-movie": ["mov", "qt"], "public.audio": ["audio/*"], "public.mp3": ["mp3"],
        "com.microsoft.word.doc": ["doc"], "org.openxmlformats.wordprocessingml.document": ["docx"],
        "com.microsoft.excel.xls": ["xls"], "org.openxmlformats.spreadsheetml.sheet": ["xlsx"],
        "com.microsoft.powerpoint.ppt": ["ppt"], "org.openxmlformats.presentationml.presentation": ["pptx"],
        "public.zip-archive": ["zip"], "public.archive": ["zip", "7z"],
    ]

    private static let extensions: [Item: Set<String>] = [
        .audio: ["aac", "amr", "m4a", "mp3", "mp4a", "mpga", "oga", "ogg", "wav"],
        .file: [
            "7z", "csv", "doc", "docx", "eml", "ics", "key", "log", "msg", "neon", "numbers", "odt", "pages", "pdf",
            "pps", "ppsx", "ppt", "pptx", "rtf", "txt", "vcf", "xls", "xlsx", "xml", "yml", "yaml",
        ],
        .visual: [
            "gif", "jfif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp", "3g2", "3gp", "avi", "m4v", "mov", "mp4",
            "mpeg", "mpg", "ogv", "qt", "webm", "wmv",
        ],
    ]

    /// The kinds that are offered.
    let items: [Item]

    /// The items of their own.
    let customs: [Custom]

    /// Returns what is wrong with the property, or nil if nothing is.
    static func problem(in value: JSONValue?) -> String? {
        guard let value, !value.isNull else { return nil }
        let names = value["items"]?.array ?? value.array ?? []
        for name in names where self.item(name) == nil {
            return "the share menu has no item \(name); it has "
                + "\((Item.allCases.map(\.rawValue) + ["photoAndVideoLibrary", "files"]).joined(separator: ", "))"
        }
        for custom in value["custom"]?.array ?? [] {
            guard custom["types"]?.array?.allSatisfy({ $0.string != nil }) ?? false else {
                return "each custom item of the share menu needs types, a list of file extensions or MIME types"
            }
            for case let type? in custom["types"]?.array?.map(\.string) ?? []
            where type.contains(".") && !type.contains("/") && Self.identifiers[type.lowercased()] == nil {
                let hint = TextDistance.hint(type, among: Self.identifiers.keys.sorted())
                return "the share menu does not know the type \(type)\(hint)"
            }
            if let size = custom["max_size"], size.integer.map({ $0 < 1 }) ?? true {
                return "max_size of the share menu is a number of KB from 1"
            }
        }
        return nil
    }

    private static func item(_ value: JSONValue) -> Item? {
        guard let name = value.string else { return nil }
        return Item(rawValue: name) ?? Item.aliases[name]
    }

    /// Reads the property; without one, or with empty lists, everything is offered.
    init(_ value: JSONValue?) {
        let names = value?["items"]?.array ?? value?.array ?? []
        self.customs = (value?["custom"]?.array ?? []).map { custom in
            let kilobytes = custom["max_size"]?.integer ?? Int64(Self.sizeLimit / 1024)
            return Custom(
                types: (custom["types"]?.array ?? []).compactMap { $0.string?.lowercased() },
                label: custom["label"]?.string,
                limit: Int(clamping: min(kilobytes, Int64(Self.sizeLimit / 1024))) * 1024)
        }
        let chosen = names.compactMap(Self.item)
        self.items = chosen.isEmpty && self.customs.isEmpty ? [.visual, .audio, .file, .location] : chosen
    }

    /// Returns the menu with its words.
    func menu(_ strings: StringTable) -> JSONValue {
        let items = self.items.map { item -> JSONValue in
            let label: String? =
                switch item {
                case .visual, .gallery: strings.text("odais_photo")
                case .camera: strings.text("odais_camera")
                case .file: strings.text("odais_files")
                case .audio, .location: nil
                }
            return ["item": .string(item.rawValue), "label": .string(label ?? item.rawValue)]
        }
        // The camera is another way to the same kind of files.
        let camera: JSONValue = ["item": "camera", "label": .string(strings.text("odais_camera"))]
        let customs = self.customs.map { custom -> JSONValue in
            [
                "types": .array(custom.types.map { .string($0) }), "max_size": .integer(Int64(custom.limit / 1024)),
                "label": .string(custom.label ?? custom.types.joined(separator: ", ")),
            ]
        }
        return [
            "items": .array(items + (self.items.contains(.visual) ? [camera] : [])), "custom": .array(customs),
        ]
    }

    /// Whether the menu has a way to a source of pictures; files of any kind have one of their own.
    func leads(to source: String) -> Bool {
        guard let item = Item(rawValue: source), item.contents == .visual else { return true }
        return self.items.contains { $0 == .visual || $0 == item }
    }

    /// Checks a file before it is uploaded.
    func check(name: String, mimeType: String, size: Int) -> Verdict {
        guard size > 0 else { return .empty }
        let suffix = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        let customs = self.customs.filter { custom in
            custom.types.contains { type in
                (Self.identifiers[type] ?? [type]).contains { Self.matches($0, suffix, mimeType.lowercased()) }
            }
        }
        let isKnown = self.items.contains { item in Self.extensions[item.contents]?.contains(suffix) ?? false }
        guard isKnown || !customs.isEmpty else { return .unsupported }
        // An item of its own is there to be stricter than the others.
        let limit = customs.map(\.limit).min() ?? Self.sizeLimit
        return size > limit ? .tooLarge(limit: limit) : .accepted
    }

    private static func matches(_ type: String, _ suffix: String, _ mimeType: String) -> Bool {
        type == suffix || type == mimeType || type == "*" || type.hasSuffix("/*") && mimeType.hasPrefix(type.dropLast())
    }
}
