import Foundation
import Synchronization
import Testing

@testable import Baton

/// Queries, answered from the replica (D-1).
@Suite(.timeLimit(.minutes(1))) struct QueryTests {
    private let server = RecordServerInMemory(pageSize: 2)
    private let zone = CKRecordZone(zoneName: "Notes")

    private var database: CKDatabase { server.container.privateCloudDatabase }

    private func id(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zone.zoneID) }

    /// Five notes of which the first two are in a folder, and a folder.
    private func fill() async throws {
        try await database.save(zone)
        try await database.save(CKRecord(recordType: "Folder", recordID: id("folder")))
        for (index, title) in ["Alpha", "alps", "Beta", "Gamma ray", "Delta"].enumerated() {
            let note = CKRecord(recordType: "Note", recordID: id("\(index)"))
            note["title"] = title
            note["stars"] = index
            note["tags"] = index.isMultiple(of: 2) ? ["even", "all"] : ["all"]
            note["day"] = Date(timeIntervalSinceReferenceDate: Double(index) * 86_400)
            if index < 2 { note["folder"] = CKRecord.Reference(recordID: id("folder"), action: .deleteSelf) }
            if index == 4 { note["done"] = true }
            note.encryptedValues["secret"] = "s\(index)"
            try await database.save(note)
        }
    }

    private func names(
        _ predicate: NSPredicate, sorted: [NSSortDescriptor] = [NSSortDescriptor(key: "stars", ascending: true)]
    ) async throws -> [String] {
        let query = CKQuery(recordType: "Note", predicate: predicate)
        query.sortDescriptors = sorted
        let results = try await database.records(matching: query, inZoneWith: zone.zoneID)
        return results.matchResults.map(\.0.recordName)
    }

    @Test("a query finds the records of its type by comparisons, prefixes, lists, words and references (D-1)")
    func predicates() async throws {
        try await fill()
        #expect(try await names(NSPredicate(value: true)) == ["0", "1", "2", "3", "4"])
        #expect(try await names(NSPredicate(value: false)) == [])
        #expect(try await names(NSPredicate(format: "TRUEPREDICATE")).count == 5)
        #expect(try await names(NSPredicate(format: "title == %@", "Beta")) == ["2"])
        #expect(try await names(NSPredicate(format: "title != %@", "Beta")) == ["0", "1", "3", "4"])
        #expect(try await names(NSPredicate(format: "stars >= %d AND stars < 3", 1)) == ["1", "2"])
        #expect(try await names(NSPredicate(format: "NOT (stars IN %@)", [1, 2])) == ["0", "3", "4"])
        #expect(try await names(NSPredicate(format: "stars BETWEEN {1, 3}")) == ["1", "2", "3"])
        #expect(try await names(NSPredicate(format: "title BEGINSWITH %@", "Al")) == ["0"])
        #expect(try await names(NSPredicate(format: "tags CONTAINS %@", "even")) == ["0", "2", "4"])
        #expect(try await names(NSPredicate(format: "%@ IN tags", "even")) == ["0", "2", "4"])
        #expect(try await names(NSPredicate(format: "ANY tags = 'even'")) == ["0", "2", "4"])
        #expect(try await names(NSPredicate(format: "self contains 'RAY gamma'")) == ["3"])
        #expect(try await names(NSPredicate(format: "done = %d", 1)) == ["4"])
        let day = Date(timeIntervalSinceReferenceDate: 86_400 * 3) as NSDate
        #expect(try await names(NSPredicate(format: "day > %@", day)) == ["4"])
        let folder = CKRecord.Reference(recordID: id("folder"), action: .none)
        #expect(try await names(NSPredicate(format: "folder == %@", folder)) == ["0", "1"])
        #expect(try await names(NSPredicate(format: "%K == %@", "folder", id("folder"))) == ["0", "1"])
        #expect(try await names(NSPredicate(format: "folder IN %@", [folder])) == ["0", "1"])
        #expect(try await names(NSPredicate(format: "recordID == %@", id("3"))) == ["3"])
        #expect(try await names(NSPredicate(format: "recordID IN %@", [id("3"), id("0")])) == ["0", "3"])
        #expect(try await names(NSPredicate(format: "creationDate > %@", Date.distantPast as NSDate)).count == 5)
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "stars > 0"),
            NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "stars > 1")),
        ])
        #expect(try await names(both) == ["1"])
        // What is encrypted is not searched, as on Apple's server.
        #expect(try await names(NSPredicate(format: "secret == 's1'")) == [])
        #expect(
            try await names(
                NSPredicate(value: true),
                sorted: [
                    NSSortDescriptor(key: "folder", ascending: false), NSSortDescriptor(key: "stars", ascending: false),
                ]) == ["1", "0", "4", "3", "2"])
    }

    @Test("a query without a zone searches all of them, and a type that is not there finds nothing (D-1)")
    func zones() async throws {
        try await fill()
        let other = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "other"))
        try await database.save(other)
        let all = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        #expect(try await database.records(matching: all).matchResults.count == 6)
        let none = CKQuery(recordType: "Nothing", predicate: NSPredicate(value: true))
        let found = try await database.records(matching: none)
        #expect(found.matchResults.isEmpty && found.queryCursor == nil)
        let gone = CKRecordZone.ID(zoneName: "Gone")
        do {
            _ = try await database.records(matching: all, inZoneWith: gone)
            Issue.record("There is no such zone.")
        } catch CKError.zoneNotFound {}
    }

    @Test("a cursor leads to the rest, without what was deleted since, and is of its database (D-1)")
    func cursors() async throws {
        try await fill()
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "stars < 4"))
        query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
        let first = try await database.records(matching: query, desiredKeys: ["title"], resultsLimit: 2)
        #expect(first.matchResults.map(\.0.recordName) == ["1", "3"])
        let cursor = try #require(first.queryCursor)
        await #expect(throws: CKError.self) {
            try await server.container.sharedCloudDatabase.records(continuingMatchFrom: cursor)
        }
        try await database.deleteRecord(withID: id("2"))
        let second = try await database.records(continuingMatchFrom: cursor, resultsLimit: 2)
        #expect(second.matchResults.map(\.0.recordName) == ["0"] && second.queryCursor == nil)
        server.setIncomplete([id("1")])
        let away = try await database.records(matching: query).matchResults.first { $0.0 == id("1") }
        #expect(throws: CKError.self) { try away?.1.get() }
    }

    @Test("operations and handlers of both forms give the records, then the end (D-1)")
    func operations() async throws {
        try await fill()
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "stars < 3"))
        query.sortDescriptors = [NSSortDescriptor(key: "stars", ascending: false)]
        let operation = CKQueryOperation(query: query)
        operation.resultsLimit = 2
        let seen = Mutex<[String]>([])
        let (database, zoneID) = (database, zone.zoneID)
        let cursor = try await withCheckedThrowingContinuation { waiter in
            operation.recordMatchedBlock = { id, _ in seen.withLock { $0.append(id.recordName) } }
            operation.recordFetchedBlock = { record in seen.withLock { $0.append(record["title"] as? String ?? "") } }
            operation.queryResultBlock = { waiter.resume(with: $0) }
            database.add(operation)
        }
        #expect(seen.withLock { $0 } == ["2", "Beta", "1", "alps"])
        let next = CKQueryOperation(cursor: try #require(cursor))
        let end = try await withCheckedThrowingContinuation { waiter in
            next.recordMatchedBlock = { id, _ in seen.withLock { $0.append(id.recordName) } }
            next.queryResultBlock = { waiter.resume(with: $0) }
            database.add(next)
        }
        #expect(end == nil && seen.withLock { $0.last } == "0")
        let records = try await withCheckedThrowingContinuation { waiter in
            database.perform(query, inZoneWith: zoneID) { records, error in
                waiter.resume(with: error.map { .failure($0) } ?? .success(records ?? []))
            }
        }
        #expect(records.map(\.recordID.recordName) == ["2", "1", "0"])
        let code = await withCheckedContinuation { waiter in
            let empty = CKQueryOperation()
            empty.queryCompletionBlock = { _, error in waiter.resume(returning: (error as? CKError)?.code) }
            database.add(empty)
        }
        #expect(code == .invalidArguments)
    }

    @Test("what CloudKit's queries do not have is refused with a sentence (D-1)")
    func refused() async throws {
        try await database.save(zone)
        let place = CLLocation(latitude: 1, longitude: 2)
        var refusals: [String] = []
        for predicate in [
            NSPredicate(format: "stars == 1 OR stars == 2"), NSPredicate(format: "title ENDSWITH 'a'"),
            NSPredicate(format: "title LIKE 'a*'"), NSPredicate(format: "ALL tags == 'a'"),
            NSPredicate(format: "folder.title == 'a'"), NSPredicate(format: "SELF == 'a'"),
            NSPredicate(format: "title == 'a"), NSPredicate { _, _ in true },
            NSPredicate(format: "distanceToLocation:fromLocation:(place, %@) < 10", place),
            NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(value: true)]),
        ] {
            do {
                _ = try await names(predicate)
                Issue.record("The query was answered.")
            } catch let error as CKError {
                #expect(error.code == .invalidArguments && !error.localizedDescription.isEmpty)
                refusals.append(error.localizedDescription)
            }
            let subscription = CKQuerySubscription(recordType: "Note", predicate: predicate, subscriptionID: "query")
            await #expect(throws: CKError.self) { try await database.save(subscription) }
        }
        #expect(refusals.contains { $0.contains("distanceToLocation") })
    }

    @Test("a subscription to a query is kept as any other (D-1)")
    func subscription() async throws {
        let subscription = CKQuerySubscription(
            recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "query",
            options: [.firesOnRecordCreation])
        try await database.save(subscription)
        #expect(try await database.subscription(for: "query") === subscription)
    }
}
