import BatonCore
import BatonTrust
import Crypto
import Devices
import Foundation
import Testing

@Suite("Leaving the account")
struct LeavingTests {
    private func pair() async throws -> (VirtualDevice, VirtualDevice) {
        let (first, second) = (try await VirtualDevice(), try await VirtualDevice())
        try await first.account.createAccount(deviceName: "First")
        try await first.admit(second)
        return (first, second)
    }

    @Test(
        "A device that leaves has no account and no key of it any more, and the others have it revoked by its own word")
    func leaves() async throws {
        let (first, second) = try await pair()
        let (id, account) = (try second.id, try #require(second.account.snapshot()?.accountID))
        let secret = try #require(second.account.keyRing()?.secret)
        let events = Box(second.account.events())
        let (left, told) = try await second.account.leave { () async -> Bool in
            (try? await first.account.merge(second.account.membershipMessage(), from: id)) ?? false
        }
        #expect(left == account && told)
        #expect(first.account.membership()?.isRevoked(id) == true)
        #expect(await events.next() == .membershipChanged)
        #expect(await events.next() == .accountChanged)
        for service in [second.account, try await second.home.open()] {
            #expect(service.standing == .none)
            #expect(service.snapshot() == nil && service.linkIdentity() == nil)
            #expect(service.leftAccounts == [account])
        }
        let stored = try Data(contentsOf: URL(fileURLWithPath: second.home.accountFile))
        #expect(stored.range(of: Data(secret)) == nil)
        #expect(await reason { _ = try await second.account.leave {} } == "no_account")
        // It can come back, as another device.
        try await first.admit(second)
        #expect(try second.id != id)
        #expect(second.account.leftAccounts.isEmpty)
    }

    @Test("A device that ends while it leaves has left by its person's choice: no answer makes it a revoked device")
    func crash() async throws {
        let (first, second) = try await pair()
        let (id, account) = (try second.id, try #require(second.account.snapshot()?.accountID))
        _ = try await second.account.leave { () async -> Void in
            // The other device says at once that this one is out, and this one reads it.
            _ = try? await first.account.merge(second.account.membershipMessage(), from: id)
            _ = try? await second.account.merge(first.account.membershipMessage())
            #expect(second.account.standing == .revoked)
            #expect(second.account.leftAccounts == [account])
            // Started again at this moment.
            let again = try? await second.home.open()
            #expect(again?.standing == AccountStanding.none)
            #expect(again?.leftAccounts == [account])
        }
        #expect(second.account.standing == .none)
    }

    @Test("Two devices that leave at once are both out, and both keep what they have")
    func together() async throws {
        let (first, second) = try await pair()
        let account = try #require(first.account.snapshot()?.accountID)
        _ = try await first.account.leave { () async -> Void in
            _ = try? await second.account.leave { () async -> Void in
                _ = try? await second.account.merge(first.account.membershipMessage())
            }
        }
        for device in [first, second] {
            #expect(device.account.standing == .none)
            #expect(device.account.leftAccounts == [account])
        }
        // Any of them can begin anew.
        try await first.account.createAccount(deviceName: "First")
        #expect(first.account.leftAccounts == [account])
    }

    @Test("A recovery key is none of the account's other devices")
    func recoveryKey() async throws {
        let (first, second) = try await pair()
        let code = try await first.account.makeRecoveryKey()
        let key = DeviceID(key: try code.key().publicKey)
        let snapshot = try #require(first.account.snapshot())
        #expect(snapshot.membership.isMember(key))
        #expect(snapshot.otherDevices == [try second.id])
        try await first.exchange(with: second)
        #expect(try second.account.snapshot()?.otherDevices == [first.id])
    }
}
