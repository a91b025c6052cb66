import BatonClient
import BatonCore
import BatonTransport
import BatonWire
import SwiftProtobuf
import Synchronization
import Testing

/// The app plane: each call is admitted once, by the process and what it says of itself in the head of the request (H-3, H-4).
@Suite("App plane", .timeLimit(.minutes(2)))
struct AppPlaneTests {
    /// Believes its callers, and counts.
    private final class Admission: Sendable {
        let claims = Mutex<[AppClaim]>([])

        @Sendable func admit(_ process: PeerProcess, _ claim: AppClaim) throws(BatonError) -> AdmittedCaller {
            claims.withLock { $0.append(claim) }
            guard claim.bundleID != "com.example.stranger" else {
                throw BatonError(.permissionDenied, reason: "unknown_app", "No.")
            }
            return AdmittedCaller(
                process: process,
                identity: AppIdentity(bundleID: try BundleID(validating: claim.bundleID), team: .development),
                name: claim.bundleID, isInstalled: false)
        }
    }

    private let admission = Admission()

    /// Answers with the app that the handler got.
    private func router(admits: Bool = true) -> ConnectRouter {
        var router = ConnectRouter(admission: admits ? admission.admit : nil)
        router.app(OpeningMethods.openURL) { _, caller in .with { $0.opened = caller.name == "com.example.a" } }
        router.appStream(QuestionMethods.askPerson) { _, caller, writer in
            try await writer.write(.with { $0.text = caller.identity.bundleID.rawValue })
        }
        router.appPipe(ContinuationStreamMethods.openStream) { _, caller, upgrade in
            throw BatonError(.notFound, reason: "seen", caller.name)
        }
        // Registered as if it were of another plane.
        router.unary(OpeningMethods.canOpenURL) { _, _ in .with { $0.canOpen = true } }
        router.unary(ControlMethods.getStatus) { _, _ in .init() }
        return router
    }

    private func open(_ path: String, _ claim: AppClaim?) async -> BatonError? {
        await #expect(throws: BatonError.self) {
            _ = try await BytePipe.open(
                ContinuationStreamMethods.openStream, .init(), socketPath: path, claim: claim, timeout: .seconds(10))
        }
    }

    @Test("A handler is told who calls, and the caller was admitted once")
    func admitted() async throws {
        try await LocalPlaneFixture.run(router: router()) { fixture in
            let claim = AppClaim(bundleID: "com.example.a")
            let client = fixture.client.calling(as: claim)
            #expect(try await client.unary(OpeningMethods.openURL, .init(), timeout: .seconds(10)).opened)
            for try await answer in try await client.serverStream(QuestionMethods.askPerson, .init()) {
                #expect(answer.text == "com.example.a")
            }
            let seen = await open(fixture.socketPath, claim)
            #expect(seen?.reason == "seen" && seen?.message == "com.example.a")
            #expect(admission.claims.withLock { $0 } == [claim, claim, claim])
            // The control plane has nothing to do with it.
            _ = try await client.unary(ControlMethods.getStatus, .init(), timeout: .seconds(10))
            #expect(admission.claims.withLock { $0.count } == 3)
        }
    }

    @Test("A caller that is not admitted reaches no method of the plane, however it was registered")
    func refused() async throws {
        try await LocalPlaneFixture.run(router: router()) { fixture in
            let client = fixture.client.calling(as: AppClaim(bundleID: "com.example.stranger"))
            let unary = await #expect(throws: BatonError.self) {
                _ = try await client.unary(OpeningMethods.openURL, .init(), timeout: .seconds(10))
            }
            let other = await #expect(throws: BatonError.self) {
                _ = try await client.unary(OpeningMethods.canOpenURL, .init(), timeout: .seconds(10))
            }
            let stream = await #expect(throws: BatonError.self) {
                for try await _ in try await client.serverStream(QuestionMethods.askPerson, .init()) {}
            }
            let pipe = await open(fixture.socketPath, AppClaim(bundleID: "com.example.stranger"))
            #expect([unary, other, stream, pipe].allSatisfy { $0?.reason == "unknown_app" })
        }
    }

    @Test("A router that admits nobody serves no app")
    func noAdmission() async throws {
        try await LocalPlaneFixture.run(router: router(admits: false)) { fixture in
            let claim = AppClaim(bundleID: "com.example.a")
            let error = await #expect(throws: BatonError.self) {
                let client = fixture.client.calling(as: claim)
                _ = try await client.unary(OpeningMethods.openURL, .init(), timeout: .seconds(10))
            }
            #expect(error?.reason == "not_admitted")
            #expect(await open(fixture.socketPath, claim)?.reason == "not_admitted")
        }
    }

    @Test(
        "A head that says it twice, or says too much, is refused before anybody is asked who calls",
        arguments: [
            ("Bundle-ID: com.example.a\r\nBaton-Bundle-ID: a\r\nBaton-Protocol-Version: 1", "malformed_claim"),
            ("Bundle-ID: com.example.a\r\nbaton-protocol-version: 1\r\nBaton-Protocol-Version: 1", "malformed_claim"),
            ("Bundle-ID: com.example.a\r\nBaton-Protocol-Version: one", "malformed_claim"),
            ("Protocol-Version: 1\r\nBaton-Bundle-ID: \(String(repeating: "a", count: 4096))", "malformed_claim"),
            ("Protocol-Version: 1\r\nBaton-Bundle-ID: \(String(repeating: "a", count: 1 << 20))", "header_too_large"),
        ])
    func malformed(fields: String, reason: String) async throws {
        try await LocalPlaneFixture.run(router: router()) { fixture in
            let answer = try await RawHTTP.exchange(
                fixture.socketPath,
                "POST /baton.app.v1.OpeningService/OpenURL HTTP/1.1\r\nHost: x\r\nContent-Type: application/proto\r\n"
                    + "Baton-\(fields)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            #expect(answer.contains(#""reason":"\#(reason)""#), "\(answer.prefix(300))")
            #expect(admission.claims.withLock { $0.isEmpty })
            // Others are served meanwhile and afterwards.
            let client = fixture.client.calling(as: AppClaim(bundleID: "com.example.a"))
            _ = try await client.unary(OpeningMethods.openURL, .init(), timeout: .seconds(10))
        }
    }

    @Test("The head of an upgrade says it once, too")
    func malformedUpgrade() async throws {
        try await LocalPlaneFixture.run(router: router()) { fixture in
            let answer = try await RawHTTP.exchange(
                fixture.socketPath,
                "POST /baton.app.v1.ContinuationStreamService/OpenStream HTTP/1.1\r\nHost: x\r\nContent-Type: application/proto\r\n"
                    + "Connection: Upgrade\r\nUpgrade: baton-stream/1\r\nBaton-Protocol-Version: 1\r\n"
                    + "Baton-Bundle-ID: com.example.a\r\nBaton-Bundle-ID: com.example.b\r\nContent-Length: 0\r\n\r\n")
            #expect(answer.contains("malformed_upgrade"), "\(answer.prefix(300))")
            #expect(admission.claims.withLock { $0.isEmpty })
        }
    }
}
