import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// A person's decisions about an app's documents on one device.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentSwitchTests {
        private func withCloud(_ body: (TestHousehold) async throws -> Void) async throws {
            try await TestHousehold.with(3) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    try await household[0].baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for index in 0..<2 { try await CloudAccessTests.isConnected(household[index]) }
                    try await body(household)
                }
            }
        }

        @Test(
            "iCloud is switched off for an app on one device: it finds none and hears so, nothing is deleted, and it goes on when it is on again (D-9, D-35)"
        )
        func off() async throws {
            try await withCloud { household in
                let (one, other) = (try await TestContainer(household[0]), try await TestContainer(household[1]))
                try one.write("before", to: "note.txt")
                try await other.until("note.txt", is: "before")
                let identity = try await other.device.app(TestContainer.app).serverStream(
                    ContainerMethods.watchContainer,
                    .with {
                        $0.identityOnly = true
                    })
                var news = identity.makeAsyncIterator()
                let token = try #require(try await news.next()).identityToken
                #expect(!token.isEmpty)

                try await other.device.baton("documents", "off", TestContainer.app)
                #expect(try await news.next()?.identityToken.isEmpty == true)
                let answer = try await TestContainer.open(other.device)
                #expect(answer.path.isEmpty && answer.reason == "switched_off" && answer.identityToken.isEmpty)
                #expect(try await other.device.baton("documents").lines.joined().contains(#""enabled":false"#))
                try one.write("meanwhile", to: "note.txt")
                try one.write("new", to: "new.txt")
                try await one.untilSent("new.txt")
                // It stays so after a restart.
                try await other.device.restart()
                #expect(try await TestContainer.open(other.device).reason == "switched_off")
                #expect(other.tree == ["note.txt": "before"])
                #expect(one.tree == ["note.txt": "meanwhile", "new.txt": "new"])

                try await other.device.baton("documents", "on", TestContainer.app)
                #expect(try await TestContainer.open(other.device).path == other.root)
                try await other.until(has: ["note.txt": "meanwhile", "new.txt": "new"])
                try other.write("back", to: "note.txt")
                try await one.until("note.txt", is: "back")
            }
        }

        private struct Removed: Decodable {
            struct Container: Decodable {
                var identifier: String
                var path: String
                var items: Int
            }
            var documents: [Container]
        }

        private struct Containers: Decodable {
            struct Container: Decodable {
                var identifier: String
                var folder: String?
                var folderLevels: String?
            }
            var containers: [Container]
        }

        @Test(
            "an app's documents are an ordinary folder under the name that it gives, and uninstalling the app says that they remain (D-32, D-35)"
        )
        func folder() async throws {
            try await TestHousehold.with(1) { household in
                try await household.install(.richTextEditor)
                let device = household[0]
                let folder = device.home + "/iCloud Drive/Letters"
                try await device.until("the folder") { FileManager.default.fileExists(atPath: folder) }
                let list = try await device.baton("documents").decode(Containers.self).containers.filter {
                    $0.identifier != "iCloud.baton.Drive"
                }
                #expect(list.map(\.folder) == [folder])
                #expect(list.map(\.folderLevels) == ["Any"])
                try Data("text".utf8).write(to: URL(fileURLWithPath: folder + "/plain.txt"))
                try await device.until("the document to be listed") {
                    try await device.baton("documents", "list", "iCloud.com.myCompany.myEditor").lines.joined()
                        .contains("Documents/plain.txt")
                }
                let removed = try await device.baton("uninstall", TestBundle.richTextEditor.identifier, "--yes")
                    .decode(Removed.self)
                let container = try #require(removed.documents.first)
                #expect(container.identifier == "iCloud.com.myCompany.myEditor" && container.items == 2)
                #expect(FileManager.default.fileExists(atPath: container.path + "/Documents/plain.txt"))
                try await device.until("the folder to go with the app") {
                    !FileManager.default.fileExists(atPath: folder)
                }
            }
        }
    }
}
