import Baton
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

/// A daemon in memory that keeps records and assets as messages, and does what the test says.
final class RecordsDaemonInMemory: ConnectClient {
    private struct State {
        var records: [String: Baton_App_V1_Record] = [:]
        var uploads: [Data: Data] = [:]
        var assets: [Data: Data] = [:]
        var sequence = 0
        var failure: BatonError?
        var problem: Baton_App_V1_RecordProblem?
        var requests: [String] = []
    }

    private let state = Mutex(State())

    func fail(_ error: BatonError?) { state.withLock { $0.failure = error } }
    func refuse(_ problem: Baton_App_V1_RecordProblem?) { state.withLock { $0.problem = problem } }
    func loseAssets() { state.withLock { $0.assets = [:] } }
    var requests: [String] { state.withLock { $0.requests } }
    func record(_ name: String) -> Baton_App_V1_Record? { state.withLock { $0.records[name] } }
    func put(_ record: Baton_App_V1_Record) { state.withLock { $0.records[record.id.recordName] = record } }

    func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
    ) async throws -> Response {
        let answer: any Message = try state.withLock { state in
            state.requests.append(name(method.path))
            if let failure = state.failure { throw failure }
            switch request {
            case is Baton_App_V1_OpenDatabaseRequest:
                return Baton_App_V1_OpenDatabaseResponse.with {
                    $0.container = "iCloud.com.example.App"
                    $0.account = .available
                    $0.userRecordName = "_user"
                }
            case let request as Baton_App_V1_ModifyRecordsRequest: return Self.modify(request, &state)
            case let request as Baton_App_V1_FetchRecordsRequest:
                return Baton_App_V1_FetchRecordsResponse.with {
                    $0.records = request.records.map { Self.result($0, state) }
                }
            case let request as Baton_App_V1_FetchZoneChangesRequest:
                if !request.token.isEmpty {
                    throw BatonError(.invalidArgument, reason: "invalid_arguments", "No token.")
                }
                return Baton_App_V1_FetchZoneChangesResponse.with {
                    $0.records = state.records.values.sorted { $0.id.recordName < $1.id.recordName }
                    $0.token = Data([1])
                }
            case let request as Baton_App_V1_ModifyZonesRequest:
                return Baton_App_V1_ModifyZonesResponse.with {
                    $0.saved = request.save.map { zone in .with { $0.zone = zone } }
                    $0.deleted = request.delete.map { zone in .with { $0.zone = zone } }
                }
            case let request as Baton_App_V1_WriteAssetRequest: return Self.write(request, &state)
            default: throw BatonError(.unimplemented, reason: "unknown", "Not here.")
            }
        }
        guard let answer = answer as? Response else { throw KeyValueDaemon.notRunning }
        return answer
    }

    private func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// 32 bytes that stand for a content; they are not checked.
    private static func digest(_ bytes: Data) -> Data {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Data((0..<32).map { UInt8(truncatingIfNeeded: hash >> (8 * ($0 % 8))) })
    }

    private static func result(
        _ id: Baton_App_V1_RecordIdentifier, _ state: State
    ) -> Baton_App_V1_RecordResult {
        .with { result in
            result.id = id
            if let record = state.records[id.recordName] {
                result.record = record
            } else {
                result.problem.reason = "unknown_item"
                result.problem.message = "There is no such record."
            }
        }
    }

    private static func modify(
        _ request: Baton_App_V1_ModifyRecordsRequest, _ state: inout State
    ) -> Baton_App_V1_ModifyRecordsResponse {
        var response = Baton_App_V1_ModifyRecordsResponse()
        for save in request.save {
            let name = save.record.id.recordName
            if let problem = state.problem {
                response.saved.append(
                    .with {
                        $0.id = save.record.id
                        $0.problem = problem
                        if let server = state.records[name] { $0.record = server }
                    })
                continue
            }
            state.sequence += 1
            var record = state.records[name] ?? save.record
            for field in save.record.fields {
                record.fields.removeAll { $0.name == field.name && $0.encrypted == field.encrypted }
                if field.hasValue { record.fields.append(field) }
            }
            record.changeTag = "\(state.sequence)"
            record.created = 1_000
            record.modified = 2_000
            record.createdBy = "_user"
            state.records[name] = record
            response.saved.append(
                .with {
                    $0.id = record.id
                    $0.record = record
                })
        }
        for id in request.delete {
            state.records[id.recordName] = nil
            response.deleted.append(.with { $0.id = id })
        }
        return response
    }

    private static func write(
        _ request: Baton_App_V1_WriteAssetRequest, _ state: inout State
    ) -> Baton_App_V1_WriteAssetResponse {
        let id = request.uploadID.isEmpty ? Data("\(state.uploads.count)".utf8) : request.uploadID
        state.uploads[id, default: Data()] += request.bytes
        return .with {
            $0.uploadID = id
            guard request.last else { return }
            let bytes = state.uploads[id] ?? Data()
            state.assets[id] = bytes
            $0.asset.assetID = id
            $0.asset.size = UInt64(bytes.count)
            $0.asset.sha256 = digest(bytes)
            $0.asset.content = request.content
        }
    }

    func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response> {
        guard let request = request as? Baton_App_V1_ReadAssetRequest else { throw KeyValueDaemon.notRunning }
        let bytes = state.withLock { state in
            state.requests.append(name(method.path))
            return state.assets[request.assetID]
        }
        guard let bytes else {
            throw BatonError(.unavailable, reason: "asset_not_available", "The cloud cannot be reached.")
        }
        let news = Mailbox<Baton_App_V1_AssetPart>()
        news.send(.with { $0.bytes = bytes })
        news.end(.success(()))
        return ConnectResponses { { try await news.next() as? Response } }
    }
}
