package import GRDB

/// Reads the journal and the rows that it names, in one read transaction: what it finds is a group.
///
/// Where the journal has a pause, as after a week without a daemon, there are several groups, each with its own time, so that
/// an edit of Monday does not win against another device's edit of Tuesday.
package struct JournalReader: Sendable {
    /// Lines in one reading. A transaction of more is sent in several groups.
    package var maximumLines = JournalPace.most
    /// Bytes of values in one reading, about. With more, half as many lines are read, down to one.
    package var maximumBytes = 8 << 20
    /// A pause that begins another group, in milliseconds. No transaction waits that long between two lines, it is hoped; one
    /// that does is sent in two groups.
    package var pause: Int64 = 60_000
    /// Rows from before sync began in a group: they were not written together.
    package var initialRows = 1_000
    /// A row that is new, and that has more bytes without values that travel by themselves, may be over a limit: it goes whole or not at
    /// all.
    private static let largeRow = 1 << 19
    private static let largeValue = 32 << 10

    private let shapes: [String: TableShape]

    package init(_ shapes: [TableShape]) {
        self.shapes = Dictionary(shapes.map { ($0.name, $0) }) { first, _ in first }
    }

    package struct Reading: Sendable {
        package var groups: [ChangeGroup]
        package var lines: Int
        /// The number of the first line, and of the last one that was there.
        package var first: Int64
        package var newest: Int64
        /// Lines up to here are in the groups, or say nothing.
        package var sequence: Int64
        package var hasMore: Bool
    }

    private struct RowID: Hashable {
        var table: String
        var key: ByteText
    }

    /// The last writes of a row in the lines: in which burst each of its columns, and the row itself, was written last.
    private struct Trace {
        var bursts: [Int: Int] = [:]
        /// The columns whose last change was a foreign key's.
        var emptied: Set<Int> = []
        /// By how much columns that count have grown in each burst, since the row was last written anew.
        var counts: [Int: [Int: Int64]] = [:]
        var burst = 0
        /// The first burst that is not of rows from before sync began.
        var firstBurst: Int?
        var isRemoved = false
        var isInserted = false
        var isJoined = false

        /// A row that was not taken goes whole or not at all, with its last burst. Rows from before sync began stay that: others' edits win.
        mutating func join(_ isInitial: [Bool]) {
            guard !isInitial[burst] else { return }
            isJoined = true
            for (position, burst) in bursts where !isInitial[burst] { bursts[position] = self.burst }
            counts = counts.mapValues { [burst: $0.values.reduce(0, &+)] }
        }
    }

    private struct Burst {
        var first: Int64
        var sequence: Int64
        var time: Int64
        var isInitial: Bool
        var lines = 1
    }

    /// - Returns: nil when the journal is empty.
    package func read(in db: Database) throws -> Reading? {
        var maximum = maximumLines
        while true {
            guard let reading = try read(maximum, in: db) else { return nil }
            if maximum == 1 || reading.groups.reduce(0, { $0 + $1.size }) <= maximumBytes { return reading }
            maximum /= 2
        }
    }

    private func read(_ maximumLines: Int, in db: Database) throws -> Reading? {
        let lines = try Row.fetchCursor(
            db,
            sql: "SELECT seq, time, tbl, key, oldKey, op, mask FROM baton_journal WHERE op > 0 ORDER BY seq LIMIT ?",
            arguments: [maximumLines + 1])
        var bursts: [Burst] = []
        var traces: [RowID: Trace] = [:]
        var order: [RowID] = []
        var (first, sequence): (Int64, Int64) = (0, 0)
        var count = 0
        while let line = try lines.next() {
            count += 1
            if count > maximumLines { break }
            sequence = line["seq"]
            if first == 0 { first = sequence }
            note(line, sequence: sequence, bursts: &bursts, traces: &traces, order: &order)
        }
        guard count > 0 else { return nil }
        let unsent = try UnsentRows(in: db)
        if !unsent.isEmpty {
            for row in order where unsent.contains(row.table, row.key) { traces[row]?.join(bursts.map(\.isInitial)) }
        }
        var later: [RowID: [Int: Int64]] = [:]
        if count > maximumLines, shapes.values.contains(where: { $0.columns.contains(where: \.isCounter) }) {
            later = try laterCounts(of: traces, after: sequence, in: db)
        }
        let groups = try makeGroups(bursts: bursts, traces: traces, order: order, later: later, in: db)
        return Reading(
            groups: groups, lines: min(count, maximumLines), first: first,
            newest: try MirrorJournal.newest(in: db), sequence: sequence, hasMore: count > maximumLines)
    }

    /// The counts since then in the columns of rows that are read now: their present values include them already, and they are
    /// sent later.
    private func laterCounts(
        of traces: [RowID: Trace], after sequence: Int64, in db: Database
    ) throws -> [RowID: [Int: Int64]] {
        var counts: [RowID: [Int: Int64]] = [:]
        let lines = try Row.fetchCursor(
            db, sql: "SELECT tbl, key, mask FROM baton_journal WHERE seq > ? AND op = ?",
            arguments: [sequence, CaptureTriggers.Operation.count.rawValue])
        while let line = try lines.next() {
            guard let count = CaptureTriggers.count(inMask: line["mask"]) else { continue }
            let row = RowID(table: line["tbl"], key: ByteText(text: line["key"]))
            guard traces[row] != nil else { continue }
            counts[row, default: [:]][count.position, default: 0] &+= count.difference
        }
        return counts
    }

    private func note(
        _ line: Row, sequence: Int64, bursts: inout [Burst], traces: inout [RowID: Trace], order: inout [RowID]
    ) {
        guard let operation = CaptureTriggers.Operation(rawValue: line["op"]) else { return }
        let time: Int64 = line["time"]
        let isInitial = operation == .before
        if let last = bursts.last, last.isInitial == isInitial,
            isInitial ? last.lines < initialRows : abs(time - last.time) < pause
        {
            bursts[bursts.count - 1].sequence = sequence
            bursts[bursts.count - 1].time = max(time, last.time)
            bursts[bursts.count - 1].lines += 1
        } else {
            bursts.append(Burst(first: sequence, sequence: sequence, time: time, isInitial: isInitial))
        }
        let burst = bursts.count - 1
        let table: String = line["tbl"]
        func change(_ key: String, _ body: (inout Trace) -> Void) {
            let row = RowID(table: table, key: ByteText(text: key))
            if traces[row] == nil { order.append(row) }
            body(&traces[row, default: Trace()])
            traces[row]?.burst = burst
            if !isInitial, traces[row]?.firstBurst == nil { traces[row]?.firstBurst = burst }
        }
        if let old: String = line["oldKey"] { change(old) { $0.isRemoved = true } }
        change(line["key"]) { trace in
            switch operation {
            case .delete: trace.isRemoved = true
            case .count:
                guard let count = CaptureTriggers.count(inMask: line["mask"]) else { return }
                trace.counts[count.position, default: [:]][burst, default: 0] &+= count.difference
            case .nothing: break
            case .insert, .update, .rekey, .before, .empty:
                if operation == .insert { trace.isInserted = true }
                let positions = CaptureTriggers.positions(inMask: line["mask"])
                for position in positions { trace.bursts[position] = burst }
                // Earlier counts are in the number that the row has since.
                if [.insert, .rekey].contains(operation) { for position in positions { trace.counts[position] = nil } }
                if operation == .empty { trace.emptied.formUnion(positions) } else { trace.emptied.subtract(positions) }
            }
        }
    }

    private func makeGroups(
        bursts: [Burst], traces: [RowID: Trace], order: [RowID], later: [RowID: [Int: Int64]], in db: Database
    ) throws -> [ChangeGroup] {
        var groups = bursts.map {
            ChangeGroup(
                first: $0.first, sequence: $0.sequence, time: $0.time, isInitial: $0.isInitial, changes: [])
        }
        var reader = RowReader(db: db)
        for row in order {
            // A table of another version of the app.
            guard let shape = shapes[row.table], let key = RowKey(journal: row.key.text), key.isWhole,
                key.values.count == shape.key.count, var trace = traces[row]
            else { continue }
            guard let (values, problem) = try reader.values(of: key, in: shape) else {
                // Not deleted: the line is of a row that does not sync.
                if try reader.hasCutKey(key, in: shape) { continue }
                groups[trace.burst].changes.append(
                    ChangeGroup.Change(
                        table: row.table, key: key, isDeleted: true, values: [:],
                        first: Self.firstLine(of: trace, in: bursts)))
                continue
            }
            if trace.isInserted, Self.isLarge(values) { trace.join(bursts.map(\.isInitial)) }
            let first = Self.firstLine(of: trace, in: bursts)
            let positions = try reader.positions(of: shape)
            // It was gone, and is there again without a line that says how: then everything of it is new.
            let isUnexplained = trace.isRemoved && trace.bursts.isEmpty
            var changed: [Int: [String: DatabaseValue]] = [:]
            var emptied: [Int: Set<String>] = [:]
            var differences: [Int: [String: Int64]] = [:]
            for (name, present) in values {
                guard let position = positions[name] else { continue }
                var value = present
                if shape.column(name)?.isCounter == true {
                    // A row that is new says its number, as it was in its burst; another one, and what came after, what was added.
                    let first = trace.bursts[position] ?? (isUnexplained ? trace.burst : -1)
                    var since = later[row]?[position] ?? 0
                    for (burst, difference) in trace.counts[position] ?? [:] where burst > first && difference != 0 {
                        since &+= difference
                        differences[burst, default: [:]][name] = difference
                        changed[burst, default: [:]] = changed[burst] ?? [:]
                    }
                    if first < 0 { continue }
                    value = Self.number(present, without: since)
                }
                guard let burst = trace.bursts[position] ?? (isUnexplained ? trace.burst : nil) else { continue }
                if trace.emptied.contains(position) {
                    emptied[burst, default: []].insert(name)
                    changed[burst, default: [:]][name] = nil
                } else {
                    changed[burst, default: [:]][name] = value
                }
            }
            // A row of a key alone has only itself to send.
            if changed.isEmpty, shape.columns.isEmpty || isUnexplained { changed[trace.burst] = [:] }
            for (burst, values) in changed {
                groups[burst].changes.append(
                    ChangeGroup.Change(
                        table: row.table, key: key, isDeleted: false, values: values, emptied: emptied[burst] ?? [],
                        differences: differences[burst] ?? [:], first: bursts[burst].isInitial ? 0 : first,
                        problem: problem))
            }
        }
        return groups.filter { !$0.changes.isEmpty }
    }

    /// The first line of a row that goes whole.
    private static func firstLine(of trace: Trace, in bursts: [Burst]) -> Int64 {
        trace.isJoined ? trace.firstBurst.map { bursts[$0].first } ?? 0 : 0
    }

    private static func isLarge(_ values: [String: DatabaseValue]) -> Bool {
        values.values.reduce(0) { $1.size > largeValue ? $0 : $0 + $1.size } > largeRow
    }

    /// NULL counts as 0.
    private static func number(_ value: DatabaseValue, without difference: Int64) -> DatabaseValue {
        guard difference != 0 else { return value }
        return switch value.storage {
        case .int64(let number): (number &- difference).databaseValue
        case .double(let number): (number - Double(difference)).databaseValue
        case .null: (0 &- difference).databaseValue
        case .string, .blob: value
        }
    }
}
