import BatonTestSupport
import Foundation
import Glibc
import Testing

extension Integration {
    /// The search sample of the documentation, with a real daemon.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct XamarinPlatformTests {
        private struct Saved: Decodable {
            struct Item: Decodable {
                var savedId: String
                var title: String?
                var eligibleForSearch: Bool
                var eligibleForPublicIndexing: Bool
            }
            var savedActivities: [Item]
        }

        @Test(
            "Xamarin Platform: the activity of the sample is found by its keywords, and its app, which is launched for it, restores what it showed by the same type (S-20, P-7, P-8 to P-12)"
        )
        func sample() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.xamarinPlatform)
                let identifier = TestBundle.xamarinPlatform.identifier
                let fifo = device.container(of: identifier) + "/script"
                #expect(mkfifo(fifo, 0o600) == 0)
                try await device.baton("launch", identifier, "--env", "BATON_SCRIPT=\(fifo)")
                let script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
                defer { try? script.close() }
                let log = try ExampleLog(.xamarinPlatform, on: device)
                try script.write(contentsOf: Data("show\n".utf8))
                try await log.line("shows http://xamarin.com/platform")
                @Sendable func found() async throws -> Saved.Item? {
                    try await device.baton("activities", "--saved", "mobile", "language").decode(Saved.self)
                        .savedActivities.first
                }
                try await device.until("the activity to be found by its keywords") { try await found() != nil }
                let item = try #require(try await found())
                #expect(
                    item.title == "The Xamarin Platform" && item.eligibleForSearch && item.eligibleForPublicIndexing)
                // The app is launched for what was found.
                try await device.baton("quit", identifier)
                let start = log.count
                try await device.baton("activities", "open", item.savedId)
                try await log.line("restored http://xamarin.com/platform: The Xamarin Platform", from: start)
            }
        }
    }
}
