package import AppSessions
package import BatonConcurrency
package import BatonCore
import BatonStore
import BatonTrust
package import BatonWire
import Files
import Foundation
import SwiftProtobuf
import Synchronization
package import UniformTypes

/// Opens URLs and files: chooses who opens them, and delivers them once.
package final class OpeningService: Sendable {
    /// The result of a request.
    package struct Outcome: Sendable, Hashable {
        /// Nil: the desktop has it.
        package var app: BundleID?
        /// The app's answer; true for the desktop, which gives none.
        package var isHandled: Bool
        /// A copy in the app's Inbox.
        package var deliveredPath: String?

        package init(app: BundleID?, isHandled: Bool, deliveredPath: String? = nil) {
            self.app = app
            self.isHandled = isHandled
            self.deliveredPath = deliveredPath
        }
    }

    let apps: any OpeningApps
    private let sessions: AppSessions
    private let links: any OpeningLinks
    private let desktop: any OpeningDesktop
    package let defaults: HandlerDefaults
    private let recorder: any EventRecorder
    /// Receives each file in an app's Inbox before the app does.
    private let arrived: @Sendable (_ name: String, BundleID) async -> Void
    /// Opens a URL of the system's own, such as `baton-reminder:ID`; nil for other URLs.
    private let ownLink: @Sendable (_ url: String) async throws -> Outcome?
    /// Copies files, and reads the beginning of those whose type is asked for.
    private let fileQueue = BlockingQueue("baton.opening.files")
    private let rate = Mutex(OpeningRate())

    package init(
        apps: any OpeningApps, sessions: AppSessions, links: any OpeningLinks, desktop: any OpeningDesktop,
        defaults: HandlerDefaults, recorder: any EventRecorder,
        arrived: @escaping @Sendable (_ name: String, BundleID) async -> Void = { _, _ in },
        ownLink: @escaping @Sendable (_ url: String) async throws -> Outcome? = { _ in nil }
    ) {
        self.apps = apps
        self.sessions = sessions
        self.links = links
        self.desktop = desktop
        self.defaults = defaults
        self.recorder = recorder
        self.arrived = arrived
        self.ownLink = ownLink
    }

    /// One bound for all that an app asks to be opened or started. Programs in development are the person's own, as a shell is.
    /// - Throws: `resource_exhausted` (`too_many_openings`).
    package func checkRate(of app: AppIdentity, at now: Timestamp) throws(BatonError) {
        guard !app.team.isDevelopment else { return }
        try rate.withLock { rate throws(BatonError) in try rate.take(app, now: now) }
    }

    // MARK: Choosing

    /// Where a URL goes, and the rules that were tried.
    package func route(
        _ url: String, from caller: OpeningCaller, universalLinksOnly: Bool = false
    ) -> (route: URLRouter.Route, steps: [OpeningStep]) {
        var router = URLRouter(claimants: apps.claimants())
        if let scheme = try? URLRouter.check(url) {
            if scheme.isWeb {
                router.pageClaims = links.apps(claiming: url)
                router.domainChoice = URL(string: url)?.host.flatMap { defaults.choice(for: .domain($0)) }
            }
            router.schemeChoice = defaults.app(for: .scheme(scheme))
            router.desktopCanOpen = desktop.canOpen(scheme)
        }
        return router.route(url, from: caller, universalLinksOnly: universalLinksOnly)
    }

    /// Whether something here opens URLs of a scheme. Says nothing about universal links.
    package func canOpen(_ url: String) -> Bool {
        guard let scheme = try? URLRouter.check(url) else { return false }
        let claimants = scheme.isReserved ? [] : apps.claimants()
        return !HandlerChoice.handlers(of: scheme, among: claimants, choice: nil).candidates.isEmpty
            || desktop.canOpen(scheme)
    }

    /// The apps that open URLs like this one, the best first.
    package func handlers(of url: String) throws(BatonError) -> HandlerChoice {
        let scheme = try URLRouter.check(url)
        return HandlerChoice.handlers(
            of: scheme, among: apps.claimants(), choice: defaults.app(for: .scheme(scheme)))
    }

    /// The apps that open files of a type, the best first.
    package func handlers(ofType type: String) -> HandlerChoice {
        HandlerChoice.handlers(
            of: type, in: apps.types(), among: apps.claimants(), choice: defaults.app(for: .type(type)))
    }

    package func types() -> TypeRegistry { apps.types() }

    /// The type of a file, and what its content looks like.
    /// - Throws: `not_found`, `failed_precondition` for what cannot be read.
    package func type(ofFile path: String) async throws -> (type: String, contentMIMEType: String?) {
        let types = apps.types()
        return try await fileQueue.run {
            var file = try FileSample(path: path)
            defer { file.sample.overwrite() }
            let type = FileTypeDetector.type(
                ofFileName: file.name, isDirectory: file.isDirectory, sample: file.sample, in: types)
            return (type, FileTypeDetector.mimeType(ofContent: file.sample))
        }
    }

    // MARK: Opening

    /// Opens a URL.
    /// - Parameter app: opens it in this app, which need not claim it; nil for the one that the rules choose.
    /// - Throws: `not_found` when nothing here opens it, what ``AppSessions/deliver(_:)`` throws.
    package func open(
        _ url: String, from caller: OpeningCaller, with app: BundleID? = nil, universalLinksOnly: Bool = false,
        annotation: Baton_Value_V1_PropertyValue? = nil
    ) async throws -> Outcome {
        let scheme = try URLRouter.check(url)
        if scheme.isReserved, !universalLinksOnly, let outcome = try await ownLink(url) { return outcome }
        if scheme.isFile {
            let path = try FileURL.checkedPath(of: url)
            if let caller = caller.app, !caller.team.isDevelopment {
                return try await open(fileOf: caller, path, with: app, annotation: annotation)
            }
            // A program in development is the person's own: its files open as those do that the person opens.
            if caller.app?.team.isDevelopment == true, !universalLinksOnly {
                return try await open(file: path, from: caller, with: app)
            }
        }
        let route =
            if let app { scheme.isWeb ? URLRouter.Route.universalLink(app) : .scheme(app) } else {
                self.route(url, from: caller, universalLinksOnly: universalLinksOnly).route
            }
        switch route {
        case .scheme(let app):
            return try await deliver(
                .with {
                    $0.url = url
                    if let annotation { $0.annotation = annotation }
                }, to: app, from: caller)
        case .universalLink(let app):
            let identity = try identity(of: app)
            record("universal_link", "A page was handed to \(app) as a universal link.", app)
            return Outcome(app: app, isHandled: try await UniversalLink.deliver(url, to: identity, through: sessions))
        case .desktop:
            try await desktop.open(url: url)
            return Outcome(app: nil, isHandled: true)
        case .nobody(let error):
            throw error
        }
    }

    /// Opens a file in an app that declares its type, else with the desktop.
    ///
    /// The app gets a copy in its `Documents/Inbox`, unless the file is in its own container and it opens
    /// documents in place.
    /// - Parameter isWanted: whether anybody still waits for a copy that takes long.
    package func open(
        file path: String, from caller: OpeningCaller, with app: BundleID? = nil,
        isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws -> Outcome {
        let type = try await type(ofFile: path).type
        guard let app = app ?? handlers(ofType: type).candidates.first?.bundleID else {
            try await desktop.open(file: path)
            return Outcome(app: nil, isHandled: true)
        }
        _ = try identity(of: app)
        guard let container = apps.container(of: app) else { throw Self.notInstalled(app) }
        let claims = apps.claimants().first { $0.bundleID == app }?.claims
        if claims?.opensInPlace == true, path.hasPrefix(container + "/") {
            return try await deliver(
                .with {
                    $0.url = URL(fileURLWithPath: path).absoluteString
                    $0.openInPlace = true
                }, to: app, from: caller)
        }
        let inbox = Inbox(container: container, directory: apps.inbox(of: app))
        let copy = try await fileQueue.run { try inbox.add(fileAt: path, isWanted: isWanted) }
        return try await deliver(copy: copy, to: app, from: caller)
    }

    /// Gives an app a file that this device has received: the file itself comes into its Inbox where the file system allows it,
    /// else a copy.
    /// - Parameter path: the daemon's own, in a folder of its own. If this throws, the file is there as it was.
    package func give(received path: String, to app: BundleID) async throws -> Outcome {
        _ = try identity(of: app)
        guard let container = apps.container(of: app) else { throw Self.notInstalled(app) }
        let inbox = Inbox(container: container, directory: apps.inbox(of: app))
        let file = try await fileQueue.run { try ReceivedFile(path) }
        do {
            let copy = try await fileQueue.run { try inbox.take(file) }
            return try await deliver(copy: copy, to: app, from: .person)
        } catch {
            do {
                try await fileQueue.run { try file.putBack() }
            } catch {
                record(
                    "not_put_back",
                    "A received file stayed in the Inbox of \(app), which could not open it: \(error)", app)
            }
            throw error
        }
    }

    /// Opens a document of a container that apps write: the file that is there now, and through no link, since the person may read more
    /// than the app that put it there. For the desktop that is looked at before, and the file is shown to the person.
    /// - Parameter root: the container's folder.
    /// - Throws: `permission_denied` for a path that leads elsewhere, and what ``open(file:from:with:isWanted:)`` does.
    package func open(document path: String, in root: String) async throws -> Outcome {
        let types = apps.types()
        let document = try await fileQueue.run { try Document(path, in: root, types) }
        guard let app = handlers(ofType: document.type).candidates.first?.bundleID else {
            try await desktop.open(file: path)
            return Outcome(app: nil, isHandled: true)
        }
        _ = try identity(of: app)
        guard let container = apps.container(of: app) else { throw Self.notInstalled(app) }
        guard let file = document.file else { throw Inbox.noFile(path) }
        let inbox = Inbox(container: container, directory: apps.inbox(of: app))
        let copy = try await fileQueue.run { try inbox.add(file) }
        return try await deliver(copy: copy, to: app, from: .person)
    }

    private struct Document {
        /// Nil for a package.
        let file: OpenFile?
        let type: String

        init(_ path: String, in root: String, _ types: TypeRegistry) throws(BatonError) {
            file = try ContainerFile.document(path, in: root)
            var sample: [UInt8] = []
            if let file { sample = try FileSample(file).sample }
            defer { sample.overwrite() }
            type = FileTypeDetector.type(
                ofFileName: OpeningService.name(path), isDirectory: file == nil, sample: sample, in: types)
        }
    }

    private func deliver(copy: String, to app: BundleID, from caller: OpeningCaller) async throws -> Outcome {
        await arrived(Self.name(copy), app)
        var outcome = try await deliver(
            .with { $0.url = URL(fileURLWithPath: copy).absoluteString }, to: app, from: caller)
        outcome.deliveredPath = copy
        return outcome
    }

    // MARK: Documents of apps

    /// An installed app opens one of its files. The desktop would open it as the person, so it is not asked.
    private func open(
        fileOf caller: AppIdentity, _ path: String, with app: BundleID?, annotation: Baton_Value_V1_PropertyValue?
    ) async throws -> Outcome {
        // The answer does not reveal whether there is a file that is not the app's.
        guard let own = apps.container(of: caller.bundleID) else { throw Self.notInstalled(caller.bundleID) }
        try await fileQueue.run { _ = try ContainerFile.open(path, in: own) }
        let type = FileTypeDetector.type(
            ofFileName: Self.name(path), isDirectory: false, sample: [], in: apps.types())
        guard let app = app ?? handlers(ofAll: [type], except: caller.bundleID).first?.bundleID else {
            throw BatonError(.notFound, reason: "no_handler", "No other app here opens files of the type \(type).")
        }
        return try await open(document: path, from: caller, with: app, annotation: annotation)
    }

    /// The apps that open files of all these types, in the order for the first one; never the caller itself.
    package func handlers(
        ofAll types: [String], except caller: BundleID
    ) -> [HandlerChoice.Candidate] {
        let registry = apps.types()
        let choices = types.map { handlers(ofType: registry.declaration(of: $0)?.identifier ?? $0).candidates }
        guard let first = choices.first else { return [] }
        return first.filter { candidate in
            candidate.bundleID != caller && choices.allSatisfy { $0.contains { $0.bundleID == candidate.bundleID } }
        }
    }

    /// Hands a copy of an app's file to another app.
    ///
    /// An installed app may name files of its own container only: the daemon may read more than the app may.
    package func open(
        document path: String, from caller: AppIdentity, with app: BundleID,
        annotation: Baton_Value_V1_PropertyValue?, isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws -> Outcome {
        _ = try identity(of: app)
        guard let target = apps.container(of: app) else { throw Self.notInstalled(app) }
        let own = caller.team.isDevelopment ? nil : apps.container(of: caller.bundleID)
        guard caller.team.isDevelopment || own != nil else { throw Self.notInstalled(caller.bundleID) }
        let inbox = Inbox(container: target, directory: apps.inbox(of: app))
        let copy = try await fileQueue.run { () throws(BatonError) -> String in
            guard let own else { return try inbox.add(fileAt: path, isWanted: isWanted) }
            return try inbox.add(try ContainerFile.open(path, in: own), isWanted: isWanted)
        }
        await arrived(Self.name(copy), app)
        var outcome = try await deliver(
            .with {
                $0.url = URL(fileURLWithPath: copy).absoluteString
                if let annotation { $0.annotation = annotation }
            }, to: app, from: OpeningCaller(app: caller))
        outcome.deliveredPath = copy
        return outcome
    }

    /// Copies a file that the person picked for an app into its Inbox.
    /// - Parameters:
    ///   - path: from the person, never from the app: the daemon may read more than the app may.
    ///   - types: what the app opens; empty for anything.
    /// - Returns: the copy's path.
    package func copy(
        picked path: String, to app: BundleID, types: [String], isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws -> String {
        _ = try identity(of: app)
        guard let container = apps.container(of: app) else { throw Self.notInstalled(app) }
        let (type, registry) = (try await self.type(ofFile: path).type, apps.types())
        guard types.isEmpty || types.contains(where: { registry.conforms(type, to: $0) }) else {
            let wanted = types.map { registry.declaration(of: $0)?.description ?? $0 }.joined(separator: ", ")
            throw BatonError(
                .invalidArgument, reason: "wrong_type",
                "“\(PrintableName.escaped(Self.name(path)))” is not of these types: \(PrintableName.escaped(wanted)).")
        }
        let inbox = Inbox(container: container, directory: apps.inbox(of: app))
        let apps = apps
        let copy = try await fileQueue.run {
            try inbox.add(picked: path, containers: apps.writableFolders(), isWanted: isWanted)
        }
        await arrived(Self.name(copy), app)
        record("picked", "A file that the person picked was copied for \(app).", app)
        return copy
    }

    private func deliver(
        _ command: Baton_App_V1_OpenURLCommand, to bundleID: BundleID, from caller: OpeningCaller
    ) async throws -> Outcome {
        let app = try identity(of: bundleID)
        let id = DeliveryID.random()
        var command = command
        command.requestID = id.rawValue
        // The sender is named to apps of its own team only.
        if let sender = caller.app, !sender.team.isDevelopment, sender.team == app.team {
            command.sourceApplication = sender.bundleID.rawValue
        }
        record("opened", "A URL was handed to \(bundleID).", bundleID)
        var environment = ["BATON_LAUNCH_URL": command.url, "BATON_LAUNCH_REQUEST": id.rawValue]
        if command.openInPlace { environment["BATON_LAUNCH_IN_PLACE"] = "1" }
        if !command.sourceApplication.isEmpty { environment["BATON_LAUNCH_SOURCE"] = command.sourceApplication }
        let answer = try await sessions.deliver(
            Delivery(id: id, app: app, environment: environment, commands: [AppCommand(.openURL(command))]))
        guard case .opened(let result) = answer.result else { return Outcome(app: bundleID, isHandled: false) }
        return Outcome(app: bundleID, isHandled: result.handled)
    }

    private static func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    private func identity(of bundleID: BundleID) throws(BatonError) -> AppIdentity {
        guard let identity = apps.identity(of: bundleID) else { throw Self.notInstalled(bundleID) }
        return identity
    }

    private func record(_ event: String, _ message: String, _ bundleID: BundleID) {
        recorder.record("opening", event, message, ["bundle_id": bundleID.rawValue])
    }

    private static func notInstalled(_ bundleID: BundleID) -> BatonError {
        BatonError(
            .notFound, reason: "app_not_installed",
            "\(bundleID) is not installed here. “baton apps” lists the apps.")
    }
}
