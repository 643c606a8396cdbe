import JSON

/// What a person can press or type into at one moment: what the visible view shows and its templates have connected.
///
/// The drawing of the screen, every press and every word typed ask this one set, so that nothing can be used which is
/// not seen.
struct ShownControls: Sendable {
    /// A cell of the visible form.
    struct Cell: Hashable, Sendable {
        let field: FormField
        let kind: ScreenCell
        /// Whether something can be entered.
        let takesValues: Bool
    }

    /// The controls that are shown, each once.
    let controls: [ScreenControl]
    /// The cells of fields that are shown, in the order of the form.
    let cells: [Cell]
    /// Whether the contents of the visible view are shown at all.
    let showsView: Bool
    /// Whether the loading view lies over everything, so that nothing can be used.
    let isCovered: Bool

    /// Looks at a client whose view is visible.
    init(_ client: ClientView, _ view: ScreenView) {
        let settings = client.settings.view
        let hasMain = settings.connects(.view, of: .main)
        let showsView = hasMain && view.containers.allSatisfy { settings.connects($0.outlet, of: $0.template) }
        self.isCovered = settings.connects(.loadingview, of: .main) && ScreenModel.isLoading(client)
        self.showsView = showsView
        self.controls = ScreenControl.allCases.filter { control in
            guard control.isOf(view), control == .mainExternalActionButton ? hasMain : showsView,
                control.place.map({ settings.connects($0.outlet, of: $0.template) }) ?? true
            else { return false }
            return Self.isOffered(control, client)
        }
        self.cells = showsView && settings.connects(.tableView, of: .form) ? Self.cells(client, view) : []
    }

    private static func cells(_ client: ClientView, _ view: ScreenView) -> [Cell] {
        let settings = client.settings.view
        let fields = view.form.flatMap { client.record[$0] }?.fields ?? []
        return fields.filter(\.isShown).compactMap { field in
            let kind = ScreenCell(field)
            guard settings.connects(.cell, of: kind.template) else { return nil }
            let input: (ScreenOutlet, ScreenTemplate) =
                kind == .selection ? (.pickerView, .picker) : (kind.inputOutlet, kind.template)
            let takesValues = kind != .label && settings.connects(input.0, of: input.1)
            return Cell(field: field, kind: kind, takesValues: takesValues)
        }
    }

    /// Whether the moment offers a control that its view and template have.
    private static func isOffered(_ control: ScreenControl, _ client: ClientView) -> Bool {
        let isAsking = client.screen.emailAlert != nil
        switch control {
        case .emailAlert, .emailAlertSend, .emailAlertCancel: return isAsking
        case .inputTextView, .sendButton: return client.link?.isDisturbed != true
        case .emailChatHistoryButton:
            let settings = client.record.windowSettings
            return settings["ShowTranscriptButton"] == nil || settings.truth("ShowTranscriptButton")
        case .cancelChatButton: return ScreenModel.canCancel(client)
        case .button:
            let settings = client.settings.view
            return settings.hasSubmitCell && settings.connects(.cell, of: .button)
                && settings.connects(.tableView, of: .form)
        case .endChatButton, .mainExternalActionButton, .endExternalActionButton, .errorExternalActionButton,
            .chatExternalActionButton:
            return true
        }
    }

    /// The cell of a field.
    func cell(_ key: String) -> Cell? { self.cells.first { $0.field.key == key && $0.kind != .label } }

    /// The names of all that can be used.
    var names: [String] {
        self.controls.map(\.rawValue).sorted() + self.cells.filter { $0.kind != .label }.map(\.field.key)
    }
}
