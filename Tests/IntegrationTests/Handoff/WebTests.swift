import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Testing

extension Integration {
    /// Pages: for the browser where no app takes the activity, and for the app that their site names.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct WebTests {
        private static let type = "com.example.mail.message"
        private static let mail = "com.example.mail"
        private static let browsing = "NSUserActivityTypeBrowsingWeb"

        private struct Offers: Decodable {
            struct Offer: Decodable {
                var route: String?
                var continuesIn: String?
                var webpageUrl: String?
            }
            var offers: [Offer]
        }

        @Test(
            "An app that has no counterpart is continued in the browser, which gets the page that the app names, as it is then, and only that (H-33, H-84, H-96, H-100)"
        )
        func nativeToWeb() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                try await household.install(.probe(Self.mail, types: [Self.type]), on: [a])
                let browser = try await RecordingBrowser(b, in: household)
                let origin = try TestApp(Self.mail, on: a)
                try await origin.launch()
                try await origin.behave("late-page")
                let page = "https://mail.example/u/0"
                try origin.make("m", type: Self.type, title: "Re: Lunch", ["page": page + "?a=b%20c&d=$(x)#m/12"])
                let offer = try await b.offer(ofType: Self.type)
                #expect(offer.route == .pageInBrowser && !offer.hasApp && offer.appName.isEmpty)
                let shown = try await b.baton("offers").decode(Offers.self).offers
                #expect(shown.map(\.route) == ["page_in_browser"] && shown.first?.continuesIn == nil)
                try await a.baton("explain", "activity", "--device", b.name, expecting: 0)

                let steps = try await b.continue(offer.offerID)
                try #require(steps.steps == [.accepted, .payloadReceived, .pageOpened, .acknowledged])
                // As the app filled it in when it was asked to save.
                let late = page + "/late?a=b%20c&d=$(x)#m/12"
                #expect(steps[2].pageURL == late)
                #expect(try await browser.pages(1) == ["1 \(late)"])
                try await origin.events.first("wasContinued", ["title": "Re: Lunch"])
                #expect(try await b.offersNow().isEmpty)

                try await withoutBrowser(a, b, origin)
            }
        }

        /// A setting takes effect at once.
        private func withoutBrowser(_ a: TestDevice, _ b: TestDevice, _ origin: TestApp) async throws {
            try origin.tell(["do": "current", "id": "m"])
            _ = try await b.offer(ofType: Self.type)
            try await b.baton("settings", "set", "browser", "none")
            try await b.offers("that nothing is offered without a browser") { $0.isEmpty }
            try await a.baton("explain", "activity", "--device", b.name, expecting: 1)
            // A browser that opens the page itself needs none.
            let id = try await a.call(ControlMethods.listActivities).activities.first { $0.current }?.activity
                .activityID
            let steps = try await b.continue(id ?? "", opensPage: true)
            try #require(steps.steps == [.accepted, .payloadReceived, .pageOpened, .acknowledged])
            #expect(steps[2].pageURL.hasPrefix("https://mail.example/"))
            // A text that is no page is not for any browser; the activity beside it stays as it is.
            try origin.make("n", type: Self.type, title: "None", ["page": "https://user:password@mail.example/"])
            try await a.record("page_ignored")
            try await b.baton("settings", "reset", "browser")
            try await a.until("the activity to be current") {
                try await a.call(ControlMethods.listActivities).activities.contains {
                    $0.current && $0.activity.title == "None" && !$0.activity.hasWebpageURL
                }
            }
        }

        @Test(
            "A browser that is not there, or fails, fails the continuation with a sentence; one that stays has the page (H-15, H-84)"
        )
        func failingBrowsers() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                try await household.install(.probe(Self.mail, types: [Self.type]), on: [a])
                try await b.baton("settings", "set", "browser", "/no/such/browser %u")
                let origin = try TestApp(Self.mail, on: a)
                try await origin.launch()
                try origin.make("m", type: Self.type, title: "M", ["page": "https://mail.example/"])
                let offer = try await b.offer(ofType: Self.type)
                let missing = try await b.baton("continue", offer.offerID, expecting: 8)
                #expect(try missing.failure().message.contains("/no/such/browser"))
                _ = try await RecordingBrowser(b, in: household, script: "exit 3")
                let failed = try await b.continue(offer.offerID)
                #expect(failed.errorCode == 4608)
                #expect(failed.last?.error.message.contains("code 3") == true)
                #expect(!origin.events.all.contains { $0["event"] == "wasContinued" })
                // Hangs, or shows a window: that cannot be determined.
                _ = try await RecordingBrowser(b, in: household, script: "exec sleep 600")
                #expect(try await b.continue(offer.offerID).last?.step == .acknowledged)
                try await origin.events.first("wasContinued")
            }
        }

        @Test(
            "A page that a browser shows goes to the app that claims its site, started cold: its type, the page, and no userInfo; so do the pages of other teams' apps (H-7, H-85, H-86, H-87, H-95)"
        )
        func webToNative() async throws {
            let folder = try TemporaryDirectory()
            let authority = try TestAuthority()
            let root = folder.file("root.pem")
            try Data(authority.root.utf8).write(to: URL(fileURLWithPath: root))
            let arguments = ["--site-roots", root, "--site-host", "company.com=127.0.0.1"]
            try await TestHousehold.with(2, arguments: arguments) { household in
                let (a, b) = (household[0], household[1])
                let notes = "com.company.notes"
                let team = try await household.makeTeam("Company")
                let file = Array(#"{"activitycontinuation":{"apps":["\#(team).\#(notes)"]}}"#.utf8)
                let site = try await NginxSite(
                    [.serving(file, at: "company.com", try await authority.issue("company.com"))], in: folder.path,
                    prefix: household.namespaces.command(on: 1, []), port: 443)
                let browser = try await RecordingBrowser(b, in: household)
                // It declares no type at all (H-86).
                var bundle = TestBundle.probe(notes, types: [])
                bundle.associatedDomains = ["activitycontinuation:company.com"]
                try await household.install(bundle, team: team, on: [b])
                try await household.install(
                    .probe(Self.mail, types: [Self.type, Self.browsing]), team: try await household.makeTeam("Browser"),
                    on: [a])
                try await b.baton("links", "refresh")
                let origin = try TestApp(Self.mail, on: a)
                try await origin.launch()

                // Followed once: another follower would begin with what was before.
                let app = try TestApp(notes, on: b)
                let page = "https://company.com/notes/7?x=y#z"
                let secrets: [String: Any] = ["page": page, "number": 4_242_424_242, "bytes": 2000, "streams": true]
                try origin.make("p", type: Self.browsing, title: "Note 7", secrets)
                try await continueInApp(b, app, origin, page, type: Self.browsing)
                // Nothing but BrowsingWeb starts at a browser, but every activity has a page (H-95).
                try origin.make("q", type: Self.type, title: "Mail", ["page": "https://company.com/m", "number": 1])
                try await continueInApp(b, app, origin, "https://company.com/m", type: Self.type)
                #expect(browser.pages.isEmpty)

                try await siteChanges(b, notes, origin, site, file)
                #expect(try await browser.pages(1) == ["1 \(page)"])
                await site.end()
            }
        }

        private func continueInApp(
            _ b: TestDevice, _ app: TestApp, _ origin: TestApp, _ page: String, type: String
        ) async throws {
            let notes = app.bundleID
            let offer = try await b.offer(ofType: type)
            #expect(offer.route == .pageInApp && offer.app.bundleID == notes && offer.appName == "notes")
            let isCold = try await app.processID() == nil
            let start = app.events.count
            let steps = try await b.continue(offer.offerID)
            #expect(
                steps.steps.filter { $0 != .launching && $0 != .willContinue }
                    == [.accepted, .payloadReceived, .continued, .acknowledged])
            #expect(steps.steps.contains(.launching) == isCold)
            let told = try await app.events.first("willContinue", from: start)
            #expect(told["type"] == Self.browsing)
            let continued = try await app.events.first("continue", from: start)
            #expect(continued["type"] == Self.browsing && continued["page"] == page)
            // Empty, and there: what the other team's app has in it stays with it.
            #expect(continued["entries"] == "0" && continued["number"] == nil && continued["bytes"] == nil)
            try await app.events.first("restore", from: start)
            try await origin.events.first("wasContinued", ["title": offer.offer.activity.title])
            let log = try String(contentsOfFile: "\(b.locations.appLogs)/\(notes).log", encoding: .utf8)
            #expect(!log.contains("4242424242"))
            // Streams are for the team's own app.
            try app.tell(["do": "open", "id": type, "mode": "ask"])
            #expect(try await app.events.first("refused", ["id": type])["code"] == "4609")
        }

        /// The site's present file decides at once.
        private func siteChanges(
            _ b: TestDevice, _ notes: String, _ origin: TestApp, _ site: NginxSite, _ file: [UInt8]
        ) async throws {
            let path = ".well-known/apple-app-site-association"
            let page = "https://company.com/notes/7?x=y#z"
            try origin.make("r", type: Self.browsing, title: "Again", ["page": page])
            let offer = try await b.offer(ofType: Self.browsing, title: "Again")
            #expect(offer.route == .pageInApp)
            try site.replace(path, of: "company.com", with: Array(#"{"activitycontinuation":{"apps":[]}}"#.utf8))
            try await b.baton("links", "refresh")
            try await b.offers("the page for the browser") { $0.map(\.route) == [.pageInBrowser] }
            try site.replace(path, of: "company.com", with: file)
            try await b.baton("links", "refresh")
            try await b.offers("the page for the app") { $0.map(\.route) == [.pageInApp] }
            try await b.baton("uninstall", notes, "--yes")
            try await b.offers("the page for the browser without the app") { $0.map(\.route) == [.pageInBrowser] }
            #expect(try await b.continue(offer.offerID).last?.step == .acknowledged)
        }

        @Test(
            "An activity continued on one device is gone everywhere, also after a restart of the daemon that offered it, until the app there changes it (H-18, H-32, H-41)"
        )
        func goneEverywhere() async throws {
            try await TestHousehold.with(3) { household in
                let (a, b, c) = (household[0], household[1], household[2])
                try await household.install(.probe(Self.mail, types: [Self.type]), on: [a, b])
                let browser = try await RecordingBrowser(c, in: household)
                let origin = try TestApp(Self.mail, on: a)
                try await origin.launch()
                try origin.make("m", type: Self.type, title: "One", ["page": "https://mail.example/1"])
                let offer = try await b.offer(ofType: Self.type)
                #expect(offer.route == .activity)
                #expect(try await c.offer(ofType: Self.type).route == .pageInBrowser)
                #expect(try await c.continue(offer.offerID).last?.step == .acknowledged)
                #expect(try await browser.pages(1) == ["1 https://mail.example/1"])
                try await b.offers("that nothing is offered") { $0.isEmpty }
                try await origin.events.first("wasContinued", ["title": "One"])

                try await a.restart()
                for other in [b, c] { try await other.isConnected(to: a) }
                // The app attaches again, and announces its activities.
                try await a.until("the app to attach again") {
                    try await a.call(ControlMethods.listActivities).activities.map(\.current) == [false]
                }
                for other in [b, c] { #expect(try await other.offersNow().isEmpty) }

                try origin.tell(["do": "title", "id": "m", "title": "Two"])
                #expect(try await b.offer(ofType: Self.type, title: "Two").offerID == offer.offerID)
                #expect(try await c.offer(ofType: Self.type, title: "Two").route == .pageInBrowser)
            }
        }
    }
}
