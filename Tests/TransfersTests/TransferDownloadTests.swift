import BatonCore
import BatonTestSupport
import BatonTrust
import Crypto
import Foundation
import Synchronization
import Testing
import Transfers

@Suite("Transfers") struct TransferDownloadTests {
    /// A sender whose connection breaks, and that damages bytes, on command.
    private final class Sender: TransferSource {
        enum Fault {
            case none
            case cut
            case damage
            case damageLast
            case skip
            case cancel
        }

        private let items: LocalItems
        private let faults: Mutex<[Fault]>
        private let reads = Mutex<[TransferPlace]>([])

        init(_ items: LocalItems, faults: [Fault] = []) {
            self.items = items
            self.faults = Mutex(faults)
        }

        var places: [TransferPlace] { reads.withLock { $0 } }

        func read(
            _ id: TransferID, from place: TransferPlace, key: Data, take: ([TransferPart]) async throws -> Void
        ) async throws {
            reads.withLock { $0.append(place) }
            let fault = faults.withLock { $0.isEmpty ? .none : $0.removeFirst() }
            let reader = TransferReader(items, from: place, tags: try PartTags(key: key))
            var count = 0
            while true {
                var parts = try reader.next(1000)
                if parts.isEmpty { return }
                count += 1
                if count == 3 {
                    switch fault {
                    case .none: break
                    case .cancel: throw BatonError(.aborted, reason: "sender_cancelled", "cancelled")
                    case .cut: throw BatonError(.unavailable, reason: "connection_lost", "cut")
                    case .damage: parts[0].data[0] ^= 1
                    case .damageLast: parts[parts.count - 1].data[0] ^= 1
                    case .skip: parts = Array(parts.dropFirst()) + (try reader.next(1000))
                    }
                }
                try await take(parts)
            }
        }
    }

    private func makeItems(in folder: TemporaryDirectory) throws -> LocalItems {
        let root = folder.path + "/source"
        try FileManager.default.createDirectory(atPath: root + "/d/e", withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: root + "/d/empty"))
        for number in 0..<20 {
            let bytes = Data((0..<(number * 137)).map { UInt8(truncatingIfNeeded: $0 &* number) })
            try bytes.write(to: URL(fileURLWithPath: "\(root)/d/e/\(number)"))
        }
        return try LocalItems(paths: [root + "/d"])
    }

    private func same(_ folder: String, _ other: String) throws -> Bool {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        guard try FileManager.default.subpathsOfDirectory(atPath: other).sorted() == names else { return false }
        return names.allSatisfy {
            FileManager.default.contentsEqual(atPath: "\(folder)/\($0)", andPath: "\(other)/\($0)")
        }
    }

    @Test("cuts, damaged and missing parts cost a further attempt from where it was, and nothing else")
    func faults() async throws {
        let folder = try TemporaryDirectory()
        let items = try makeItems(in: folder)
        let destination = folder.path + "/destination"
        try FileManager.default.createDirectory(atPath: destination, withIntermediateDirectories: true)
        let sender = Sender(items, faults: [.cut, .damage, .damageLast, .skip, .cut])
        var policy = TransferDownload.Policy()
        policy.firstDelay = .milliseconds(1)
        let download = TransferDownload(.random(), items.manifest, policy: policy, from: sender)
        let paths = try await download.run(into: destination) { _ in }.deliver()
        #expect(paths == [destination + "/d"])
        #expect(try same(folder.path + "/source/d", destination + "/d"))
        #expect(sender.places.count == 6)
        #expect(Set(sender.places).count >= 5, "each attempt goes on after the one before: \(sender.places)")
    }

    @Test("a file that changed at the sender ends the transfer, and nothing is left at the receiver")
    func changed() async throws {
        let folder = try TemporaryDirectory()
        let items = try makeItems(in: folder)
        try Data("other".utf8).write(to: URL(fileURLWithPath: folder.path + "/source/d/e/7"))
        let destination = folder.path + "/destination"
        try FileManager.default.createDirectory(atPath: destination, withIntermediateDirectories: true)
        let download = TransferDownload(.random(), items.manifest, from: Sender(items))
        await #expect(throws: BatonError.self) { _ = try await download.run(into: destination) { _ in } }
        #expect(try FileManager.default.contentsOfDirectory(atPath: destination).isEmpty)
    }

    @Test("a file that is written to while it is sent ends the transfer, whatever its size and second say")
    func writtenMeanwhile() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/source.bin"
        try Data(repeating: 1, count: 5000).write(to: URL(fileURLWithPath: path))
        let items = try LocalItems(paths: [path])
        let reader = TransferReader(items, from: TransferPlace(), tags: try PartTags(key: PartTags.randomKey()))
        _ = try reader.next(1000)
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.write(contentsOf: Data(repeating: 2, count: 5000))
        try file.close()
        #expect { while try !reader.next(1000).isEmpty {} } throws: { ($0 as? BatonError)?.reason == "source_changed" }
        // Nor from where it was when the connection broke.
        let later = TransferReader(
            items, from: TransferPlace(entry: 0, offset: 1000), tags: try PartTags(key: PartTags.randomKey()))
        #expect { try later.next(1000) } throws: { ($0 as? BatonError)?.reason == "source_changed" }
    }

    @Test("a sender that gives up sends no more, and its receiver hears that it cancelled")
    func givenUp() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/source.bin"
        try Data(repeating: 1, count: 3 << 20).write(to: URL(fileURLWithPath: path))
        let items = try LocalItems(paths: [path])
        let outbox = TransferOutbox()
        let friend = DeviceID(key: P256.Signing.PrivateKey().publicKey)
        let (started, start) = AsyncStream.makeStream(of: TransferID.self)
        let sending = Task {
            try await outbox.send(items, to: friend) { id, _ in
                start.yield(id)
                return true
            } progress: { _ in
            }
        }
        let id = try #require(await started.first { _ in true })
        let tags = try PartTags(key: PartTags.randomKey())
        await #expect {
            try await outbox.read(id, from: TransferPlace(), tags: tags, by: friend) { _ in
                sending.cancel()
                _ = await sending.result
            }
        } throws: { ($0 as? BatonError)?.reason == "sender_cancelled" }
    }

    @Test("links in a folder come where they lead to a place in it; others are counted, and so are pipes")
    func links() async throws {
        let folder = try TemporaryDirectory()
        let root = folder.path + "/source/d"
        try FileManager.default.createDirectory(atPath: root + "/e", withIntermediateDirectories: true)
        try Data("text".utf8).write(to: URL(fileURLWithPath: root + "/e/file"))
        for (name, target) in [
            ("link", "e/file"), ("e/up", "../e"), ("out", "../other"), ("e/far", "../../x"),
            ("absolute", "/etc/passwd"),
            ("e/twice", "x/../../.."),
        ] {
            try FileManager.default.createSymbolicLink(atPath: "\(root)/\(name)", withDestinationPath: target)
        }
        #expect(mkfifo(root + "/pipe", 0o600) == 0)
        let items = try LocalItems(paths: [root])
        #expect(Set(items.manifest.links.map(\.path)) == ["d/link", "d/e/up"])
        #expect(items.manifest.leftOut == 5)
        let destination = folder.path + "/destination"
        try FileManager.default.createDirectory(atPath: destination, withIntermediateDirectories: true)
        let download = TransferDownload(.random(), items.manifest, from: Sender(items))
        _ = try await download.run(into: destination) { _ in }.deliver()
        #expect(try String(contentsOfFile: destination + "/d/link", encoding: .utf8) == "text")
        #expect(try String(contentsOfFile: destination + "/d/e/up/file", encoding: .utf8) == "text")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: destination + "/d/e/up") == "../e")
    }

    @Test("what has come of a transfer that was interrupted is gone on with in a later one of the same files")
    func resumed() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/source.bin"
        let content = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0) })
        try content.write(to: URL(fileURLWithPath: path))
        let items = try LocalItems(paths: [path])
        let destination = folder.path + "/destination"
        try FileManager.default.createDirectory(atPath: destination, withIntermediateDirectories: true)
        let paused = Mutex<PausedDownload?>(nil)
        let first = TransferDownload(.random(), items.manifest, from: Sender(items, faults: [.cancel]))
        await #expect {
            _ = try await first.run(
                into: destination, pause: { download in paused.withLock { $0 = download } }, progress: { _ in })
        } throws: { ($0 as? BatonError)?.reason == "sender_cancelled" }
        let earlier = try #require(paused.withLock { $0 })

        // The same again: as the command makes the list anew.
        let again = try LocalItems(paths: [path])
        #expect(again.manifest == items.manifest && again.manifest.canResume)
        let sender = Sender(again)
        let second = TransferDownload(.random(), again.manifest, from: sender)
        let paths = try await second.run(into: destination, after: earlier) { _ in }.deliver()
        #expect(sender.places.first?.offset ?? 0 >= 2000)
        #expect(try Data(contentsOf: URL(fileURLWithPath: try #require(paths.first))) == content)

        // Written to in between, although its size and its second are as before.
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.write(contentsOf: Data([9]))
        try file.close()
        #expect(try LocalItems(paths: [path]).manifest != items.manifest)
    }

    @Test("a part that cannot be written ends the transfer, although the connection breaks in the same moment")
    func fullDisk() async throws {
        let folder = try TemporaryDirectory()
        let items = try makeItems(in: folder)
        let destination = folder.path + "/destination"
        try FileManager.default.createDirectory(atPath: destination, withIntermediateDirectories: true)
        let sender = Sender(items, faults: [.cut])
        let attempts = Mutex(0)
        let download = TransferDownload(.random(), items.manifest, from: sender)
        await #expect {
            _ = try await download.run(into: destination) { _ in
                // The folder of what comes goes, as a person may remove it: no later part has a place.
                let isFirst = attempts.withLock { count in
                    count += 1
                    return count == 1
                }
                guard isFirst else { return }
                for name in (try? FileManager.default.contentsOfDirectory(atPath: destination)) ?? [] {
                    try? FileManager.default.removeItem(atPath: "\(destination)/\(name)")
                }
            }
        } throws: { ($0 as? BatonError)?.code != .unavailable }
    }

    @Test("a tag is of these bytes, at this place among the parts, under this key")
    func tags() throws {
        let key = PartTags.randomKey()
        var (sender, receiver) = (try PartTags(key: key), try PartTags(key: key))
        let first = try sender.next(for: Data("part".utf8))
        #expect(first.count == 16)
        #expect(try receiver.next(for: Data("part".utf8)) == first)
        #expect(try sender.next(for: Data("part".utf8)) != first)
        #expect(try receiver.next(for: Data("Part".utf8)) != first)
        var other = try PartTags(key: PartTags.randomKey())
        #expect(try other.next(for: Data("part".utf8)) != first)
        #expect(throws: BatonError.self) { _ = try PartTags(key: key.dropLast()) }
    }

    @Test("only the device that a transfer is for can read it, and the sender counts what the receiver has")
    func receipts() async throws {
        let folder = try TemporaryDirectory()
        let items = try makeItems(in: folder)
        let outbox = TransferOutbox()
        let (friend, stranger) = (
            DeviceID(key: P256.Signing.PrivateKey().publicKey), DeviceID(key: P256.Signing.PrivateKey().publicKey)
        )
        let bytes = Mutex(0)
        let tags = try PartTags(key: PartTags.randomKey())
        let receipt = try await outbox.send(items, to: friend) { id, manifest in
            await #expect(throws: BatonError.self) {
                try await outbox.read(id, from: TransferPlace(), tags: tags, by: stranger) { _ in }
            }
            #expect(throws: BatonError.self) {
                try outbox.finish(id, by: stranger, .init(files: manifest.fileCount, bytes: manifest.totalBytes))
            }
            try await outbox.read(id, from: TransferPlace(), tags: tags, by: friend) { parts in
                bytes.withLock { $0 += parts.reduce(0) { $0 + $1.data.count } }
            }
            try outbox.finish(id, by: friend, .init(files: manifest.fileCount, bytes: manifest.totalBytes))
            return true
        } progress: { _ in
        }
        #expect(receipt.files == 21)
        #expect(bytes.withLock { UInt64($0) } == items.manifest.totalBytes)

        await #expect(throws: BatonError.self) {
            _ = try await outbox.send(items, to: friend) { id, _ in
                try outbox.finish(id, by: friend, .init(files: 3, bytes: 10))
                return true
            } progress: { _ in
            }
        }
    }
}
