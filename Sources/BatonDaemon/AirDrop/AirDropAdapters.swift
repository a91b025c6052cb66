import AirDrop
import BatonClient
import BatonCore
import BatonTrust
import BatonWire
import Devices
import Foundation
import Opening
import Peers
import SwiftProtobuf
import Transfers

/// The account's devices, as AirDrop reaches them: over the link plane.
struct AirDropPeers: AirDropDevices {
    let account: AccountService
    let presence: PresenceService
    let peers: LinkPeers

    /// Longer than the other device lets its person decide.
    private static let offerTimeout = Duration.seconds(90)
    private static let finishTimeout = Duration.seconds(15)

    func ownName() -> String { account.snapshot().map { $0.name(of: $0.deviceID) } ?? "" }
    func name(of device: DeviceID) -> String { peers.name(of: device) }
    func known() -> Set<DeviceID> { Set(peers.devices().keys) }
    func nearby() -> Set<DeviceID> { peers.nearby() }

    func changes() -> AsyncStream<Void> {
        let events = presence.events()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // Cancelled when nobody listens any more.
        let task = Task {
            for await _ in events { continuation.yield(()) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    func offer(_ id: TransferID, _ manifest: TransferManifest, to device: DeviceID) async throws -> Bool {
        try await peers.call(TransferMethods.offerTransfer, manifest.message(id), device, Self.offerTimeout).accepted
    }

    func source(at device: DeviceID) -> any TransferSource { LinkTransferSource(peers: peers, device: device) }

    func finish(_ id: TransferID, at device: DeviceID, files: Int, bytes: UInt64, failure: BatonError?) async throws {
        _ = try await peers.call(
            TransferMethods.finishTransfer,
            .with {
                $0.transferID = id.rawValue
                $0.files = UInt32(clamping: files)
                $0.bytes = bytes
                $0.reason = failure?.reason ?? ""
                $0.message = failure?.message ?? ""
            }, device, Self.finishTimeout)
    }
}

/// The contacts, as AirDrop needs them.
struct AirDropContactBook: AirDropContacts {
    let book: ContactBook

    var all: [Contact] { book.all }
    func changes() -> AsyncStream<Void> { book.changes() }
}

/// A transfer's files at a device of the account.
private struct LinkTransferSource: TransferSource {
    let peers: LinkPeers
    let device: DeviceID

    func read(
        _ id: TransferID, from place: TransferPlace, key: Data, take: ([TransferPart]) async throws -> Void
    ) async throws {
        let messages = try await peers.stream(
            TransferMethods.readFiles,
            .with {
                $0.transferID = id.rawValue
                $0.entry = UInt32(clamping: place.entry)
                $0.offset = place.offset
                $0.key = key
            }, device)
        for try await message in messages { try await take(message.parts.map(TransferPart.init)) }
    }
}

/// Opens what arrived.
struct AirDropItems: AirDropOpening {
    let service: OpeningService

    func type(ofFile path: String) async -> String? { try? await service.type(ofFile: path).type }

    func app(forFile path: String) async -> BundleID? {
        guard let type = await type(ofFile: path) else { return nil }
        return service.handlers(ofType: type).candidates.first?.bundleID
    }

    func open(file path: String, in app: BundleID) async throws -> String {
        let outcome = try await service.open(file: path, from: .person, with: app)
        guard let copy = outcome.deliveredPath else {
            throw BatonError(.internal, reason: "not_delivered", "The app was not given a copy of the file.")
        }
        return copy
    }

    func open(link: String) async throws { _ = try await service.open(link, from: .person) }

    func addresses(ofHost host: String) async -> [String] { await HostAddresses.find(host) }
}
