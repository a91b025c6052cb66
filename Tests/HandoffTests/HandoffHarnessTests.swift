import BatonClient
import BatonCore
import BatonWire
import Glibc
import Handoff
import Logging
import NIOCore
import Testing

@testable import BatonTransport

@Suite("Handoff's methods for other devices")
struct HandoffHarnessTests {
    private static let device = DeviceID(unchecked: String(repeating: "B", count: 26))

    @Test("Whoever TLS let in, but is no member, is served nothing (H-2)", arguments: [true, false])
    func members(isMember: Bool) async throws {
        let service = HandoffService(
            incarnation: 1, deviceName: { "A" }, peers: Nobody(), apps: Nothing(), sites: Nothing(), browser: Nothing(),
            recorder: NullEventRecorder(),
            logger: Logger(label: "test"))
        var router = ConnectRouter()
        HandoffHarness(service: service).registerLink(on: &router) { isMember && $0 == Self.device }
        #expect(router.routes.count == 3)
        for (path, route) in router.routes {
            guard case .unary(let handler) = route else { continue }
            var reason = "none"
            do {
                _ = try await handler(ByteBuffer(), .proto, CallContext(peer: .device(Self.device)))
            } catch {
                reason = (error as? BatonError)?.reason ?? "\(error)"
            }
            #expect((reason == "not_a_member") == !isMember, "\(path): \(reason)")
        }
        #expect(router.pipes.count == 1)
        for (path, handler) in router.pipes {
            var sockets: [Int32] = [0, 0]
            #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
            defer { close(sockets[1]) }
            let pipe = try await BytePipe.adopt(socket: sockets[0])
            defer { pipe.close() }
            var reason = "none"
            do {
                try await handler(ByteBuffer(), CallContext(peer: .device(Self.device)), PipeUpgrade(pipe))
            } catch {
                reason = (error as? BatonError)?.reason ?? "\(error)"
            }
            #expect((reason == "not_a_member") == !isMember, "\(path): \(reason)")
        }
    }

    private struct Nobody: HandoffPeers {
        private static let failure = BatonError(.unavailable, reason: "not_connected", "Nobody is there.")
        func publish(_ snapshot: Baton_Link_V1_OfferSnapshot) {}
        func fetchPayload(
            _ request: Baton_Link_V1_FetchPayloadRequest, from device: DeviceID, timeout: Duration
        ) async throws -> Baton_Link_V1_FetchPayloadResponse { throw Self.failure }
        func acknowledge(
            _ request: Baton_Link_V1_AcknowledgeContinuationRequest, to device: DeviceID, timeout: Duration
        ) async throws { throw Self.failure }
        func explain(
            _ request: Baton_Link_V1_ExplainActivityRequest, at device: DeviceID, timeout: Duration
        ) async throws -> Baton_Link_V1_ExplainActivityResponse { throw Self.failure }
        func openStream(
            _ request: Baton_Link_V1_OpenStreamRequest, to device: DeviceID, timeout: Duration
        ) async throws -> BytePipe { throw Self.failure }
        func name(of device: DeviceID) -> String { device.rawValue }
        func devices() -> [DeviceID: Bool] { [:] }
    }

    private struct Nothing: HandoffApps, HandoffSites, HandoffBrowser {
        var isAvailable: Bool { false }
        func open(_ page: WebPage) async throws {}
        func apps(claiming page: WebPage) -> [AppIdentity] { [] }
        func installedApp(of process: PeerProcess) -> ContinuationApp? { nil }
        func launch(_ app: AppIdentity, for type: ActivityType) async throws -> (processID: Int32, wasRunning: Bool) {
            (1, true)
        }
        func noteRunning(_ app: AppIdentity, process: PeerProcess) {}
        func noteEnded(_ app: AppIdentity, process: PeerProcess) {}
    }
}
