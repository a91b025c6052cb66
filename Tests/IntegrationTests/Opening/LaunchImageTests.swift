import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Which picture is shown while an app is launched: the example, a real daemon.
    @Suite(.serialized, .timeLimit(.minutes(2))) struct LaunchImageTests {
        @Test(
            "the example's launch by a myapp: URL shows the picture of that scheme, any other launch the default one (U-23, U-24, U-25, S-18, X-7)"
        )
        func example() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.launchImages)
                let log = try ExampleLog(.launchImages, on: device)
                let app = TestBundle.launchImages.identifier
                let why = try await device.baton("explain", "url", "MyApp:hello").lines.joined()
                #expect(why.contains("A launch for it shows Default-myapp.png"), "\(why)")

                for (url, picture) in [
                    ("MyApp:hello", "Default-myapp.png"), ("otherapp:hello", "Default.png"), (nil, "Default.png"),
                ] {
                    let (lines, records) = (log.count, try await device.records().count)
                    if let url {
                        try await device.baton("open", url)
                        try await log.line("launched for \(url)", from: lines)
                        try await log.line("opened \(url)", from: lines)
                    } else {
                        try await device.baton("launch", app)
                        try await log.line("launched by hand", from: lines)
                    }
                    let launched = try await device.records().dropFirst(records).first { $0.event == "launched" }
                    let path = try #require(launched?.fields["launch_image"])
                    #expect((path as NSString).lastPathComponent == picture)
                    // It is the installed app's own, as it was signed.
                    let original = "\(Products.package)/Examples/LaunchImages/\(picture)"
                    #expect(FileManager.default.contentsEqual(atPath: path, andPath: original))
                    try await device.baton("quit", app)
                }
            }
        }
    }
}
