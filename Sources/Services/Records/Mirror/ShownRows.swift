import BatonCore
import BatonWire
import Foundation
import RecordMerge
import SwiftProtobuf

/// Rows as mirrors see them.
enum ShownRows {
    static func message(
        _ columns: [String: RecordValue], _ table: RecordTable, _ zone: RecordZoneName
    ) -> Baton_App_V1_ShownRow {
        .with { message in
            message.table = table.name
            message.key = table.primaryKey.map { RecordsWire.message(columns[$0] ?? .nothing, in: zone) }
            let keys = Set(table.primaryKey)
            message.values = columns.filter { !keys.contains($0.key) }
                .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { column, value in
                    .with {
                        $0.column = column
                        $0.value = RecordsWire.message(value, in: zone)
                    }
                }
        }
    }

    /// - Throws: `invalid_arguments` for a table that does not sync, and for what is no key of it.
    static func name(
        _ table: String, _ key: [Baton_App_V1_RecordValue], _ schema: RecordSchema
    ) throws -> RecordName {
        guard let table = schema[table] else {
            throw RecordsError.invalid("The table “\(table.shortened(toBytes: 80))” is not one of the schema.")
        }
        guard let name = table.rowName(of: try key.map(RecordsWire.nameValue)) else {
            throw RecordsError.invalid("A key of the table “\(table.name.shortened(toBytes: 80))” is not whole.")
        }
        return name
    }

    /// A content of a row is away that its table has in an earlier state.
    static let earlierState = "a content of it is not on this device yet; its table has it as it was before"

    /// Why a row is held, for people.
    static func text(of hold: RecordHold) -> String {
        switch hold {
        case .missing(let name): "it needs the row \(name.text), which has not come"
        case .heldTarget(let name): "it needs the row \(name.text), which is held itself"
        case .refused(let reason): "the app's table refused it: \(reason)"
        case .content: "a content of it is not on this device yet"
        case .badKey: "the columns of its key are missing, or are another row's"
        }
    }
}
