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
        router.serverStream(AppMethods.openKeyValueStore) { [service, apps] request, context, writer in
            let process = try Self.process(context)
            try Self.checkVersion(request.protocolVersion)
            try process.checkUnchanged()
            let grant = try apps.grant(
                to: process, claiming: request.bundleID, profile: KeyValueWire.profile(request.profile))
            let reader = try await service.open(grant, process: process)
            defer { service.close(reader) }
            var handle = reader.id.rawValue
            for await _ in reader.bell {
                for var part in try await service.news(for: reader) {
                    part.handle = handle
                    handle = ""
                    try await writer.write(part)
                }
            }
        }
        router.unary(AppMethods.writeKeyValues) { [service] request, context in
            try await Self.write(request, process: try Self.process(context), service)
        }
        router.serverStream(ControlMethods.readKeyValues) { request, _, writer in
            try await read(request) { try await writer.write($0) }
        }
        router.unary(ControlMethods.writeKeyValue) { request, _ in try await write(request) }
    }

    private static func process(_ context: CallContext) throws(BatonError) -> PeerProcess {
        guard case .process(let process) = context.peer else {
            throw BatonError(.unauthenticated, reason: "not_local", "Only a process of this device may call this.")
        }
        return process
    }

    private static func checkVersion(_ version: UInt32) throws(BatonError) {
        let served = ConnectProtocol.oldestVersion...ConnectProtocol.version
        guard served.contains(version) else {
            throw BatonError(
                .failedPrecondition, reason: "protocol_version",
                "The app's Baton library speaks protocol \(version); this daemon speaks \(served.lowerBound) to "
                    + "\(served.upperBound). Update the older of the two.")
        }
    }

    // MARK: Apps

    static func write(
        _ request: Baton_App_V1_WriteKeyValuesRequest, process: PeerProcess, _ service: KeyValueService
    ) async throws -> Baton_App_V1_WriteKeyValuesResponse {
        let reader = try service.reader(request.handle, of: process)
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
        let answer = try await service.write(writes, era: request.era, to: reader.grant)
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
        let grant = try await apps.grant(forDevelopmentOf: bundleID)
        // Looking makes no store of a name that was typed wrong. Who watches may wait for a program to start.
        if !request.watch { try await check(grant.store, of: bundleID) }
        let reader = try await service.open(grant, process: nil)
        defer { service.close(reader) }
        for await _ in reader.bell {
            for part in try await service.list(for: reader, name: apps.name) { try await write(part) }
            if !request.watch { return }
        }
    }

    private func check(_ store: KeyValueStoreName, of bundleID: BundleID) async throws {
        guard store.isDevelopment else { return }
        let isHere = try await service.holds(store)
        guard !isHere else { return }
        throw BatonError(
            .notFound, reason: "app_not_found",
            "No app “\(bundleID)” is installed here, and no program in development of that name has used its key-value "
                + "store on this device. “baton apps” lists those that are here. To see what other devices of the account "
                + "have of such a program, run it here, or “baton kv watch”.")
    }

    private func write(
        _ request: Baton_Control_V1_WriteKeyValueRequest
    ) async throws -> Baton_Control_V1_WriteKeyValueResponse {
        let grant = try await apps.grant(forDevelopmentOf: try BundleID(validating: request.bundleID))
        let value = request.hasValue ? try PropertyValue(request.value) : nil
        let key = KeyValueLimits.canonical(request.key)
        try await service.prepare([grant.store])
        let write = KeyValueService.AppWrite(key: key, value: value, time: .max, replaces: nil)
        let answer = try await service.write([write], era: nil, to: grant)
        guard let result = answer.results.first, result.outcome != .refused else {
            throw BatonError(
                .resourceExhausted, reason: "store_full",
                "There is no room for this value: one may have \(grant.limits.valueBytes) bytes, and all together "
                    + "\(grant.limits.totalBytes). The value of before stays. Remove keys, or write a smaller value.")
        }
        return .with { $0.item = KeyValueList.item(key, result.slot, name: apps.name) }
    }
}
