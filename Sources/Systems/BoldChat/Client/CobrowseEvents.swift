import JSON
import Machines

/// Server events beyond the chat itself: co-browse, remote control, video.
enum CobrowseEvents {
    /// How a video session stands (`VideoSessionStatus`), in the order of the vendor's numbers from 0.
    static let videoStates = [
        "none", "started_by_visitor", "started_by_operator", "accepted_by_operator", "accepted_by_visitor",
        "declined_by_operator", "declined_by_visitor", "ended_by_operator", "ended_by_visitor", "ended_by_server",
    ]

    /// Returns what the script is told about an event; nothing for one that no client reacts to.
    static func receive(_ call: OSSCall) -> [ChatEvent] {
        switch call.method {
        case "beginActiveAssist":
            let id = call.params.text("ActiveAssistID") ?? ""
            return [ChatEvent(.cobrowseRequested, ["id": .string(id)], raw: call.raw)]
        case "updateActiveAssist":
            guard call.params["Values"]?.object?.text("Ended") != nil else { return [] }
            return [ChatEvent(.cobrowseEnded, raw: call.raw)]
        case "remoteControlMessage": return [Self.remoteControl(call)]
        case "updateChat":
            guard let status = call.params["Values"]?.object?.integer("VideoSessionStatus") else { return [] }
            let name =
                Self.videoStates.indices.contains(Int(clamping: status)) ? Self.videoStates[Int(status)] : "unknown"
            let fields: JSONObject = ["status": .integer(status), "state": .string(name)]
            return [ChatEvent(.videoChanged, fields, raw: call.raw)]
        default: return []
        }
    }

    private static func remoteControl(_ call: OSSCall) -> ChatEvent {
        var fields: JSONObject = ["command": .string(call.params.text("command") ?? "")]
        let names = [
            ("rcHistoryId", "id"), ("appletUrl", "applet_url"), ("vendorUrl", "vendor_url"),
            ("vendorPin", "vendor_pin"),
            ("activationBaseUrl", "activation_url"),
        ]
        for (wire, name) in names {
            if let text = call.params.text(wire) { fields[name] = .string(text) }
        }
        if let systems = call.params["osSupport"]?.object { fields["systems"] = .object(systems) }
        return ChatEvent(.remoteControl, fields, raw: call.raw)
    }

    /// The pages that an operator's text opens in the browser window: what follows `<push>` or `[push]`.
    static func pushedPages(in text: String) -> [String] {
        var pages: [String] = []
        for marker in ["<push>", "[push]"] {
            for part in text.split(separator: marker, omittingEmptySubsequences: false).dropFirst() {
                let page = part.prefix { !$0.isWhitespace && $0 != "<" && $0 != "[" }
                if !page.isEmpty { pages.append(String(page)) }
            }
        }
        return pages
    }
}
