import BatonClient
import BatonConcurrency
import BatonCore
import BatonTransport
import BatonTrust
import Devices
import Foundation
import LinkClient
import Logging
import NIOCore
import Peers
import Testing

@Suite("Link admission")
struct LinkAdmissionTests {
    @Test(
        "Devices of one account find and admit each other by tokens; strangers and replays are not admitted (H-2, H-11)"
    )
    func tokens() async throws {
        let (first, second, stranger) = (
            try await VirtualDevice(), try await VirtualDevice(), try await VirtualDevice()
        )
        let admission = LinkAdmission(account: first.account)
        #expect(admission.naming.attributes("abc").isEmpty)
        #expect(!admission.admits(""))
        try await first.account.createAccount(deviceName: "First")
        try await first.admit(second)
        try await stranger.account.createAccount(deviceName: "Stranger")
        let naming = admission.naming
        let (other, foreign) = (
            LinkAdmission(account: second.account).naming, LinkAdmission(account: stranger.account).naming
        )
        naming.announce("abc")
        let attributes = naming.attributes("abc")
        #expect(other.recognise("abc", attributes) == .member(try first.id))
        #expect(foreign.recognise("abc", attributes) == .stranger)
        #expect(other.recognise("abd", attributes) == .stranger)

        let name = other.serverName("abc", nil)
        #expect(admission.admits(name))
        #expect(!admission.admits(name))
        #expect(!admission.admits(foreign.serverName("abc", nil)))
        #expect(!admission.admits(other.serverName("abd", nil)))
        #expect(admission.admits(other.serverName("abc", nil)))

        // A revoked device has the old key, which opens nothing any more: no certificate is shown to it (H-11).
        try await first.account.revoke(try second.id)
        #expect(!admission.admits(other.serverName("abc", nil)))
        #expect(other.recognise("abc", naming.attributes("abc")) == .stranger)
        let membership = PresenceMembership(first.account)
        #expect(membership.standing(try second.id) == .revoked)
        #expect(membership.standing(try first.id) == .member)
        #expect(membership.standing(try stranger.id) == .unknown)
        #expect(membership.localDevice() == (try first.id))
        #expect(membership.revoked() == [try second.id])
    }

    @Test("TLS carries the certificates: members connect, strangers and the revoked do not (H-2, H-11)")
    func tls() async throws {
        let (first, second, stranger) = (
            try await VirtualDevice(), try await VirtualDevice(), try await VirtualDevice()
        )
        try await first.account.createAccount(deviceName: "First")
        try await first.admit(second)
        try await stranger.account.createAccount(deviceName: "Stranger")
        let admission = LinkAdmission(account: first.account)
        admission.naming.announce("abc")
        let ready = Promise<Int>()
        let server = LinkServer(
            router: ConnectRouter(),
            policy: .init(admits: { admission.admits($0) }, tls: { try? tls(first.account) }, isWelcome: { _ in true }),
            interfaces: ["lo"], logger: Logger(label: "test"), onReady: { ready.settle(.success($0)) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await server.run() }
            let port = try await ready.value()
            func connect(_ device: VirtualDevice, name: String) async throws -> DeviceID {
                let result = try await LinkConnector().connect(
                    host: "127.0.0.1", port: port, serverName: name, tls: try tls(device.account))
                result.connection.close()
                return result.peer
            }
            let naming = LinkAdmission(account: second.account).naming
            #expect(try await connect(second, name: naming.serverName("abc", nil)) == first.id)
            // A stranger's own token, and a member's token with a stranger's certificate.
            let foreign = LinkAdmission(account: stranger.account).naming
            await #expect(throws: BatonError.self) {
                _ = try await connect(stranger, name: foreign.serverName("abc", nil))
            }
            #expect(
                await reason { _ = try await connect(stranger, name: naming.serverName("abc", nil)) }
                    == "not_of_this_account")
            // The second notices by itself that it was revoked, once it is notified.
            try await first.account.revoke(try second.id)
            try await second.account.merge(first.account.membershipMessage())
            #expect(second.account.linkIdentity() == nil)
        }
    }

    private func tls(_ account: AccountService) throws -> LinkTLS {
        let identity = try #require(account.linkIdentity())
        return try LinkTLS(
            certificateChain: identity.certificateChain, privateKey: identity.privateKey,
            verify: { account.verify(chainDER: $0).map(\.deviceID) })
    }
}
