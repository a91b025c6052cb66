import BatonCore
import BatonStore
import BatonTestSupport
import Devices
import Foundation
import Logging
import Sync
import Synchronization
import Testing

@Suite("The engine and a cloud that runs", .serialized, .timeLimit(.minutes(2))) struct RealCloudTests {
    /// A device whose engine runs, with a source of items.
    private final class Device: Sendable {
        let account: AccountService
        let source: ItemSource
        let blobs: BlobService
        let sync: SyncService
        private let bell: AsyncStream<Void>

        init(_ device: AccountDevice, cloud: (url: String, fingerprint: [UInt8])) async throws {
            let source = ItemSource()
            account = device.account
            try await account.setCloudEndpoint(url: cloud.url, certificate: cloud.fingerprint)
            let database = try DaemonDatabase(
                path: device.database, migrations: KeyZone.migrations + AccountZone.migrations + SyncStore.migrations)
            blobs = try await BlobService(database: database, path: device.home + "/blobs")
            let sync = SyncService(
                account: account, access: AccountAccess(account: account, connectors: CloudConnectors()),
                sources: [
                    try await KeyZone(database: database, account: account),
                    try await AccountZone(database: database, account: account), source,
                ],
                store: SyncStore(database: database), blobs: blobs, logger: Logger(label: "test"))
            let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            source.changed.withLock {
                $0 = {
                    sync.changed(ItemSource.zone)
                    ring.yield()
                }
            }
            (self.source, self.sync, self.bell) = (source, sync, bell)
        }

        func until(_ condition: (ItemSource) -> Bool) async throws {
            if condition(source) { return }
            for await _ in bell where condition(source) { return }
            throw CancellationError()
        }
    }

    /// Two devices of one account, and a cloud, while `body` runs.
    private func with(_ body: @escaping @Sendable (Device, Device) async throws -> Void) async throws {
        let folder = try TemporaryDirectory()
        let accounts = try await AccountDevice.household(2, in: folder)
        let child = try ChildProcess([
            try Products.path("baton-cloud"), "serve", "--data", folder.file("cloud"), "--listen", "127.0.0.1:0",
            "--registration", "open",
        ])
        do {
            let cloud = try await within(.seconds(60), "baton-cloud to answer") {
                let found = try await child.output.first { line in
                    line.contains(" answers at ") ? line.split(separator: ":").last.flatMap { Int($0) } : nil
                }
                let (port, next) = try #require(found)
                let line = try await child.output.first(from: next) { line in
                    line.hasPrefix("certificate SHA-256 ") ? String(line.dropFirst(20)) : nil
                }
                return (url: "https://127.0.0.1:\(port)", fingerprint: Self.bytes(try #require(line).found))
            }
            let here = try await Device(accounts[0], cloud: cloud)
            let there = try await Device(accounts[1], cloud: cloud)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for device in [here, there] { group.addTask { try await device.sync.run() } }
                try await body(here, there)
                group.cancelAll()
            }
            await child.end()
        } catch {
            await child.end()
            throw error
        }
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue).map { UInt8($0) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test("10,000 items go from one device to another through a cloud, those with blobs after their blobs")
    func bulk() async throws {
        try await with { here, there in
            var references: [BlobReference] = []
            for number in 0..<20 {
                references.append(try await here.blobs.put(Data(repeating: UInt8(number), count: 70_000)))
            }
            let blobs = references
            here.source.fill((0..<10_000).lazy.map { "item \($0)" }, stamp: 1, isPending: true) { name in
                let reference = blobs[name.utf8.count % blobs.count]
                return (reference.bytes, [reference.id])
            }
            let start = ContinuousClock.now
            try await there.until { $0.count == 10_000 }
            print("10,000 items through a cloud: \(start.duration(to: .now))")
            #expect(there.source.contents == here.source.contents)
            let told = try #require(there.source.contents["item 1"])
            let file = try await there.blobs.get(BlobReference(told))
            #expect(try await file.read() == here.blobs.get(BlobReference(told)).read())
        }
    }

    @Test("Groups arrive whole; a source that was removed hears of nothing, until it is there again")
    func groups() async throws {
        try await with { here, there in
            for number in 1...20 {
                let items = Dictionary(
                    uniqueKeysWithValues: (0..<10).map { ("\($0)", Optional(Data([UInt8(number)]))) })
                here.source.set(items, stamp: UInt64(number), isGroup: true)
            }
            try await there.until { $0.contents.count == 10 && $0.contents.values.allSatisfy { $0 == Data([20]) } }
            #expect(there.source.received.allSatisfy { Set($0).count % 10 == 0 })
            there.sync.removeSource(of: ItemSource.kind)
            here.source.set(["more": Data([1])], stamp: 30)
            try await here.until { !$0.hasPending }
            #expect(there.source.contents["more"] == nil)
            await there.sync.add(there.source)
            try await there.until { $0.contents["more"] == Data([1]) }
        }
    }
}
