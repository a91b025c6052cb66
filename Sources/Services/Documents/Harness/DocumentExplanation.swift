import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf

/// Where is this file, what waits, and why?
enum DocumentExplanation {
    static func explain(_ path: String, _ service: DocumentsService) async throws -> Baton_Control_V1_ExplainResponse {
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
                access = reader.newFileProblem(rest).map { ($0, false) }
                leftOut = access == nil ? reader.leftOut(rest) : nil
                if access == nil, leftOut == nil { throw error }
            }
            return (item, container.notes.problem, container.notes.isReadToEnd, access, leftOut)
        }
        var stages = [
            problem.map { stage("container", .failed, $0.message, "") }
                ?? stage("container", .ok, "\(container.name) at \(container.path)"),
            isRead
                ? stage("account", .ok, "all that the account has of the container is known")
                : stage(
                    "account", .unknown, "the account's cloud has not sent everything yet",
                    "See “baton explain sync” for why."),
        ]
        if let item { stages += Self.stages(item) }
        if let leftOut { stages.append(stage("left out", .unknown, leftOut.finding, leftOut.advice)) }
        if let access {
            stages.append(
                stage(
                    "access", access.isHeldUp ? .failed : .unknown, access.finding,
                    "Other files go on meanwhile. Save and close it in the app, or quit the app."))
        }
        return .with {
            $0.explanations = [
                .with {
                    $0.subject = rest
                    $0.healthy = stages.allSatisfy { $0.verdict == .ok }
                    $0.stages = stages
                }
            ]
        }
    }

    private static func stages(_ item: ContainerItem) -> [Baton_Link_V1_Stage] {
        var stages: [Baton_Link_V1_Stage] = []
        switch item.download {
        case .current:
            stages.append(
                stage("content", .ok, "here, as saved on \(item.device.isEmpty ? "this device" : item.device)"))
        case .downloaded: stages.append(stage("content", .unknown, "an older version is here; a newer one comes"))
        case .notDownloaded where item.isDownloading:
            stages.append(stage("content", .unknown, "being fetched, \(Int(item.downloaded * 100)) %"))
        case .notDownloaded:
            stages.append(
                stage("content", .ok, "in iCloud and not on this device", "“baton download” fetches it."))
        }
        if let problem = item.problem { stages.append(stage("problem", .failed, problem.message)) }
        stages.append(
            item.isUploaded
                ? stage("other devices", .ok, "the account has it as it is here")
                : stage(
                    "other devices", .unknown,
                    item.isUploading ? "its content is being sent" : "a change waits to be sent",
                    "See “baton explain sync” for what the cloud says."))
        if item.conflicts > 0 {
            stages.append(
                stage(
                    "versions", .failed, "\(item.conflicts) more were saved at the same time",
                    "“baton versions” lists them; restore one, or resolve them in the app."))
        }
        return stages
    }

    private static func stage(
        _ name: String, _ verdict: Baton_Link_V1_Stage.Verdict, _ finding: String, _ advice: String = ""
    ) -> Baton_Link_V1_Stage {
        .with {
            $0.name = name
            $0.verdict = verdict
            $0.finding = finding
            $0.advice = advice
        }
    }
}
