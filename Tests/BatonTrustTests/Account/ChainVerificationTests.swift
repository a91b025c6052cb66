import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@Suite("Certificates of peers")
struct ChainVerificationTests {
    @Test("A member is recognised by its key; its chain leads to the root (H-2, H-11)")
    func members() throws {
        var account = try TestAccount()
        let (second, third) = (TestDevice(), TestDevice())
        try account.add(second, by: account.first)
        try account.add(third, by: second)
        for device in [account.first, second, third] {
            let chain = try account.chain(of: device.id)
            #expect(
                account.membership.verify(chainDER: chain).success
                    == PeerVerdict(deviceID: device.id, standing: .member))
            // The leaf alone is enough for who knows it.
            #expect(account.membership.verify(chainDER: [chain[0]]).success?.standing == .member)
        }
    }

    @Test("A device whose addition has not arrived is provisional, through any number of sponsors")
    func provisional() throws {
        var account = try TestAccount()
        let (second, third, fourth) = (TestDevice(), TestDevice(), TestDevice())
        try account.add(second, by: account.first)
        let old = account.membership
        try account.add(third, by: second)
        try account.add(fourth, by: third)
        let chain = try account.chain(of: fourth.id)
        #expect(old.verify(chainDER: chain).success == PeerVerdict(deviceID: fourth.id, standing: .provisional))
        // Without the sponsor that is not known here either, nothing vouches for it.
        #expect(old.verify(chainDER: [chain[0]]).failure?.code == .unauthenticated)
        #expect(old.verify(chainDER: [chain[0], chain[2], chain[3]]).failure?.code == .unauthenticated)
    }

    @Test("A revoked device and whom it let in unseen are refused (H-11)")
    func revoked() throws {
        var account = try TestAccount()
        let (second, third) = (TestDevice(), TestDevice())
        try account.add(second, by: account.first)
        var remote = account
        try remote.add(third, by: second)
        let chain = try remote.chain(of: third.id)
        #expect(account.membership.verify(chainDER: chain).success?.standing == .provisional)
        let secondChain = try account.chain(of: second.id)
        try account.revoke(second, by: account.first)
        #expect(account.membership.verify(chainDER: chain).failure?.reason == "device_revoked")
        #expect(account.membership.verify(chainDER: secondChain).failure?.reason == "device_revoked")
    }

    @Test("An addition that does not count is no way in by its certificate either")
    func voidAdditions() throws {
        var account = try TestAccount()
        let (sponsor, left, right) = (TestDevice(), TestDevice(), TestDevice())
        try account.add(sponsor, by: account.first)
        let one = try account.forgeAddition(of: left, by: sponsor, sequence: 1, previous: [])
        let other = try account.forgeAddition(of: right, by: sponsor, sequence: 1, previous: [])
        account.membership.merge([one, other])
        #expect(account.membership.isMember(sponsor.id) && !account.membership.isMember(left.id))
        for device in [left, right, TestDevice()] {
            let leaf = try DeviceCertificate.issue(
                to: device.key.publicKey, issuer: sponsor.id.rawValue, issuerKey: sponsor.key, now: testNow)
            let chain = [leaf] + (try account.chain(of: sponsor.id))
            #expect(account.membership.verify(chainDER: chain).failure?.code == .unauthenticated)
        }
    }

    @Test("Foreign, forged, tampered and garbage certificates are refused")
    func hostile() throws {
        var account = try TestAccount()
        let second = TestDevice()
        try account.add(second, by: account.first)
        let good = try account.chain(of: second.id)
        let foreign = try TestAccount()
        let stranger = TestDevice()
        let verify = { (chain: [[UInt8]]) in account.membership.verify(chainDER: chain).failure?.code }

        #expect(verify([]) == .unauthenticated)
        #expect(verify([[]]) == .unauthenticated)
        #expect(verify([[0x30, 0x82, 0xFF, 0xFF]]) == .unauthenticated)
        #expect(verify([[UInt8](repeating: 0x30, count: 60_000)]) == .unauthenticated)
        #expect(verify(try foreign.chain(of: foreign.first.id)) == .unauthenticated)
        // A stranger's certificate in front of an honest chain.
        let selfMade = try DeviceCertificate.issue(
            to: stranger.key.publicKey, issuer: second.id.rawValue, issuerKey: stranger.key, now: testNow)
        #expect(verify([selfMade] + good) == .unauthenticated)
        // Issued by itself.
        let own = try DeviceCertificate.issue(
            to: stranger.key.publicKey, issuer: stranger.id.rawValue, issuerKey: stranger.key, now: testNow)
        #expect(verify([own]) == .unauthenticated)
        #expect(verify([own] + good) == .unauthenticated)
        #expect(verify(Array(repeating: own, count: 17)) == .unauthenticated)
        // The account's own certificate names no device.
        #expect(verify([try DeviceCertificate.root(key: account.rootKey, now: testNow)]) == .unauthenticated)
        // A member's name on a stranger's key.
        #expect(verify([try certificate(named: second.id.rawValue, key: stranger.key)]) == .unauthenticated)
        #expect(verify([try certificate(named: "", key: stranger.key)]) == .unauthenticated)

        // Each byte of an unknown device's certificate changed: never accepted.
        let third = TestDevice()
        let leaf = try DeviceCertificate.issue(
            to: third.key.publicKey, issuer: second.id.rawValue, issuerKey: second.key, now: testNow)
        #expect(account.membership.verify(chainDER: [leaf] + good).success?.standing == .provisional)
        // After the signed part, a signature has more than one spelling, which changes nothing of what it signs.
        let signedEnd = 8 + Int(leaf[6]) << 8 + Int(leaf[7])
        for position in leaf.indices {
            var tampered = leaf
            tampered[position] ^= 0x01
            let verdict = account.membership.verify(chainDER: [tampered] + good)
            if position < signedEnd {
                #expect(verdict.failure?.code == .unauthenticated, "byte \(position)")
            } else if let accepted = verdict.success {
                #expect(accepted == PeerVerdict(deviceID: third.id, standing: .provisional), "byte \(position)")
            }
        }
        // Cut anywhere.
        for length in stride(from: 0, to: leaf.count, by: 7) {
            #expect(verify([Array(leaf.prefix(length))] + good) == .unauthenticated)
        }
    }

    @Test("Dates are not checked: a certificate far out of date is judged like any other, revocation ends trust")
    func expired() throws {
        var account = try TestAccount()
        let second = TestDevice()
        let longAgo = Date(timeIntervalSince1970: 0)
        let statement = try account.membership.statement(
            adding: second.key.publicKey, by: account.first.key, now: longAgo, timestamp: time(1))
        account.membership.merge([statement])
        let chain = try account.chain(of: second.id)
        let certificate = try Certificate(derEncoded: chain[0])
        #expect(certificate.notValidAfter < Date())
        #expect(account.membership.verify(chainDER: chain).success?.standing == .member)
        try account.revoke(second, by: account.first)
        #expect(account.membership.verify(chainDER: chain).failure?.code == .permissionDenied)
    }

    @Test("A certificate carries what TLS needs: CA, both usages, twenty years from the day before")
    func contents() throws {
        let account = try TestAccount()
        let der = try #require(account.membership.record(of: account.first.id)?.certificate)
        #expect(der.count < 600)
        let certificate = try Certificate(derEncoded: der)
        #expect(certificate.notValidBefore == testNow.addingTimeInterval(-86400))
        #expect(certificate.notValidAfter > testNow.addingTimeInterval(19.9 * 365.25 * 86400))
        guard case .isCertificateAuthority = try #require(try certificate.extensions.basicConstraints) else {
            Issue.record("not a CA")
            return
        }
        let usage = try #require(try certificate.extensions.extendedKeyUsage)
        #expect(usage.contains(.serverAuth) && usage.contains(.clientAuth))
    }

    private func certificate(named name: String, key: P256.Signing.PrivateKey) throws -> [UInt8] {
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: testNow,
            notValidAfter: testNow.addingTimeInterval(1000), issuer: DistinguishedName { CommonName(name) },
            subject: DistinguishedName { CommonName(name) }, signatureAlgorithm: .ecdsaWithSHA256, extensions: .init(),
            issuerPrivateKey: .init(key))
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
