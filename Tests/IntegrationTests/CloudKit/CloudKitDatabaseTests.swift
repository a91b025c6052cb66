import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// CloudKit's names with real daemons: programs that use CKDatabase.
    @Suite(.serialized, .timeLimit(.minutes(3))) struct CloudKitDatabaseTests {
        static func probe(_ device: TestDevice, _ arguments: String...) async throws -> [String] {
            let process = try ChildProcess(
                [try Products.path("RecordsProbe")] + arguments, environment: ["BATON_HOME": device.home])
            let status = try await within(.seconds(40), "RecordsProbe \(arguments)") { try await process.status() }
            try await process.output.waitForEnd()
            try #require(status == 0, "\(process.errors.all)")
            return process.output.all
        }

        /// Two devices and a cloud.
        static func withCloud(_ body: (TestHousehold) async throws -> Void) async throws {
            try await TestHousehold.with(3) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    try await household[0].baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for index in 0..<2 { try await CloudAccessTests.isConnected(household[index]) }
                    try await body(household)
                }
            }
        }

        @Test("a record with a value of each kind and a file is saved on A and fetched on B, equal (D-1)")
        func twoDevices() async throws {
            try await Self.withCloud { household in
                let (one, two) = (household[0], household[1])
                #expect(try await Self.probe(one, "save", "all") == ["saved"])
                #expect(try await Self.probe(one, "fetch", "all") == ["same"])
                try await two.until("the record on B") { try await Self.probe(two, "fetch", "all") == ["same"] }
                // The device with assets is opened again, too.
                for device in [one, two] {
                    try await device.restart()
                    #expect(try await Self.probe(device, "fetch", "all") == ["same"])
                }
                let names = try await [Self.probe(one, "status"), Self.probe(two, "status")]
                #expect(names[0] == names[1] && names[0].first == "available" && names[0].last != "nobody")
                #expect(try await Self.probe(two, "delete", "all") == ["deleted"])
                try await one.until("the deletion on A") {
                    try await Self.probe(one, "fetch", "all") == ["unknownItem"]
                }
            }
        }

        @Test("without a cloud a file of a record is fetched from the device that has it, and stays (D-1, D-36)")
        func nearAssets() async throws {
            try await TestHousehold.with(2) { household in
                let (one, two) = (household[0], household[1])
                #expect(try await Self.probe(one, "save", "all") == ["saved"])
                try await two.until("the record and its file on B") {
                    try await Self.probe(two, "fetch", "all") == ["same"]
                }
                try await one.stop()
                #expect(try await Self.probe(two, "fetch", "all") == ["same"])
                try await one.start()
            }
        }

        @Test("while the cloud is away a file of a record is fetched from the device that has it (D-1, D-36)")
        func nearAssetsWhileTheCloudIsAway() async throws {
            try await TestHousehold.with(3) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    let (one, two) = (household[0], household[1])
                    try await one.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for device in [one, two] { try await CloudAccessTests.isConnected(device) }
                    #expect(try await Self.probe(one, "set", "r", "base", "x") == ["saved"])
                    try await two.until("the record on B") { try await Self.probe(two, "get", "r") == ["base=x"] }
                    try await household.cut(household[2])
                    #expect(try await Self.probe(one, "save", "all") == ["saved"])
                    try await two.until("the record and its file on B") {
                        try await Self.probe(two, "fetch", "all") == ["same"]
                    }
                    try await household.restore(household[2])
                }
            }
        }

        @Test("fields that two devices set while apart are both there afterwards (D-1, case 1)")
        func apart() async throws {
            try await TestHousehold.with(2) { household in
                let (one, two) = (household[0], household[1])
                _ = try await Self.probe(one, "set", "r", "base", "x")
                try await two.until("the record on B") { try await Self.probe(two, "get", "r") == ["base=x"] }
                try await two.stop()
                #expect(try await Self.probe(one, "set", "r", "one", "1") == ["saved"])
                try await one.stop()
                try await two.start()
                #expect(try await Self.probe(two, "set", "r", "two", "2") == ["saved"])
                try await one.start()
                for device in [one, two] {
                    try await device.until("both fields") {
                        try await Self.probe(device, "get", "r") == ["base=x,one=1,two=2"]
                    }
                }
            }
        }

        @Test(
            "a record that has moved is not saved: serverRecordChanged with ancestor, server's and client's; an atomic batch fails whole (D-1, case 40)"
        )
        func conflicts() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                let conflict = try await Self.probe(device, "conflict")
                #expect(conflict == ["serverRecordChanged ancestor server client"])
                #expect(
                    try await Self.probe(device, "atomic") == [
                        "serverRecordChanged", "batchRequestFailed", "unknownItem",
                    ])
                #expect(try await Self.probe(device, "operation").first?.hasPrefix("100 ") == true)
                #expect(try await Self.probe(device, "public") == ["serviceUnavailable"])
            }
        }

        @Test("without an account nothing is saved, and the app is told so; without a daemon the network is away (D-1)")
        func without() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                #expect(try await Self.probe(device, "status") == ["noAccount", "nobody"])
                #expect(try await Self.probe(device, "set", "r", "a", "1") == ["notAuthenticated"])
                try await device.stop()
                #expect(try await Self.probe(device, "status") == ["couldNotDetermine", "nobody"])
                #expect(try await Self.probe(device, "get", "r") == ["networkUnavailable"])
                try await device.start()
            }
        }
    }
}
