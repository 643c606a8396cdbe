extension String {
    /// The bytes of an HTTP text whose lines are written with plain line feeds.
    var wire: [UInt8] { Array(self.replacing("\n", with: "\r\n").utf8) }
}
