import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton transfers`
struct TransfersCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "transfers", abstract: "List what was sent and received, the newest first.")

    @Option(name: .shortAndLong, help: "Show the newest N (0: all that are kept).")
    var number: UInt32 = 20

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let records = try await session.call(AirDropMethods.listTransfers, .with { $0.limit = number }).transfers
        try session.emit(json: ["transfers": .array(records.map(Self.json))], text: text(records, session))
    }

    static func json(_ record: Baton_Control_V1_TransferRecord) -> JSONValue {
        [
            "time_ms": .init(record.time), "sent": .boolean(record.sent), "peer_name": .string(record.peerName),
            "names": .init(strings: record.names), "outcome": AirDropReport.json(record.outcome),
        ]
    }

    /// With the reason where it did not come to its end.
    private static func result(_ outcome: Baton_Control_V1_TransferOutcome) -> String {
        let isWhole = outcome.result == "delivered" || outcome.message.isEmpty
        return isWhole ? outcome.result : "\(outcome.result): \(outcome.message)"
    }

    private func text(_ records: [Baton_Control_V1_TransferRecord], _ session: CommandSession) -> String {
        guard !records.isEmpty else { return "Nothing was sent or received yet." }
        var table = session.table([
            .init("WHEN"), .init("DEVICE", isFlexible: true), .init("ITEMS", isFlexible: true),
            .init("RESULT", isFlexible: true),
        ])
        for record in records {
            let first = record.names.first ?? ""
            let more = record.names.count > 1 ? " and more" : ""
            table.add(
                TimeFormat.age(milliseconds: record.time, now: session.context.clock.now),
                (record.sent ? "to " : "from ") + record.peerName, first + more,
                Self.result(record.outcome))
        }
        return table.render()
    }
}
