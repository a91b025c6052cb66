import AppSessions
import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers apps and the command line about key-value stores.
package struct KeyValueHarness: Sendable {
    private let service: KeyValueService
    private let apps: any KeyValueApps

    package init(_ service: KeyValueService, apps: any KeyValueApps) {
        self.service = service
        self.apps = apps
    }

    package func register(on router: inout ConnectRouter) {
        router.appStream(KeyValueMethods.openKeyValueStore) { [service, apps] request, caller, writer in
            let process = caller.process
            let grant: KeyValueGrant
            do throws(BatonError) {
                grant = try apps.grant(to: caller.app, profile: KeyValueLimits.Profile(request.profile))
            } catch {
                service.noteRefusal(error, of: process)
                throw error
            }
            let subscriber = try await service.open(grant, process: process)
            defer { service.close(subscriber) }
            var handle = subscriber.id.rawValue
            for await _ in subscriber.signals {
                for var part in try await service.news(for: subscriber) {
                    part.handle = handle
                    handle = ""
                    try await writer.write(part)
                }
            }
        }
        router.app(KeyValueMethods.writeKeyValues) { [service] request, caller in
            try await Self.write(request, process: caller.process, service)
        }
        router.serverStream(ControlMethods.readKeyValues) { request, _, writer in
            try await read(request) { try await writer.write($0) }
        }
        router.unary(ControlMethods.writeKeyValue) { request, _ in try await write(request) }
        router.unary(ControlMethods.deleteKeyValueStore) { request, _ in try await deleteStore(request) }
    }

    // MARK: Apps

    static func write(
        _ request: Baton_App_V1_WriteKeyValuesRequest, process: PeerProcess, _ service: KeyValueService
    ) async throws -> Baton_App_V1_WriteKeyValuesResponse {
        let subscriber = try service.subscriber(request.handle, of: process)
        var keys: Set<String> = []
        let writes = try request.writes.map { write throws(BatonError) in
            let key = KeyValueLimits.canonical(write.key)
            guard keys.insert(key).inserted else {
                throw BatonError(.invalidArgument, reason: "key_twice", "A request may write a key once.")
            }
            return KeyValueService.AppWrite(
                key: key, value: write.hasValue ? try PropertyValue(write.value) : nil, time: write.time,
                replaces: write.replaces)
        }
        let answer = try await service.write(writes, era: request.era, to: subscriber.grant)
        return .with {
            $0.revision = answer.revision
            $0.outcomes = answer.results.map { result in
                .with {
                    switch result.outcome {
                    case .taken: $0.kind = .taken
                    case .superseded: $0.kind = .superseded
                    case .refused: $0.kind = .refused
                    }
                    if let slot = result.slot { $0.version = KeyValueWire.version(of: slot.entry.stamp) }
                }
            }
        }
    }

    // MARK: People

    private func read(
        _ request: Baton_Control_V1_ReadKeyValuesRequest,
        write: (Baton_Control_V1_KeyValueList) async throws -> Void
    ) async throws {
        let bundleID = try BundleID(validating: request.bundleID)
        let grant = try await apps.grant(forDevelopmentOf: bundleID, mayWrite: false)
        if !(request.watch && request.create) {
            try await check(
                grant.store, of: bundleID,
                advice:
                    "To see what other devices of the account have of such a program, run it here, or “baton kv watch "
                    + "--create”.")
        }
        let subscriber = try await service.open(grant, process: nil)
        defer { service.close(subscriber) }
        service.wanted(grant.store)
        for await _ in subscriber.signals {
            for part in try await service.list(for: subscriber, name: apps.name) { try await write(part) }
            if !request.watch { return }
        }
    }

    /// A name that was typed wrong makes no store.
    private func check(_ store: KeyValueStoreName, of bundleID: BundleID, advice: String) async throws {
        guard store.isDevelopment else { return }
        let isHere = try await service.holds(store)
        guard !isHere else { return }
        throw BatonError(
            .notFound, reason: "app_not_found",
            "No app “\(bundleID)” is installed here, and no program in development of that name has used its key-value "
                + "store on this device. “baton apps” lists those that are here; a program run from its build folder is "
                + "“development.NAME”. \(advice)")
    }

    private func write(
        _ request: Baton_Control_V1_WriteKeyValueRequest
    ) async throws -> Baton_Control_V1_WriteKeyValueResponse {
        let bundleID = try BundleID(validating: request.bundleID)
        let grant = try await apps.grant(forDevelopmentOf: bundleID, mayWrite: true)
        let value = request.hasValue ? try PropertyValue(request.value) : nil
        let key = KeyValueLimits.canonical(request.key)
        if request.create {
            try await service.prepare([grant.store])
        } else {
            try await check(
                grant.store, of: bundleID,
                advice: "To set a key for a program that has not run here yet, add “--create” to “baton kv set”.")
        }
        service.wanted(grant.store)
        let write = KeyValueService.AppWrite(key: key, value: value, time: .max, replaces: nil)
        let answer = try await service.write([write], era: nil, to: grant)
        guard let result = answer.results.first, result.outcome != .refused else {
            let keys = grant.limits.keys.map { ", under \($0) keys" } ?? ""
            throw BatonError(
                .resourceExhausted, reason: "store_full",
                "There is no room for this value: one may have \(ByteSize.text(grant.limits.valueBytes)), and all together "
                    + "\(ByteSize.text(grant.limits.totalBytes))\(keys). The previous value stays. Remove keys, or write a "
                    + "smaller value.")
        }
        return .with { $0.item = KeyValueList.item(key, result.slot, name: apps.name) }
    }

    /// An installed app has its store for as long as it is installed.
    private func deleteStore(
        _ request: Baton_Control_V1_DeleteKeyValueStoreRequest
    ) async throws -> Baton_Control_V1_DeleteKeyValueStoreResponse {
        let bundleID = try BundleID(validating: request.bundleID)
        let store = try await apps.grant(forDevelopmentOf: bundleID, mayWrite: true).store
        guard store.isDevelopment else {
            throw BatonError(
                .failedPrecondition, reason: "store_of_installed_app",
                "\(bundleID) is installed, and keeps its key-value store until it is uninstalled. To empty the store, remove "
                    + "its keys with “baton kv remove”.")
        }
        try await check(store, of: bundleID, advice: "There is nothing to delete.")
        try await service.delete(store)
        return .init()
    }
}
