import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Secrets in the daemon's memory while the device is locked.
    @Suite(.serialized, .timeLimit(.minutes(2))) struct SecretsInMemoryTests {
        @Test("Neither the passphrase nor what a file holds stays in the memory of a locked device's daemon (A-15)")
        func locked() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.pngViewer)
                let passphrase = "a passphrase of \(UInt32.random(in: .min ... .max)) and more"
                try await device.baton(["lock", "--set-passphrase"], input: "\(passphrase)\n\(passphrase)")
                let secret = "what nobody may read \(UInt64.random(in: .min ... .max))"
                for (name, times) in [("small.png", 1), ("large.png", 60_000)] {
                    let path = "\(household.directory)/\(name)"
                    try Data(String(repeating: secret, count: times).utf8).write(to: URL(fileURLWithPath: path))
                    try await device.baton(["open", path, "--with", "com.example.PNGViewer"], expecting: nil)
                }
                func check(_ moment: String) throws {
                    #expect(try DaemonMemory.count(Data(passphrase.utf8), device) == 0, "\(moment)")
                    #expect(try DaemonMemory.count(Data(secret.utf8), device) == 0, "\(moment)")
                }
                try await device.baton("lock")
                try check("locked")
                try await device.baton(["unlock"], input: passphrase)
                try await device.baton("lock")
                try check("locked again")
                // The search finds what is there.
                #expect(try DaemonMemory.count(Data(device.home.utf8), device) > 0)
            }
        }
    }
}
