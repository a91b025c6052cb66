import BatonCore
import BatonWire
import Foundation
import RecordMerge
import SwiftProtobuf
import Synchronization

/// The tables of mirrored zones, as they were read. Bound: the zones of a container.
final class SchemaCache: Sendable {
    private let known = Mutex<[Int64: (tables: Data, schema: RecordSchema)]>([:])

    /// Nil for a zone that mirrors nothing.
    func schema(of zone: ReplicaZone) throws -> RecordSchema? {
        guard let tables = zone.tables else { return nil }
        if let kept = known.withLock({ $0[zone.id] }), kept.tables == tables { return kept.schema }
        let message = try Baton_App_V1_SetSchemaRequest(serializedBytes: tables)
        let schema = try Self.schema(message.tables)
        known.withLock { $0[zone.id] = (tables, schema) }
        return schema
    }

    /// The bytes that are kept of a request.
    static func bytes(of tables: [Baton_App_V1_RecordTable]) throws -> Data {
        try Baton_App_V1_SetSchemaRequest.with { $0.tables = tables.sorted { $0.name < $1.name } }.serializedData()
    }

    /// - Throws: what cannot be synced, with the reasons of `RecordSchema`.
    static func schema(_ messages: [Baton_App_V1_RecordTable]) throws -> RecordSchema {
        try RecordSchema(messages.map(table))
    }

    private static func table(_ message: Baton_App_V1_RecordTable) throws -> RecordTable {
        RecordTable(
            name: message.name, columns: try message.columns.map(column), primaryKey: message.primaryKey,
            foreignKeys: message.foreignKeys.map { key in
                RecordForeignKey(columns: key.columns, target: key.table, onDelete: action(key.onDelete))
            },
            uniqueKeys: try message.uniqueKeys.map(uniqueKey))
    }

    private static func uniqueKey(_ key: Baton_App_V1_RecordUniqueKey) throws -> RecordUniqueKey {
        switch key.collision {
        case .merge: return RecordUniqueKey(columns: key.columns, collision: .merge)
        case .clear:
            let column = key.clearedColumn.isEmpty ? key.columns.first ?? "" : key.clearedColumn
            return RecordUniqueKey(columns: key.columns, collision: .clear(column: column))
        case .unspecified, .UNRECOGNIZED:
            throw BatonError(
                .invalidArgument, reason: "undeclared_unique",
                "A unique index of \(key.columns.joined(separator: ", ").shortened(toBytes: 200)) says nothing of what "
                    + "happens when two devices write one value: merge or clear.")
        }
    }

    private static func action(_ action: Baton_App_V1_RecordForeignKey.Action) -> RecordForeignKey.Action {
        switch action {
        case .cascade: .cascade
        case .setNull: .setNull
        case .setDefault: .setDefault
        case .unspecified, .UNRECOGNIZED: .noAction
        }
    }

    private static func column(_ message: Baton_App_V1_RecordColumn) throws -> RecordColumn {
        RecordColumn(
            name: message.name, isNullable: !message.notNull,
            defaultValue: message.hasDefaultValue ? try RecordsWire.plainValue(message.defaultValue) : nil,
            collation: collation(message.collation), isQuiet: message.quiet, isCounter: message.counter)
    }

    private static func collation(_ collation: Baton_App_V1_RecordColumn.Collation) -> RecordColumn.Collation {
        switch collation {
        case .nocase: .nocase
        case .rtrim: .rtrim
        case .unspecified, .UNRECOGNIZED: .binary
        }
    }
}
