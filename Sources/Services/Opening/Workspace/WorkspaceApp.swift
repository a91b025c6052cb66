package import BatonCore

/// An app of this device: installed, or a program in development that runs.
package struct WorkspaceApp: Sendable, Hashable {
    package var identity: AppIdentity
    /// For people.
    package var name: String
    /// Absolute; nil for a program in development.
    package var bundlePath: String?
    package var executablePath: String?
    /// Nil for one that does not run.
    package var processID: Int32?
    package var isInFront: Bool

    package init(
        identity: AppIdentity, name: String, bundlePath: String?, executablePath: String?, processID: Int32?,
        isInFront: Bool
    ) {
        self.identity = identity
        self.name = name
        self.bundlePath = bundlePath
        self.executablePath = executablePath
        self.processID = processID
        self.isInFront = isInFront
    }

    /// Whether an app may know everything about this one, and start it. A program in development is the person's own, as a shell is.
    package func isOpen(to caller: AppIdentity) -> Bool {
        caller.team.isDevelopment || caller.team == identity.team
    }

    /// The part that an app may know which found this one by what it opens: not whether the person uses it.
    package func shown(to caller: AppIdentity) -> WorkspaceApp {
        guard !isOpen(to: caller) else { return self }
        var app = self
        (app.processID, app.isInFront) = (nil, false)
        return app
    }
}

/// The device's apps, as the workspace needs them.
package protocol WorkspaceApps: Sendable {
    /// Installed apps, and programs in development that run.
    func all() -> [WorkspaceApp]
    /// Starts an installed app unless it runs.
    func launch(_ app: AppIdentity) async throws -> (processID: Int32, wasRunning: Bool)
}
