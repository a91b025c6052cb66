import BatonCore
import BatonTestSupport
import FileSync
import RecordMerge

/// Two to five devices with one app, whose databases lag behind their replicas. One step at a time in random order.
struct RecordWorld {
    struct Item {
        var record: Record
        var writes: Set<Int>
    }

    struct Device {
        var replica: SimulatedReplica
        var app = SimulatedApp()
        let actor: ActorID
        /// Its clock is so much slow.
        let slowness: UInt64
        var lastTime: UInt64 = 0
        /// Transactions that are durable in the replica.
        var taken = 0
        /// The changes of each transaction of the journal, for the proof.
        var writes: [[RecordName: Int]] = []
        /// Transactions of which it is proven that the replica has them.
        var proven = 0
        /// Whether it has begun to sync.
        var isSyncing = true
        /// Whether its app is of the earlier version.
        var isEarlier = false
        var inbox: [[Item]] = []
    }

    var random: SeededGenerator
    let rules: RecordRules
    let mistake: Mistake?
    private let newest: RecordSchema
    var devices: [Device] = []
    var statistics = Statistics()
    private var wall: UInt64 = 1000

    // The actual writes, for the proof.
    var cells: [RecordName: [String: Register<RecordValue>]] = [:]
    var sums: [SimulatedApp.Cell: Int64] = [:]
    var writes: [RecordName: Set<Int>] = [:]
    /// Rows of before, which any change covers.
    var adoptions: [RecordName: Set<Int>] = [:]
    var covered: Set<Int> = []
    /// The changes that touched a row after a change of it had come.
    var later: [Int: Set<Int>] = [:]
    var groups: [[RecordName: Int]] = []
    private var lastWrite = 0
    var deletions: Set<Int> = []

    init(seed: UInt64, versions: SampleSchema.Versions, rules: RecordRules = .all, mistake: Mistake? = nil) {
        random = SeededGenerator(seed: seed)
        self.rules = rules
        self.mistake = mistake
        newest = versions.newest
        let count = [2, 2, 2, 3, 3, 4, 5][chance(7)]
        let haveRows = chance(3) == 0
        for index in 0..<count {
            let isEarlier = chance(4) == 0
            var device = Device(
                replica: SimulatedReplica(schema: isEarlier ? versions.earlier : versions.newest, rules: rules),
                actor: ActorID(rawValue: UInt64(index + 1)), slowness: UInt64(chance(3) * 200))
            device.app.hasCheck = chance(2) == 0
            device.isEarlier = isEarlier
            if isEarlier { device.app.becomeEarlier() }
            if haveRows, index == 0 || chance(2) == 0 {
                device.isSyncing = false
                fill(&device.app, with: index)
            }
            devices.append(device)
        }
    }

    mutating func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// Rows from before sync began: the same on all devices but for one cell.
    private func fill(_ app: inout SimulatedApp, with index: Int) {
        app.begin()
        app.upsert(SampleSchema.lists, ["id": .text("1"), "title": .text("Home"), "color": .integer(Int64(index))])
        app.upsert(SampleSchema.items, ["id": .text("1"), "list": .text("1"), "text": .text("old")])
        _ = app.commit()
        app.forgetSent(1)
    }

    mutating func run() throws {
        if chance(3) > 0 { try begin() }
        for _ in 0..<(15 + chance(20)) {
            wall += 10
            try step(chance(devices.count))
        }
        try finish()
    }

    /// Most schedules begin with some rows that all devices have.
    private mutating func begin() throws {
        for index in devices.indices { try sendAll(index) }
        try change(0) { app in
            for (title, number) in [("Home", "1"), ("Work", "2")] {
                let id = RecordValue.text(number)
                app.upsert(SampleSchema.lists, ["id": id, "title": .text(title)])
                app.upsert(SampleSchema.tags, ["id": id, "name": .text(title)])
                app.upsert(SampleSchema.items, ["id": id, "list": id, "tag": id, "slot": .text(title)])
                app.upsert(SampleSchema.covers, ["list": id])
                app.upsert(SampleSchema.itemTags, ["item": id, "tag": id])
            }
        }
        try sendAll(0)
        for index in devices.indices {
            try receiveAll(index)
            try apply(index)
        }
    }

    private mutating func step(_ index: Int) throws {
        if devices[index].isEarlier, chance(10) == 0 { return try upgrade(index) }
        switch chance(12) {
        case 0...3: try changeApp(index)
        case 4...5: try send(index, isCrashing: chance(8) == 0)
        case 6...8: try receive(index, 1 + chance(3))
        case 9...10: try apply(index)
        default:
            // A restart: rows touched before the crash are sent now.
            statistics.crashes += 1
            try update(index)
        }
    }

    /// The app's newest version is installed.
    mutating func upgrade(_ index: Int) throws {
        guard devices[index].isEarlier else { return }
        statistics.upgraded += 1
        devices[index].isEarlier = false
        devices[index].app.becomeNewest()
        if mistake == .backfill, devices[index].isSyncing {
            let count = devices[index].app.journal.count
            devices[index].app.backfill()
            if devices[index].app.journal.count > count { devices[index].writes.append([:]) }
        }
        devices[index].replica.setSchema(newest)
        if mistake != .untried { devices[index].replica.tryAgain() }
        try update(index)
    }

    // MARK: From the app to the daemon

    private mutating func changeApp(_ index: Int) throws {
        var app = devices[index].app
        app.begin()
        for _ in 0...chance(3) { changeOnce(&app) }
        try commit(app, index)
    }

    private mutating func change(_ index: Int, _ body: (inout SimulatedApp) -> Void) throws {
        var app = devices[index].app
        app.begin()
        body(&app)
        try commit(app, index)
    }

    private mutating func commit(_ app: SimulatedApp, _ index: Int) throws {
        devices[index].app = app
        guard let transaction = devices[index].app.commit() else { return }
        statistics.transactions += 1
        statistics.consequences += transaction.consequences.isEmpty ? 0 : 1
        var own: [RecordName: Int] = [:]
        for change in transaction.changes {
            switch change {
            case .delete(let name):
                covered.formUnion(transaction.deleted[name] ?? [])
                lastWrite += 1
                own[name] = lastWrite
                deletions.insert(lastWrite)
            case .adopt: break
            case .save(let name, _, let values, let differences, _):
                let written = values.keys.compactMap { field -> String? in
                    guard case .value(let column) = field,
                        !transaction.consequences.contains(.init(row: name, column: column))
                    else { return nil }
                    return column
                }
                for (column, difference) in differences where devices[index].isSyncing {
                    sums[.init(row: name, column: column), default: 0] += difference
                }
                // Before sync began only the state counts.
                guard devices[index].isSyncing, !written.isEmpty || !differences.isEmpty else { continue }
                lastWrite += 1
                // Quiet columns keep no row alive.
                if written.contains(where: { $0 != "opened" }) { writes[name, default: []].insert(lastWrite) }
                own[name] = lastWrite
                devices[index].app.noteWrite(lastWrite, to: name)
            }
        }
        devices[index].writes.append(own)
        groups.append(own.filter { !deletions.contains($0.value) })
    }

    private mutating func stamp(_ index: Int) -> Stamp {
        let time = max(devices[index].lastTime + 1, wall - devices[index].slowness)
        devices[index].lastTime = time
        return Stamp(time: HybridTimestamp(rawValue: time), actor: devices[index].actor)
    }

    /// The mirror hands one transaction to the daemon, or begins to sync.
    private mutating func send(_ index: Int, isCrashing: Bool) throws {
        if !devices[index].isSyncing { return try adopt(index) }
        let app = devices[index].app
        guard let transaction = app.journal.first else { return }
        if mistake == .cut, isCrashing {
            devices[index].taken = max(devices[index].taken, app.sent - firstSent(index) + 1)
            devices[index].app.forgetSent(1)
            return try proveJournal(index)
        }
        if devices[index].taken == app.sent - firstSent(index) {
            try take(index, transaction)
            devices[index].taken += 1
        }
        // After a crash the journal still has it, and it is handed over once more.
        if isCrashing { statistics.crashes += 1 } else { devices[index].app.forgetSent(1) }
        try proveJournal(index)
    }

    /// Transactions that went before sync began.
    private func firstSent(_ index: Int) -> Int {
        devices[index].app.sent - devices[index].writes.count + devices[index].app.journal.count
    }

    private mutating func take(_ index: Int, _ transaction: SimulatedApp.Transaction) throws {
        let device = devices[index]
        let own = device.writes[device.taken]
        var editor = RecordEditor(
            schema: device.replica.schema, source: device.replica, copy: device.replica.copy(at: device.app.cursor),
            actor: device.actor, rules: rules)
        let records = try editor.apply(transaction.changes, at: stamp(index))
        let byName = Dictionary(uniqueKeysWithValues: records.map { ($0.name, $0) })
        for case .save(let name, _, let values, _, _) in transaction.changes where !transaction.isBackfill {
            for case (.value(let column), let value) in values.map({ ($0.key, $0.value) }) {
                if transaction.consequences.contains(.init(row: name, column: column)) { continue }
                guard let register = byName[name]?.fields[.value(column)], register.value == value else {
                    throw Violation("L: \(name).\(column) was not written")
                }
                note(register, name, column)
            }
        }
        devices[index].replica.touch(editor.touched(by: transaction.changes))
        try keep(records, own, index)
    }

    private mutating func note(_ register: Register<RecordValue>, _ name: RecordName, _ column: String) {
        let old = cells[name]?[column]
        cells[name, default: [:]][column] = old?.joined(register) ?? register
    }

    /// Rows of before have the least stamp.
    private mutating func adopt(_ index: Int) throws {
        let device = devices[index]
        statistics.adopted += 1
        var changes: [RecordChange] = []
        var own: [RecordName: Int] = [:]
        for (name, row) in device.app.rows.sorted(by: { $0.key < $1.key }) {
            var values: [RecordField: RecordValue] = [:]
            for (column, value) in row.columns where column != "views" {
                values[.value(column)] = value
                note(Register(stamp: .zero, value: value), name, column)
            }
            changes.append(.adopt(name: name, type: row.table, values: values))
            if case .integer(let views)? = row.columns["views"] {
                sums[.init(row: name, column: "views"), default: 0] += views
                changes.append(.save(name: name, type: row.table, values: [:], differences: ["views": views]))
            }
            lastWrite += 1
            adoptions[name, default: []].insert(lastWrite)
            own[name] = lastWrite
            devices[index].app.noteWrite(lastWrite, to: name)
        }
        devices[index].isSyncing = true
        devices[index].taken += device.app.journal.count
        devices[index].app.forgetSent(device.app.journal.count)
        var editor = RecordEditor(
            schema: device.replica.schema, source: device.replica, copy: device.replica.copy(at: device.app.cursor),
            actor: device.actor, rules: rules)
        let records = try editor.apply(changes, at: stamp(index))
        devices[index].replica.touch(editor.touched(by: changes))
        // These rows were not written together.
        try keep(records, own, index)
    }

    private mutating func keep(_ records: [Record], _ own: [RecordName: Int], _ index: Int) throws {
        for (name, write) in own {
            for earlier in devices[index].replica.writes[name] ?? [] { later[earlier, default: []].insert(write) }
        }
        for record in records {
            devices[index].replica.put(record, writes: own[record.name].map { [$0] } ?? [])
        }
        post(records, from: index)
        if chance(4) > 0 { try update(index) }
    }

    // MARK: Between devices

    private mutating func post(_ records: [Record], from index: Int) {
        guard !records.isEmpty else { return }
        let items = records.map { Item(record: $0, writes: devices[index].replica.writes[$0.name] ?? []) }
        for other in devices.indices where other != index {
            // Some are lost: the index of all items finds that out in the end.
            if chance(10) > 0 { devices[other].inbox.append(items) }
        }
    }

    /// A page of groups, in any order.
    private mutating func receive(_ index: Int, _ count: Int) throws {
        guard devices[index].isSyncing else { return }
        for _ in 0..<count where !devices[index].inbox.isEmpty {
            let position = chance(devices[index].inbox.count)
            let items = devices[index].inbox[position]
            if chance(6) == 0 { statistics.doubled += 1 } else { devices[index].inbox.remove(at: position) }
            try join(items, index)
        }
        try update(index)
    }

    mutating func join(_ items: [Item], _ index: Int) throws {
        for item in items {
            let record = item.record
            let checked = try Record(
                validating: record.name, type: record.type, fields: record.fields, counters: record.counters,
                context: record.context, presence: record.presence, mergedInto: record.mergedInto,
                deletion: record.deletion)
            devices[index].replica.join(checked, writes: item.writes)
            devices[index].lastTime = max(devices[index].lastTime, record.newestStamp.time.rawValue)
            if rules.leftOut.contains(.atEnd) {
                try update(index)
                try apply(index)
            }
        }
    }

    mutating func update(_ index: Int) throws {
        let written = try devices[index].replica.update()
        statistics.merges += written.count
        post(written, from: index)
    }

    // MARK: From the daemon to the app

    mutating func apply(_ index: Int) throws {
        // The journal goes first.
        guard devices[index].isSyncing, devices[index].app.journal.isEmpty, devices[index].replica.isSettled
        else { return }
        // Each row is refused once, and keeps no other from its table.
        for _ in 0...devices[index].replica.records.count {
            let replica = devices[index].replica
            guard let refused = try devices[index].app.apply(replica.told, upTo: replica.sequence - 1) else {
                return try checkGroups(index)
            }
            statistics.refused += 1
            if mistake != .unheld { devices[index].replica.refuse(refused) }
            try update(index)
        }
        throw Violation("H: a refused row keeps the others from their tables")
    }

    mutating func sendAll(_ index: Int) throws {
        while !devices[index].isSyncing || !devices[index].app.journal.isEmpty { try send(index, isCrashing: false) }
    }

    mutating func receiveAll(_ index: Int) throws {
        let inbox = devices[index].inbox
        devices[index].inbox = []
        for items in inbox { try join(items, index) }
        try update(index)
    }
}
