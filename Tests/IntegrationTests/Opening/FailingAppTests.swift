import BatonCore
import BatonTestSupport
import BatonTrust
import Testing

extension Integration {
    /// Apps that cannot take what is opened in them: the caller is told, and the next request starts anew.
    @Suite(.serialized, .timeLimit(.minutes(2))) struct FailingAppTests {
        @Test(arguments: [
            ("echo started; exit 3", "app_ended"), ("echo started; kill -SEGV $$", "app_ended"),
            ("echo started; exec /nonexistent/program", "app_ended"),
        ])
        func `an app that ends at its launch is launched once for each request, and the caller is told`(
            _ script: String, _ reason: String
        ) async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let bundle = try BundleFixture(
                    in: household.directory, bundleID: "com.example.failing", executable: .script(script),
                    info: ["CFBundleURLTypes": [["CFBundleURLSchemes": ["failing"]]]]
                ).signed(by: try TeamKey(name: "Team"))
                try await device.baton("install", bundle.path)
                let log = try FileFollower("\(device.locations.appLogs)/com.example.failing.log")
                for count in 1...2 {
                    let opened = try await device.baton("open", "failing:x", expecting: nil)
                    #expect(opened.status != 0)
                    #expect(opened.errors.contains(reason), "\(opened.errors)")
                    _ = try await within(.seconds(20), "the app's launch") {
                        try await log.lines.first(from: count - 1) { $0 == "started" ? $0 : nil }
                    }
                    #expect(log.lines.all.count { $0 == "started" } == count)
                }
                await log.end()
            }
        }
    }
}
