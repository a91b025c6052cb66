import BatonCore
import BatonWire
import FileSync
import Foundation
import RecordMerge

/// The saves and deletions of one zone in one call, judged against the replica and then done, or not.
struct RecordBatch {
    struct Save {
        var index: Int
        var name: RecordName
        var type: String
        var tag: String
        var values: [RecordField: RecordValue]
        var parent: RecordName?
        var hasParentChanged: Bool
    }

    struct Deletion {
        var index: Int
        var name: RecordName
    }

    let zone: ReplicaZone
    let policy: Baton_App_V1_RecordSavePolicy
    let isAtomic: Bool
    /// The record name of the account's user.
    let user: String
    /// The account's cloud has no room.
    let isFull: Bool
    var saves: [Save] = []
    var deletions: [Deletion] = []
    /// By index.
    private(set) var saveProblems: [Int: any Error] = [:]
    private(set) var deletionProblems: [Int: any Error] = [:]

    init(
        zone: ReplicaZone, policy: Baton_App_V1_RecordSavePolicy, isAtomic: Bool, user: String, isFull: Bool
    ) {
        self.zone = zone
        self.policy = policy
        self.isAtomic = isAtomic
        self.user = user
        self.isFull = isFull
    }

    mutating func refuseSave(_ index: Int, _ error: any Error) { saveProblems[index] = error }
    mutating func refuseDeletion(_ index: Int, _ error: any Error) { deletionProblems[index] = error }

    // MARK: Doing

    /// One group, or several where each record counts for itself.
    mutating func perform(in transaction: ReplicaTransaction) throws {
        judge(transaction)
        var changes: [(save: Save?, deletion: Deletion?, change: RecordChange)] = []
        for save in saves where saveProblems[save.index] == nil {
            do {
                changes.append((save, nil, try change(for: save, transaction)))
            } catch {
                saveProblems[save.index] = error
            }
        }
        let isRefused = !saveProblems.isEmpty || !deletionProblems.isEmpty
        for deletion in deletions where deletionProblems[deletion.index] == nil {
            changes.append((nil, deletion, .delete(name: deletion.name)))
        }
        var edited: [(save: Save?, deletion: Deletion?, records: [Record])] = []
        var refusesLate = false
        let stamp = transaction.stamp()
        for (save, deletion, change) in changes where !(isAtomic && isRefused) {
            do {
                edited.append((save, deletion, try edit(change, at: stamp, transaction)))
            } catch {
                refusesLate = true
                if let save { saveProblems[save.index] = error }
                if let deletion { deletionProblems[deletion.index] = error }
            }
        }
        guard !isAtomic || !(isRefused || refusesLate) else {
            for save in saves where saveProblems[save.index] == nil {
                saveProblems[save.index] = RecordsError.batchFailed
            }
            for deletion in deletions where deletionProblems[deletion.index] == nil {
                deletionProblems[deletion.index] = RecordsError.batchFailed
            }
            return
        }
        transaction.beginGroup()
        var touched: Set<RecordName> = []
        for (_, deletion, records) in edited {
            for record in records { touched.formUnion(try transaction.save(record, in: zone)) }
            if let deletion { touched.formUnion(try deleteReferrers(of: deletion.name, at: stamp, transaction)) }
        }
        try transaction.settle(zone, touched)
    }

    private func edit(_ change: RecordChange, at stamp: Stamp, _ transaction: ReplicaTransaction) throws -> [Record] {
        var editor = RecordEditor(
            schema: .plain, source: ReplicaSource(transaction, zone: zone.id), copy: WholeCopy(),
            actor: transaction.actor)
        do {
            return try editor.apply([change], at: stamp)
        } catch let error as BatonError where error.reason == "record_too_large" {
            throw RecordsError.limit(error.message)
        } catch let error as BatonError where error.reason == "record_type_differs" {
            throw RecordsError.invalid(error.message)
        }
    }

    /// Records whose reference says that they go with their target.
    private func deleteReferrers(
        of name: RecordName, at stamp: Stamp, _ transaction: ReplicaTransaction
    ) throws -> Set<RecordName> {
        var touched: Set<RecordName> = []
        for referrer in try goingWith([name], transaction) where referrer != name {
            for record in try edit(.delete(name: referrer), at: stamp, transaction) {
                touched.formUnion(try transaction.save(record, in: zone))
            }
        }
        return touched
    }

    /// These records, and those that go with them.
    private func goingWith(_ names: [RecordName], _ transaction: ReplicaTransaction) throws -> Set<RecordName> {
        var (going, waiting) = (Set(names), names)
        while let target = waiting.popLast() {
            for referrer in try transaction.referrers(of: target, kind: RecordUses.Reference.deletesSelf, in: zone)
            where going.insert(referrer).inserted {
                waiting.append(referrer)
            }
        }
        return going
    }

    // MARK: Judging

    private mutating func judge(_ transaction: ReplicaTransaction) {
        var names: Set<RecordName> = []
        for save in saves where saveProblems[save.index] == nil && !names.insert(save.name).inserted {
            saveProblems[save.index] = Self.twice
        }
        for deletion in deletions where !names.insert(deletion.name).inserted {
            deletionProblems[deletion.index] = Self.twice
        }
        for save in saves where saveProblems[save.index] == nil {
            do {
                try judge(save, transaction)
            } catch {
                saveProblems[save.index] = error
            }
        }
        let leaving = closure(of: deletions, transaction)
        // A parent that is refused is not there.
        let coming = Set(saves.filter { saveProblems[$0.index] == nil }.map(\.name))
        for save in saves where saveProblems[save.index] == nil {
            guard save.hasParentChanged, let parent = save.parent, !coming.contains(parent) else { continue }
            let isThere = (try? transaction.record(parent, in: zone.id)?.record.isPresent) ?? false
            if !isThere || leaving.contains(parent) {
                saveProblems[save.index] = RecordsError.reference(
                    "The parent “\(parent.text)” of the record “\(save.name.text)” is not there. Save it first.")
            }
        }
        // A deletion that is refused keeps all that would have gone with it.
        var isRefused = true
        while isRefused {
            isRefused = false
            let left = deletions.filter { deletionProblems[$0.index] == nil }
            let children = childrenLeft(by: closure(of: left, transaction), transaction)
            let parents = children.keys.sorted()
            guard !parents.isEmpty else { break }
            for deletion in left {
                let going = closure(of: [deletion], transaction)
                guard let parent = parents.first(where: going.contains), let child = children[parent] else { continue }
                deletionProblems[deletion.index] = RecordsError.reference(
                    "The record “\(parent.text)” is the parent of “\(child.text)”. Delete that one with it, or before.")
                isRefused = true
            }
        }
    }

    private func closure(of deletions: [Deletion], _ transaction: ReplicaTransaction) -> Set<RecordName> {
        let names = deletions.map(\.name)
        return (try? goingWith(names, transaction)) ?? Set(names)
    }

    /// Parents among the records that go, each with a child that stays.
    private func childrenLeft(
        by going: Set<RecordName>, _ transaction: ReplicaTransaction
    ) -> [RecordName: RecordName] {
        var left: [RecordName: RecordName] = [:]
        for parent in going {
            let children = try? transaction.referrers(of: parent, kind: RecordUses.Reference.parent, in: zone)
            left[parent] = children?.first { !going.contains($0) }
        }
        return left
    }

    private func judge(_ save: Save, _ transaction: ReplicaTransaction) throws {
        let kept = try transaction.record(save.name, in: zone.id)
        let present = kept.flatMap { $0.record.isPresent ? $0 : nil }
        if policy != .changedKeys && policy != .allKeys {
            if save.tag.isEmpty {
                guard present == nil else { throw RecordsError.changed(save.name.text) }
            } else {
                guard let present else { throw RecordsError.unknownItem(save.name.text) }
                guard present.changeTag == save.tag else { throw RecordsError.changed(save.name.text) }
            }
        }
        guard isFull else { return }
        let added = save.values.reduce(0) { $0 + RecordSizes.size(of: $1.value) }
        let replaced = save.values.keys.reduce(0) { $0 + RecordSizes.size(of: present?.record[$1] ?? .nothing) }
        if present == nil || added > replaced { throw RecordsError.quota }
    }

    private func change(for save: Save, _ transaction: ReplicaTransaction) throws -> RecordChange {
        let old = try transaction.record(save.name, in: zone.id)?.record
        let isNew = old?.isPresent != true
        var values = save.values
        if policy == .allKeys || isNew, let old {
            // Fields that are not given are removed; nor does a record that is made again have what it had before.
            for field in old.fields.keys where values[field] == nil {
                switch field {
                case .value, .encrypted: if !old[field].isNothing { values[field] = .nothing }
                default: break
                }
            }
        }
        if save.hasParentChanged || (isNew && old?[.parent].isNothing == false) {
            values[.parent] =
                save.parent.map { RecordValue.reference(RecordReference(name: $0)) } ?? RecordValue.nothing
        }
        let now = RecordValue.date(
            Double(transaction.wall) / 1000 - Date.timeIntervalBetween1970AndReferenceDate)
        values[.modified] = now
        if RecordsWire.text(old?[.modifier] ?? .nothing) != user { values[.modifier] = .text(user) }
        if isNew {
            values[.created] = now
            values[.creator] = .text(user)
        }
        return .save(name: save.name, type: save.type, values: values)
    }

    private static let twice = RecordsError.invalid("A call names each record once.")
}

/// About how many bytes a value takes.
enum RecordSizes {
    static func size(of value: RecordValue) -> Int {
        switch value {
        case .nothing: 0
        case .integer, .real, .date: 8
        case .text(let text): text.utf8.count
        case .bytes(let data), .location(let data), .unknown(let data): data.count
        case .reference(let reference): reference.name.text.utf8.count + (reference.zone?.utf8.count ?? 0)
        case .asset(let asset): Int(clamping: asset.size)
        case .list(let values): values.reduce(0) { $0 + size(of: $1) }
        }
    }
}
