import BatonConcurrency
import BatonCore
import Foundation
import Logging
import Opening
import Subprocess

/// Tells the desktop of installed apps: their entries, and the index over these.
final class DesktopIntegration: Sendable {
    private let entries: DesktopEntries
    private let directory: String
    private let command: [String]
    private let icons: AppIcons
    private let handlers: InstalledHandlers
    private let logger: Logger
    private let queue = BlockingQueue("baton.opening.desktop-entries")

    /// - Parameter hasHome: whether the device has a folder of its own, which `baton` must be told.
    init(locations: Locations, hasHome: Bool, icons: AppIcons, handlers: InstalledHandlers, logger: Logger) {
        entries = DesktopEntries(directory: locations.desktopEntries)
        directory = locations.desktopEntries
        let home = URL(fileURLWithPath: locations.data).deletingLastPathComponent().path
        command = [Self.program] + (hasHome ? ["--home", home] : [])
        self.icons = icons
        self.handlers = handlers
        self.logger = logger
    }

    /// `baton` beside this program, else the one in the search path.
    private static let program: String = {
        let daemon = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let beside = URL(fileURLWithPath: daemon).deletingLastPathComponent().appendingPathComponent("baton").path
        return FileManager.default.isExecutableFile(atPath: beside) ? beside : "baton"
    }()

    /// After apps have come or gone, and at the start. A desktop that cannot be told does not keep apps from working.
    func update() async {
        let types = handlers.types()
        var wanted: [DesktopEntry] = []
        for app in handlers.claimants() {
            guard let identity = handlers.identity(of: app.bundleID) else { continue }
            let icon = await icons.path(of: identity)
            wanted.append(DesktopEntry(app: app, icon: icon, types: types, command: command))
        }
        let (entries, finished) = (entries, wanted)
        do {
            let isChanged = try await queue.run { try entries.update(finished) }
            if isChanged { await index() }
        } catch {
            logger.warning("The desktop's entries were not written", metadata: ["error": "\(error)"])
        }
    }

    /// GIO and xdg-mime look handlers up in an index, which desktop-file-utils makes. Without that program the desktop
    /// starts apps, but does not find them for a scheme or a type.
    private func index() async {
        do {
            _ = try await Subprocess.run(
                .name("update-desktop-database"), arguments: ["--quiet", directory], output: .discarded,
                error: .discarded)
        } catch {
            logger.warning("update-desktop-database could not be run", metadata: ["error": "\(error)"])
        }
    }
}
