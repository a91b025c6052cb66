import BackupFormat
package import BatonCore

/// A restore of the whole device that is not done yet.
extension BackupService {
    /// How long a launch waits for the app's container.
    private static let launchPatience = Duration.seconds(15)

    /// Goes on with what a restart cut.
    package func continueRestore() async {
        guard let plan, !plan.needsCode, !plan.isPaused, progress == nil, !isRestoring else { return }
        var request = RestoreRequest()
        request.snapshot = plan.snapshot
        request.target = plan.target
        request.replaces = plan.replaces
        do {
            _ = try await restoreWhole(request, isByItself: true)
            _ = note(problem: nil)
        } catch {
            let why = (error as? BatonError)?.message ?? "\(error)"
            guard note(problem: why) else { return }
            recorder.record("backup", "restore_waits", "The restore of this device waits. \(why)", [:])
        }
    }

    /// Restored files stay; the rest is not waited for any more.
    package func giveUpRestore() throws {
        guard plan != nil else {
            throw BatonError(
                .failedPrecondition, reason: "no_restore", "No restore of this device was begun that is not done.")
        }
        try changePlan { $0 = nil }
    }

    /// An app that is launched while this device is restored gets its container first.
    /// - Throws: `unavailable` (`app_restoring`) while it is not whole.
    package func prepareLaunch(of app: BundleID) async throws {
        guard plan?.isPending(app) == true else { return }
        try changePlan { $0?.want(app) }
        let end = ContinuousClock.now + Self.launchPatience
        while plan?.isPending(app) == true, isRestoring, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        guard let plan, plan.isPending(app) else { return }
        throw BatonError(
            .unavailable, reason: "app_restoring",
            isRestoring
                ? "The data of \(app) is being restored, before that of other apps. Open it again in a while."
                : "The data of \(app) is not restored yet, and the restore of this device waits. \(advice(plan))")
    }

    /// How a restore that waits goes on.
    private func advice(_ plan: DeviceRestorePlan) -> String {
        let giveUp = "or give the rest up with “baton backup restore --give-up”."
        let command = command(plan)
        if plan.needsCode {
            let certificate = plan.isFromAddress ? ", with --fingerprint if you gave one before" : ""
            return
                "The recovery code is not kept, so it goes on when you give it again: “\(command)”\(certificate), \(giveUp)"
        }
        return plan.isPaused
            ? "It was stopped: go on with “\(command)”, \(giveUp)"
            : "It goes on by itself once the backup can be reached; try it with “\(command)”, \(giveUp)"
    }

    /// The command that goes on with the same snapshot.
    private func command(_ plan: DeviceRestorePlan) -> String {
        var words = ["baton backup restore", plan.snapshot, "--device"]
        words.append(BackupSnapshot.ID(plan.snapshot)?.device.rawValue ?? "NAME")
        if plan.needsCode || plan.target != state.target?.path {
            words += [plan.isFromAddress ? "--cloud" : "--target", Self.quoted(plan.target)]
        }
        if plan.replaces { words.append("--replace") }
        if plan.needsCode { words.append("--recovery-code") }
        return words.joined(separator: " ")
    }
}
