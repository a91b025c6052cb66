import BackupFormat
import BatonWire

/// `baton explain backup`: when the last one was, and why the next one waits.
struct BackupExplanation {
    let state: BackupState
    let isTargetThere: Bool
    let wait: BackupSchedule.Wait?
    let progress: BackupService.Progress?
    let now: UInt64

    var message: Baton_Control_V1_Explanation { .init("backup", stages) }

    private var stages: [Baton_Link_V1_Stage] {
        guard let target = state.target else {
            return [
                Baton_Link_V1_Stage(
                    "target", .failed, BackupSchedule.Wait.noTarget.sentence,
                    "Name a directory of a disk or a share with “baton backup target DIR”, or “baton backup target cloud”."
                )
            ]
        }
        var stages = [
            isTargetThere
                ? Baton_Link_V1_Stage("target", .ok, "Backups go to \(target.name), which is there.", "")
                : Baton_Link_V1_Stage(
                    "target", .failed, "Backups go to \(target.name), which is not there.",
                    target.isCloud ? "“baton explain sync” says why." : "Connect the disk or mount the share.")
        ]
        let days = state.schedule(started: now).daysWithout(now: now)
        let isOld = days >= 14
        let age = days == 0 ? "less than a day ago" : days == 1 ? "a day ago" : "\(days) days ago"
        let last = target.lastSuccess == nil ? "There is no backup yet." : "The last backup was made \(age)."
        stages.append(
            Baton_Link_V1_Stage(
                "last_backup", isOld ? .failed : .ok, last, isOld ? "Make one with “baton backup now”." : ""))
        if let count = target.lastUnreadable, count > 0 {
            stages.append(
                Baton_Link_V1_Stage(
                    "left_out", .failed,
                    count == 1
                        ? "The last backup lacks 1 file or folder, which could not be read or was not there."
                        : "The last backup lacks \(count) files or folders, which could not be read or were not there.",
                    "“baton backup now” names them. Make them readable, or leave them out with “baton backup exclude PATH”."
                ))
        }
        if let error = target.lastError, target.failures > 0 {
            stages.append(
                Baton_Link_V1_Stage(
                    "last_try", .failed, "The last try failed. \(error)", "Try “baton backup now” when that is mended.")
            )
        }
        if let progress { stages.append(Baton_Link_V1_Stage("work", .ok, progress.sentence, "")) }
        stages.append(
            Baton_Link_V1_Stage("next_backup", .ok, wait?.sentence ?? "The next backup begins within some minutes.", "")
        )
        return stages
    }
}
