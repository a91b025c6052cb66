package import BatonCore
package import BatonWire
import Sync

/// No device is near.
package struct NobodyNear: SyncPeers {
    package init() {}

    package func nearby() -> Set<DeviceID> { [] }
    package func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
    ) async throws -> Response {
        throw BatonError(.unavailable, reason: "not_connected", "No device is connected.")
    }
}
