package import BatonConcurrency
package import BatonCore
package import BatonTransport
import BatonTrust
package import BatonWire
import SwiftProtobuf
import UniformTypes

/// Answers apps about the other apps of the device.
package struct WorkspaceHarness: Sendable {
    private let service: OpeningService
    private let apps: any WorkspaceApps
    private let clock: MomentClock

    package init(
        _ service: OpeningService, apps: any WorkspaceApps, clock: MomentClock = MomentClock(wall: .system)
    ) {
        self.service = service
        self.apps = apps
        self.clock = clock
    }

    package func register(on router: inout ConnectRouter) {
        router.app(WorkspaceMethods.findApps) { [self] request, caller in
            let found = try find(request, for: caller.identity)
            return .with { $0.apps = found.map(Self.message) }
        }
        router.app(WorkspaceMethods.launchApp) { [self] request, caller in
            let (processID, wasRunning) = try await launch(request.bundleID, for: caller.identity)
            return .with {
                $0.processID = processID
                $0.wasRunning = wasRunning
            }
        }
    }

    package func find(
        _ request: Baton_App_V1_FindAppsRequest, for caller: AppIdentity
    ) throws(BatonError) -> [WorkspaceApp] {
        let all = apps.all()
        switch request.subject {
        case .bundleID(let text)?:
            return all.filter { $0.identity.bundleID.rawValue == text && $0.isOpen(to: caller) }
        case .running(_)?: return all.filter { $0.processID != nil && $0.isOpen(to: caller) }
        case .url(let url)?:
            guard isDeclared(url, by: caller) else { return [] }
            return Self.ordered(all, by: try service.handlers(of: url), for: caller)
        case .type(let type)?:
            let identifier = service.types().declaration(of: type)?.identifier ?? type
            return Self.ordered(all, by: service.handlers(ofType: identifier), for: caller)
        case nil: throw BatonError(.invalidArgument, reason: "nothing_named", "The request names nothing.")
        }
    }

    private static func ordered(
        _ all: [WorkspaceApp], by choice: HandlerChoice, for caller: AppIdentity
    ) -> [WorkspaceApp] {
        choice.candidates.compactMap { candidate in
            all.first { $0.identity.bundleID == candidate.bundleID && $0.bundlePath != nil }?.shown(to: caller)
        }
    }

    /// As `canOpenURL` asks: an installed app may ask about schemes that it declares.
    private func isDeclared(_ url: String, by caller: AppIdentity) -> Bool {
        guard let scheme = URLScheme(ofURL: url) else { return false }
        if caller.team.isDevelopment || scheme.isReserved { return true }
        let claims = service.apps.claimants().first { $0.bundleID == caller.bundleID }?.claims
        return claims?.queriedSchemes.contains(scheme.rawValue) ?? false
    }

    package func launch(
        _ bundleID: String, for caller: AppIdentity
    ) async throws -> (processID: Int32, wasRunning: Bool) {
        let found = apps.all().first { $0.identity.bundleID.rawValue == bundleID && $0.bundlePath != nil }
        // An app of another team does not learn whether that one is installed.
        guard let app = found, app.isOpen(to: caller) else {
            if caller.team.isDevelopment {
                throw BatonError(
                    .notFound, reason: "app_not_installed",
                    "“\(bundleID.shortened(toBytes: 80))” is not installed here. “baton apps” lists the apps.")
            }
            throw BatonError(
                .permissionDenied, reason: "app_of_another_team",
                "An app starts apps of its own team only. Open a URL or a document, which the other app claims.")
        }
        try service.checkRate(of: caller, at: clock.now)
        return try await apps.launch(app.identity)
    }

    private static func message(_ app: WorkspaceApp) -> Baton_App_V1_WorkspaceApp {
        .with {
            $0.bundleID = app.identity.bundleID.rawValue
            $0.name = app.name
            $0.bundlePath = app.bundlePath ?? ""
            $0.executablePath = app.executablePath ?? ""
            $0.processID = app.processID ?? 0
            $0.inFront = app.isInFront
        }
    }
}
