import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf

/// Where is this file, what waits, and why?
enum DocumentExplanation {
    private typealias Stage = Baton_Link_V1_Stage

    static func explain(
        _ path: DocumentPath, _ service: DocumentsService
    ) async throws -> Baton_Control_V1_ExplainResponse {
        let (container, rest) = try DocumentsAnswers.container(of: path, service)
        let (item, problem, isRead, access, leftOut) = try await container.perform { container in
            let reader = container.reader
            var access: (finding: String, isHeldUp: Bool)?
            var leftOut: (finding: String, advice: String)?
            var item: ContainerItem?
            do throws(BatonError) {
                let id = try reader.find(rest)
                (item, access) = (reader.item(id), reader.accessProblem(of: id))
            } catch {
                access = reader.newFileProblem(rest.description).map { ($0, false) }
                leftOut = access == nil ? reader.leftOut(rest) : nil
                if access == nil, leftOut == nil { throw error }
            }
            return (item, container.notes.problem, container.notes.isReadToEnd, access, leftOut)
        }
        var stages = [
            problem.map { Stage("container", .failed, $0.message, "") }
                ?? Stage("container", .ok, "\(container.name) at \(container.path)"),
            isRead
                ? Stage("account", .ok, "all that the account has of the container is known")
                : Stage(
                    "account", .unknown, "the account's cloud has not sent everything yet",
                    "See “baton explain sync” for why."),
        ]
        if let item { stages += Self.stages(item) }
        if let leftOut { stages.append(Stage("left out", .unknown, leftOut.finding, leftOut.advice)) }
        if let access {
            stages.append(
                Stage(
                    "access", access.isHeldUp ? .failed : .unknown, access.finding,
                    "Other files go on meanwhile. Save and close it in the app, or quit the app."))
        }
        return .with { $0.explanations = [Baton_Control_V1_Explanation(rest.description, stages)] }
    }

    private static func stages(_ item: ContainerItem) -> [Stage] {
        var stages: [Stage] = []
        switch item.download {
        case .current:
            stages.append(
                Stage("content", .ok, "here, as saved on \(item.device.isEmpty ? "this device" : item.device)"))
        case .downloaded: stages.append(Stage("content", .unknown, "an older version is here; a newer one comes"))
        case .notDownloaded where item.isDownloading:
            stages.append(Stage("content", .unknown, "being fetched, \(Int(item.downloaded * 100)) %"))
        case .notDownloaded:
            stages.append(
                Stage("content", .ok, "in iCloud and not on this device", "“baton download” fetches it."))
        }
        if let problem = item.problem { stages.append(Stage("problem", .failed, problem.message)) }
        stages.append(
            item.isUploaded
                ? Stage("other devices", .ok, "the account has it as it is here")
                : Stage(
                    "other devices", .unknown,
                    item.isUploading ? "its content is being sent" : "a change waits to be sent",
                    "See “baton explain sync” for what the cloud says."))
        if item.conflicts > 0 {
            stages.append(
                Stage(
                    "versions", .failed, "\(item.conflicts) more were saved at the same time",
                    "“baton versions” lists them; restore one, or resolve them in the app."))
        }
        return stages
    }
}
