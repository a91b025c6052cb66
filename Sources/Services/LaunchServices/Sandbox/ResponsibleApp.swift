package import BatonCore
package import BatonTransport
import Glibc
import Synchronization

/// Which app, if any, stands behind a process: the one question of each part that admits callers.
package enum ResponsibleApp: Sendable, Hashable {
    /// A program that the person runs.
    case none
    /// The process runs a program of the app's bundle, or is the one that was launched as the app.
    case program(InstalledApp)
    /// An ancestor of the process is a program of the app.
    case ancestor(InstalledApp)
    /// An app, or another program that is confined as apps are; which one is not known.
    case unknown
    /// The process hides which program it runs.
    case hidden
    /// Another process may have its number by now.
    case ended
}

extension LaunchServices {
    /// By the program that the process runs, the processes that were launched, its ancestors, and the mark that the launch
    /// of an app leaves on each descendant, also where it has no parent of that app any more.
    package func responsibleApp(for process: PeerProcess) -> ResponsibleApp {
        let found = findResponsibleApp(for: process)
        // Information about a later process with the same number says nothing.
        return PeerProcess.startTime(of: process.processID) == process.startTime ? found : .ended
    }

    private func findResponsibleApp(for process: PeerProcess) -> ResponsibleApp {
        // As it was when it connected, and as it is now.
        let programs = [process.executable, PeerProcess.executable(of: process.processID)]
        if let installed = programs.compactMap(\.self).first(where: isInstalledProgram) {
            return app(ofProgram: installed).map(ResponsibleApp.program) ?? .unknown
        }
        if let app = launchedApp(ProcessStamp(processID: process.processID, startTime: process.startTime)) {
            return .program(app)
        }
        if let found = ancestor(of: process.processID) { return found }
        if ConfinementMark.isOn(process.processID) == true { return .unknown }
        // A process can hide its program from others of its user, but the superuser's are hidden from it anyway.
        guard programs.allSatisfy({ $0 != nil }) || process.userID == 0 else { return .hidden }
        return .none
    }

    private static let maximumAncestors = 64

    private func ancestor(of processID: Int32) -> ResponsibleApp? {
        var next = PeerProcess.parent(of: processID)
        for _ in 0..<Self.maximumAncestors {
            guard let process = next, process > 1, process != getpid() else { return nil }
            if let program = PeerProcess.executable(of: process), isInstalledProgram(program) {
                return app(ofProgram: program).map(ResponsibleApp.ancestor) ?? .unknown
            }
            if let app = ProcessStamp(of: process).flatMap(launchedApp) { return .ancestor(app) }
            next = PeerProcess.parent(of: process)
        }
        return .unknown
    }

    /// The installed app of whose bundle a program is.
    private func app(ofProgram path: String) -> InstalledApp? {
        app(forExecutable: path) ?? apps().first { path.hasPrefix($0.bundlePath + "/") }
    }

    /// The installed app whose process it is, whatever program it has become.
    private func launchedApp(_ stamp: ProcessStamp) -> InstalledApp? {
        state.withLock { state in
            guard let identity = state.processes.app(of: stamp), let app = state.apps[identity.bundleID],
                app.identity == identity
            else { return nil }
            return app
        }
    }
}

extension ResponsibleApp {
    /// The app that the process speaks for.
    /// - Parameter bundleID: the app that it says it is; believed of the programs of the person only.
    /// - Returns: nil for a program of the person.
    /// - Throws: `permission_denied` for a program of an app that says it is another one, and for a process of which
    ///   the app is unknown.
    package func app(claiming bundleID: String) throws(BatonError) -> InstalledApp? {
        switch self {
        case .none: return nil
        case .program(let app): return app
        case .ancestor(let app):
            guard app.bundleID.rawValue == bundleID else {
                throw BatonError(
                    .permissionDenied, reason: "started_by_app",
                    "\(app.bundleID) has started the program, which can therefore speak as \(app.bundleID) only. Start "
                        + "it from a terminal.")
            }
            return app
        case .unknown:
            throw BatonError(
                .permissionDenied, reason: "unknown_app",
                "An app has started the program, or another sandbox confines it, and Baton cannot determine which app it is. "
                    + "Start it from a terminal outside of any sandbox.")
        case .hidden: throw Self.hiddenProgram
        case .ended: throw PeerProcess.ended
        }
    }

    /// The process could be an app's.
    package static var hiddenProgram: BatonError {
        BatonError(
            .permissionDenied, reason: "unknown_program",
            "The calling process hides which program it runs, so it could be an installed app. Make the program readable "
                + "for its user.")
    }
}
