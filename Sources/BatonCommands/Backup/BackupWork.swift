import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// Work on backups, which may take hours: at a terminal a line shows how far it is.
enum BackupWork {
    private static let verbs = ["backup": "Backing up", "restore": "Restoring", "verify": "Checking"]

    static func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ session: CommandSession
    ) async throws -> Response {
        try await withThrowingTaskGroup(of: Response?.self) { group in
            group.addTask { try await session.call(method, request, timeout: BackupPatience.whole) }
            if session.context.terminal.isOutputInteractive, !session.isJSON {
                group.addTask {
                    try await draw(session)
                    return nil
                }
            }
            defer { group.cancelAll() }
            while let ended = try await group.next() {
                if let response = ended { return response }
            }
            throw CancellationError()
        }
    }

    /// Until it is cancelled.
    private static func draw(_ session: CommandSession) async throws {
        var screen = RedrawnText(columns: session.context.terminal.width)
        var begun: (work: String, meter: TransferMeter)?
        while true {
            // sleeps: a person sees more changes than one a second as a flicker.
            try await Task.sleep(for: session.context.progressPause)
            guard let status = try? await session.call(BackupMethods.getBackupStatus, .init()),
                let verb = verbs[status.work]
            else { continue }
            let progress = Baton_Control_V1_TransferProgress.with {
                $0.bytes = status.workBytes
                // It was an estimate.
                $0.total = status.workBytes > status.workTotal ? 0 : status.workTotal
            }
            let now = session.context.clock.now
            let present = begun.flatMap { $0.work == status.work ? $0 : nil }
            let meter = present?.meter ?? TransferMeter(start: now, progress)
            begun = (status.work, meter)
            let line = "\(verb): \(BackupSentences.done(files: status.workFiles, meter.line(progress, now: now)))"
            try session.context.standardOutput.write(screen.replacing(with: line))
        }
    }
}
