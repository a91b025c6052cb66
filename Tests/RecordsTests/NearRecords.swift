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
        var harnesses: [DeviceID: RecordLinkHarness] = [:]
        var away: Set<DeviceID> = []
        /// Connected devices that answer nothing.
        var silent: Set<DeviceID> = []
        /// Calls that each device has answered.
        var answered: [DeviceID: Int] = [:]
        /// Questions for contents that each device has under way, and the most that it had.
        var finding: [DeviceID: (now: Int, most: Int)] = [:]
    }

    private let state = Mutex(State())

    func add(_ directory: TemporaryDirectory, _ name: String) async throws -> RecordsDevice {
        let device = try await RecordsDevice(directory, name, peers: Peers(id: RecordsDevice.id(name), world: self))
        state.withLock { state in
            state.devices[RecordsDevice.id(name)] = device
            state.harnesses[RecordsDevice.id(name)] = RecordLinkHarness(device.service)
        }
        return device
    }

    func set(away name: String, _ isAway: Bool) {
        state.withLock { state in
            if isAway { state.away.insert(RecordsDevice.id(name)) } else { state.away.remove(RecordsDevice.id(name)) }
        }
    }

    func set(silent name: String) { state.withLock { _ = $0.silent.insert(RecordsDevice.id(name)) } }

    func answered(by name: String) -> Int { state.withLock { $0.answered[RecordsDevice.id(name)] ?? 0 } }

    func underWay(at name: String) -> Int { state.withLock { $0.finding[RecordsDevice.id(name)]?.now ?? 0 } }
    func mostUnderWay(at name: String) -> Int { state.withLock { $0.finding[RecordsDevice.id(name)]?.most ?? 0 } }

    private func find(
        _ request: Baton_Link_V1_FindAssetBlobsRequest, _ harness: RecordLinkHarness, of device: DeviceID,
        for caller: DeviceID
    ) async throws -> Baton_Link_V1_FindAssetBlobsResponse {
        state.withLock { state in
            let (now, most) = state.finding[device] ?? (0, 0)
            state.finding[device] = (now + 1, max(most, now + 1))
        }
        defer { state.withLock { $0.finding[device]?.now -= 1 } }
        return try await harness.find(request, for: caller)
    }

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
            let harness = world.state.withLock { state in
                state.answered[device, default: 0] += 1
                return state.harnesses[device]
            }
            guard nearby().contains(device), let harness else {
                throw BatonError(.unavailable, reason: "not_connected", "That device is not connected now.")
            }
            if world.state.withLock({ $0.silent.contains(device) }) {
                try await Task.sleep(for: .seconds(3600))  // sleeps: it never answers, and the caller has to give up
            }
            let answer: Any =
                switch request {
                case let request as Baton_Link_V1_FindAssetBlobsRequest:
                    try await world.find(request, harness, of: device, for: id)
                case let request as Baton_Link_V1_ReadAssetBlobRequest: try await harness.read(request, for: id)
                default: throw CocoaError(.featureUnsupported)
                }
            guard let answer = answer as? Response else { throw CocoaError(.featureUnsupported) }
            return answer
        }
    }
}
