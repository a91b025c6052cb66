import AppSessions
import BatonClient
import BatonCore
import BatonWire
import Foundation
import Glibc
import Handoff
import NIOCore
import SwiftProtobuf
import Testing

@testable import BatonTransport

@Suite("Handoff's methods for other devices")
struct HandoffHarnessTests {
    private static let device = DeviceID(unchecked: String(repeating: "B", count: 26))

    @Test("A device that TLS let in, but that is no member, is served nothing (H-2)", arguments: [true, false])
    func members(isMember: Bool) async throws {
        let sessions = AppSessions(apps: Nothing(), deviceName: { "A" }, recorder: NullEventRecorder())
        let service = HandoffService(
            incarnation: 1, sessions: sessions, peers: Nobody(), apps: Nothing(), sites: Nothing(), browser: Nothing(),
            recorder: NullEventRecorder())
        var router = ConnectRouter { context in
            guard isMember, try context.device == Self.device else {
                throw BatonError(.permissionDenied, reason: "not_a_member", "No member.")
            }
        }
        HandoffHarness(service: service).registerLink(on: &router)
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

    // H-45: each request makes an app save.
    @Test("A device that asks for payloads without end is refused")
    func fetches() async throws {
        let sessions = AppSessions(apps: Nothing(), deviceName: { "A" }, recorder: NullEventRecorder())
        let service = HandoffService(
            incarnation: 1, sessions: sessions, peers: Nobody(), apps: Nothing(), sites: Nothing(), browser: Nothing(),
            recorder: NullEventRecorder())
        var router = ConnectRouter()
        HandoffHarness(service: service).registerLink(on: &router)
        let route = try #require(router.routes.first { $0.key.hasSuffix("/FetchPayload") }?.value)
        guard case .unary(let handler) = route else { return }
        /// Nil when it was answered, with a failure, since nothing is offered.
        func refusal(_ device: DeviceID) async throws -> String? {
            let request = Baton_Link_V1_FetchPayloadRequest.with {
                $0.acceptanceID = AcceptanceID.random().rawValue
                $0.activityID = ActivityID.random().rawValue
                $0.pageOnly = true
            }
            let body = ByteBuffer(bytes: try request.serializedBytes() as [UInt8])
            do {
                _ = try await handler(body, .proto, CallContext(peer: .device(device)))
                return nil
            } catch {
                return (error as? BatonError)?.reason ?? "\(error)"
            }
        }
        var answered = 0
        var reason: String?
        // More come in a second than a person accepts.
        while reason == nil, answered < 100_000 {
            reason = try await refusal(Self.device)
            if reason == nil { answered += 1 }
        }
        #expect(answered >= 32)
        #expect(reason == "too_many_fetches")
        #expect(try await refusal(DeviceID(unchecked: String(repeating: "C", count: 26))) == nil)
    }

    @Test("With nothing in front it is said what would do (P-15)")
    func nothing() async throws {
        let sessions = AppSessions(apps: Nothing(), deviceName: { "A" }, recorder: NullEventRecorder())
        let service = HandoffService(
            incarnation: 1, sessions: sessions, peers: Nobody(), apps: Nothing(), sites: Nothing(), browser: Nothing(),
            recorder: NullEventRecorder())
        let error = await #expect(throws: BatonError.self) { _ = try await service.currentActivity() }
        #expect(error?.reason == "no_current_activity" && error?.message.contains("Open it in an app") == true)
    }

    @Test("An app that is asked to save what is in front gives that, and no other activity")
    func otherActivity() throws {
        let (wanted, other) = (ActivityID.random(), ActivityID.random())
        func answer(_ activity: ActivityID) -> AppAnswer {
            let description = ActivityDescription(id: activity, type: .browsingWeb, title: "T", webpageURL: nil)
            return AppAnswer(.payload(.with { $0.description_p = .init(description) }))
        }
        let saved = try HandoffService.saved(wanted, by: "App", in: answer(wanted))
        #expect(saved.message.description_p.activityID == wanted.rawValue)
        for answer in [answer(other), AppAnswer(.payload(.init())), AppAnswer(nil)] {
            let error = #expect(throws: BatonError.self) {
                try HandoffService.saved(wanted, by: "App", in: answer)
            }
            #expect(error?.reason == "activity_not_saved")
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
        func askForAnswer(of device: DeviceID) {}
        func name(of device: DeviceID) -> String { device.rawValue }
        func devices() -> [DeviceID: Bool] { [:] }
    }

    private struct Nothing: AppSessionApps, HandoffApps, HandoffSites, HandoffBrowser {
        var isAvailable: Bool { false }
        func open(_ page: WebPage) async throws {}
        func apps(claiming page: WebPage) -> [AppIdentity] { [] }
        func installedApp(of process: PeerProcess, claiming bundleID: String) -> AppCaller? { nil }
        func app(_ identity: AppIdentity) -> ContinuationApp? { nil }
        func launch(
            _ app: AppIdentity, environment: [String: String]
        ) async throws -> (processID: Int32, wasRunning: Bool) { (1, true) }
        func noteRunning(_ app: AppIdentity, process: PeerProcess) {}
        func noteEnded(_ app: AppIdentity, process: PeerProcess) {}
    }
}
