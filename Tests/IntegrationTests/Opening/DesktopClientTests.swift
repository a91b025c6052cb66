import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// The desktop's own programs reach apps of Baton: by the entries that the daemon writes, without a session bus.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DesktopClientTests {
        @Test(
            "xdg-open and gio open hand URLs and files to apps; entries are valid, and gone with their app (U-5, A-9)"
        )
        func entries() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let desktop = DesktopSession(device, in: household.directory)
                try await household.install(.toDo)
                try await household.install(.pngViewer)
                try await desktop.index(lists: ["x-scheme-handler/todolist", "image/png"])
                let (toDo, viewer) = (try ExampleLog(.toDo, on: device), try ExampleLog(.pngViewer, on: device))
                for name in try desktop.entries() {
                    try await desktop.run("desktop-file-validate", "\(device.locations.desktopEntries)/\(name)")
                }

                try await desktop.run("xdg-open", "todolist://new?By%20xdg-open")
                try await toDo.line("added By xdg-open")
                try await desktop.run("gio", "open", "todolist:?By%20gio")
                try await toDo.line("added By gio")
                let picture = "\(household.directory)/Größe & $(x).png"
                try Data(base64Encoded: Self.png)?.write(to: URL(fileURLWithPath: picture))
                try await desktop.run("xdg-open", picture)
                try await viewer.line("shows Größe & $(x).png, 1 x 1")
                let start = viewer.count
                try await desktop.run("gio", "open", picture)
                try await viewer.line("shows Größe & $(x).png, 1 x 1", from: start)

                try await device.baton("uninstall", "com.acme.ToDoList", "--yes")
                try await desktop.index(lists: ["image/png"])
                #expect(try desktop.entries().count == 1)
                let gone = try await desktop.run("gio", "open", "todolist:?Gone", expecting: nil)
                #expect(gone != 0)
            }
        }

        @Test("a click on a link in Chromium opens the app (U-1)")
        func click() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let desktop = DesktopSession(device, in: household.directory)
                try await household.install(.toDo)
                try await desktop.index(lists: ["x-scheme-handler/todolist"])
                let toDo = try ExampleLog(.toDo, on: device)
                let pages = try await PageServer(prefix: device.prefix, address: device.address)
                let screen = try await VirtualScreen()
                let chromium = try await ChromiumBrowser(
                    profile: household.directory + "/chromium", prefix: device.prefix, screen: screen,
                    policy: [
                        "AutoLaunchProtocolsFromOrigins": [
                            ["protocol": "todolist", "allowed_origins": [pages.root]]
                        ]
                    ], environment: desktop.environment)
                let outcome: Result<Void, any Error>
                do {
                    let tab = try await chromium.open(pages.root + "/links")
                    let link = "Object.assign(document.createElement('a'), {href: 'todolist:?By%20Chromium'})"
                    try await chromium.evaluate("document.body.appendChild(\(link)).click()", in: tab)
                    try await toDo.line("added By Chromium")
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                await chromium.end()
                await screen.end()
                await pages.end()
                try outcome.get()
            }
        }

        private static let png =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    }
}
