import BatonCore
import BatonTransport
import BatonTrust
import BatonWire
import Crypto
import Foundation
import Peers
import SwiftProtobuf
import Testing

@testable import Devices

/// Entering an account by its recovery key.
extension AccountSealingTests {
    private struct Paper: RecoveryCloud {
        let first: VirtualDevice
        let items: [Data]
        var isReachable = true
        /// The item of the account's zone.
        var item: Data?

        func fetch(
            _ account: AccountID, as key: P256.Signing.PrivateKey, at endpoint: CloudEndpoint
        ) async throws -> RecoveryData {
            let snapshot = try #require(first.account.snapshot())
            #expect(account == snapshot.accountID && snapshot.membership.isMember(DeviceID(key: key.publicKey)))
            #expect(endpoint.url == "https://cloud.example")
            return RecoveryData(statements: snapshot.membership.messages, contentKeys: items)
        }

        func item(
            _ item: Data, of zone: Data, _ account: AccountID, as key: P256.Signing.PrivateKey,
            at endpoint: CloudEndpoint
        ) async throws -> Data? { self.item }

        func publish(
            _ statements: [Baton_Link_V1_SignedStatement], of account: AccountID, as key: P256.Signing.PrivateKey,
            at endpoint: CloudEndpoint
        ) async throws {
            guard isReachable else { throw BatonError(.unavailable, reason: "cloud_unreachable", "It is away.") }
            try await first.account.merge(.with { $0.statements = statements })
        }
    }

    private func harness(_ device: VirtualDevice, _ cloud: (any RecoveryCloud)?) -> DevicesHarness {
        DevicesHarness(
            account: device.account, pairing: DevicesTests.pairing(device, PairingNetwork(), ManualSleep()).service,
            presence: NoPresence(), recoveryCloud: cloud)
    }

    private struct NoPresence: PresenceSource {
        func connections() -> [DeviceID: PresenceConnection] { [:] }
        func events() -> AsyncStream<PresenceEvent> { AsyncStream { $0.finish() } }
    }

    @Test("With a recovery key and the cloud, a fresh device opens everything, and is a member to all others")
    func recovery() async throws {
        let devices = try await household(3)
        let (first, second, lost) = (devices[0], devices[1], devices[2])
        let made = try await harness(first, nil).createRecoveryKey()
        let old = try seal("old", by: first)
        try await first.account.revoke(lost.id)
        let new = try seal("new", by: first)
        let listed = try await harness(first, nil).listDevices().devices
        #expect(listed.contains { $0.deviceID == made.deviceID && $0.name == "Recovery key" && !$0.revoked })
        let items = try await Array(first.account.contentKeyEnvelopes(existing: [:]).writes.values)

        let fresh = try await VirtualDevice()
        let answer = try await harness(fresh, Paper(first: first, items: items)).recoverAccount(
            .with {
                $0.code = made.code.lowercased()
                $0.cloudURL = "https://cloud.example"
                $0.deviceName = "New"
            }, from: Paper(first: first, items: items))
        #expect(answer.accountID == first.account.snapshot()?.accountID.rawValue)
        // The cloud knows it before it has notified another.
        #expect(first.account.membership()?.isMember(try fresh.id) == true)
        #expect(try fresh.id.rawValue == answer.deviceID && answer.deviceID != made.deviceID)
        #expect(try open(old, by: fresh) == "old" && open(new, by: fresh) == "new")
        #expect(fresh.account.cloudEndpoint()?.url == "https://cloud.example")
        #expect(fresh.account.snapshot()?.discoveryKeys.newest == first.account.snapshot()?.discoveryKeys.newest)
        // It seals what the others open, and they take it for a member, in TLS too.
        #expect(try open(try seal("fresh", by: fresh), by: first) == "fresh")
        try await second.account.merge(fresh.account.membershipMessage(), from: fresh.id)
        let chain = try #require(fresh.account.linkIdentity()?.certificateChain)
        #expect(second.account.verify(chainDER: chain).success?.standing == .member)
        #expect(second.account.snapshot()?.name(of: try fresh.id) == "New")
        // It survives a restart, and may revoke what was lost, the paper too.
        let again = try await fresh.home.open()
        #expect(again.standing == .member && again.keyRing()?.generations == fresh.account.keyRing()?.generations)
        try await again.revoke(try DeviceID(validating: made.deviceID))
        try await again.revoke(first.id)
        #expect(again.keyRing()?.usable(in: try #require(again.membership())) != nil)
    }

    @Test("A new recovery key is tried on the account's cloud before it is needed, and fails until the cloud has it")
    func isTried() async throws {
        let first = try await household(2)[0]
        let made = try await harness(first, nil).createRecoveryKey()
        let request = Baton_Control_V1_CheckRecoveryKeyRequest.with { $0.code = made.code }
        let early = Paper(first: first, items: [])
        #expect(
            await reason { _ = try await harness(first, early).checkRecoveryKey(request, with: early) } == "no_cloud")
        try await first.account.setCloudEndpoint(url: "https://cloud.example")
        #expect(
            await reason { _ = try await harness(first, early).checkRecoveryKey(request, with: early) }
                == "no_content_keys")
        let items = try await Array(first.account.contentKeyEnvelopes(existing: [:]).writes.values)
        let cloud = Paper(first: first, items: items)
        let answer = try await harness(first, cloud).checkRecoveryKey(request, with: cloud)
        #expect(answer.cloudURL == "https://cloud.example" && answer.cloudCertificate.isEmpty)
        // It is tried by who belongs to the account only.
        let fresh = try await VirtualDevice()
        #expect(
            await reason { _ = try await harness(fresh, cloud).checkRecoveryKey(request, with: cloud) } == "no_account")
        let other = RecoveryCode(
            account: .init(unchecked: String(repeating: "A", count: 26)), secret: .init(repeating: 1, count: 16))
        #expect(
            await reason {
                _ = try await harness(first, cloud).checkRecoveryKey(.with { $0.code = other.text }, with: cloud)
            } == "other_account")
    }

    @Test("A recovery is refused where there is an account, with a code of another one, and after it was revoked")
    func refusals() async throws {
        let devices = try await household(2)
        let first = devices[0]
        let code = try await first.account.makeRecoveryKey()
        let items = try await Array(first.account.contentKeyEnvelopes(existing: [:]).writes.values)
        let cloud = Paper(first: first, items: items)
        let request = Baton_Control_V1_RecoverAccountRequest.with {
            $0.code = code.text
            $0.cloudURL = "https://cloud.example"
        }
        #expect(
            await reason { _ = try await harness(first, nil).recoverAccount(request, from: cloud) } == "account_exists")
        let fresh = try await VirtualDevice()
        let there = harness(fresh, cloud)
        for (code, url, expected) in [
            ("nonsense", "https://cloud.example", "recovery_code_mistyped"),
            (code.text, "cloud.example", "invalid_cloud_url"),
        ] {
            let wrong = Baton_Control_V1_RecoverAccountRequest.with {
                $0.code = code
                $0.cloudURL = url
            }
            #expect(await reason { _ = try await there.recoverAccount(wrong, from: cloud) } == expected)
        }
        // A cloud that goes away meanwhile leaves nothing half done.
        let lost = Paper(first: first, items: items, isReachable: false)
        #expect(await reason { _ = try await there.recoverAccount(request, from: lost) } == "cloud_unreachable")
        #expect(fresh.account.snapshot() == nil)
        try await first.account.revoke(DeviceID(key: try code.key().publicKey))
        #expect(
            await reason {
                _ = try await fresh.account.recoverAccount(
                    code, statements: try #require(first.account.membership()).messages, contentKeys: items,
                    deviceName: "New", cloud: ("https://cloud.example", nil), publish: { _ in })
            } == "recovery_key_revoked")
        #expect(fresh.account.snapshot() == nil)
        #expect(!FileManager.default.fileExists(atPath: fresh.home.accountFile))
    }

    @Test("Where the account's devices have gone to another cloud, it is not recovered by mistake")
    func moved() async throws {
        let devices = try await household(2)
        let first = devices[0]
        let code = try await first.account.makeRecoveryKey()
        let items = try await Array(first.account.contentKeyEnvelopes(existing: [:]).writes.values)
        let snapshot = try #require(first.account.snapshot())
        let zone = snapshot.keyRing.zoneID(of: "account/")
        func item(_ url: String?, by key: P256.Signing.PrivateKey) throws -> Data {
            let endpoint = try CloudEndpoint(
                url: url, certificate: nil,
                timestamp: HybridTimestamp(milliseconds: WallClock.system.milliseconds, counter: 0))
            return try snapshot.keyRing.seal(
                try SignedCloudEndpoint.make(endpoint, account: snapshot.accountID, key: key),
                name: AccountItems.cloud, zoneID: zone, membership: snapshot.membership)
        }
        let member = try code.key()
        let request = Baton_Control_V1_RecoverAccountRequest.with {
            $0.code = code.text
            $0.cloudURL = "https://cloud.example"
        }
        let gone = Paper(
            first: first, items: items, item: try item("https://next.example:443", by: member))
        let fresh = try await VirtualDevice()
        #expect(
            await reason { _ = try await harness(fresh, gone).recoverAccount(request, from: gone) } == "account_moved")
        #expect(fresh.account.snapshot() == nil)
        for (url, key) in [
            // The same one; none; and one that is not signed by the account.
            ("https://CLOUD.example:443", member), (nil, member),
            ("https://next.example", P256.Signing.PrivateKey()),
        ] {
            let device = try await VirtualDevice()
            let there = Paper(first: first, items: items, item: try item(url, by: key))
            _ = try await harness(device, there).recoverAccount(request, from: there)
            #expect(device.account.cloudEndpoint()?.url == "https://cloud.example")
        }
        var insisting = request
        insisting.here = true
        _ = try await harness(fresh, gone).recoverAccount(insisting, from: gone)
        #expect(fresh.account.cloudEndpoint()?.url == "https://cloud.example")
    }

    @Test("Where there is no cloud to recover from, the method is not served")
    func served() async throws {
        let device = try await VirtualDevice()
        var router = ConnectRouter()
        harness(device, Paper(first: device, items: [])).register(on: &router)
        #expect(router.paths.contains("/baton.control.v1.ControlService/RecoverAccount"))
    }
}
