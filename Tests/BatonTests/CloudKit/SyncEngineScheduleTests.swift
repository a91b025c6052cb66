import Foundation
import Synchronization
import Testing

@testable import Baton

/// Random schedules of two apps with engines: edits, deletions, errors, and crashes back to what the app had stored.
@Suite(.timeLimit(.minutes(2))) struct SyncEngineScheduleTests {
    /// Splitmix64.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    /// An app that stores its notes together with the engine's state.
    private struct Device {
        let app = NotesApp()
        var engine: CKSyncEngine
        var stored: NotesApp.Content

        init(_ server: RecordServerInMemory) {
            engine = app.engine(server)
            stored = app.content.withLock { $0 }
        }

        /// Copies of the records, since an app changes its own.
        mutating func store() {
            var content = app.content.withLock { $0 }
            content.notes = content.notes.mapValues { $0.copy() as? CKRecord ?? $0 }
            content.serialization = CKSyncEngine.State.Serialization(engine.state.read { $0 })
            content.events = []
            stored = content
        }

        mutating func crash(_ server: RecordServerInMemory) {
            var content = stored
            content.notes = content.notes.mapValues { $0.copy() as? CKRecord ?? $0 }
            let restored = content
            app.content.withLock { $0 = restored }
            engine = app.engine(server, state: stored.serialization)
        }
    }

    private func quiet(_ devices: [Device]) async {
        for _ in 0..<20 {
            for device in devices {
                try? await device.engine.fetchChanges()
                try? await device.engine.sendChanges()
            }
        }
    }

    @Test("after any schedule both apps and the server have the same notes (D-1)", arguments: 0..<150)
    func schedule(_ seed: UInt64) async throws {
        var generator = Generator(state: seed)
        let server = RecordServerInMemory(pageSize: Int.random(in: 1...5, using: &generator))
        var devices = [Device(server), Device(server)]
        for _ in 0..<40 {
            let index = Int.random(in: 0...1, using: &generator)
            let name = "n\(Int.random(in: 0..<4, using: &generator))"
            switch Int.random(in: 0..<12, using: &generator) {
            case 0...3:
                devices[index].app.write(
                    name, "\(UInt16.random(in: 0...999, using: &generator))", devices[index].engine)
            case 4:
                devices[index].app.content.withLock { $0.notes[NotesApp.id(name)] = nil }
                devices[index].engine.state.add(pendingRecordZoneChanges: [.deleteRecord(NotesApp.id(name))])
            case 5...6: try? await devices[index].engine.sendChanges()
            case 7...8: try? await devices[index].engine.fetchChanges()
            case 9: devices[index].store()
            case 10: devices[index].crash(server)
            default:
                server.fail(CKError(.networkUnavailable))
                try? await devices[index].engine.sendChanges()
                try? await devices[index].engine.fetchChanges()
                server.fail(nil)
            }
        }
        await quiet(devices)
        let records = try await server.fetch(
            devices[0].engine.database.name, (0..<4).map { NotesApp.id("n\($0)") }, keys: nil)
        for number in 0..<4 {
            let title = try? records[NotesApp.id("n\(number)")]?.get()["title"] as String?
            #expect(devices[0].app.title("n\(number)") == title, "seed \(seed), first device")
            #expect(devices[1].app.title("n\(number)") == title, "seed \(seed), second device")
        }
        for device in devices { #expect(device.engine.state.pendingRecordZoneChanges == [], "seed \(seed)") }
    }
}
