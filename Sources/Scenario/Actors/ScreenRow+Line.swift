import Machines
import RunRecord

extension ScreenRow.Kind {
    /// What a record calls a line of a client's screen; records know no clients, so they have words of their own.
    init(_ kind: ScreenLine.Kind) {
        self =
            switch kind {
            case .title: .title
            case .heading: .heading
            case .text: .text
            case .said: .said
            case .own: .own
            case .field: .field
            case .button: .button
            case .notice: .notice
            case .fault: .fault
            }
    }
}
