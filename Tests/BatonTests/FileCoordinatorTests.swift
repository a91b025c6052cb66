import AppLink
import BatonTestSupport
import Dispatch
import FileCoordination
import Foundation
import Synchronization
import Testing

@testable import Baton

@Suite("NSFileCoordinator", .timeLimit(.minutes(1))) struct FileCoordinatorTests {
    private let directory: TemporaryDirectory
    private let arbiter = InProcessFileArbiter()
    /// Two processes, as far as the arbiter knows.
    private let first: FileCoordinationRuntime
    private let second: FileCoordinationRuntime

    init() throws {
        directory = try TemporaryDirectory()
        first = FileCoordinationRuntime(arbiter.makeTransport())
        second = FileCoordinationRuntime(arbiter.makeTransport())
    }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: directory.file(name)) }

    private func coordinator(
        _ runtime: FileCoordinationRuntime, _ presenter: (any NSFilePresenter)? = nil
    ) -> NSFileCoordinator { NSFileCoordinator(filePresenter: presenter, runtime: runtime) }

    /// Off the cooperative pool, which must not be held.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    @Test("Increments of many threads are never lost, because access is never concurrent (D-6)")
    func exclusion() async throws {
        let file = url("count")
        try Data("0".utf8).write(to: file)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask {
                    await onThread {
                        var error: NSError?
                        self.coordinator(index.isMultiple(of: 2) ? self.first : self.second).coordinate(
                            writingItemAt: file, options: .forReplacing, error: &error
                        ) { url in
                            let count = (try? String(contentsOf: url, encoding: .utf8)).flatMap { Int($0) } ?? -1
                            try? Data("\(count + 1)".utf8).write(to: url)
                        }
                        #expect(error == nil)
                    }
                }
            }
        }
        let text = await onThread {
            var text: String?
            self.coordinator(self.first).coordinate(readingItemAt: file, error: nil) {
                text = try? String(contentsOf: $0, encoding: .utf8)
            }
            return text
        }
        #expect(text == "20")
    }

    @Test("A reader gets what a presenter saves first, under a claim of its own")
    func savesFirst() async throws {
        let file = url("a.txt")
        try Data("old".utf8).write(to: file)
        let presenter = TestPresenter(file)
        second.add(presenter)
        presenter.save.withLock {
            $0 = { [self] in
                var error: NSError?
                coordinator(second, presenter).coordinate(writingItemAt: file, error: &error) {
                    try? Data("new".utf8).write(to: $0)
                }
                return error
            }
        }
        let text = await onThread {
            var text: String?
            var error: NSError?
            self.coordinator(self.first).coordinate(readingItemAt: file, error: &error) {
                text = try? String(contentsOf: $0, encoding: .utf8)
            }
            #expect(error == nil)
            return text
        }
        #expect(text == "new")
        await presenter.next("reader is done")
        #expect(presenter.messages.withLock { $0 } == ["reader", "save", "reader is done"])
        second.remove(presenter)
        #expect(second.presenters.isEmpty)
    }

    @Test("A presenter's error ends the access, and the accessor is not run")
    func presenterFails() async throws {
        let file = url("a.txt")
        try Data().write(to: file)
        let presenter = TestPresenter(file)
        second.add(presenter)
        presenter.save.withLock { $0 = { NSError(domain: "com.example", code: 7) } }
        await onThread {
            var error: NSError?
            var isRun = false
            self.coordinator(self.first).coordinate(writingItemAt: file, options: .forMerging, error: &error) { _ in
                isRun = true
            }
            #expect(!isRun)
            #expect(error?.domain == "com.example")
            #expect(error?.code == 7)
        }
        await presenter.next("writer is done")
    }

    @Test("Moves and deletions reach the presenters of the item and of its directory")
    func moves() async throws {
        let (old, new) = (url("old.txt"), url("new.txt"))
        try Data("x".utf8).write(to: old)
        let (item, folder) = (TestPresenter(old), TestPresenter(URL(fileURLWithPath: directory.path)))
        second.add(item)
        second.add(folder)
        await onThread {
            let coordinator = self.coordinator(self.first)
            coordinator.coordinate(
                writingItemAt: old, options: .forMoving, writingItemAt: new, options: .forReplacing, error: nil
            ) { source, destination in
                coordinator.item(at: source, willMoveTo: destination)
                try? FileManager.default.moveItem(at: source, to: destination)
                coordinator.item(at: source, didMoveTo: destination)
            }
        }
        await item.next("moved to new.txt")
        await folder.next("old.txt moved to new.txt")
        #expect(item.presentedItemURL?.path == new.path)
        await onThread {
            self.coordinator(self.first).coordinate(writingItemAt: new, options: .forDeleting, error: nil) {
                try? FileManager.default.removeItem(at: $0)
            }
        }
        await item.next("deletion")
        await folder.next("changed new.txt")
        #expect(folder.messages.withLock { $0 }.contains("deletion of new.txt"))
        await onThread {
            self.coordinator(self.first).coordinate(writingItemAt: self.url("third"), error: nil) {
                try? Data().write(to: $0)
            }
        }
        await folder.next("appeared third")
        // Nothing was changed, so no presenter is notified: the next message is that of another file.
        await onThread {
            self.coordinator(self.first).coordinate(writingItemAt: self.url("third"), error: nil) { _ in }
            self.coordinator(self.first).coordinate(writingItemAt: self.url("fourth"), error: nil) {
                try? Data().write(to: $0)
            }
        }
        await folder.next("appeared fourth")
        #expect(!folder.messages.withLock { $0 }.contains("changed third"))
    }

    @Test("a move that was announced and made is told, also where the accessor ends without a word")
    func announcedMove() async throws {
        let (old, new, third) = (url("old.txt"), url("new.txt"), url("third.txt"))
        try Data("x".utf8).write(to: old)
        let item = TestPresenter(old)
        second.add(item)
        await onThread {
            let coordinator = self.coordinator(self.first)
            coordinator.coordinate(
                writingItemAt: old, options: .forMoving, writingItemAt: new, options: .forReplacing, error: nil
            ) { source, destination in
                coordinator.item(at: source, willMoveTo: destination)
                try? FileManager.default.moveItem(at: source, to: destination)
            }
        }
        await item.next("moved to new.txt")
        // One that is announced and not made is no move.
        await onThread {
            let coordinator = self.coordinator(self.first)
            coordinator.coordinate(
                writingItemAt: new, options: .forMoving, writingItemAt: third, options: .forReplacing, error: nil
            ) { source, destination in coordinator.item(at: source, willMoveTo: destination) }
            self.coordinator(self.first).coordinate(writingItemAt: new, error: nil) {
                try? Data("later".utf8).write(to: $0)
            }
        }
        await item.next("changed")
        #expect(!item.messages.withLock { $0 }.contains("moved to third.txt"))
    }

    @Test("cancel() ends the calls that wait with NSUserCancelledError")
    func cancel() async throws {
        let file = url("a.txt")
        let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let held = coordinator(first)
        Thread.detachNewThread {
            held.coordinate(writingItemAt: file, error: nil) { _ in
                isHeld.signal()
                mayEnd.wait()
            }
        }
        await onThread { isHeld.wait() }
        let waiting = coordinator(second)
        let error = await withCheckedContinuation { continuation in
            let queue = OperationQueue()
            waiting.coordinate(with: [.readingIntent(with: file)], queue: queue) { error in
                continuation.resume(returning: (error as NSError?)?.code)
            }
            // A claim is not disturbed.
            held.cancel()
            waiting.cancel()
        }
        #expect(error == CocoaError.Code.userCancelled.rawValue)
        mayEnd.signal()
    }

    @Test("A call that would wait for itself fails with EDEADLK; one of the same purpose does not wait")
    func deadlock() async throws {
        let file = url("a.txt")
        await onThread {
            let outer = self.coordinator(self.first)
            outer.purposeIdentifier = "com.example.purpose"
            let friend = self.coordinator(self.first)
            friend.purposeIdentifier = "com.example.purpose"
            var isRun = (own: false, friend: false, stranger: false)
            var error: NSError?
            outer.coordinate(writingItemAt: file, error: nil) { url in
                outer.coordinate(readingItemAt: url, error: nil) { _ in isRun.own = true }
                friend.coordinate(readingItemAt: url, error: nil) { _ in isRun.friend = true }
                self.coordinator(self.first).coordinate(readingItemAt: url, error: &error) { _ in isRun.stranger = true
                }
            }
            #expect(isRun == (true, true, false))
            #expect(error?.domain == NSPOSIXErrorDomain)
            #expect(error?.code == Int(EDEADLK))
        }
    }

    @Test("Prepared accesses ask a presenter once")
    func prepare() async throws {
        let file = url("a.txt")
        try Data().write(to: file)
        let presenter = TestPresenter(file)
        second.add(presenter)
        await onThread {
            let coordinator = self.coordinator(self.first)
            var reads = 0
            coordinator.prepare(
                forReadingItemsAt: [file], options: .withoutChanges, writingItemsAt: [self.url("b")], error: nil
            ) { done in
                for _ in 0..<3 {
                    coordinator.coordinate(readingItemAt: file, options: .withoutChanges, error: nil) { _ in reads += 1
                    }
                }
                done()
            }
            #expect(reads == 3)
        }
        await presenter.next("reader is done")
        #expect(presenter.messages.withLock { $0 } == ["reader", "reader is done"])
    }

    @Test("A process that ends is released")
    func ends() async throws {
        let file = url("a.txt")
        let transport = arbiter.makeTransport()
        let lost = FileCoordinationRuntime(transport)
        let isHeld = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            self.coordinator(lost).coordinate(writingItemAt: file, error: nil) { _ in
                isHeld.signal()
                mayEnd.wait()
            }
        }
        await onThread { isHeld.wait() }
        arbiter.end(transport.client)
        await onThread {
            var isRun = false
            self.coordinator(self.first).coordinate(writingItemAt: file, error: nil) { _ in isRun = true }
            #expect(isRun)
        }
        mayEnd.signal()
    }

    @Test("Links are followed where that is asked for; uploads get a copy")
    func options() async throws {
        let (file, link) = (url("a.txt"), url("link"))
        try Data("x".utf8).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        await onThread {
            let coordinator = self.coordinator(self.first)
            coordinator.coordinate(readingItemAt: link, options: .resolvesSymbolicLink, error: nil) {
                #expect($0.path == file.path)
            }
            coordinator.coordinate(readingItemAt: link, error: nil) { #expect($0.path == link.path) }
            var copy: URL?
            coordinator.coordinate(readingItemAt: file, options: .forUploading, error: nil) {
                copy = $0
                #expect((try? String(contentsOf: $0, encoding: .utf8)) == "x")
            }
            #expect(copy != file && copy?.lastPathComponent == "a.txt")
            #expect(!FileManager.default.fileExists(atPath: copy?.path ?? "/"))
            var error: NSError?
            let web = URL(fileURLWithPath: "/x").appendingPathComponent("y", isDirectory: false)
            coordinator.coordinate(readingItemAt: web, error: &error) { #expect($0 == web) }
            #expect(error == nil)
            guard let page = URL(string: "https://example.com/a") else { return }
            coordinator.coordinate(writingItemAt: page, error: &error) { _ in Issue.record("run") }
            #expect(error?.code == CocoaError.Code.fileWriteInvalidFileName.rawValue)
        }
    }

    @Test("A directory that is read for uploading comes as an archive that others can read")
    func archive() async throws {
        let manager = FileManager.default
        let source = url("Päckchen.pages")
        try manager.createDirectory(at: source.appendingPathComponent("leer/tief"), withIntermediateDirectories: true)
        let large = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try large.write(to: source.appendingPathComponent("large.bin"))
        try Data().write(to: source.appendingPathComponent("leer/empty"))
        try manager.createSymbolicLink(
            atPath: source.appendingPathComponent("link").path, withDestinationPath: "large.bin")
        let target = url("out")
        let status = await onThread {
            var status: Int32?
            var error: NSError?
            self.coordinator(self.first).coordinate(readingItemAt: source, options: .forUploading, error: &error) {
                #expect($0.lastPathComponent == "Päckchen.pages.zip")
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                process.arguments = ["python3", "-m", "zipfile", "-e", $0.path, target.path]
                try? process.run()
                process.waitUntilExit()
                status = process.terminationStatus
            }
            #expect(error == nil)
            return status
        }
        #expect(status == 0)
        let copy = target.appendingPathComponent("Päckchen.pages")
        #expect(try Data(contentsOf: copy.appendingPathComponent("large.bin")) == large)
        #expect(manager.fileExists(atPath: copy.appendingPathComponent("leer/tief").path))
        #expect(try Data(contentsOf: copy.appendingPathComponent("leer/empty")).isEmpty)
    }
}
