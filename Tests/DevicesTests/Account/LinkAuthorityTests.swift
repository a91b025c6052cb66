import BatonCore
import BatonTestSupport
import BatonTransport
import BatonTrust
import Devices
import Peers
import Synchronization
import Testing

@Suite struct LinkAuthorityTests {
    @Test(
        "When the names for an announcement are used up, another one is announced, and names are accepted again")
    func exhaustion() async throws {
        let temporary = try TemporaryDirectory()
        let account = try await AccountService.open(
            locations: try Locations(home: temporary.file("home"), environment: [:], workingDirectory: "/"))
        try await account.createAccount(deviceName: "Desk")
        let authority = LinkAuthority(account: account)
        let naming = authority.admission.naming
        let changes = Mutex(0)
        authority.onExhaustion { changes.withLock { $0 += 1 } }
        let policy = authority.policy
        naming.announce("first")
        for _ in 1..<ServerNameGate.maximumUses { #expect(policy.admits(naming.serverName("first", nil))) }
        #expect(!policy.admits("nonsense"))
        #expect(changes.withLock { $0 } == 0)
        // The last one is still accepted.
        #expect(policy.admits(naming.serverName("first", nil)))
        #expect(changes.withLock { $0 } == 1)
        #expect(!policy.admits(naming.serverName("first", nil)))
        naming.announce("second")
        let before = changes.withLock { $0 }
        #expect(policy.admits(naming.serverName("second", nil)))
        #expect(changes.withLock { $0 } == before)
    }
}
