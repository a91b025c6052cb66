import BatonConcurrency
package import BatonCore
package import BatonWire
import Foundation
import GRDB
import SearchText
import SwiftProtobuf
import Synchronization

/// Items that apps have indexed.
extension SpotlightService {
    /// Returns when it is in the journal, on the disk.
    package func update(_ request: Baton_App_V1_UpdateSearchableIndexRequest, of app: AppIdentity) async throws {
        try ItemRules.check(request, limits: limits)
        let owner = ItemOwner(app)
        try await checkQuota(request.steps, owner, isComplete: request.index.protection == .complete)
        let protection = protection
        do {
            try await journal.append(
                owner, request.steps, protection: ItemProtection(request.index.protection), index: request.index.name,
                newState: request.hasNewClientState ? request.newClientState : nil,
                expectedState: request.hasExpectedClientState ? request.expectedClientState : nil,
                time: clock.milliseconds, limits: limits,
                seal: { try protection.seal($0, info: SealedItem.info(.entry, owner)) })
        } catch let error as DatabaseError {
            throw BatonError(
                .unavailable, reason: "index_unavailable",
                "The index of search cannot be written. Free space on the disk, and try again.", cause: error)
        }
        wake()
    }

    /// New items only: what replaces others is always taken.
    private func checkQuota(
        _ steps: [Baton_App_V1_SearchableIndexStep], _ owner: ItemOwner, isComplete: Bool
    ) async throws {
        let items = steps.compactMap { step in
            if case .index(let item)? = step.kind { item } else { nil }
        }
        guard !items.isEmpty else { return }
        let limits = limits
        let bytes = items.reduce(0) { $0 + ItemRules.size(of: $1) }
        let isOver = try await file.read { db in
            let usage = try IndexUsage.of(.item, owner, db)
            guard usage.items + items.count > limits.maximumItems || usage.bytes + bytes > limits.maximumBytes else {
                return false
            }
            let writer = IndexWriter(db)
            var (items, size) = (usage.items, usage.bytes)
            for item in steps {
                guard case .index(let item)? = item.kind else { continue }
                let old = try writer.find(.item, owner, item.uniqueIdentifier)
                if old == nil { items += 1 }
                size += ItemRules.size(of: item) - (old?.item.size ?? 0)
            }
            return items > limits.maximumItems || size > limits.maximumBytes
        }
        let isOverProtected = isComplete ? try await !hasProtectedRoom(items, owner) : false
        noteRoom(owner, isFull: isOver || isOverProtected)
        guard isOver || isOverProtected else { return }
        let time = clock.milliseconds
        try? await file.write { try IndexUsage.note("quota_exceeded", of: owner, at: time, $0) }
        throw BatonError(
            .resourceExhausted, reason: "quota_exceeded",
            isOverProtected
                ? "There may be \(limits.maximumProtectedItems) items of the class “complete”, and "
                    + "\(limits.maximumProtectedBytes >> 20) MiB. Delete items that are not needed."
                : "An app may have \(limits.maximumItems) items in the index, and \(limits.maximumBytes >> 20) MiB. Delete "
                    + "items that are not needed.")
    }

    func clientState(_ reference: Baton_App_V1_SearchableIndexReference, of app: AppIdentity) async throws -> Data? {
        try await journal.clientState(ItemOwner(app), reference.name)
    }

    // MARK: Indexing

    /// As much as one transaction of the index takes.
    struct BatchSize {
        var bytes: Int
        var steps: Int

        /// So small that an app's changes wait for another's batch for a moment only.
        static let small = BatchSize(bytes: 1 << 20, steps: 500)
        static let large = BatchSize(bytes: 4 << 20, steps: .max)
    }

    /// Takes what waits in the journal into the index at once.
    /// - Parameter owner: nil for all apps, one after the other.
    package func applyJournal(of owner: ItemOwner? = nil) async throws {
        let owners = if let owner { [owner] } else { try await journal.waitingOwners() }
        for owner in owners {
            while try await applyBatch(of: owner, .large) {}
        }
        try await applyProtected()
    }

    /// - Returns: whether there was anything.
    @discardableResult
    func applyBatch(of owner: ItemOwner, _ size: BatchSize) async throws -> Bool {
        try await turns.withPermit {
            try await settleLast()
            let entries = try await journal.entries(of: owner, bytes: size.bytes, steps: size.steps)
            guard let newest = entries.last?.number else { return false }
            let deletedActivities = try await apply(entries, of: owner, newest)
            if !deletedActivities.isEmpty { try await activities.delete(deletedActivities) }
            try await settle(newest)
            return true
        }
    }

    /// A batch that is in the index and still in the journal, as after the daemon was killed, is not applied again.
    private func settleLast() async throws {
        let done = try await file.read {
            try Int64.fetchOne($0, sql: "SELECT value FROM state WHERE name = 'applied'") ?? 0
        }
        if try await journal.contains(done) { try await settle(done) }
    }

    /// The index is on the disk before the journal forgets.
    private func settle(_ number: Int64) async throws {
        try await file.settle()
        try await journal.remove(upTo: number)
    }

    /// - Returns: activities that an app deleted with a domain.
    private func apply(
        _ entries: [IndexJournal.Entry], of owner: ItemOwner, _ number: Int64
    ) async throws -> [String] {
        let (limits, person) = (limits, language)
        let ((deleted, activities, refused), time) = try await file.timedWrite { db in
            var writer = IndexWriter(db)
            var activities: [String] = []
            for entry in entries {
                for step in entry.steps {
                    activities += try Self.apply(step, entry, &writer, limits, person)
                }
            }
            try db.execute(
                sql: """
                    INSERT INTO state (name, value) VALUES ('applied', ?)
                    ON CONFLICT DO UPDATE SET value = excluded.value
                    """, arguments: [number])
            return (writer.deleted, activities, writer.refused)
        }
        if refused > 0 { noteRoom(owner, isFull: true) }
        spend(time, of: owner)
        changed(deleted: deleted > 0)
        return activities
    }

    static func apply(
        _ step: Baton_App_V1_SearchableIndexStep, _ entry: IndexJournal.Entry, _ writer: inout IndexWriter,
        _ limits: SpotlightLimits, _ person: TextLanguage
    ) throws -> [String] {
        let owner = entry.owner
        switch step.kind {
        case .index(let given)?:
            let old = given.isUpdate ? try writer.find(.item, owner, given.uniqueIdentifier)?.item : nil
            guard
                let item = ItemRules.item(
                    given, of: owner, protection: entry.protection, old: old, time: entry.time, limits: limits)
            else { return [] }
            if item.expires <= entry.time {
                try writer.delete(.item, owner, item.key)
            } else {
                // The calls were taken when less was in the index, and an update adds to what is there.
                try writer.put(item, language: ItemRules.language(of: item, person: person), within: limits)
            }
        case .deleteItem(let key)?: try writer.delete(.item, owner, key)
        case .deleteDomain(let domain)?:
            guard !domain.isEmpty else { return [] }
            return try writer.deleteDomain(domain, owner)
        case .deleteAll?:
            try writer.delete("source = 2 AND owner = \(ItemOwner.number)", owner.columns)
        case nil: break
        }
        return []
    }
}

extension ItemProtection {
    init(_ message: Baton_App_V1_IndexProtection) {
        self =
            switch message {
            case .none: .none
            case .complete: .complete
            case .completeUnlessOpen: .completeUnlessOpen
            case .unspecified, .completeUntilFirstUserAuthentication, .UNRECOGNIZED: .untilFirstAuthentication
            }
    }

    var message: Baton_App_V1_IndexProtection {
        switch self {
        case .none: .none
        case .complete: .complete
        case .completeUnlessOpen: .completeUnlessOpen
        case .untilFirstAuthentication: .completeUntilFirstUserAuthentication
        }
    }
}
