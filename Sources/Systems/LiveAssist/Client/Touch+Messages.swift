extension Touch {
    /// What is said to the consumer's screen about it; pointing is said elsewhere.
    ///
    /// - Parameters:
    ///   - x: Pixels from the left.
    ///   - y: Pixels from the top.
    func messages(x: Int16, y: Int16) -> [WindowMessage] {
        switch self {
        case .point: []
        case .click: [.mouseDown(x: x, y: y, button: 0), .mouseUp(x: x, y: y, button: 0)]
        case .mouseDown: [.mouseDown(x: x, y: y, button: 0)]
        case .mouseUp: [.mouseUp(x: x, y: y, button: 0)]
        case .doubleClick: [.doubleClick(x: x, y: y)]
        case .move: [.mouseMove(x: x, y: y)]
        case .type(let text): [.inputAtLocation(x: x, y: y, text: text)]
        }
    }
}
