import BatonCore
import BatonStore
import BatonTransport
import Contacts
import LaunchServices
import Notices
import Opening
import ServiceLifecycle
import SessionBus

/// The person's contacts, and which apps may read them.
struct ContactsPart: DaemonPart {
    static let migrations = [AppPermissions.migration("contacts-1", .contacts)]

    let book: ContactBook
    private let access: AppPermissions
    private let apps: InstalledContactApps

    init(_ daemon: DaemonComposition) async throws {
        let settings = try daemon.part(SettingsPart.self).settings
        let launchServices = try daemon.part(AppsPart.self).launchServices
        apps = InstalledContactApps(launchServices: launchServices)
        let usual = Self.usualFolder(daemon.options.locations)
        let folder = VCardFolder(
            paths: {
                let values = settings.values(of: .contactsFolder)
                return AsyncStream { paths in
                    // Ends with its reader.
                    let task = Task {
                        for await value in values {
                            paths.yield(value == "default" ? usual : value == "none" ? "" : value)
                        }
                        paths.finish()
                    }
                    paths.onTermination = { _ in task.cancel() }
                }
            }, recorder: daemon.log)
        let evolution = EvolutionSource(
            address: BusAddress.session(in: daemon.options.environment),
            trust: DesktopTrust(launchServices: launchServices, recorder: daemon.log).admits, recorder: daemon.log)
        book = ContactBook(sources: [folder, evolution], recorder: daemon.log)
        let question = PermissionQuestion(
            questions: try daemon.part(OpeningPart.self).questions, action: "read and change your contacts")
        access = try await AppPermissions(
            .contacts, database: daemon.database, recorder: daemon.log, question: question.ask)
    }

    func registerLocal(on router: inout ConnectRouter) {
        ContactsHarness(book, access: access).register(on: &router)
        AddressBookHarness(book, access: access, apps: apps).register(on: &router)
    }

    var services: [any Service] { [book] }

    /// Beside the desktop's entries of apps, where vdirsyncer and khard look, too.
    private static func usualFolder(_ locations: Locations) -> String {
        locations.desktopEntries.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 } + "/contacts"
    }
}

/// Finds apps by what the person types.
private struct InstalledContactApps: ContactApps {
    let launchServices: LaunchServices

    func app(named text: String) throws(BatonError) -> AppIdentity {
        if let bundleID = BundleID(rawValue: text), let app = launchServices.app(bundleID) { return app.identity }
        let named = launchServices.apps().filter { $0.name.lowercased() == text.lowercased() }
        if let app = named.first, named.count == 1 { return app.identity }
        // A program that is not installed has the name that it gives itself.
        guard named.isEmpty, text.contains("."), let bundleID = BundleID(rawValue: text) else {
            throw BatonError(
                .notFound, reason: "no_such_app",
                named.isEmpty
                    ? "There is no app “\(text.prefix(100))”. “baton apps” lists those that are installed."
                    : "Several apps are called “\(text.prefix(100))”. Name one by its bundle identifier.")
        }
        return AppIdentity(bundleID: bundleID, team: .development)
    }

    func name(of app: AppIdentity) -> String? {
        launchServices.app(app.bundleID).flatMap { $0.identity == app ? $0.name : nil }
    }
}
