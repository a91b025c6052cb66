import BatonClient
import BatonCore
import BatonWire
import Devices
import Documents

/// The account's other devices, for contents of documents.
struct DocumentNeighbours: DocumentPeers {
    let account: AccountService
    let peers: LinkPeers

    func nearby() -> Set<DeviceID> { peers.nearby() }

    func others() -> Set<DeviceID> { Set(account.snapshot()?.otherDevices ?? []) }

    func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
    ) async throws -> Response {
        try await peers.call(method, request, device, timeout)
    }

    func read(
        _ request: Baton_Link_V1_ReadContentRequest, from device: DeviceID,
        take: (Baton_Link_V1_ReadContentPart) async throws -> Void
    ) async throws {
        for try await part in try await peers.stream(DocumentLinkMethods.readContent, request, device) {
            try await take(part)
        }
    }
}
