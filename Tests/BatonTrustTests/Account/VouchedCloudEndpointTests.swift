import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Testing

@Suite("Where the account's cloud is, as a member says it in the cloud")
struct VouchedCloudEndpointTests {
    private func endpoint(_ url: String? = "https://cloud.example") throws -> CloudEndpoint {
        try CloudEndpoint(
            url: url, certificate: url.map { _ in [UInt8](repeating: 7, count: 32) },
            timestamp: HybridTimestamp(milliseconds: 1000, counter: 1))
    }

    @Test("A member's word counts, also that there is no cloud; a stranger's or a revoked device's does not")
    func vouched() throws {
        var account = try TestAccount()
        let second = TestDevice()
        try account.add(second, by: account.first)
        let id = account.membership.accountID
        for url in ["https://cloud.example", nil] {
            let endpoint = try endpoint(url)
            let content = try SignedCloudEndpoint.make(endpoint, account: id, key: second.key)
            #expect(content.count <= SignedCloudEndpoint.maximumSize)
            let told = try SignedCloudEndpoint(content)
            #expect(told.endpoint == endpoint)
            #expect(told.isVouched(for: account.membership))
            let stranger = try SignedCloudEndpoint.make(endpoint, account: id, key: TestDevice().key)
            #expect(try !SignedCloudEndpoint(stranger).isVouched(for: account.membership))
            // An endpoint of another account, by a device with the same key.
            let foreign = try SignedCloudEndpoint.make(
                endpoint, account: try TestAccount().membership.accountID, key: second.key)
            #expect(try !SignedCloudEndpoint(foreign).isVouched(for: account.membership))
        }
        let content = try SignedCloudEndpoint.make(try endpoint(), account: id, key: second.key)
        try account.revoke(second, by: account.first)
        #expect(try !SignedCloudEndpoint(content).isVouched(for: account.membership))
    }

    @Test("With any byte changed, cut off or added, nothing else is believed")
    func damaged() throws {
        let account = try TestAccount()
        let endpoint = try endpoint()
        let content = try SignedCloudEndpoint.make(
            endpoint, account: account.membership.accountID, key: account.first.key)
        for position in content.indices {
            for mask in [1, 0x80] as [UInt8] {
                var changed = content
                changed[position] ^= mask
                guard let told = try? SignedCloudEndpoint(changed), told.isVouched(for: account.membership) else {
                    continue
                }
                #expect(told.endpoint == endpoint)
            }
            guard let cut = try? SignedCloudEndpoint(content.prefix(position)) else { continue }
            #expect(!cut.isVouched(for: account.membership))
        }
        #expect(throws: BatonError.self) { try SignedCloudEndpoint(content + Data(count: 5000)) }
        #expect(throws: BatonError.self) { try SignedCloudEndpoint(Data()) }
    }

    @Test("A URL that is none, or a fingerprint that is none, is refused, whoever signed it")
    func malformed() throws {
        let key = TestDevice().key
        for (url, certificate) in [
            ("http://cloud.example", Data()), ("https://cloud.example/path", Data()),
            ("https://cloud.example", Data([1, 2, 3])), ("", Data(count: 32)),
        ] {
            var signed = Baton_Sync_V1_AccountCloud()
            signed.deviceID = DeviceID(key: key.publicKey).rawValue
            signed.endpoint = try Baton_Link_V1_CloudEndpoint.with {
                $0.url = url
                $0.certificate = certificate
            }.serializedBytes()
            signed.signature = Data(count: 64)
            let content: Data = try signed.serializedBytes()
            #expect(throws: BatonError.self, "\(url)") { try SignedCloudEndpoint(content) }
        }
    }
}
