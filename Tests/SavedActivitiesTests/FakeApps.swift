import BatonCore
import BatonTransport
import BatonWire
import Foundation
import SavedActivities
import Synchronization

/// Apps whose sessions are called as they are.
final class FakeApps: SavedActivityApps {
    private struct State {
        var gone: Set<AppIdentity> = []
        var opened: [(payload: Baton_Value_V1_ActivityPayload, app: AppIdentity)] = []
        var now = Date(timeIntervalSince1970: 1_800_000_000)
    }

    static let all: [String: AppIdentity] = [
        "a": identity("com.example.a", 1), "b": identity("com.example.b", 1),
        "sameNameOtherTeam": identity("com.example.a", 2),
        "development": AppIdentity(bundleID: BundleID(unchecked: "development.tool"), team: .development),
    ]

    private static func identity(_ name: String, _ team: UInt8) -> AppIdentity {
        AppIdentity(
            bundleID: BundleID(unchecked: name), team: TeamIdentity(fingerprint: [UInt8](repeating: team, count: 32)))
    }

    private let state = Mutex(State())

    var now: Date { state.withLock { $0.now } }
    var opened: [(payload: Baton_Value_V1_ActivityPayload, app: AppIdentity)] { state.withLock { $0.opened } }
    func advance(by seconds: Double) { state.withLock { $0.now += seconds } }
    func remove(_ name: String) { state.withLock { state in _ = Self.all[name].map { state.gone.insert($0) } } }
    func restore() { state.withLock { $0.gone = [] } }

    func app(of sessionID: String, caller: AdmittedCaller) throws -> AppIdentity {
        guard let app = Self.all[sessionID] else {
            throw BatonError(.notFound, reason: "unknown_session", "Not attached.")
        }
        return app
    }

    func isPresent(_ app: AppIdentity) -> Bool { state.withLock { !$0.gone.contains(app) } }
    func name(of app: AppIdentity) -> String { app.bundleID.rawValue }
    func check(_ description: Baton_Value_V1_ActivityDescription) throws {}

    func open(_ payload: Baton_Value_V1_ActivityPayload, with app: AppIdentity) async throws -> Bool {
        state.withLock { $0.opened.append((payload, app)) }
        return true
    }
}
