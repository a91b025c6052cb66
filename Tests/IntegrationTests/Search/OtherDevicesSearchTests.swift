import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Testing

extension Integration {
    /// `baton search` over two devices of an account, with real daemons and a real app.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct OtherDevicesSearchTests {
        private struct Found: Decodable {
            struct Item: Decodable {
                var title: String
                var source: String
                var device: String
                var elsewhere: Bool
                var url: String?
            }
            var results: [Item]
        }

        private static func found(_ device: TestDevice, _ words: String...) async throws -> [Found.Item] {
            try await device.baton(["search"] + words).decode(Found.self).results
        }

        @Test(
            "With search.devices on on both, each finds what the other has, named after it, and opens its page in the browser here; with it off on one, nothing of the other is found (issue 28, section 3)"
        )
        func otherDevices() async throws {
            try await TestHousehold.with(2) { household in
                let (here, there) = (household[0], household[1])
                let browser = try await RecordingBrowser(here, in: household)
                for bundle in [TestBundle.xamarinPlatform, .restaurantReviews] {
                    try await household.install(bundle, on: [there])
                }
                let platform = try await script(.xamarinPlatform, on: there, "show")
                let reviews = try await script(.restaurantReviews, on: there, "index")
                defer { for handle in [platform, reviews] { try? handle.close() } }
                try await there.until("both to be found where they are") {
                    let activity = try await Self.found(there, "mobile", "language").first
                    let item = try await Self.found(there, "dumplings").first
                    return activity?.title == "The Xamarin Platform" && item?.title == "Yank Sing"
                }
                try await here.isConnected(to: there)
                #expect(try await Self.found(here, "mobile", "language").isEmpty)
                try await here.baton("settings", "set", "search.devices", "on")
                #expect(try await Self.found(here, "mobile", "language").isEmpty)
                try await there.baton("settings", "set", "search.devices", "on")
                // A busy machine may take longer than the 150 ms.
                try await here.until("the other device's activity to be found") {
                    try await !Self.found(here, "mobile", "language").isEmpty
                }
                try await here.until("the activity to be found again") {
                    guard let item = try await Self.found(here, "mobile", "language").first else { return false }
                    return item.title == "The Xamarin Platform" && item.source == "activity" && item.elsewhere
                        && item.device == there.name && item.url == "http://xamarin.com/platform"
                }
                try await here.until("its page to be opened") {
                    try await here.baton("search", "mobile", "language", "--open", "1", expecting: nil).status == 0
                }
                try await here.until("the browser to have it") {
                    browser.pages.first == "1 http://xamarin.com/platform"
                }

                try await here.until("an item without a page to be refused") {
                    let refused = try await here.baton("search", "dumplings", "--open", "1", expecting: nil)
                    guard refused.status != 0, let failure = try? refused.failure() else { return false }
                    return failure.reason == "opens_elsewhere" && failure.message.contains(there.name)
                }

                try await there.baton("settings", "set", "search.devices", "off")
                #expect(try await Self.found(here, "mobile", "language").isEmpty)
            }
        }

        /// Launches an installed example, and has it do what the line says.
        private func script(_ bundle: TestBundle, on device: TestDevice, _ line: String) async throws -> FileHandle {
            let fifo = device.container(of: bundle.identifier) + "/script"
            guard mkfifo(fifo, 0o600) == 0 else { throw IntegrationFailure("No FIFO can be made at \(fifo).") }
            try await device.baton("launch", bundle.identifier, "--env", "BATON_SCRIPT=\(fifo)")
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
            try handle.write(contentsOf: Data((line + "\n").utf8))
            return handle
        }
    }
}
