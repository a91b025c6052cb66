import AppLink
import BatonCore
import BatonWire
import Foundation
import GRDB
import RecordMirror
import SwiftProtobuf

/// The daemon's mirror of one zone, over the app's link.
struct DaemonMirrorService: MirrorService {
    /// Less than a call may have, by what protobuf and long names add.
    static let maximumBytes = 1 << 20
    static let maximumChanges = 5_000
    /// More is no record, and would be no message: a record has 1 MiB without its assets.
    static let maximumRow = 2 << 20
    /// More than the daemon takes of a key.
    static let maximumKey = 64 << 10
    /// Bytes of a value that is read into memory.
    static let maximumValue: UInt64 = 64 << 20

    let link: RecordsLink
    let zone: Baton_App_V1_RecordZoneID

    init(link: RecordsLink, zone: String) {
        self.link = link
        self.zone = .with { $0.zoneName = zone }
    }

    func setSchema(
        _ shapes: [TableShape], actor: Data, cursor: Data, retry: Bool
    ) async throws -> (taken: Int64, isCursorKnown: Bool, refused: [RefusedRow]) {
        let answer = try await expiring {
            try await link.setSchema(shapes.map(\.wire), in: zone, actor: actor, cursor: cursor, retry: retry)
        }
        return (Int64(clamping: answer.taken), answer.cursorKnown, answer.refused.map(Self.refused))
    }

    private static func refused(_ row: Baton_App_V1_HeldRow) -> RefusedRow {
        RefusedRow(
            table: row.table, key: RowKey(row.key.map(\.databaseValue)), reason: row.reason,
            number: Int64(clamping: row.number))
    }

    // MARK: Sending

    func send(_ groups: [ChangeGroup], actor: Data, cursor: Data, known: Int64) async throws -> [RefusedRow] {
        var call: [Baton_App_V1_RowGroup] = []
        var refused: [RefusedRow] = []
        var (bytes, changes) = (0, 0)
        func flush() async throws {
            guard !call.isEmpty else { return }
            let answer = try await expiring {
                try await link.sendRows(
                    call, in: zone, actor: actor, cursor: cursor, known: UInt64(clamping: known))
            }
            refused += answer.refused.map(Self.refused)
            (call, bytes, changes) = ([], 0, 0)
        }
        for group in groups {
            var part = Baton_App_V1_RowGroup.with {
                $0.first = UInt64(clamping: group.first)
                $0.sequence = UInt64(clamping: group.sequence)
                $0.time = UInt64(clamping: group.time)
                $0.initial = group.isInitial
            }
            for row in group.changes {
                let hasKey = row.key.values.reduce(0) { $0 + $1.size } <= Self.maximumKey
                let change = hasKey && row.problem == nil ? try await wire(row) : Baton_App_V1_RowChange()
                let size = try change.serializedData().count
                let problem = hasKey ? row.problem ?? (size > Self.maximumRow ? Self.largeRow : nil) : Self.largeKey
                if let problem {
                    let first = row.first > 0 ? row.first : group.first
                    refused.append(RefusedRow(table: row.table, key: row.key, reason: problem, number: first))
                    // The daemon remembers it, should the app end before it has kept that. There is no room for such a key.
                    guard hasKey else { continue }
                    part.refused.append(
                        .with {
                            $0.table = row.table
                            $0.key = row.key.values.map(\.wire)
                            $0.reason = problem
                            $0.number = UInt64(clamping: first)
                        })
                    continue
                }
                if changes >= Self.maximumChanges || (bytes + size > Self.maximumBytes && changes > 0) {
                    if !part.changes.isEmpty {
                        var begun = part
                        begun.continues = true
                        begun.refused = []
                        call.append(begun)
                        part.changes = []
                    }
                    try await flush()
                }
                part.changes.append(change)
                bytes += size
                changes += 1
            }
            call.append(part)
        }
        try await flush()
        return refused
    }

    private static let largeRow = "The row has over 1 MiB besides values of more than 32 KiB. Put less into it."
    private static let largeKey = "The key of the row has over 32 KiB. Give it a shorter one."

    private func wire(_ change: ChangeGroup.Change) async throws -> Baton_App_V1_RowChange {
        var message = Baton_App_V1_RowChange()
        message.table = change.table
        message.key = change.key.values.map(\.wire)
        message.deleted = change.isDeleted
        message.emptied = change.emptied.sorted()
        message.first = UInt64(clamping: change.first)
        message.differences = change.differences.sorted { $0.key < $1.key }.map { column, difference in
            .with {
                $0.column = column
                $0.value = difference
            }
        }
        for (column, value) in change.values.sorted(by: { $0.key < $1.key }) {
            let value = try await link.outgoing(value.wire)
            message.values.append(
                .with {
                    $0.column = column
                    $0.value = value
                })
        }
        return message
    }

    // MARK: Fetching

    func fetch(actor: Data, cursor: Data) async throws -> ShownPage {
        let answer = try await expiring {
            try await link.fetchRows(in: zone, actor: actor, cursor: cursor)
        }
        var groups: [ShownGroup] = []
        for group in answer.groups {
            var shown = ShownGroup()
            for row in group.put { shown.put.append(try await self.shown(row)) }
            for row in group.remove {
                shown.remove.append(
                    ShownRow(
                        table: row.table, key: RowKey(row.key.map(\.databaseValue)),
                        held: row.held.isEmpty ? nil : row.held))
            }
            groups.append(shown)
        }
        return ShownPage(groups: groups, cursor: answer.cursor, hasMore: answer.more, continues: answer.continues)
    }

    /// A row of which a content is not here is held; the others do not wait for it.
    private func shown(_ row: Baton_App_V1_ShownRow) async throws -> ShownRow {
        var shown = ShownRow(table: row.table, key: RowKey(row.key.map(\.databaseValue)))
        for value in row.values {
            if case .asset(let asset) = value.value.kind, asset.content != .unspecified, asset.size > Self.maximumValue
            {
                shown.held = "a value of it is over 64 MiB"
                continue
            }
            do {
                shown.values[value.column] = try await link.incoming(value.value).databaseValue
            } catch let error as BatonError where Self.isAway(error) {
                shown.held = RefusedRow.contentAway
            }
        }
        return shown
    }

    /// Whether a content is not here, or is not what the record says: nothing that another call mends soon.
    static func isAway(_ error: BatonError) -> Bool {
        ["asset_not_available", "asset_damaged", "damaged_blob", "unknown_item", "bad_answer"].contains(error.reason)
    }

    func report(_ rows: [RefusedRow], cursor: Data) async throws {
        let held = rows.map { row in
            Baton_App_V1_HeldRow.with {
                $0.table = row.table
                $0.key = row.key.values.map(\.wire)
                $0.reason = row.reason
                $0.stays = row.stays
            }
        }
        try await link.reportHeld(held, in: zone, cursor: cursor)
    }

    func isDeadline(_ error: any Error) -> Bool { (error as? BatonError)?.code == .deadlineExceeded }

    private func expiring<Output>(_ body: () async throws -> Output) async throws -> Output {
        do {
            return try await body()
        } catch let error as BatonError where error.reason == "change_token_expired" {
            throw CursorExpired()
        }
    }
}
