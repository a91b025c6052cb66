import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Testing

@Suite("Device profiles")
struct DeviceProfilesTests {
    @Test("A device's newest name wins in any order; only the device itself can give it")
    func newestWins() throws {
        var account = try TestAccount()
        let second = TestDevice()
        try account.add(second, by: account.first)
        let old = try DeviceProfiles.make(name: "Old", timestamp: time(1), key: second.key)
        let new = try DeviceProfiles.make(name: " New ", timestamp: time(2), key: second.key)
        for order in [[old, new], [new, old], [new, new, old]] {
            let profiles = Box(DeviceProfiles())
            for profile in order { profiles.merge([profile], membership: account.membership) }
            #expect(profiles.value.name(of: second.id) == "New")
            #expect(!profiles.merge(order, membership: account.membership))
        }
        var forged = try DeviceProfiles.make(name: "Forged", timestamp: time(9), key: account.first.key)
        forged.profile = new.profile
        var tampered = new
        tampered.profile[tampered.profile.count - 1] ^= 1
        let stranger = try DeviceProfiles.make(name: "Stranger", timestamp: time(9), key: TestDevice().key)
        let profiles = Box(DeviceProfiles())
        #expect(!profiles.merge([forged, tampered, stranger, .init()], membership: account.membership))
        #expect(profiles.value.all.isEmpty)
    }

    @Test("Unknown fields of a profile are dropped; a profile has a bound")
    func bounds() throws {
        let account = try TestAccount()
        let name = String(repeating: "\u{1F3E0}", count: 100)
        var message = try DeviceProfiles.make(name: name, timestamp: .init(rawValue: .max), key: account.first.key)
        #expect(message.profile.count <= DeviceProfiles.maximumSize)
        let plain = message
        message.unknownFields = .junk
        let profiles = Box(DeviceProfiles())
        #expect(profiles.merge([message], membership: account.membership))
        #expect(profiles.value.messages == [plain])

        var content = try Baton_Link_V1_ProfileContent(serializedBytes: plain.profile)
        content.unknownFields = .junk
        message.profile = try content.serializedBytes()
        message.signature = try account.first.key.signature(for: Data("baton-profile-v1\0".utf8) + message.profile)
            .rawRepresentation
        #expect(DeviceProfiles.read(message) { _ in account.first.key.publicKey } == nil)
    }

    @Test("A signature over a profile is none over a statement")
    func domains() throws {
        let account = try TestAccount()
        let profile = try DeviceProfiles.make(name: "A", timestamp: time(1), key: account.first.key)
        var statement = Baton_Link_V1_SignedStatement()
        statement.statement = account.membership.messages[0].statement
        statement.signature = profile.signature
        let membership = Box(account.membership)
        #expect(membership.merge([statement]).added == 0)
    }

    @Test(
        "Names are one printable line of 1 to 100 characters",
        arguments: ["", "  ", "a\nb", "a\u{0}", "a\u{202E}b", "\u{7}", String(repeating: "x", count: 101)])
    func badNames(name: String) {
        #expect(throws: BatonError.self) {
            try DeviceProfiles.make(name: name, timestamp: time(1), key: TestDevice().key)
        }
    }

    @Test("Names may be of any script", arguments: ["Küche", "居間", "👩‍👩‍👧 home", "میز\u{200C}کار"])
    func goodNames(name: String) throws {
        #expect(try DeviceProfiles.validName(" \(name) ") == name)
    }
}
