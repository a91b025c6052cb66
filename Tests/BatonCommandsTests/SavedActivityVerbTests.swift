import BatonCommands
import BatonCore
import BatonWire
import SwiftProtobuf
import Testing

struct SavedActivityVerbTests {
    private func fixture() -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listSavedActivities) { _ in
            .with {
                $0.activities = [
                    .with {
                        $0.savedID = "ABCDEFGHIJ"
                        $0.app = .with { $0.bundleID = "com.example.Reader" }
                        $0.appName = "Reader"
                        $0.activity = .with {
                            $0.activityType = "com.example.page"
                            $0.title = "A \u{1B}[2Jtitle"
                        }
                        $0.keywords = ["k"]
                        $0.contentDescription = "Told of it"
                        $0.search = true
                        $0.saved = 1_800_000_000_000
                        $0.expires = 1_900_000_000_000
                    }
                ]
            }
        }
        fixture.daemon.on(ControlMethods.listActivities) { _ in .init() }
        fixture.daemon.on(ControlMethods.listApps) { _ in
            .with {
                $0.apps = [
                    .with {
                        $0.identity = .with { $0.bundleID = "com.example.Reader" }
                        $0.name = "Reader"
                    }
                ]
            }
        }
        return fixture
    }

    @Test("saved activities are listed and searched, for people and as JSON (H-14)")
    func lists() async throws {
        let fixture = fixture()
        #expect(await fixture.run("activities", "--saved") == .success)
        #expect(fixture.output.text.contains("ABCDEF"))
        #expect(fixture.output.text.contains("Reader") && fixture.output.text.contains("search"))
        #expect(!fixture.output.text.contains("\u{1B}[2J"))
        #expect(
            await fixture.run("activities", "--saved", "two", "words", "--app", "com.example.Reader", "--json")
                == .success)
        let list = try fixture.json(fixture.output)["saved_activities"] as? [[String: Any]]
        #expect(list?.first?["saved_id"] as? String == "ABCDEFGHIJ")
        #expect(list?.first?["eligible_for_search"] as? Bool == true)
        #expect(list?.first?["content_description"] as? String == "Told of it")
        let requests = fixture.daemon.requests(of: Baton_Control_V1_ListSavedActivitiesRequest.self)
        #expect(requests.map(\.query) == ["", "two words"])
        #expect(requests.map(\.bundleID) == ["", "com.example.Reader"])
        // The list of what apps do now is what it was.
        #expect(await fixture.run("activities") == .success)
        #expect(await fixture.run("activities", "--json") == .success)
        #expect(await fixture.run("activities", "words") == .usage)
        // By name too; and an app that is not there is none whose list is empty.
        #expect(await fixture.run("activities", "--saved", "--app", "reader") == .success)
        for app in ["nosuch", ""] {
            #expect(await fixture.run("activities", "--saved", "word", "--app", app) == .notFound)
        }
        #expect(fixture.errors.text.contains("No app “nosuch” is installed"))
        let last = fixture.daemon.requests(of: Baton_Control_V1_ListSavedActivitiesRequest.self)
        #expect(last.map(\.bundleID) == ["", "com.example.Reader", "com.example.Reader"])
    }

    @Test("a saved activity is opened, and an app that does not take it is a failure (H-14)")
    func opens() async throws {
        let fixture = fixture()
        fixture.daemon.on(ControlMethods.openSavedActivity) { request in .with { $0.handled = request.savedID == "ABC" }
        }
        #expect(await fixture.run("activities", "open", "ABC") == .success)
        #expect(await fixture.run("activities", "open", "XYZ") == .notContinued)
        #expect(await fixture.run("activities", "open") == .usage)
    }
}
