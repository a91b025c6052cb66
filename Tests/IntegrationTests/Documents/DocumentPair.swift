import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf

/// A container on two devices of one account, and its cloud, from which both can be cut off.
struct DocumentPair: Sendable {
    let household: TestHousehold
    let cloud: TestCloud
    let one: TestContainer
    let other: TestContainer

    var both: [TestContainer] { [one, other] }

    /// - Parameters:
    ///   - arguments: of the cloud.
    ///   - prepare: before the daemons open the container.
    static func with(
        cloud arguments: [String] = [], prepare: (TestHousehold) async throws -> Void = { _ in },
        _ body: (DocumentPair) async throws -> Void
    ) async throws {
        try await TestHousehold.with(3) { household in
            try await TestCloud.with(on: 2, of: household, arguments) { cloud in
                try await household[0].baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                for index in 0..<2 { try await Integration.CloudAccessTests.isConnected(household[index]) }
                try await prepare(household)
                try await body(
                    DocumentPair(
                        household: household, cloud: cloud, one: try await TestContainer(household[0]),
                        other: try await TestContainer(household[1])))
            }
        }
    }

    /// How two devices do something without hearing of each other.
    enum Separation: String, Sendable, CaseIterable {
        /// Their daemons see each change at once, and reach no device.
        case cutOff
        /// Their daemons are killed, and see at their start what has become of it.
        case killed
    }

    func apart(_ separation: Separation, _ body: () async throws -> Void) async throws {
        switch separation {
        case .cutOff:
            // From the cloud, and from each other.
            for index in 1...2 { try await household.cut(household[index]) }
            try await body()
            for index in 1...2 { try await household.restore(household[index]) }
        case .killed:
            for container in both { try await container.device.kill() }
            try await body()
            for container in both { try await container.device.start() }
        }
    }

    /// Both have sent and received everything, and show the same tree.
    func areEqual(limit: Duration = .seconds(40)) async throws {
        try await one.device.until("both to be at rest", limit: limit) {
            for container in both { guard try await container.isAtRest else { return false } }
            return one.listing == other.listing
        }
    }
}

extension TestContainer {
    private struct Status: Decodable {
        struct Container: Decodable {
            var to_upload: Int?
            var to_download: Int?
            var problem: String?
        }
        var containers: [Container]
    }

    /// Nothing waits to be sent or fetched.
    var isAtRest: Bool {
        get async throws {
            let status = try await device.baton("documents", "list").decode(Status.self)
            return status.containers.allSatisfy {
                ($0.to_upload ?? 0) == 0 && ($0.to_download ?? 0) == 0 && $0.problem == nil
            }
        }
    }

    /// Everything below `Documents`: kind, mode and content of each.
    var listing: [String: String] { Self.listing(of: documents) }

    static func listing(of root: String) -> [String: String] {
        var result: [String: String] = [:]
        let manager = FileManager.default
        for file in (try? manager.subpathsOfDirectory(atPath: root)) ?? [] {
            let path = "\(root)/\(file)"
            // The two forms of a name are equal texts.
            let name = file.utf8.allSatisfy { $0 < 0x80 } ? file : "\(Array(file.utf8))"
            guard let attributes = try? manager.attributesOfItem(atPath: path) else { continue }
            let mode = String((attributes[.posixPermissions] as? Int) ?? 0, radix: 8)
            switch attributes[.type] as? FileAttributeType {
            case .typeDirectory: result[name] = "/ \(mode)"
            case .typeSymbolicLink:
                result[name] = "-> \((try? manager.destinationOfSymbolicLink(atPath: path)) ?? "?")"
            default: result[name] = "\(mode) \((manager.contents(atPath: path) ?? Data()).hashValue)"
            }
        }
        return result
    }

    private func versions(of name: String) async throws -> [Baton_App_V1_DocumentVersion] {
        try await device.call(
            as: Self.app, ContainerMethods.listFileVersions,
            .with {
                $0.path = path(name)
            }
        ).versions
    }

    /// All versions, the current one first; none where there is no such document.
    func sizes(of name: String) async throws -> [UInt64] {
        do {
            return try await versions(of: name).map(\.size)
        } catch let error as BatonError where error.reason == "unknown_document" {
            return []
        }
    }

    func restoreOldest(_ name: String) async throws {
        let oldest = try await versions(of: name).last { !$0.current }
        guard let oldest else { throw IntegrationFailure("\(path(name)) has one version only.") }
        try await device.baton("versions", path(name), "--restore", oldest.id)
    }

    /// Every content that a document has: its own, and those of its unresolved conflict versions.
    func contents(of name: String) async throws -> [String] {
        let request = { (version: String) in
            Baton_App_V1_ReadFileVersionRequest.with {
                $0.path = path(name)
                $0.versionID = version
            }
        }
        var contents: [String] = []
        for version in try await versions(of: name) where version.current || version.conflict {
            var bytes = Data()
            for try await part in try await device.app(Self.app).serverStream(
                ContainerMethods.readFileVersion, request(version.id))
            {
                bytes += part.data
            }
            contents.append(String(decoding: bytes, as: UTF8.self))
        }
        return contents
    }
}
