import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Sync
import Synchronization

@testable import Records

/// Devices of an account that are near each other, in one process: a call is the other one's method.
final class NearRecords: Sendable {
    private struct State {
        var devices: [DeviceID: RecordsDevice] = [:]
        var away: Set<DeviceID> = []
        /// Connected devices that answer nothing.
        var silent: Set<DeviceID> = []
        /// Calls that each device has answered.
        var answered: [DeviceID: Int] = [:]
    }

    private let state = Mutex(State())

    func add(_ directory: TemporaryDirectory, _ name: String) async throws -> RecordsDevice {
        let device = try await RecordsDevice(directory, name, peers: Peers(id: RecordsDevice.id(name), world: self))
        state.withLock { $0.devices[RecordsDevice.id(name)] = device }
        return device
    }

    func set(away name: String, _ isAway: Bool) {
        state.withLock { state in
            if isAway { state.away.insert(RecordsDevice.id(name)) } else { state.away.remove(RecordsDevice.id(name)) }
        }
    }

    func set(silent name: String) { state.withLock { _ = $0.silent.insert(RecordsDevice.id(name)) } }

    func answered(by name: String) -> Int { state.withLock { $0.answered[RecordsDevice.id(name)] ?? 0 } }

    private struct Peers: SyncPeers {
        let id: DeviceID
        let world: NearRecords

        func nearby() -> Set<DeviceID> {
            world.state.withLock { state in
                state.away.contains(id) ? [] : Set(state.devices.keys).subtracting(state.away).subtracting([id])
            }
        }

        func call<Request, Response>(
            _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
        ) async throws -> Response {
            let other = world.state.withLock { state in
                state.answered[device, default: 0] += 1
                return state.devices[device]
            }
            guard nearby().contains(device), let other else {
                throw BatonError(.unavailable, reason: "not_connected", "That device is not connected now.")
            }
            if world.state.withLock({ $0.silent.contains(device) }) {
                try await Task.sleep(for: .seconds(3600))  // sleeps: it never answers, and the caller has to give up
            }
            let harness = RecordLinkHarness(other.service)
            let answer: Any =
                switch request {
                case let request as Baton_Link_V1_FindAssetBlobsRequest: try await harness.find(request)
                case let request as Baton_Link_V1_ReadAssetBlobRequest: try await harness.read(request, for: id)
                default: throw CocoaError(.featureUnsupported)
                }
            guard let answer = answer as? Response else { throw CocoaError(.featureUnsupported) }
            return answer
        }
    }
}
