import BatonCore
import BatonTestSupport
import Foundation
import Synchronization
import Testing

@testable import ContextAwareness

@Suite("Which apps may know where the device is", .timeLimit(.minutes(1)))
struct LocationAccessTests {
    private final class Questions: LocationQuestions {
        let answer = Mutex<Bool?>(true)
        let asked = Mutex(0)

        func mayLocate(app: AppIdentity, name: String) async throws -> Bool? {
            asked.withLock { $0 += 1 }
            return answer.withLock { $0 }
        }
    }

    private let directory: TemporaryDirectory
    private let questions = Questions()
    private let app = AppIdentity(bundleID: BundleID(unchecked: "com.example.maps"), team: .development)

    init() throws { directory = try TemporaryDirectory() }

    private func access() -> LocationAccess {
        LocationAccess(folder: directory.path, questions: questions, recorder: NullEventRecorder())
    }

    // Issue 28, part 6: asked once per app, as a question.
    @Test("An app is asked about once, the answer outlives the daemon, and the person can change it")
    func once() async throws {
        var access = access()
        #expect(access.permission(of: app) == .notDetermined)
        #expect(throws: BatonError.self) { try access.check(app) }
        #expect(try await access.request(app, name: "Maps") == .authorized)
        #expect(try await access.request(app, name: "Maps") == .authorized)
        #expect(questions.asked.withLock { $0 } == 1)
        access = self.access()
        try access.check(app)
        let other = AppIdentity(
            bundleID: app.bundleID, team: TeamIdentity(fingerprint: [UInt8](repeating: 1, count: 32)))
        #expect(access.permission(of: other) == .notDetermined)
        try await access.set(false, for: app)
        #expect(try await access.request(app, name: "Maps") == .denied)
        try await access.set(nil, for: app)
        #expect(access.permission(of: app) == .notDetermined)
        #expect(access.all().isEmpty)
    }

    @Test("A question that was closed is not put again at once, and a file that is damaged is as none")
    func closed() async throws {
        questions.answer.withLock { $0 = nil }
        let access = access()
        #expect(try await access.request(app, name: "Maps") == .notDetermined)
        #expect(try await access.request(app, name: "Maps") == .notDetermined)
        #expect(questions.asked.withLock { $0 } == 1)
        try Data("{".utf8).write(to: URL(fileURLWithPath: directory.file("location-access.json")))
        #expect(self.access().all().isEmpty)
    }

    @Test("A position is a place on the earth, and says only what is known")
    func positions() throws {
        #expect(DevicePosition(latitude: 91, longitude: 0, accuracy: 1) == nil)
        #expect(DevicePosition(latitude: .nan, longitude: 0, accuracy: 1) == nil)
        let position = try #require(
            DevicePosition(
                latitude: 41, longitude: 29, accuracy: -1, altitude: -1.797e308, speed: -1, heading: .infinity))
        #expect(position.accuracy == 100_000)
        #expect(position.altitude == nil && position.speed == nil && position.heading == nil)
    }
}
