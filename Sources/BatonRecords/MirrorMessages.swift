import BatonWire
import Foundation
import GRDB
import RecordMirror
import SwiftProtobuf

extension DatabaseValue {
    var wire: Baton_App_V1_RecordValue {
        .with { message in
            switch storage {
            case .null: message.null = Baton_App_V1_RecordNull()
            case .int64(let number): message.integer = number
            case .double(let number): message.real = number
            case .string(let text): message.text = text
            case .blob(let data): message.data = data
            }
        }
    }
}

extension Baton_App_V1_RecordValue {
    /// A value for which SQLite has no kind was not written by a mirror, and shows as NULL.
    var databaseValue: DatabaseValue {
        switch kind {
        case .integer(let number): number.databaseValue
        case .real(let number), .date(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .data(let data): data.databaseValue
        case .null, .reference, .asset, .location, .list, nil: .null
        }
    }
}

extension TableShape {
    var wire: Baton_App_V1_RecordTable {
        .with { message in
            message.name = name
            message.primaryKey = key.map(\.name)
            message.columns = (key + columns).map(\.wire)
            message.foreignKeys = references.map { reference in
                .with {
                    $0.columns = reference.columns
                    $0.table = reference.table
                    $0.targetColumns = reference.targetColumns
                    $0.onDelete = reference.onDelete.wire
                }
            }
            message.uniqueKeys = unique.map { key in
                .with {
                    $0.columns = key.columns
                    $0.collision = key.collision == .merge ? .merge : .clear
                    if key.collision == .clear { $0.clearedColumn = key.columns.first ?? "" }
                }
            }
        }
    }
}

extension TableShape.DeleteAction {
    fileprivate var wire: Baton_App_V1_RecordForeignKey.Action {
        switch self {
        case .noAction, .restrict: .unspecified
        case .cascade: .cascade
        case .setNull: .setNull
        case .setDefault: .setDefault
        }
    }
}

extension TableShape.Column {
    fileprivate var wire: Baton_App_V1_RecordColumn {
        .with { message in
            message.name = name
            message.notNull = isRequired
            message.hasDefault_p = defaultValue != nil
            message.quiet = isQuiet
            message.counter = isCounter
            message.declaredType = type
            message.collation =
                switch collation {
                case .binary: .unspecified
                case .nocase: .nocase
                case .rtrim: .rtrim
                }
            if let defaultLiteral { message.defaultValue = defaultLiteral.wire }
        }
    }
}
