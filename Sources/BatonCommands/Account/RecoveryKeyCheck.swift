import BatonCore
import BatonWire
import SwiftProtobuf

/// Waits until a new recovery key works, which the daemon tries on the account's cloud with nothing but the code.
struct RecoveryKeyCheck: Sendable {
    struct Finding: Sendable {
        /// Nil when it is not known.
        var works: Bool?
        var text: String
    }

    let session: CommandSession
    let cloud: Baton_Control_V1_GetCloudStatusResponse

    /// Whether waiting may help.
    static func mayWork(_ cloud: Baton_Control_V1_GetCloudStatusResponse) -> Bool {
        cloud.state != .noCloud && !(cloud.state == .waiting && cloud.failureReason == "device_revoked")
    }

    func run(_ code: String) async -> Finding {
        guard Self.mayWork(cloud) else { return Finding(works: false, text: standing("")) }
        let clock = ContinuousClock()
        let end = clock.now + session.context.recoveryPatience
        var pause = session.context.recoveryPause
        while true {
            do {
                let answer = try await session.call(
                    ControlMethods.checkRecoveryKey, .with { $0.code = code }, timeout: .seconds(30))
                return Finding(
                    works: true,
                    text:
                        "It works: it was tried on \(TerminalText.escape(answer.cloudURL)), where everything was found "
                        + "that a new device needs.")
            } catch let error as BatonError where error.code == .unimplemented {
                return Finding(
                    works: nil,
                    text: "It works once this device has sent it to the account's cloud: see “baton cloud status”.")
            } catch {
                let why = (error as? BatonError)?.message ?? ""
                guard Self.isPassing(error), clock.now + pause < end, !Task.isCancelled else {
                    return Finding(works: false, text: standing(why))
                }
            }
            // The cloud hears of the key within a second mostly.
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(8))
        }
    }

    /// The key is not there yet, or the cloud does not answer now.
    private static func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? BatonError else { return false }
        return [.notFound, .unavailable, .deadlineExceeded, .aborted, .resourceExhausted].contains(error.code)
    }

    private func standing(_ why: String) -> String {
        switch cloud.state {
        case .noCloud:
            return """
                It does not work yet, since this account has no cloud, and the account is recovered from there: run \
                “baton cloud login URL”, and then this again. Write the cloud's address beside the code.
                A backup on a disk is opened with it once the next one is made: “baton backup now”.
                """
        case .waiting where cloud.failureReason == "device_revoked":
            return """
                It does not work: the account's cloud says that this device was revoked. Make one on a device that belongs to \
                the account.
                """
        default:
            let reason = why.isEmpty ? "" : " (\(TerminalText.escape(why)))"
            return """
                It does not work yet, since the account's cloud does not have it\(reason). Keep this device on until \
                “baton cloud status” says that it is connected; the code stays valid.
                """
        }
    }
}
