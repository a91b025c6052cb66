import Foundation
import Testing

@testable import Baton

/// Queries over the daemon's items of containers.
@Suite("Queries in containers", .timeLimit(.minutes(1))) @MainActor struct UbiquitousQueryTests {
    private final class Posts: Sendable {
        let names = Mailbox<NSNotification.Name>()
        private let tokens: UncheckedMutex<[any NSObjectProtocol]>

        init(_ query: NSMetadataQuery) {
            let names = names
            tokens = UncheckedMutex(
                [NSNotification.Name.NSMetadataQueryDidFinishGathering, .NSMetadataQueryDidUpdate].map { name in
                    NotificationCenter.default.addObserver(forName: name, object: query, queue: nil) { _ in
                        names.send(name)
                    }
                })
        }

        deinit { tokens.withLock { for token in $0 { NotificationCenter.default.removeObserver(token) } } }
    }

    private func query(
        _ format: String = "TRUEPREDICATE", scope: String = NSMetadataQueryUbiquitousDocumentsScope
    )
        -> NSMetadataQuery
    {
        let query = NSMetadataQuery()
        query.searchScopes = [scope]
        query.predicate = NSPredicate(format: format)
        query.sortDescriptors = [NSSortDescriptor(key: NSMetadataItemPathKey, ascending: true)]
        query.notificationBatchingInterval = 0.01
        query.operationQueue = OperationQueue()
        query.operationQueue?.maxConcurrentOperationCount = 1
        return query
    }

    private func names(_ query: NSMetadataQuery) -> [String] {
        query.disableUpdates()
        defer { query.enableUpdates() }
        return query.results.compactMap { result in
            (result as? NSMetadataItem)?.value(forAttribute: NSMetadataItemFSNameKey) as? String
        }
    }

    @Test("Documents are found also if they are not downloaded, with their URL and state (D-26, D-27, D-28, D-30)")
    func gathering() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/test.txt", "one")
            try app.daemon.arrive("Documents/far.txt", "two!", isDownloaded: false, problem: "over_quota")
            try app.daemon.arrive("private", "three")
            let query = query()
            let posts = Posts(query)
            #expect(query.start())
            #expect(try await posts.names.next() == .NSMetadataQueryDidFinishGathering)
            #expect(names(query) == ["far.txt", "test.txt"])
            let item = try #require(query.result(at: 0) as? NSMetadataItem)
            let url = try #require(item.value(forAttribute: NSMetadataItemURLKey) as? URL)
            #expect(url.path == app.daemon.url("Documents/far.txt").path)
            #expect(item.value(forAttribute: NSMetadataItemFSSizeKey) as? Int == 4)
            #expect(
                item.value(forAttribute: NSMetadataUbiquitousItemDownloadingStatusKey) as? String
                    == NSMetadataUbiquitousItemDownloadingStatusNotDownloaded)
            #expect((item.value(forAttribute: NSMetadataUbiquitousItemDownloadingErrorKey) as? NSError)?.code == 4354)
            let error = query.value(ofAttribute: NSMetadataUbiquitousItemDownloadingErrorKey, forResultAt: 0)
            #expect((error as? NSError)?.code == 4354 && query.value(ofAttribute: "none", forResultAt: 0) == nil)
            let near = try #require(query.result(at: 1) as? NSMetadataItem)
            #expect(
                near.value(forAttribute: NSMetadataUbiquitousItemDownloadingStatusKey) as? String
                    == NSMetadataUbiquitousItemDownloadingStatusCurrent)
            #expect(near.value(forAttribute: NSMetadataUbiquitousItemIsUploadedKey) as? Bool == true)
            #expect(near.value(forAttribute: NSMetadataItemContentTypeKey) as? String == "public.plain-text")
            query.stop()
        }
    }

    @Test("Results follow what comes, what changes and what goes, through a restart of the daemon (D-26, D-28)")
    func live() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "one")
            let query = query()
            let posts = Posts(query)
            query.start()
            #expect(try await posts.names.next() == .NSMetadataQueryDidFinishGathering)
            try app.daemon.arrive("Documents/b.txt", "two")
            #expect(try await posts.names.next() == .NSMetadataQueryDidUpdate)
            #expect(names(query) == ["a.txt", "b.txt"])
            // Out of the scope, which is as if it were gone.
            try app.daemon.move("Documents/b.txt", to: "b.txt")
            #expect(try await posts.names.next() == .NSMetadataQueryDidUpdate)
            #expect(names(query) == ["a.txt"])
            app.daemon.crash()
            try app.daemon.delete("Documents/a.txt", isTold: false)
            try app.daemon.arrive("Documents/c.txt", "three")
            app.daemon.start()
            while names(query) != ["c.txt"] { _ = try await posts.names.next() }
            query.stop()
        }
    }

    @Test("The scope of data has everything but Documents; that of other apps' documents nothing")
    func scopes() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "one")
            try app.daemon.arrive("private.txt", "two")
            for (scope, expected) in [
                (NSMetadataQueryUbiquitousDataScope, ["private.txt"]),
                (NSMetadataQueryAccessibleUbiquitousExternalDocumentsScope, []),
                (app.daemon.url("Documents").path, ["a.txt"]),
            ] {
                let query = query(scope: scope)
                let posts = Posts(query)
                query.start()
                #expect(try await posts.names.next() == .NSMetadataQueryDidFinishGathering)
                #expect(names(query) == expected)
                query.stop()
            }
        }
    }

    @Test("Without iCloud a query finds nothing and finishes; once there is an account it finds what is there (D-9)")
    func unavailable() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "one")
            app.daemon.setAccount(Data(), reason: "no_account")
            let query = query()
            let posts = Posts(query)
            query.start()
            #expect(try await posts.names.next() == .NSMetadataQueryDidFinishGathering)
            #expect(query.resultCount == 0)
            _ = try await app.offMain { FileManager.default.ubiquityIdentityToken == nil }
            app.daemon.setAccount(Data([3]))
            #expect(try await posts.names.next() == .NSMetadataQueryDidUpdate)
            #expect(names(query) == ["a.txt"])
            query.stop()
        }
    }
}
