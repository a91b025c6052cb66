import Foundation
import GRDB
import RecordMirror
import Synchronization

/// A replica in memory that several databases mirror, without the rules of references and unique keys: the later write of a column
/// wins, a deletion is final unless the row is put again.
final class ReplicaDouble: MirrorService {
    struct RowID: Hashable {
        var table: String
        var key: RowKey
    }

    private struct Row {
        var values: [String: (stamp: Int, value: DatabaseValue)] = [:]
        var isPresent = false
        var position = 0
    }

    private struct State {
        var rows: [RowID: Row] = [:]
        var position = 0
        var stamp = 0
        var taken: [Data: Int64] = [:]
        var received: [ChangeGroup] = []
        var cursors: [Data] = []
        var reported: [RefusedRow] = []
        var isAway = false
        /// Groups with more changes take too long.
        var mostChanges = Int.max
        /// Columns whose values are not on this device.
        var away: Set<String> = []
        var epoch = UInt8(1)
        var beforeFetch: (@Sendable () throws -> Void)?
    }

    struct Away: Error {}
    struct TooLong: Error {}

    private let state = Mutex(State())

    var received: [ChangeGroup] { state.withLock { $0.received } }
    /// With which groups were sent.
    var cursors: [Data] { state.withLock { $0.cursors } }
    var reported: [RefusedRow] { state.withLock { $0.reported } }
    var count: Int { state.withLock { $0.rows.values.count { $0.isPresent } } }

    func forget() { state.withLock { ($0.received, $0.cursors) = ([], []) } }
    func setMostChanges(_ count: Int) { state.withLock { $0.mostChanges = count } }
    func isDeadline(_ error: any Error) -> Bool { error is TooLong }
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }
    /// Rows with a value of these columns are shown anew, held or not.
    func setContentsAway(_ columns: Set<String>) {
        state.withLock { state in
            let changed = state.away.union(columns)
            state.away = columns
            state.position += 1
            for (id, row) in state.rows where row.isPresent && row.values.keys.contains(where: changed.contains) {
                state.rows[id]?.position = state.position
            }
        }
    }
    /// A row that a device wrote which is none of those here.
    func put(_ row: ShownRow) {
        state.withLock { state in
            state.position += 1
            state.stamp += 1
            let stamp = state.stamp
            state.rows[RowID(table: row.table, key: row.key)] = Row(
                values: row.values.mapValues { (stamp, $0) }, isPresent: true, position: state.position)
        }
    }
    /// All cursors expire.
    func expire() { state.withLock { $0.epoch += 1 } }
    /// Runs once, before the next answer of `fetch`, as the app that writes meanwhile.
    func beforeFetch(_ body: @escaping @Sendable () throws -> Void) { state.withLock { $0.beforeFetch = body } }

    private func cursor(_ state: State) -> Data { Data([state.epoch]) + Data("\(state.position)".utf8) }

    private func position(_ cursor: Data, _ state: State) -> Int? {
        if cursor.isEmpty { return 0 }
        return cursor.first == state.epoch ? Int(String(decoding: cursor.dropFirst(), as: UTF8.self)) : nil
    }

    func setSchema(
        _ shapes: [TableShape], actor: Data, cursor: Data, retry: Bool
    ) async throws -> (taken: Int64, isCursorKnown: Bool, refused: [RefusedRow]) {
        try state.withLock { state in
            if state.isAway { throw Away() }
            return (state.taken[actor] ?? 0, !cursor.isEmpty && position(cursor, state) != nil, [])
        }
    }

    func send(_ groups: [ChangeGroup], actor: Data, cursor: Data, known: Int64) async throws -> [RefusedRow] {
        try state.withLock { state in
            if state.isAway { throw Away() }
            if groups.contains(where: { $0.changes.count > state.mostChanges }) { throw TooLong() }
            state.cursors.append(cursor)
            for group in groups where group.sequence > state.taken[actor] ?? 0 {
                state.received.append(group)
                state.taken[actor] = group.sequence
                state.position += 1
                state.stamp += 1
                for change in group.changes { take(change, of: group, &state) }
            }
            return []
        }
    }

    private func take(_ change: ChangeGroup.Change, of group: ChangeGroup, _ state: inout State) {
        let id = RowID(table: change.table, key: change.key)
        let isKnown = state.rows[id] != nil
        var row = state.rows[id] ?? Row()
        row.position = state.position
        if change.isDeleted {
            row.isPresent = false
        } else if !group.isInitial || !isKnown || row.isPresent {
            row.isPresent = true
            for (column, value) in change.values where !group.isInitial || row.values[column] == nil {
                row.values[column] = (group.isInitial ? 0 : state.stamp, value)
            }
        }
        state.rows[id] = row
    }

    func fetch(actor: Data, cursor: Data) async throws -> ShownPage {
        let before = state.withLock { state in
            defer { state.beforeFetch = nil }
            return state.beforeFetch
        }
        return try state.withLock { state in
            if state.isAway { throw Away() }
            guard let start = position(cursor, state) else { throw CursorExpired() }
            var group = ShownGroup()
            for (id, row) in state.rows where row.position > start {
                if row.isPresent {
                    let here = row.values.filter { !state.away.contains($0.key) || $0.value.value.isNull }
                    group.put.append(
                        ShownRow(
                            table: id.table, key: id.key, values: here.mapValues(\.value),
                            held: here.count < row.values.count ? RefusedRow.contentAway : nil))
                } else if start > 0 {
                    group.remove.append(ShownRow(table: id.table, key: id.key))
                } else if cursor.isEmpty {
                    group.remove.append(ShownRow(table: id.table, key: id.key))
                }
            }
            let page = ShownPage(
                groups: group == ShownGroup() ? [] : [group], cursor: self.cursor(state), hasMore: false,
                continues: false)
            try before?()
            return page
        }
    }

    func report(_ rows: [RefusedRow], cursor: Data) async throws { state.withLock { $0.reported += rows } }
}

/// An app's database with its mirror.
final class MirroredApp {
    let queue: DatabaseQueue
    let mirror: Mirror
    private(set) var shapes: [TableShape] = []

    init(
        _ queue: DatabaseQueue, _ replica: any MirrorService, tables: [MirrorTable] = MirrorFixture.tables,
        boot: String = "one", filling: ReplicaFilling.Bounds = .standard
    ) {
        self.queue = queue
        mirror = Mirror(queue, tables: tables, service: replica, boot: boot, filling: filling) {
            Data((0..<16).map { _ in UInt8.random(in: 0...255) })
        }
    }

    func start() async throws {
        try await startAlone()
        try await open()
    }

    /// While the service is away.
    func startAlone() async throws { shapes = try await mirror.start() }
    func open() async throws { try await mirror.open(shapes) }

    @discardableResult
    func exchange() async throws -> Mirror.Progress { try await mirror.exchange(shapes) }

    static let everything = """
        SELECT 'l', id, title, color, '' FROM lists UNION ALL SELECT 't', id, name, '', '' FROM tags
        UNION ALL SELECT 'i', id, text, done, list || coalesce(tag, '-') FROM items
        UNION ALL SELECT 'it', item, tag, weight, '' FROM itemTags UNION ALL SELECT 'c', list, image, '', '' FROM covers
        ORDER BY 1, 2, 3
        """

    func all() throws -> String { try queue.text(Self.everything) }
}
