import BatonWire
import Foundation

/// How far the transfers are that arrive: a line for each, drawn over and over at the bottom of a terminal.
struct ReceivingProgress {
    private struct Transfer {
        let id: String
        let meter: TransferMeter
        var line: String
    }

    private let columns: Int?
    private var screen: RedrawnText
    /// Those that run, in the order in which they began. The daemon bounds their number.
    private var transfers: [Transfer] = []

    /// - Parameter columns: where the terminal wraps lines.
    init(columns: Int?) {
        self.columns = columns
        screen = RedrawnText(columns: columns)
    }

    /// The output that puts the present lines in place of the previous ones.
    /// - Parameter sender: as at the beginning of a sentence.
    mutating func drawing(
        _ id: String, from sender: String, _ progress: Baton_Control_V1_TransferProgress, now: Date
    ) -> String {
        let name = TerminalText.escape(sender)
        let peer = name.prefix(1).lowercased() + name.dropFirst()
        if let index = transfers.firstIndex(where: { $0.id == id }) {
            transfers[index].line = "\(name): \(transfers[index].meter.line(progress, with: peer, now: now))"
        } else {
            let meter = TransferMeter(start: now, progress)
            let line = "\(name): \(meter.line(progress, with: peer, now: now))"
            transfers.append(Transfer(id: id, meter: meter, line: line))
        }
        return screen.replacing(with: transfers.map(\.line).joined(separator: "\n"))
    }

    mutating func end(_ id: String) { transfers.removeAll { $0.id == id } }

    /// Something else stands on the terminal now, which the next lines must not replace.
    mutating func interrupt() { screen = RedrawnText(columns: columns) }
}
