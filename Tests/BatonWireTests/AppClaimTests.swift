import BatonCore
import BatonWire
import Testing

/// A process's description of itself in each call of the app plane (H-3).
@Suite struct AppClaimTests {
    private func reason(_ fields: AppClaim.Fields) -> String? {
        #expect(throws: BatonError.self) { try fields.claim() }?.reason
    }

    private func read(_ claim: AppClaim) throws -> AppClaim {
        func values(_ name: String) -> [String] { claim.fields.filter { $0.name == name }.map(\.value) }
        let fields = AppClaim.Fields(
            bundleIDs: values("baton-bundle-id"), versions: values("baton-protocol-version"))
        return try fields.claim()
    }

    @Test func `A claim is read as it was written`() throws {
        for claim in [
            AppClaim(bundleID: "com.example.App"), AppClaim(bundleID: "", protocolVersion: 0),
            AppClaim(bundleID: "a", protocolVersion: .max),
        ] {
            #expect(try read(claim) == claim)
        }
    }

    @Test func `A name that no field can hold is sent as one that no app has`() throws {
        for name in ["a\r\nBaton-Protocol-Version: 9", "é", "a b", "\u{0}", "名前"] {
            for field in AppClaim(bundleID: name).fields {
                #expect(field.value.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(name)")
            }
            #expect(!BundleID.isValid(try read(AppClaim(bundleID: name)).bundleID))
        }
        // Within what the head of a request may hold.
        let long = try read(AppClaim(bundleID: String(repeating: "a", count: 1 << 20)))
        #expect(long.bundleID.utf8.count == 1024 && !BundleID.isValid(long.bundleID))
    }

    @Test func `A field that is not there says nothing, and one that is there twice is no claim`() throws {
        #expect(try AppClaim.Fields().claim() == AppClaim(bundleID: "", protocolVersion: 0))
        #expect(reason(.init(bundleIDs: ["a", "a"], versions: ["1"])) == "malformed_claim")
        #expect(reason(.init(bundleIDs: ["a"], versions: ["1", "1"])) == "malformed_claim")
        #expect(reason(.init(bundleIDs: [String(repeating: "a", count: 1025)], versions: ["1"])) == "malformed_claim")
        for version in ["", "-1", "+1", "1.0", "one", " 1", "4294967296", "00000000001", "١"] {
            #expect(reason(.init(bundleIDs: ["a"], versions: [version])) == "malformed_claim", "\(version)")
        }
    }
}
