import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// The public index (H-37), with a real cloud and the real sample on devices of three accounts.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct PublicIndexTests {
        private struct Found: Decodable {
            struct Page: Decodable {
                var title: String
                var url: String
                var keywords: [String]
            }
            var results: [Page]
        }

        private static func found(_ device: TestDevice) async throws -> [Found.Page] {
            try await device.baton("search", "--public", "platform").decode(Found.self).results
        }

        @Test(
            "a page that an app offers to everybody is found once three accounts gave it, and no more when one of them forgets it (H-37)"
        )
        func threeAccounts() async throws {
            try await TestHousehold.with(4, paired: false) { household in
                try await TestCloud.with(on: 3, of: household, ["--public-index", "--registration", "open"]) { cloud in
                    let devices = (0..<3).map { household[$0] }
                    for device in devices {
                        _ = try await device.call(ControlMethods.createAccount, .with { $0.deviceName = device.name })
                        try await device.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                        let off = try await device.baton(["search", "--public", "platform"], expecting: nil)
                        #expect(try off.failure().reason == "public_search_off")
                        try await device.baton("settings", "set", "search.public", "on")
                    }
                    try await household.install(.xamarinPlatform, on: devices)
                    for (number, device) in devices.enumerated() {
                        #expect(try await Self.found(device).isEmpty, "after \(number) accounts")
                        let fifo = device.container(of: TestBundle.xamarinPlatform.identifier) + "/script"
                        guard mkfifo(fifo, 0o600) == 0 else { throw IntegrationFailure("No FIFO can be made.") }
                        try await device.baton(
                            "launch", TestBundle.xamarinPlatform.identifier, "--env", "BATON_SCRIPT=\(fifo)")
                        let script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
                        try script.write(contentsOf: Data("show\n".utf8))
                        try await device.until("the page to be given") {
                            let path = device.locations.data + "/public-index.json"
                            let text = try? String(contentsOfFile: path, encoding: .utf8)
                            return text?.contains("xamarin.com") == true
                        }
                    }
                    try await devices[0].until("the page to be found") {
                        try await Self.found(devices[0]).map(\.title) == ["The Xamarin Platform"]
                    }
                    let page = try #require(try await Self.found(devices[2]).first)
                    #expect(page.url == "http://xamarin.com/platform")
                    #expect(page.keywords == ["language", "mobile", "software"])

                    let forgotten = try await devices[1].baton("forget", "--site", "xamarin.com").lines.joined()
                    #expect(forgotten.contains(#""published":1"#) && forgotten.contains(#""published_waiting":false"#))
                    #expect(try await Self.found(devices[0]).isEmpty)
                }
            }
        }
    }
}
