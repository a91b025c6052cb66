package import BatonCore
package import BatonTransport

/// Which app a process is.
package struct AppCaller: Hashable, Sendable {
    package var identity: AppIdentity
    /// For people.
    package var name: String

    package init(identity: AppIdentity, name: String) {
        self.identity = identity
        self.name = name
    }
}

extension AdmittedCaller {
    package var app: AppCaller { AppCaller(identity: identity, name: name) }

    /// - Throws: `permission_denied` unless it speaks for the app now: a process can do so for several, one after the other.
    package func check(speaksFor app: AppIdentity) throws(BatonError) {
        guard identity == app else {
            throw BatonError(.permissionDenied, reason: "other_app", "The session belongs to another app.")
        }
    }
}

/// An app's process that is attached.
package struct AppSession: Hashable, Sendable {
    package var id: SessionID
    package var process: PeerProcess
    package var app: AppCaller
    /// It has an app delegate, which deliveries go to.
    package var takesDeliveries: Bool

    package init(id: SessionID, process: PeerProcess, app: AppCaller, takesDeliveries: Bool) {
        self.id = id
        self.process = process
        self.app = app
        self.takesDeliveries = takesDeliveries
    }
}

/// A capability that needs to know which apps are attached.
///
/// It is notified of every session in the order in which they come and go, one at a time: first that it is attached, last
/// that it has ended. It may send commands meanwhile; it must neither block nor attach or detach a session.
package protocol AppSessionParticipant: Sendable {
    /// - Parameter attachment: the process's description of itself, with the fields for this capability.
    /// - Throws: the reason to refuse the attachment. Capabilities that were notified of the session before hear that it
    ///   has ended.
    func attached(_ session: AppSession, _ attachment: AppAttachment) throws
    func detached(_ session: AppSession)
    /// A process of an app ended, whether it was attached or not.
    func processEnded(_ app: AppIdentity, process: Int32, message: String)
}

/// The apps of this device, as sessions need them.
package protocol AppSessionApps: Sendable {
    /// The installed app that a process speaks for; nil for a program of the person's, which is in development.
    /// - Parameter bundleID: the app that it says it is.
    /// - Throws: `permission_denied` for a program of an app that says it is another one, and for a process
    ///   whose app cannot be determined.
    func installedApp(of process: PeerProcess, claiming bundleID: String) throws(BatonError) -> AppCaller?
    /// Starts the app, or does nothing when it runs. Returns when the process has started.
    func launch(
        _ app: AppIdentity, environment: [String: String]
    ) async throws -> (processID: Int32, wasRunning: Bool)
    /// A process of the app has attached, started by Baton or not.
    func noteRunning(_ app: AppIdentity, process: PeerProcess)
    func noteEnded(_ app: AppIdentity, process: PeerProcess)
}

/// The limits and deadlines of sessions, as docs/protocol.md lists them.
package struct AppSessionsConfiguration: Sendable {
    /// Apps attached at once.
    package var maximumSessions = 1024
    /// Sessions of one process, under as many names; it needs one. Policy: more are refused, so that no process takes
    /// the others' places.
    package var maximumPerProcess = 16
    /// Sessions of all processes of one app. Policy: as above.
    package var maximumPerApp = 64
    /// An app that lets this many commands lie is taken for hung, and its attachment ended.
    package var maximumCommands = 1024

    /// Deliveries in progress at once.
    package var maximumDeliveries = 256
    /// From launching an app until it has attached.
    package var launchDeadline = Duration.seconds(20)
    /// How long an app may take to answer what was delivered.
    package var answerDeadline = Duration.seconds(60)

    package init() {}
}
