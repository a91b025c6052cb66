import BatonCore
import Foundation
import MetadataQuery
import Synchronization
import Testing

@testable import Baton

/// A source whose items the test decides.
private final class TestSource: MetadataSource {
    private final class Observation: MetadataObservation {
        let source: TestSource
        init(_ source: TestSource) { self.source = source }
        func cancel() { source.cancelled.withLock { $0 += 1 } }
    }

    let cancelled = Mutex(0)
    private let reports = Mutex<[@Sendable (MetadataReport) -> Void]>([])
    let scopes = Mutex<[MetadataScope]>([])

    func observe(
        _ scopes: [MetadataScope], report: @escaping @Sendable (MetadataReport) -> Void
    ) -> any MetadataObservation {
        self.scopes.withLock { $0 = scopes }
        reports.withLock { $0.append(report) }
        return Observation(self)
    }

    /// To the newest observer.
    func send(_ report: MetadataReport) { reports.withLock { $0.last }?(report) }
    func sendToFirst(_ report: MetadataReport) { reports.withLock { $0.first }?(report) }
}

/// Waits for a query's notifications, in order.
private final class Notifications: Sendable {
    let stream: AsyncStream<(name: NSNotification.Name, count: Int, changes: [Int])>
    private nonisolated(unsafe) var tokens: [any NSObjectProtocol] = []

    init(_ query: NSMetadataQuery) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: (name: NSNotification.Name, count: Int, changes: [Int]).self)
        self.stream = stream
        for name: NSNotification.Name in [
            .NSMetadataQueryDidStartGathering, .NSMetadataQueryGatheringProgress, .NSMetadataQueryDidFinishGathering,
            .NSMetadataQueryDidUpdate,
        ] {
            tokens.append(
                NotificationCenter.default.addObserver(forName: name, object: query, queue: nil) { notification in
                    let keys = [
                        NSMetadataQueryUpdateAddedItemsKey, NSMetadataQueryUpdateChangedItemsKey,
                        NSMetadataQueryUpdateRemovedItemsKey,
                    ]
                    let changes = keys.map { (notification.userInfo?[$0] as? [Any])?.count ?? -1 }
                    let count = (notification.object as? NSMetadataQuery)?.resultCount ?? -1
                    continuation.yield((notification.name, count, changes))
                })
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
}

@Suite("NSMetadataQuery", .timeLimit(.minutes(1)), .serialized) struct MetadataQueryTests {
    private func record(_ id: String, _ name: String, size: Int64 = 1) -> MetadataRecord {
        MetadataRecord(
            id: id,
            attributes: [
                NSMetadataItemFSNameKey: .string(name), NSMetadataItemFSSizeKey: .integer(size),
                NSMetadataItemURLKey: .url(URL(fileURLWithPath: "/c/Documents/\(name)")),
                NSMetadataUbiquitousItemDownloadingStatusKey: .string(
                    NSMetadataUbiquitousItemDownloadingStatusNotDownloaded),
            ])
    }

    private func query(_ source: TestSource, _ format: String = "TRUEPREDICATE") -> NSMetadataQuery {
        let query = NSMetadataQuery(source: source)
        query.predicate = NSPredicate(format: format)
        query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
        query.notificationBatchingInterval = 0
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        query.operationQueue = queue
        return query
    }

    @Test("The source's query finds the file, also one that is not downloaded (D-26 to D-31)")
    func source() async throws {
        let source = TestSource()
        let query = query(source)
        query.predicate = NSPredicate(format: "%K == %@", NSMetadataItemFSNameKey, "test.txt")
        let found: (Int, URL?, String?) = await withCheckedContinuation { continuation in
            let token = UncheckedMutex<(any NSObjectProtocol)?>(nil)
            let added = NotificationCenter.default.addObserver(
                forName: .NSMetadataQueryDidFinishGathering, object: query, queue: nil
            ) { notification in
                guard let query = notification.object as? NSMetadataQuery else { return }
                query.disableUpdates()
                query.stop()
                if let token = token.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
                let item = query.resultCount == 1 ? query.result(at: 0) as? NSMetadataItem : nil
                continuation.resume(
                    returning: (
                        query.resultCount, item?.value(forAttribute: NSMetadataItemURLKey) as? URL,
                        item?.value(forAttribute: NSMetadataUbiquitousItemDownloadingStatusKey) as? String
                    ))
            }
            token.withLock { $0 = added }
            #expect(query.start())
            source.send(.updated([record("1", "test.txt"), record("2", "other.txt")]))
            source.send(.gathered)
        }
        #expect(found.0 == 1)
        #expect(found.1 == URL(fileURLWithPath: "/c/Documents/test.txt"))
        #expect(found.2 == NSMetadataUbiquitousItemDownloadingStatusNotDownloaded)
        #expect(query.isStopped && !query.isStarted)
        #expect(source.cancelled.withLock { $0 } == 1)
        #expect(source.scopes.withLock { $0 } == [.ubiquitousDocuments])
    }

    @Test("Notifications come in Apple's order, and name what has changed (D-28)")
    func order() async throws {
        let source = TestSource()
        let query = query(source)
        query.sortDescriptors = [NSSortDescriptor(key: NSMetadataItemFSNameKey, ascending: false)]
        let notifications = Notifications(query)
        var next = notifications.stream.makeAsyncIterator()
        #expect(query.start())
        #expect(!query.start())
        #expect(query.isGathering)
        #expect(await next.next()?.name == .NSMetadataQueryDidStartGathering)
        source.send(.updated([record("1", "a"), record("2", "b")]))
        let progress = await next.next()
        #expect(progress?.name == .NSMetadataQueryGatheringProgress)
        #expect(progress?.count == 2)
        #expect(progress?.changes == [2, 0, 0])
        source.send(.gathered)
        #expect(await next.next()?.name == .NSMetadataQueryDidFinishGathering)
        #expect(!query.isGathering && query.isStarted)
        #expect(
            query.results.compactMap {
                ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemFSNameKey) as? String
            } == ["b", "a"])
        let first = query.result(at: 1) as? NSMetadataItem
        source.send(.updated([record("1", "c"), record("3", "0")]))
        #expect(await next.next()?.changes == [1, 1, 0])
        #expect((query.result(at: 0) as? NSMetadataItem) === first)
        #expect(first?.value(forAttribute: NSMetadataItemFSNameKey) as? String == "c")
        #expect(query.index(ofResult: first as Any) == 0)
        source.send(.removed(["1", "2"]))
        let removed = await next.next()
        #expect(removed?.name == .NSMetadataQueryDidUpdate)
        #expect(removed?.changes == [0, 0, 2])
        #expect(query.index(ofResult: first as Any) == NSNotFound)
        query.stop()
    }

    @Test("Disabled updates nest, and hold the results as they are (D-29)")
    func disabled() async throws {
        let source = TestSource()
        let query = query(source)
        let notifications = Notifications(query)
        var next = notifications.stream.makeAsyncIterator()
        query.start()
        source.send(.updated([record("1", "a")]))
        source.send(.gathered)
        while await next.next()?.name != .NSMetadataQueryDidFinishGathering {}
        query.disableUpdates()
        query.disableUpdates()
        source.send(.updated([record("2", "b")]))
        query.enableUpdates()
        source.send(.updated([record("3", "c")]))
        await withCheckedContinuation { continuation in query.operationQueue?.addOperation { continuation.resume() } }
        #expect(query.resultCount == 1)
        query.enableUpdates()
        #expect(await next.next()?.changes == [2, 0, 0])
        #expect(query.resultCount == 3)
    }

    @Test("A new predicate starts a running query anew; reports of before are ignored")
    func restart() async throws {
        let source = TestSource()
        let query = query(source)
        let notifications = Notifications(query)
        var next = notifications.stream.makeAsyncIterator()
        query.start()
        source.send(.updated([record("1", "a"), record("2", "b")]))
        source.send(.gathered)
        while await next.next()?.name != .NSMetadataQueryDidFinishGathering {}
        query.predicate = NSPredicate(block: { object, _ in
            (object as? NSMetadataItem)?.value(forAttribute: NSMetadataItemFSNameKey) as? String == "b"
        })
        #expect(query.isGathering)
        source.sendToFirst(.updated([record("9", "b")]))
        source.send(.updated([record("1", "a"), record("2", "b")]))
        source.send(.gathered)
        while await next.next()?.name != .NSMetadataQueryDidFinishGathering {}
        #expect(query.resultCount == 1)
        query.stop()
    }

    @Test("Value lists and groups count the results, with the delegate's values")
    func groups() async throws {
        final class Delegate: NSMetadataQueryDelegate {
            func metadataQuery(_ query: NSMetadataQuery, replacementObjectForResultObject result: NSMetadataItem) -> Any
            {
                (result.value(forAttribute: NSMetadataItemFSNameKey) as? String).map { "<\($0)>" } ?? result
            }
            func metadataQuery(
                _ query: NSMetadataQuery, replacementValueForAttribute attribute: String, value: Any
            ) -> Any { attribute == NSMetadataItemFSSizeKey ? "size \(value)" : value }
        }
        let source = TestSource()
        let query = query(source)
        let delegate = Delegate()
        query.delegate = delegate
        query.valueListAttributes = [NSMetadataItemFSSizeKey]
        query.groupingAttributes = [NSMetadataItemFSSizeKey, NSMetadataItemFSNameKey]
        let notifications = Notifications(query)
        var next = notifications.stream.makeAsyncIterator()
        query.start()
        source.send(.updated([record("1", "a", size: 5), record("2", "b", size: 7), record("3", "c", size: 5)]))
        source.send(.gathered)
        while await next.next()?.name != .NSMetadataQueryDidFinishGathering {}
        #expect(query.results as? [String] == ["<a>", "<b>", "<c>"])
        let list = try #require(query.valueLists[NSMetadataItemFSSizeKey])
        #expect(list.map(\.count) == [2, 1])
        #expect(list.map { $0.value as? String } == ["size 5", "size 7"])
        let groups = query.groupedResults
        #expect(groups.map(\.resultCount) == [2, 1])
        #expect(groups[0].results as? [String] == ["<a>", "<c>"])
        #expect(groups[0].result(at: 1) as? String == "<c>")
        #expect(groups[0].subgroups?.map(\.resultCount) == [1, 1])
        #expect(groups[0].subgroups?[0].subgroups == nil)
        #expect(query.value(ofAttribute: NSMetadataItemFSSizeKey, forResultAt: 1) as? Int == 7)
        var seen: [Int] = []
        query.enumerateResults(options: .reverse) { _, index, shouldStop in
            seen.append(index)
            if index == 1 { shouldStop.pointee = true }
        }
        #expect(seen == [2, 1])
        query.stop()
    }

    @Test("Mistakes of the program are told, and change nothing")
    func mistakes() {
        let source = TestSource()
        let query = NSMetadataQuery(source: source)
        #expect(!query.start())
        let reasons = Mutex<[String]>([])
        let handler = BatonExceptions.handler
        BatonExceptions.handler = { exception in reasons.withLock { $0.append(exception.reason) } }
        defer { BatonExceptions.handler = handler }
        query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope, URL(fileURLWithPath: "/tmp")]
        query.searchScopes = [5]
        query.searchScopes = ["relative"]
        query.sortDescriptors = [NSSortDescriptor(keyPath: \String.count, ascending: true)]
        #expect(query.result(at: 0) is NSNull)
        #expect(reasons.withLock { $0.count } == 5)
        #expect(query.searchScopes.isEmpty && query.sortDescriptors.isEmpty)
        query.searchScopes = [URL(fileURLWithPath: "/tmp"), "/var"]
        query.notificationBatchingInterval = .nan
        #expect(query.searchScopes.count == 2)
    }

    @Test("A query that is released stops observing")
    func release() {
        let source = TestSource()
        do {
            let query = query(source)
            query.start()
        }
        #expect(source.cancelled.withLock { $0 } == 1)
    }
}
