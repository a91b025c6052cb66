import BatonConcurrency
import BatonCore
import Foundation
import Logging
import Opening
import Subprocess

/// Publishes installed apps on the desktop: their entries, the index over these, and their names on the session bus.
final class DesktopIntegration: Sendable {
    let bus: ApplicationBus
    private let entries: DesktopEntries
    private let services: BusServices
    private let foreign: ForeignNames
    private let directory: String
    private let command: [String]
    private let icons: AppIcons
    private let handlers: InstalledHandlers
    private let logger: Logger
    private let queue = BlockingQueue("baton.opening.desktop-entries")
    private let turns = AsyncSemaphore(1)

    /// - Parameter hasHome: whether the device has a folder of its own, which `baton` needs as an argument.
    init(
        locations: Locations, hasHome: Bool, environment: [String: String], icons: AppIcons,
        handlers: InstalledHandlers, bus: ApplicationBus,
        logger: Logger
    ) {
        self.bus = bus
        entries = DesktopEntries(directory: locations.desktopEntries)
        directory = locations.desktopEntries
        let home = URL(fileURLWithPath: locations.data).deletingLastPathComponent().path
        let options = hasHome ? ["--home", home] : []
        command = [ProgramPath.beside("baton") ?? "baton"] + options
        let shared = URL(fileURLWithPath: locations.desktopEntries).deletingLastPathComponent().path
        foreign = ForeignNames(own: shared, environment: environment)
        services = BusServices(
            directory: shared + "/dbus-1/services", command: [ProgramPath.beside("batond") ?? "batond"] + options,
            unit: hasHome ? nil : Self.unit)
        self.icons = icons
        self.handlers = handlers
        self.logger = logger
    }

    /// The unit of the person's systemd that runs this daemon.
    private static let unit: String? = {
        let group = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
        let last = group.split(separator: "\n").last?.split(separator: "/").last.map(String.init)
        return last == "batond.service" ? last : nil
    }()

    /// Runs at the start, after apps were installed or removed, and when another program takes an app's name on the bus. A failing
    /// desktop does not keep apps from working.
    func update() async { await turns.withPermit { await updateNow() } }

    private func updateNow() async {
        let types = handlers.types()
        var wanted: [DesktopEntry] = []
        var callable: [BundleID] = []
        let (foreign, held) = (foreign, bus.held)
        for app in handlers.claimants() {
            guard let identity = handlers.identity(of: app.bundleID) else { continue }
            let icon = await icons.path(of: identity)
            let isFree = await queue.run { !foreign.has(app.bundleID) }
            if isFree {
                callable.append(app.bundleID)
            } else {
                logger.notice(
                    "An app has the name of another program, so programs call it by “baton open” and not by its name",
                    metadata: ["app": "\(app.bundleID)"])
            }
            wanted.append(
                DesktopEntry(
                    app: app, icon: icon, types: types, command: command,
                    isNameFree: isFree && !held.contains(app.bundleID.rawValue)))
        }
        let (entries, services, finished, apps) = (entries, services, wanted, callable)
        // Before the entries: a program that finds one may call the app at once.
        bus.setApps(apps)
        do {
            try await queue.run { try services.update(apps) }
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
