import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf

/// An iCloud container of one device, as a program in development has it.
struct TestContainer {
    static let app = "com.example.Notes"
    static let identifier = "iCloud.com.example.Notes"

    let device: TestDevice
    /// Where the container is.
    let root: String

    var documents: String { root + "/Documents" }

    init(_ device: TestDevice) async throws {
        self.device = device
        root = try await Self.open(device).path
    }

    static func open(_ device: TestDevice) async throws -> Baton_App_V1_OpenContainerResponse {
        try await device.call(as: app, ContainerMethods.openContainer)
    }

    // MARK: Files

    func path(_ name: String) -> String { "\(documents)/\(name)" }

    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

    /// As a simple program does: opened, written, closed.
    func write(_ bytes: Data, to name: String) throws {
        let path = path(name)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    func read(_ name: String) -> Data? { FileManager.default.contents(atPath: path(name)) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    /// Everything below `Documents`, and the text of each small file.
    var tree: [String: String] {
        var tree: [String: String] = [:]
        let files = FileManager.default.enumerator(atPath: documents)
        while let name = files?.nextObject() as? String {
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path(name), isDirectory: &isDirectory)
            let bytes = isDirectory.boolValue ? nil : read(name)
            tree[name] =
                bytes.map { $0.count < 4096 ? String(decoding: $0, as: UTF8.self) : "\($0.count) bytes" } ?? "/"
        }
        return tree
    }

    // MARK: Waiting

    func until(has tree: [String: String]) async throws {
        try await device.until("\(device.name) to have \(tree), not \(self.tree)") { self.tree == tree }
    }

    func until(_ name: String, is text: String) async throws {
        try await device.until("\(device.name) to have “\(text)” in \(name), not \(tree)") {
            read(name) == Data(text.utf8)
        }
    }

    // MARK: The command line

    struct Item: Decodable {
        var path: String
        var state: String
        var uploaded: Bool
        var conflicts: Int
        var problem: String?
    }

    private struct List: Decodable { var documents: [Item] }

    func items(_ arguments: String...) async throws -> [String: Item] {
        let list = try await device.baton(["documents", "list", Self.identifier] + arguments).decode(List.self)
        // Several may have been deleted at one path: the first is the last one of them.
        return Dictionary(list.documents.map { ($0.path, $0) }) { first, _ in first }
    }

    func untilSent(_ name: String) async throws {
        try await device.until("\(device.name) to have sent \(name)") {
            try await items()["Documents/\(name)"]?.uploaded == true
        }
    }
}
