import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Testing

extension Integration {
    /// The same extension in a real Firefox.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct FirefoxTests {
        @Test("In Firefox a page goes out, and one of another device comes in with a click")
        func bothWays() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                let home = household.directory + "/firefox"
                let install = try ChildProcess(
                    [try Products.path("baton"), "--home", a.home, "browse", "install", "--browser", "firefox"],
                    environment: ["HOME": home])
                #expect(try await install.status() == 0)
                let pages = try await PageServer(prefix: b.prefix, address: b.address)
                let firefox = try await FirefoxBrowser(
                    home: home, extensionID: "browser-extension@baton", prefix: a.prefix)
                let outcome: Result<Void, any Error>
                do {
                    try await body(firefox, pages, b)
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                await firefox.end()
                await pages.end()
                try outcome.get()
            }
        }

        private func body(_ firefox: FirefoxBrowser, _ pages: PageServer, _ b: TestDevice) async throws {
            try await firefox.loadExtension(Products.package + "/Extension")
            try await firefox.open(pages.root + "/here")
            let offer = try await b.offer(ofType: ActivityType.browsingWeb.rawValue, title: "Page here")
            #expect(offer.offer.activity.webpageURL == pages.root + "/here")

            try await firefox.open("moz-extension://\(FirefoxBrowser.extensionHost)/popup.html")
            try await b.offers("that no page of the browser's own is offered") { $0.isEmpty }
            let browse = try b.startBaton(["browse", pages.root + "/there", "--title", "There"])
            try await firefox.wait(for: "document.querySelector('.offer .title')?.textContent", toBe: "There")
            try await firefox.evaluate("document.querySelector('.offer').click()")
            try await pages.requested("/there")
            let line = try await within(.seconds(20), "baton browse to hear of it") {
                try await browse.output.first { $0.contains(#""event":"continued""#) ? $0 : nil }
            }
            #expect(line?.found.contains(#""device_name":"Device A""#) == true)
        }
    }
}
