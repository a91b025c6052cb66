import BatonCore
import BatonStore
import BatonTestSupport
import FileSync
import Foundation
import Sync
import Testing

@testable import Documents

/// Two folders of the person that are added at the same time (D-36).
@Suite(.timeLimit(.minutes(1))) struct AddingFoldersTests {
    private struct FreeArbiter: FileArbiter {
        func request(_ accesses: [FileAccess], _ answer: @escaping @Sendable (ClaimAnswer) -> Void) -> UInt64 {
            answer(.granted)
            return 1
        }

        func end(_ claim: UInt64, _ news: [FileNews]) {}
        func withdraw(_ claim: UInt64) {}
        func tell(_ news: FileNews) {}
        func holders(against accesses: [FileAccess]) -> [String] { [] }
    }

    @Test(
        "of two folders with one name, or of which one holds the other, one is added and the other refused",
        arguments: [("photos", "b", "folder_exists"), ("notes", "a/in", "folder_overlaps")])
    func race(name: String, path: String, reason: String) async throws {
        let directory = try TemporaryDirectory()
        for name in ["a/in", "b"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name), withIntermediateDirectories: true)
        }
        let service = try await Self.service(in: directory)
        let (turn, end) = AsyncStream.makeStream(of: Void.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        async let holding: Void = service.inTurn {
            begin.finish()
            for await _ in turn {}
        }
        for await _ in begun {}
        // Both have looked, and wait for their turn.
        async let first = Self.add("photos", directory.file("a"), service)
        async let second = Self.add(name, directory.file(path), service)
        try await Task.sleep(for: .milliseconds(500))  // sleeps: waiting for a turn causes no event
        end.finish()
        await holding
        let answers = await [first, second]
        #expect(answers.count { $0 == nil } == 1 && answers.contains(reason))
        #expect(service.folders.count == 1)
        for container in service.running { await container.stop() }
    }

    @Test("a folder that is at another path now is not taken for a new one (D-36)")
    func moved() async throws {
        let world = try NearDocuments()
        let device = try await world.add("B")
        let (moved, identity) = (device.folder + "-moved", FolderMark.identity(of: device.folder))
        try FileManager.default.copyItem(atPath: device.folder, toPath: device.folder + "-copy")
        try FileManager.default.moveItem(atPath: device.folder, toPath: moved)
        #expect(await Self.add("notes", moved, device.service) == "folder_exists")
        #expect(identity != nil && FolderMark.identity(of: moved) == identity)
        // A copy is another folder. Once it is left, it may begin anew there.
        #expect(await Self.add("copy", device.folder + "-copy", device.service) == nil)
        _ = try await device.service.leaveFolder("work")
        #expect(await Self.add("notes", moved, device.service) == nil)
        for container in device.service.running { await container.stop() }
    }

    @Test("a folder whose name is mistyped, or given by one word, is guessed")
    func guessed() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let service = try await Self.service(in: directory)
        #expect(await Self.add("Holiday-Pictures", path, service) == nil)
        for name in ["pictures", "Holiday-Pcitures"] {
            let error = await #expect(throws: BatonError.self) { try await service.folder(name) }
            #expect(error?.message.contains("Did you mean “Holiday-Pictures”?") == true)
        }
        for container in service.running { await container.stop() }
    }

    @Test("a folder that all have left is forgotten when a person says so, and a device that has it lists it again")
    func forgotten() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Data("kept".utf8).write(to: URL(fileURLWithPath: path + "/file"))
        let service = try await Self.service(in: directory)
        _ = try await service.open(.drive)
        #expect(await Self.add("photos", path, service) == nil)
        let here = await #expect(throws: BatonError.self) { try await service.forgetFolder("photos") }
        #expect(here?.reason == "folder_is_here")

        // As another device does it that does not have the folder.
        let list = ContainerDirectory(drive: service.path(of: .drive))
        try list.remove(try #require(ContainerName.folder("photos")))
        #expect(list.names.isEmpty)
        await service.noteContainers()
        #expect(list.names.map(\.folderName) == ["photos"])

        _ = try await service.leaveFolder("photos")
        #expect(await service.listFolders().map(\.state) == [.elsewhere])
        try await service.forgetFolder("photos")
        #expect(await service.listFolders().isEmpty)
        #expect(FileManager.default.contents(atPath: path + "/file") == Data("kept".utf8))
        let gone = await #expect(throws: BatonError.self) { try await service.forgetFolder("photos") }
        #expect(gone?.reason == "unknown_folder")
        for container in service.running { await container.stop() }
    }

    private static func service(in directory: TemporaryDirectory) async throws -> DocumentsService {
        let database = try DaemonDatabase(
            path: directory.file("db.sqlite"), migrations: SyncStore.migrations + DocumentsService.migrations)
        let service = try DocumentsService(
            database: database,
            blobs: try await BlobService(database: database, path: directory.file("blobs")),
            directory: directory.file("containers"), arbiter: FreeArbiter(), recorder: NullEventRecorder())
        await service.accountChanged(
            to: DocumentsAccount(
                account: AccountID(unchecked: String(repeating: "A", count: 26)),
                device: DeviceID(unchecked: String(repeating: "B", count: 26)), deviceName: "One",
                gearKey: [UInt8](repeating: 7, count: GearTable.keyBytes)))
        return service
    }

    /// - Returns: why it was refused; nil when it was not.
    private static func add(_ name: String, _ path: String, _ service: DocumentsService) async -> String? {
        do {
            _ = try await service.addFolder(name, at: path, joins: false)
            return nil
        } catch {
            return (error as? BatonError)?.reason ?? "\(error)"
        }
    }
}
