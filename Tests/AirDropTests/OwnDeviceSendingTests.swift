import BatonClient
import BatonConcurrency
import BatonCore
import BatonDiscovery
import BatonTestSupport
import BatonTrust
import BatonWire
import Foundation
import SwiftProtobuf
import Testing
import Transfers

@testable import AirDrop

/// own devices as they are listed and sent to.
@Suite("Sending to own devices", .timeLimit(.minutes(1)))
struct OwnDeviceSendingTests {
    private static let phone = DeviceID(unchecked: String(repeating: "A", count: 26))
    private static let tablet = DeviceID(unchecked: String(repeating: "B", count: 26))

    /// The account's devices, of which some have vanished: they do not answer.
    private final class Devices: AirDropDevices, AirDropContacts, AirDropOpening, TransferPeers {
        let connected: Set<DeviceID>
        let vanished: Set<DeviceID>
        /// Fires when an offer has come.
        let offered = OneShot()

        init(_ connected: Set<DeviceID>, vanished: Set<DeviceID> = []) {
            self.connected = connected
            self.vanished = vanished
        }

        var all: [TrustedDevice] { [] }
        func ownName() -> String { "Desk" }
        func name(of device: DeviceID) -> String { device == OwnDeviceSendingTests.phone ? "Phone" : "Tablet" }
        func known() -> Set<DeviceID> { nearby() }
        func nearby() -> Set<DeviceID> { connected }
        func changes() -> AsyncStream<Void> { AsyncStream { _ in } }

        func confirm(_ device: DeviceID) async {
            if vanished.contains(device) { try? await Task.sleep(for: .seconds(3600)) }
        }

        func app(forFile path: String) async -> BundleID? { nil }
        func open(file path: String, in app: BundleID) async throws -> String { path }
        func open(link: String) async throws {}
        func addresses(ofHost host: String) async -> [String] { [] }
        func type(ofFile path: String) async -> String? { nil }

        /// A call that is cancelled ends with an error of its own.
        func call<Request, Response>(
            _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
        ) async throws -> Response {
            offered.fire()
            try? await Task.sleep(for: .seconds(3600))
            throw BatonError(.canceled, reason: "canceled", "The call was given up.")
        }

        func stream<Request, Response>(
            _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID
        ) async throws -> ConnectResponses<Response> {
            throw BatonError(.unimplemented, reason: "no_stream", "Nothing is read in this test.")
        }
    }

    private static func service(_ devices: Devices, _ history: AirDropHistory) -> AirDropSenderService {
        AirDropSenderService(
            devices: devices, transfers: TransferClient(owner: .airDrop, outbox: TransferOutbox(), peers: devices),
            contacts: devices, opening: devices, discovery: InMemoryNetwork().join(host: "desk"), history: history,
            isOwn: { _ in false }, recorder: NullEventRecorder())
    }

    @Test("A device that has vanished is not listed, though it counts as connected still, and holds up no other")
    func vanished() async throws {
        let folder = try TemporaryDirectory()
        let devices = Devices([Self.phone, Self.tablet], vanished: [Self.tablet])
        let service = Self.service(devices, AirDropHistory(folder: folder.path, recorder: NullEventRecorder()))
        let (lists, list) = AsyncStream.makeStream(of: [String].self)
        let watching = Task { try await service.watchNearby { peers in list.yield(peers.map(\.name)) } }
        var shown = lists.makeAsyncIterator()
        let first = await shown.next()
        #expect(first == ["Phone"])
        watching.cancel()
        _ = await watching.result
    }

    @Test("A transfer that the person cancelled is listed as cancelled here, whatever call was under way")
    func cancelled() async throws {
        let folder = try TemporaryDirectory()
        let history = AirDropHistory(folder: folder.path, recorder: NullEventRecorder())
        let devices = Devices([Self.phone])
        let service = Self.service(devices, history)
        let sending = Task {
            try await service.send(paths: [], urls: ["https://example.com/"], to: Self.phone.rawValue) { _ in }
        }
        await devices.offered.wait()
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
        let record = try #require(history.newest(1).first)
        #expect(record.outcome.result == .cancelled && record.peer == "Phone")
        #expect(record.outcome.message == "It was cancelled on this device.")
    }
}
