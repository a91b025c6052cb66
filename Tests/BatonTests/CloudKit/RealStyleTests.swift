import Foundation
import Synchronization
import Testing

@testable import Baton

/// Code in the style of apps, against a server in memory (D-1).
@Suite(.timeLimit(.minutes(1))) struct RealStyleTests {
    private let server = RecordServerInMemory()
    private let zone = CKRecordZone(zoneName: "Notes")

    private var database: CKDatabase { server.container.privateCloudDatabase }

    private func note(_ name: String, _ title: String) -> CKRecord {
        let record = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zone.zoneID))
        record["title"] = title as any CKRecordValue
        return record
    }

    @Test("a record is saved, fetched, changed and deleted (D-1)")
    func records() async throws {
        try await database.save(zone)
        let saved = try await database.save(note("a", "One"))
        #expect(saved.recordChangeTag != nil && saved.modificationDate != nil && saved.changedKeys() == [])
        let fetched = try await database.record(for: saved.recordID)
        fetched["title"] = "Two"
        _ = try await database.save(fetched)
        saved["title"] = "Three"
        do {
            _ = try await database.save(saved)
            Issue.record("An old record was saved.")
        } catch let error as CKError where error.code == .serverRecordChanged {
            #expect(error.serverRecord?["title"] as? String == "Two")
            #expect(error.clientRecord?["title"] as? String == "Three")
            #expect(error.ancestorRecord?["title"] as? String == "One")
        }
        try await database.deleteRecord(withID: saved.recordID)
        await #expect(throws: CKError.self) { try await database.record(for: saved.recordID) }
        let zones = try await database.allRecordZones().map(\.zoneID.zoneName)
        #expect(zones == ["Notes", "_defaultZone"])
    }

    @Test("of an atomic batch with one old record nothing is saved: batchRequestFailed for the others (D-1, case 40)")
    func atomic() async throws {
        try await database.save(zone)
        let first = try await database.save(note("a", "One"))
        let again = try await database.record(for: first.recordID)
        again["title"] = "Moved"
        try await database.save(again)
        first["title"] = "Old"
        let results = try await database.modifyRecords(saving: [first, note("b", "New")], deleting: [])
        let codes = results.saveResults.mapValues { result in
            if case .failure(let error) = result { (error as? CKError)?.code } else { CKError.Code?.none }
        }
        #expect(codes[first.recordID] == .serverRecordChanged)
        #expect(codes[CKRecord.ID(recordName: "b", zoneID: zone.zoneID)] == .batchRequestFailed)
    }

    @Test("operations call their blocks, depend on each other, and are cancelled (D-1)")
    func operations() async throws {
        let names = Mutex<[String]>([])
        let makeZone = CKModifyRecordZonesOperation(recordZonesToSave: [zone], recordZoneIDsToDelete: nil)
        makeZone.modifyRecordZonesResultBlock = { result in
            if case .success = result { names.withLock { $0.append("zone") } }
        }
        let save = CKModifyRecordsOperation(
            recordsToSave: [note("a", "One"), note("b", "Two")], recordIDsToDelete: nil)
        save.savePolicy = .changedKeys
        save.isAtomic = true
        save.qualityOfService = .userInitiated
        save.perRecordSaveBlock = { id, result in
            if case .success(let record) = result { names.withLock { $0.append(record.recordID.recordName) } }
        }
        save.addDependency(makeZone)
        let database = database
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            save.modifyRecordsResultBlock = { continuation.resume(with: $0) }
            database.add(makeZone)
            database.add(save)
        }
        #expect(names.withLock { $0 } == ["zone", "a", "b"])

        let changes = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [zone.zoneID], configurationsByRecordZoneID: [zone.zoneID: .init()])
        changes.recordWasChangedBlock = { id, result in names.withLock { $0.append("changed \(id.recordName)") } }
        changes.recordZoneFetchResultBlock = { zone, result in
            if case .success(let success) = result {
                names.withLock { $0.append("token \(success.serverChangeToken.data.count)") }
            }
        }
        await withCheckedContinuation { continuation in
            changes.fetchRecordZoneChangesResultBlock = { _ in continuation.resume() }
            database.add(changes)
        }
        #expect(names.withLock { $0.suffix(3) } == ["changed a", "changed b", "token 1"])

        let fetch = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "none", zoneID: zone.zoneID)])
        let error = await withCheckedContinuation { continuation in
            fetch.fetchRecordsResultBlock = { result in
                if case .failure(let error) = result { continuation.resume(returning: error as? CKError) }
            }
            database.add(fetch)
        }
        #expect(error?.code == .partialFailure && error?.partialErrorsByItemID?.count == 1)

        let cancelled = CKFetchDatabaseChangesOperation(previousServerChangeToken: nil)
        cancelled.cancel()
        let code = await withCheckedContinuation { continuation in
            cancelled.fetchDatabaseChangesResultBlock = { result in
                if case .failure(let error) = result { continuation.resume(returning: (error as? CKError)?.code) }
            }
            DispatchQueue.global().async { cancelled.main() }
        }
        #expect(code == .operationCancelled)
    }

    @Test("an operation that is cancelled while it waits in a queue reports so, once, before it has finished (D-1)")
    func cancelledInQueue() async throws {
        let database = database
        let codes = Mutex<[CKError.Code?]>([])
        let queue = OperationQueue()
        queue.isSuspended = true
        let operations: [CKDatabaseOperation] = (0..<2).map { _ in
            let fetch = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
            fetch.database = database
            fetch.fetchRecordZonesResultBlock = { result in
                guard case .failure(let error) = result else { return codes.withLock { $0.append(nil) } }
                codes.withLock { $0.append((error as? CKError)?.code) }
            }
            return fetch
        }
        operations[1].addDependency(operations[0])
        for operation in operations { queue.addOperation(operation) }
        queue.cancelAllOperations()
        // Reported by the time that the operation counts as finished.
        let reported: [Int] = await withCheckedContinuation { continuation in
            let counts = Mutex<[Int]>([])
            for operation in operations {
                operation.completionBlock = {
                    let all = counts.withLock { counts in
                        counts.append(codes.withLock(\.count))
                        return counts
                    }
                    if all.count == operations.count { continuation.resume(returning: all) }
                }
            }
            queue.isSuspended = false
        }
        #expect(codes.withLock { $0 } == [.operationCancelled, .operationCancelled])
        #expect(reported.allSatisfy { $0 >= 1 } && reported.contains(2))
    }

    /// Knows on which thread the queue runs it.
    private final class ZonesFetch: CKFetchRecordZonesOperation, @unchecked Sendable {
        let thread = Atomic<UInt>(0)
        override func main() {
            thread.store(UInt(pthread_self()), ordering: .releasing)
            super.main()
        }
    }

    @Test("an operation calls its blocks on its own thread, where they may wait for other operations (D-1)")
    func operationThread() async throws {
        let (database, first, second) = (self.database, ZonesFetch(), ZonesFetch())
        let places = Mutex<[Bool]>([])
        second.fetchRecordZonesResultBlock = { [unowned second] _ in
            places.withLock { $0.append(UInt(pthread_self()) == second.thread.load(ordering: .acquiring)) }
        }
        await withCheckedContinuation { continuation in
            first.fetchRecordZonesResultBlock = { [unowned first] _ in
                database.add(second)
                second.waitUntilFinished()
                places.withLock { $0.append(UInt(pthread_self()) == first.thread.load(ordering: .acquiring)) }
                continuation.resume()
            }
            database.add(first)
        }
        #expect(places.withLock { $0 } == [true, true])
    }

    @Test("completion handlers are called once, with a value or an error")
    func completions() async throws {
        try await database.save(zone)
        let (database, record) = (database, note("a", "One"))
        let saved = await withCheckedContinuation { continuation in
            database.save(record) { record, error in continuation.resume(returning: error == nil ? record : nil) }
        }
        #expect(saved?.recordChangeTag != nil)
        let status = await withCheckedContinuation { continuation in
            server.container.accountStatus { status, _ in continuation.resume(returning: status) }
        }
        #expect(status == .available)
        server.fail(CKError(.networkUnavailable, "No daemon."))
        let (unknown, reason) = await withCheckedContinuation { continuation in
            server.container.accountStatus { continuation.resume(returning: ($0, $1)) }
        }
        #expect(unknown == .couldNotDetermine && (reason as? CKError)?.code == .networkUnavailable)
        #expect(try await server.container.accountStatus() == .couldNotDetermine)
    }

    @Test("changes come by token: modifications and deletions with their types")
    func changes() async throws {
        try await database.save(zone)
        let saved = try await database.save(note("a", "One"))
        let first = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: nil)
        #expect(first.modificationResultsByID.count == 1 && !first.moreComing)
        try await database.deleteRecord(withID: saved.recordID)
        let second = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: first.changeToken)
        #expect(second.deletions.map(\.recordID.recordName) == ["a"] && second.deletions.first?.recordType == "Note")
        let zones = try await database.databaseChanges(since: nil)
        #expect(zones.modifications.map(\.zoneID.zoneName) == ["Notes"])
    }

    @Test("the public database says that it is not there; records over the limit are refused")
    func refused() async throws {
        let container = server.container
        await #expect(throws: CKError(.serviceUnavailable, CKError.publicUnavailable().localizedDescription)) {
            try await container.publicCloudDatabase.save(note("a", "x"))
        }
        // There are no pushes.
        #expect(CKNotification(fromRemoteNotificationDictionary: ["ck": "x"]) == nil)
        let ids = (0...400).map { CKRecord.ID(recordName: "\($0)") }
        do {
            _ = try await database.records(for: ids)
            Issue.record("too many")
        } catch CKError.limitExceeded {}
        server.setAccount(RecordAccount(status: .noAccount))
        #expect(try await container.accountStatus() == .noAccount)
        do {
            _ = try await container.userRecordID()
            Issue.record("nobody has a name")
        } catch CKError.notAuthenticated {}
    }

    @Test("several subscriptions are saved, fetched and deleted at once, each with its own error")
    func subscriptions() async throws {
        let database = database
        let kept = CKDatabaseSubscription(subscriptionID: "all")
        let (saved, deleted) = try await withCheckedThrowingContinuation { waiter in
            database.modifySubscriptions(saving: [kept], deleting: ["none"]) { waiter.resume(with: $0) }
        }
        #expect(try saved["all"]?.get() === kept)
        #expect(throws: CKError.self) { try deleted["none"]?.get() }
        let found = try await withCheckedThrowingContinuation { waiter in
            database.fetch(withSubscriptionIDs: ["all", "none", "all"]) { waiter.resume(with: $0) }
        }
        #expect(try found.count == 2 && found["all"]?.get() === kept)
        #expect(throws: CKError.self) { try found["none"]?.get() }
        // Another object for the same container knows them too, the default one for it also, and another database of it does not.
        #expect(try await server.container("").privateCloudDatabase.allSubscriptions() == [kept])
        #expect(try await server.container("iCloud.other").privateCloudDatabase.allSubscriptions().isEmpty)
        let other = server.container
        #expect(try await other.privateCloudDatabase.allSubscriptions() == [kept])
        #expect(try await other.sharedCloudDatabase.allSubscriptions().isEmpty)
        try await other.privateCloudDatabase.deleteSubscription(withID: "all")
        #expect(try await database.allSubscriptions().isEmpty)
    }
}
