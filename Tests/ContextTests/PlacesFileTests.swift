import BatonCore
import BatonTestSupport
import Dispatch
import Synchronization
import Testing

@testable import ContextAwareness

/// The file of places.
@Suite(.timeLimit(.minutes(1))) struct PlacesFileTests {
    @Test("A write that waits for its turn has what is known then, so that nothing forgotten comes back to the disk")
    func turns() async throws {
        let folder = try TemporaryDirectory()
        let file = PlacesFile(path: folder.file("places.json"), recorder: NullEventRecorder())
        let known = Mutex(StayMachine.Memory(places: [StayPlace(id: 1, now: 0)], lastID: 1))
        let turn = DispatchSemaphore(value: 0)
        async let waiting: Void = file.write {
            turn.wait()
            return known.withLock { $0 }
        }
        known.withLock { $0.places = [] }
        turn.signal()
        try await waiting
        #expect(file.read() == StayMachine.Memory(lastID: 1))
    }

    @Test("No name is the name of no place: places without one are not forgotten for it")
    func unnamed() async throws {
        let folder = try TemporaryDirectory()
        let file = PlacesFile(path: folder.file("places.json"), recorder: NullEventRecorder())
        try await file.write { StayMachine.Memory(places: [StayPlace(id: 1, now: 0)], lastID: 1) }
        let context = ContextService(environment: [:], folder: folder.path, recorder: NullEventRecorder())
        await #expect(throws: BatonError.self) { try await context.forget(.named("")) }
        #expect(context.places().map(\.place.id) == [1])
    }
}
