package import BatonCore
package import BatonWire

/// The account's devices that are near, as documents need them.
package protocol DocumentPeers: Sendable {
    func nearby() -> Set<DeviceID>
    /// The account's other devices, near or not.
    func others() -> Set<DeviceID>
    /// - Throws: `unavailable` for a device that is not connected.
    func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
    ) async throws -> Response
    /// Reads parts of a content until the other device has no more.
    func read(
        _ request: Baton_Link_V1_ReadContentRequest, from device: DeviceID,
        take: (Baton_Link_V1_ReadContentPart) async throws -> Void
    ) async throws
}

/// No device is near.
package struct NoDocumentPeers: DocumentPeers {
    package init() {}

    package func nearby() -> Set<DeviceID> { [] }
    package func others() -> Set<DeviceID> { [] }
    package func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
    ) async throws -> Response { throw Self.nobody }
    package func read(
        _ request: Baton_Link_V1_ReadContentRequest, from device: DeviceID,
        take: (Baton_Link_V1_ReadContentPart) async throws -> Void
    ) async throws { throw Self.nobody }

    private static let nobody = BatonError(.unavailable, reason: "not_connected", "No device is connected.")
}
