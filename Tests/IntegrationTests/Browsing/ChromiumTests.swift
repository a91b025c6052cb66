import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// A real Chromium with the extension on one device, and the other device's daemon.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ChromiumTests {
        private struct Setting {
            let household: TestHousehold
            let chromium: ChromiumBrowser
            let extensionID: String
            /// On each device.
            let pages: [PageServer]

            var a: TestDevice { household[0] }
            var b: TestDevice { household[1] }

            /// The popup as a tab of its own.
            func popup() async throws -> ChromiumBrowser.Tab {
                try await chromium.open("chrome-extension://\(extensionID)/popup.html")
            }
        }

        /// Chromium with the extension on the first device's machine, and a web server on each.
        private static func with(_ body: @escaping (Setting) async throws -> Void) async throws {
            try await TestHousehold.with(2) { household in
                let a = household[0]
                let configuration = household.directory + "/browser"
                // As a person does it; the home is in the file that Chromium starts.
                let install = try ChildProcess(
                    [try Products.path("baton"), "--home", a.home, "browse", "install", "--browser", "chromium"],
                    environment: ["HOME": household.directory, "XDG_CONFIG_HOME": configuration])
                #expect(try await install.status() == 0)
                var pages: [PageServer] = []
                for device in household.devices {
                    pages.append(try await PageServer(prefix: device.prefix, address: device.address))
                }
                let chromium = try await ChromiumBrowser(profile: configuration + "/chromium", prefix: a.prefix)
                let outcome: Result<Void, any Error>
                do {
                    let id = try await chromium.loadExtension(Products.package + "/Extension")
                    try await body(Setting(household: household, chromium: chromium, extensionID: id, pages: pages))
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                await chromium.end()
                for server in pages { await server.end() }
                try outcome.get()
            }
        }

        private static let browsing = ActivityType.browsingWeb.rawValue

        @Test(
            "The page that a person is on in Chromium is offered on the other device, whose browser opens it (H-84)"
        )
        func fromTheBrowser() async throws {
            try await Self.with { setting in
                let (b, chromium) = (setting.b, setting.chromium)
                let record = setting.household.directory + "/opened"
                let browser = setting.household.directory + "/browser.sh"
                try "#!/bin/sh\nprintf '%s\\n' \"$1\" >> \(record)\n".write(
                    toFile: browser, atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)
                try await b.baton("settings", "set", "browser", "\(browser) %u")

                let first = try await chromium.open(setting.pages[0].root + "/first")
                let offer = try await b.offer(ofType: Self.browsing, title: "Page first")
                #expect(offer.deviceName == "Device A")
                #expect(offer.offer.activity.webpageURL == setting.pages[0].root + "/first")
                #expect(offer.route == .pageInBrowser)

                // Another tab, and back.
                let second = try await chromium.open(setting.pages[0].root + "/second")
                _ = try await b.offer(ofType: Self.browsing, title: "Page second")
                try await chromium.activate(first)
                _ = try await b.offer(ofType: Self.browsing, title: "Page first")
                try await chromium.navigate(first, to: setting.pages[0].root + "/third?x=1")
                let third = try await b.offer(ofType: Self.browsing, title: "Page third?x=1")

                #expect(try await b.baton("continue", third.offerID).status == 0)
                let opened = try String(contentsOfFile: record, encoding: .utf8)
                #expect(opened == setting.pages[0].root + "/third?x=1\n")
                // It is there now (H-75).
                try await b.offers("that the page is no longer offered") { $0.isEmpty }

                // The person comes back to another tab; a page that is not of the web is private.
                try await chromium.activate(second)
                _ = try await b.offer(ofType: Self.browsing, title: "Page second")
                let popup = try await setting.popup()
                try await b.offers("that no page of the browser's own is offered") { $0.isEmpty }
                try await chromium.wait(
                    in: popup, for: "document.getElementById('note').textContent", toBe: "Continued on Device B.")

                // The popup's messages from now on, also each time that the extension has looked at the page.
                try await chromium.evaluate(
                    "(globalThis.told = [], port.onMessage.addListener((state) => told.push(state)))", in: popup)
                try await switchOffAndOn(setting, popup, page: second)
                try await chromium.activate(first)
                _ = try await b.offer(ofType: Self.browsing, title: "Page third?x=1")

                // An address that is too long is not published, and does no harm to the connection.
                try await chromium.evaluate("history.pushState(0, '', '/' + 'x'.repeat(70000))", in: first)
                try await b.offers("that the page with the long address is not offered") { $0.isEmpty }
                try await chromium.navigate(first, to: setting.pages[0].root + "/fourth")
                _ = try await b.offer(ofType: Self.browsing, title: "Page fourth")
                let isQuiet = "state.host === 'connected' && state.note === 'Continued on Device B.'"
                #expect(try await chromium.evaluate("told.every((state) => \(isQuiet))", in: popup) == "true")
            }
        }

        /// With the switch off, a page is visited that no device may hear of; the next published page is the first to be
        /// heard of. Begins with the popup in front.
        private func switchOffAndOn(
            _ setting: Setting, _ popup: ChromiumBrowser.Tab, page tab: ChromiumBrowser.Tab
        ) async throws {
            let (chromium, root) = (setting.chromium, setting.pages[0].root)
            let watch = try setting.b.startBaton(["offers", "--watch"])
            _ = try await within(.seconds(20), "the offers as they are") { try await watch.output.expect { $0 } }

            let click = "document.getElementById('publishing').click()"
            try await chromium.evaluate(click, in: popup)
            try await chromium.wait(in: popup, for: "told.some((state) => !state.publishing)")
            try await chromium.activate(tab)
            try await chromium.navigate(tab, to: root + "/secret")
            try await chromium.wait(in: tab, for: "document.title", toBe: "Page secret")
            // The extension has looked at it once more.
            let looks = try await chromium.evaluate("told.length", in: popup)
            try await chromium.evaluate("document.title = 'Page still secret'", in: tab)
            try await chromium.wait(in: popup, for: "told.length > \(looks)")
            let isSecret = "state.page?.url?.includes('secret')"
            #expect(try await chromium.evaluate("told.some((state) => \(isSecret))", in: popup) == "false")

            // By the same way, so that it cannot overtake what was published before it.
            try await chromium.navigate(tab, to: root + "/public")
            try await chromium.wait(in: tab, for: "document.title", toBe: "Page public")
            try await chromium.evaluate(click, in: popup)
            let found = try await within(.seconds(20), "the next page to be offered") {
                try await watch.output.first { $0.contains("Page public") ? $0 : nil }
            }
            let line = try #require(found)
            let before = watch.output.all.prefix(line.next - 1)
            #expect(!before.isEmpty && !before.contains { $0.contains("Page ") })
            #expect(try await chromium.evaluate("told.some((state) => \(isSecret))", in: popup) == "false")
        }

        @Test("A page of another device is in the popup, and a click opens it in a tab; a daemon that stops is told of")
        func intoTheBrowser() async throws {
            try await Self.with { setting in
                let (a, b, chromium) = (setting.a, setting.b, setting.chromium)
                let popup = try await setting.popup()
                let state = "document.getElementById('state').textContent"
                try await chromium.wait(in: popup, for: state, toBe: "Nothing is open on your other devices.")
                let url = setting.pages[1].root + "/other"
                let browse = try b.startBaton(["browse", url, "--title", "Other <b>page</b>"])
                let title = "document.querySelector('.offer .title')?.textContent"
                try await chromium.wait(in: popup, for: title, toBe: "Other <b>page</b>")
                #expect(
                    try await chromium.evaluate("document.querySelector('.offer .detail').textContent", in: popup)
                        == "Device B · " + setting.pages[1].root.dropFirst("http://".count))

                // The daemon goes and comes back, and the browser need not.
                try await a.stop()
                try await chromium.wait(in: popup, for: state, toBe: "Baton does not run.")
                #expect(try await chromium.evaluate("document.querySelectorAll('.offer').length", in: popup) == "0")
                try await a.start()
                try await a.isConnected(to: b)
                try await chromium.wait(in: popup, for: title, toBe: "Other <b>page</b>")

                try await chromium.evaluate("document.querySelector('.offer').click()", in: popup)
                try await setting.pages[1].requested("/other")
                try await a.until("the page to be in a tab") { try await chromium.addresses().contains(url) }
                // The offering side hears of it.
                let line = try await within(.seconds(20), "baton browse to hear of it") {
                    try await browse.output.first { $0.contains(#""event":"continued""#) ? $0 : nil }
                }
                #expect(line?.found.contains(#""device_name":"Device A""#) == true)
            }
        }

        @Test(
            "An app's activity is in the popup: a click continues it in the app here, another opens its page in the browser instead (H-10)"
        )
        func appsInThePopup() async throws {
            try await Self.with { setting in
                let (type, probe) = ("com.example.probe.note", "com.example.probe")
                try await setting.household.install(.probe(probe, types: [type]))
                let origin = try TestApp(probe, on: setting.b)
                let receiver = try TestApp(probe, on: setting.a)
                try await origin.launch()
                let (chromium, popup) = (setting.chromium, try await setting.popup())
                let title = "document.querySelector('.offer .title')?.textContent"
                let url = setting.pages[1].root + "/note"
                try origin.make("first", type: type, title: "First note", ["page": url])
                try await chromium.wait(in: popup, for: title, toBe: "First note")
                let detail = try await chromium.evaluate(
                    "document.querySelector('.offer .detail').textContent", in: popup)
                #expect(detail.hasPrefix("Device B · continues in "))
                try await chromium.evaluate("document.querySelector('.offer').click()", in: popup)
                let continued = try await receiver.events.first("continue", ["title": "First note"])
                #expect(continued["type"] == type && continued["page"] == url)
                try await origin.events.first("wasContinued", ["title": "First note"])

                try origin.make("second", type: type, title: "Second note", ["page": url])
                try await chromium.wait(in: popup, for: title, toBe: "Second note")
                try await chromium.evaluate("document.querySelector('.here').click()", in: popup)
                try await setting.pages[1].requested("/note")
                try await origin.events.first("wasContinued", ["title": "Second note"])
                #expect(!receiver.events.all.contains { $0["title"] == "Second note" })
            }
        }

        @Test("Without its host the popup says what to do")
        func withoutHost() async throws {
            let folder = try TemporaryDirectory()
            let chromium = try await ChromiumBrowser(profile: folder.path)
            do {
                let id = try await chromium.loadExtension(Products.package + "/Extension")
                let popup = try await chromium.open("chrome-extension://\(id)/popup.html")
                try await chromium.wait(
                    in: popup, for: "document.getElementById('command').textContent", toBe: "baton browse install")
            } catch {
                await chromium.end()
                throw error
            }
            await chromium.end()
        }
    }
}
