/// The file in which something lies that a script has attached to its reports.
public enum AttachmentFile {
    /// Returns how the file is named, but for what tells it from others: as the script names what it attaches, with a
    /// dash in the place of whatever not every file system, shell and URL takes as it is.
    ///
    /// Secrets must have been hidden before, for one with a blank is not found afterwards.
    public static func name(of attachment: String) -> String {
        String(
            decoding: attachment.utf8.map { byte -> UInt8 in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    byte
                default: UInt8(ascii: "-")
                }
            }, as: UTF8.self)
    }
}

extension SecretMasker {
    /// Returns the path of a file without what must not be seen in the name of what lies there, which the end of the
    /// path was made from.
    func masked(path: String, of attachment: String) -> String {
        let end = AttachmentFile.name(of: attachment)
        guard path.hasSuffix(end) else { return self.masked(path) }
        return self.masked(String(path.dropLast(end.count))) + AttachmentFile.name(of: self.masked(attachment))
    }
}
