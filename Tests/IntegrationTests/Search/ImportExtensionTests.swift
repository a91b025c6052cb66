import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Import extensions, as the daemon runs them: real programs of installed apps in the kernel's sandbox.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ImportExtensionTests {
        private struct Found: Decodable {
            struct Item: Decodable { var title: String }
            var results: [Item]
        }

        private static func isFound(_ device: TestDevice, _ words: String..., as title: String) async throws -> Bool {
            try await device.baton(["search"] + words).decode(Found.self).results.contains { $0.title == title }
        }

        private static var isProbeRunning: Bool {
            let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return processes.contains { process in
                let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
                return program?.hasSuffix("/ImportProbe") == true
            }
        }

        @Test(
            "a document of an app's type is found by what its import extension says, while the app does not run; another app that names the type is not asked (P-6)"
        )
        func sample() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                let container = try await TestContainer(device)
                try container.write("Yank Sing\nDumplings from carts", to: "Lunch.foodreview")
                try await device.until("the document to be found by its name") {
                    try await Self.isFound(device, "lunch", as: "Lunch.foodreview")
                }
                // Its contents are not known, until the app is there.
                #expect(try await !Self.isFound(device, "dumplings", as: "Lunch.foodreview"))
                try await household.install(
                    .importProbe(
                        "com.example.thief", ending: "thief", types: ["com.example.RestaurantReviews.review"]))
                try await household.install(.restaurantReviews)
                try await device.until("the document to be found by its text") {
                    try await Self.isFound(device, "dumplings", "carts", as: "Lunch.foodreview")
                }
                #expect(try await Self.isFound(device, "review", "yank", as: "Lunch.foodreview"))
                try container.write("Yank Sing\nNoodles", to: "Lunch.foodreview")
                try await device.until("the change to be found") {
                    try await Self.isFound(device, "noodles", as: "Lunch.foodreview")
                }
                #expect(try await !Self.isFound(device, "dumplings", as: "Lunch.foodreview"))
            }
        }

        @Test(
            "an import extension that hangs, takes memory, crashes, says too much or reaches for more costs its own document, which is found by its name"
        )
        func hostile() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                try await household.install(.importProbe("com.example.probe", ending: "probe"))
                let container = try await TestContainer(device)
                let secret = device.locations.data + "/secret"
                try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
                for (index, wish) in ["memory", "crash", "shared", "large", "refuse", "hang"].enumerated() {
                    let word = "walrus\(index)"
                    try container.write("say \(word)", to: "A.probe")
                    try await device.until("the document to be found by \(word), before “\(wish)”") {
                        try await Self.isFound(device, word, as: "A.probe")
                    }
                    try container.write(wish, to: "A.probe")
                    try await device.until("the document to be found by its name alone, for “\(wish)”") {
                        let isByText = try await Self.isFound(device, word, as: "A.probe")
                        return try await Self.isFound(device, "probe", as: "A.probe") && !isByText
                    }
                }
                try container.write("reach \(secret) \(container.path("A.probe"))", to: "A.probe")
                try await device.until("what it could reach to be said") {
                    try await Self.isFound(device, "tried", as: "A.probe")
                }
                var reached = ["network", "sockets", "parent", "processes", "writing"]
                // Without Landlock an app sees what its person sees, and so does its extension.
                let status = try await device.baton("status").lines.joined()
                if status.contains("\"sandboxed\":true") { reached.append("files") } else { reached.removeLast() }
                for thing in reached {
                    #expect(try await !Self.isFound(device, thing, as: "A.probe"), "\(thing)")
                }
                try await device.until("every program to be gone") { !Self.isProbeRunning }
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: device.locations.data + "/import").isEmpty)
            }
        }
    }
}
