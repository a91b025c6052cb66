import AppSessions
import BatonCore
import BatonStore
import BatonTransport
import BatonWire
import Contacts
import LaunchServices
import Notices
import Opening
import ServiceLifecycle
import SessionBus
import SwiftProtobuf

/// The person's contacts, and which apps may read them.
struct ContactsPart: DaemonPart {
    static let migrations = ContactAccess.migrations

    let book: ContactBook
    private let access: ContactAccess
    private let sessions: AppSessions
    private let apps: InstalledContactApps

    init(_ daemon: DaemonComposition) async throws {
        let settings = try daemon.part(SettingsPart.self).settings
        sessions = try daemon.part(SessionsPart.self).sessions
        apps = InstalledContactApps(launchServices: try daemon.part(AppsPart.self).launchServices)
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
            address: BusAddress.session(in: daemon.options.environment), recorder: daemon.log)
        book = ContactBook(sources: [folder, evolution], recorder: daemon.log)
        access = try await ContactAccess(
            database: daemon.database,
            questions: ContactQuestionBoard(questions: try daemon.part(OpeningPart.self).questions),
            recorder: daemon.log)
    }

    func registerLocal(on router: inout ConnectRouter) {
        ContactsHarness(book, access: access, sessions: sessions).register(on: &router)
        AddressBookHarness(book, access: access, apps: apps).register(on: &router)
    }

    var services: [any Service] { [book] }

    /// Beside the desktop's entries of apps, where vdirsyncer and khard look, too.
    private static func usualFolder(_ locations: Locations) -> String {
        locations.desktopEntries.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 } + "/contacts"
    }
}

/// Asks the person as apps without a terminal do.
private struct ContactQuestionBoard: ContactQuestions {
    private static let (allow, deny) = ("allow", "deny")

    let questions: QuestionService

    func mayRead(app: AppIdentity, name: String) async throws -> Bool? {
        let question = Baton_App_V1_Question.with {
            $0.kind = .shareSheet
            $0.title = "May “\(name)” (\(app.bundleID)) read and change your contacts?"
            $0.options = [
                .with {
                    $0.id = Self.allow
                    $0.title = "Allow"
                },
                .with {
                    $0.id = Self.deny
                    $0.title = "Do not allow"
                },
            ]
        }
        for await answer in try questions.ask(question, from: app.bundleID, named: name) {
            switch answer {
            case .option(Self.allow): return true
            case .option(Self.deny): return false
            case .option, .text, .cancelled: return nil
            }
        }
        // The app withdrew the question, or the daemon ends.
        throw CancellationError()
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
