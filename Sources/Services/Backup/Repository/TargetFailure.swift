/// A failure of the target, or of the account's keys, while something was stored. It is no fault of the file that was being read,
/// so it ends the backup.
struct TargetFailure: Error {
    let cause: any Error
}
