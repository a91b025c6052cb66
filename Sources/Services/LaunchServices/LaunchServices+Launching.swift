import BatonConcurrency
package import BatonCore
import BatonTrust
import Dispatch
import Glibc
import Logging
import Synchronization

extension LaunchServices {
    /// Makes sure that an installed app runs.
    ///
    /// Each launch verifies the bundle as its installation did, so that an app that was tampered with since is not run.
    /// - Returns: its process, and whether it ran before; then the arguments and the environment were not used.
    package func launch(
        _ bundleID: BundleID, arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> (processID: Int32, wasRunning: Bool) {
        do {
            let request = try LaunchRequest(arguments: arguments, environment: environment)
            return try await locks.perform(bundleID) {
                guard let app = self.app(bundleID) else { throw Self.notInstalled(bundleID) }
                if let processID = self.liveProcess(app.identity) { return (processID, true) }
                try await self.settings.beforeStart(bundleID)
                return (try await self.start(app, request), false)
            }
        } catch let error as BatonError {
            recorder.record(
                "launch", "launch_failed", error.message, ["bundle_id": bundleID.rawValue, "reason": error.reason])
            throw error
        }
    }

    /// Ends an app: it is asked to (SIGTERM), and killed if it does not in time.
    package func quit(_ bundleID: BundleID) async throws {
        try await locks.perform(bundleID) {
            guard let app = self.app(bundleID) else {
                let development = AppIdentity(bundleID: bundleID, team: .development)
                guard let process = self.liveProcess(development) else { throw Self.notInstalled(bundleID) }
                throw BatonError(
                    .failedPrecondition, reason: "app_not_launched_here",
                    "\(bundleID) is an unsigned development app that Baton did not launch, so Baton does not end it. End "
                        + "process \(process) where it was started.")
            }
            guard self.liveProcess(app.identity) != nil else {
                throw BatonError(
                    .failedPrecondition, reason: "app_not_running", "\(bundleID) does not run, so it cannot be quit.")
            }
            try await self.terminate(app.identity)
        }
    }

    // MARK: Processes that others started

    /// Takes note that an app runs in a process which the daemon may not have started.
    package func noteRunning(_ app: AppIdentity, processID: Int32) {
        if let stamp = ProcessStamp(of: processID) { note(app, stamp) }
    }

    /// Takes note that an app detached. An installed app counts as running for as long as its process does, one in
    /// development for as long as it is attached.
    package func noteEnded(_ app: AppIdentity, processID: Int32) {
        if !app.team.isDevelopment {
            guard
                let process = state.withLock({ state in
                    state.processes.all(app).first { $0.stamp.processID == processID }
                })
            else { return }
            // Its parent or its watch will report it.
            if process.origin == .launched || process.stamp.isAlive && hasWatch(process.stamp) { return }
        }
        ended(app, processID: processID, .unknown, reportedBy: .noted)
    }

    private func hasWatch(_ stamp: ProcessStamp) -> Bool { state.withLock { $0.watches[stamp] != nil } }

    func note(_ app: AppIdentity, _ stamp: ProcessStamp) {
        guard state.withLock({ $0.processes.started(app, stamp, .noted) }) else { return }
        let watch = ProcessWatch(stamp, on: launchQueue.queue) { [weak self] in
            self?.ended(app, processID: stamp.processID, .unknown, reportedBy: .noted)
        }
        if let watch {
            // The process may have ended, and been forgotten, since the watch began.
            let isStillKnown = state.withLock { state in
                guard state.processes.contains(app, processID: stamp.processID) else { return false }
                state.watches[stamp] = watch
                return true
            }
            if !isStillKnown { watch.cancel() }
        } else if !stamp.isAlive {
            ended(app, processID: stamp.processID, .unknown, reportedBy: .noted)
            return
        }
        recorder.record(
            "launch", "attached", "\(app.bundleID) runs as process \(stamp.processID).",
            ["bundle_id": app.bundleID.rawValue, "process_id": String(stamp.processID)])
        emit(.launched(app.bundleID, processID: stamp.processID))
    }

    // MARK: Starting

    /// The app's process, if it has one that lives: one may have ended so recently that its end was not reported yet.
    private func liveProcess(_ app: AppIdentity) -> Int32? {
        state.withLock { $0.processes.all(app) }.first { $0.stamp.isAlive }?.stamp.processID
    }

    private func start(_ app: InstalledApp, _ request: LaunchRequest) async throws -> Int32 {
        let command = try await launchQueue.run { try self.prepare(app, request) }
        let identity = app.identity
        let image = launchImages(of: app.bundleID, for: request.environment[Self.urlVariable])
        let processID = try await AppProcess.start(
            command,
            started: { self.started(identity, processID: $0, image: image) },
            ended: { self.ended(identity, processID: $0, $1, reportedBy: .launched) })
        return processID
    }

    /// Blocks.
    private func prepare(_ app: InstalledApp, _ request: LaunchRequest) throws(BatonError) -> AppProcess.Command {
        try verify(app)
        try AppContainer.prepare(app.bundleID, locations)
        if settings.helper != nil { try ConfinementMark.note(in: confinementRecord) }
        return AppProcess.Command(
            executable: app.executablePath, arguments: request.arguments,
            environment: request.fullEnvironment(
                inheriting: settings.environment, socket: locations.socket, container: app.containerPath,
                hasOwnHome: !app.traits.sandbox.isUnconfined),
            directory: app.containerPath, descriptorLimit: settings.descriptorLimit,
            log: try AppLog.open(app.bundleID, in: locations.appLogs), confinement: confinement(of: app))
    }

    /// Whether the bundle of an installed app is still what was installed, as its launch would find.
    /// - Returns: what is wrong with it; nil for nothing.
    package func verification(of app: InstalledApp) async -> BatonError? {
        do {
            try await launchQueue.run { try self.verify(app) }
            return nil
        } catch {
            return error as? BatonError
                ?? BatonError(.unknown, reason: "bundle_unreadable", "The bundle could not be verified: \(error)")
        }
    }

    /// Blocks: briefly while nothing in the bundle changed since it was last verified.
    func verify(_ app: InstalledApp) throws(BatonError) {
        if let seal = state.withLock({ $0.seals[app.bundleID] }), seal.isUnbroken() { return }
        let bundle = try CodeVerifier.verify(app.bundlePath)
        guard bundle.identity == app.identity, bundle.digest == app.digest else {
            throw BatonError(
                .failedPrecondition, reason: "bundle_tampered",
                "The bundle of \(app.bundleID) was replaced after installation. Install the app again.")
        }
        state.withLock { state in
            // Unless another version was installed meanwhile.
            if state.apps[app.bundleID] == app { state.seals[app.bundleID] = bundle.seal }
        }
    }

    private func started(_ app: AppIdentity, processID: Int32, image: LaunchImage?) {
        // A process that ended at once still waits to be reaped and has no stamp; its end will be reported.
        let stamp = ProcessStamp(of: processID) ?? ProcessStamp(processID: processID, startTime: 0)
        state.withLock { state in
            _ = state.processes.started(app, stamp, .launched)
            // The app may have been quicker to attach than its launch was to be reported.
            state.watches.removeValue(forKey: stamp)?.cancel()
        }
        let runningFiles = runningFiles
        launchQueue.queue.async { try? runningFiles.write(app.bundleID, stamp) }
        recorder.record(
            "launch", "launched", "\(app.bundleID) was launched as process \(processID).",
            ["bundle_id": app.bundleID.rawValue, "process_id": String(processID)]
                .merging(image.map { ["launch_image": $0.path] } ?? [:]) { $1 })
        emit(.launched(app.bundleID, processID: processID, image: image))
    }

    // MARK: Ending

    /// Takes note that a process ended. Later calls for the same process do nothing.
    /// - Parameter reporter: only its parent is believed of a process that was launched: it knows how it ended.
    func ended(
        _ app: AppIdentity, processID: Int32, _ ending: AppProcess.Ending, reportedBy reporter: ProcessTable.Origin
    ) {
        let result = state.withLock { state -> (ProcessTable.Process, [OneShot])? in
            guard let process = state.processes.ended(app, processID: processID, by: reporter) else { return nil }
            state.watches.removeValue(forKey: process.stamp)?.cancel()
            if state.apps[app.bundleID]?.identity == app {
                let exit = AppExit(
                    description: ending.description(wasAsked: process.isStopping),
                    isFailure: ending.isFailure(wasAsked: process.isStopping), time: settings.clock.now)
                state.lastExits[app.bundleID] = exit
                keep(exit, of: app.bundleID)
            }
            return (process, state.endWaiters.removeValue(forKey: process.stamp) ?? [])
        }
        guard let (process, waiters) = result else { return }
        for waiter in waiters { waiter.fire() }
        let runningFiles = runningFiles
        if process.origin == .launched { launchQueue.queue.async { try? runningFiles.remove(app.bundleID) } }
        let description = ending.description(wasAsked: process.isStopping)
        let isCrash = ending.isCrash(wasAsked: process.isStopping)
        recorder.record(
            "launch", isCrash ? "crashed" : "exited", "\(app.bundleID): \(description)",
            ["bundle_id": app.bundleID.rawValue, "process_id": String(processID)].merging(ending.fields) { $1 })
        emit(.exited(app.bundleID, processID: processID, description: description))
    }

    /// In the order of the ends, behind the state. An exit that could not be written is missed after the next start only.
    private func keep(_ exit: AppExit, of bundleID: BundleID) {
        let (registry, logger) = (registry, logger)
        launchQueue.queue.async {
            do {
                try registry.setExit(exit, of: bundleID)
            } catch {
                logger.warning("could not keep how an app ended", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Ends every process of an app and returns once they are gone. Does nothing if it does not run.
    /// - Returns: whether it ran.
    @discardableResult
    func terminate(_ app: AppIdentity) async throws -> Bool {
        let processes = state.withLock { $0.processes.stopping(app) }
        for process in processes { process.stamp.send(SIGTERM) }
        for process in processes {
            if await hasEnded(app, process.stamp, within: settings.terminationGrace) { continue }
            // A caller who gave up did not ask for the app to be killed sooner.
            try Task.checkCancellation()
            process.stamp.send(SIGKILL)
            guard await hasEnded(app, process.stamp, within: .seconds(5)) else {
                throw BatonError(
                    .deadlineExceeded, reason: "app_does_not_end",
                    "Process \(process.stamp.processID) of \(app.bundleID) does not end, even when killed. The disk "
                        + "or network that it waits for may hang.")
            }
        }
        return !processes.isEmpty
    }

    private func hasEnded(_ app: AppIdentity, _ stamp: ProcessStamp, within limit: Duration) async -> Bool {
        let ended = OneShot()
        let isKnown = state.withLock { state in
            guard state.processes.contains(app, processID: stamp.processID) else { return false }
            state.endWaiters[stamp, default: []].append(ended)
            return true
        }
        guard isKnown else { return true }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await ended.wait() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        return state.withLock { !$0.processes.contains(app, processID: stamp.processID) }
    }
}

extension AppProcess.Ending {
    fileprivate var fields: [String: String] {
        switch self {
        case .code(let code): ["exit_code": String(code)]
        case .signal(let signal): ["signal": String(signal)]
        case .unknown: [:]
        }
    }
}
