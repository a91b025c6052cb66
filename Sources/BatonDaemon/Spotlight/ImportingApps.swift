import BatonConcurrency
import BatonCore
import BatonTrust
import BatonWire
import Files
import Foundation
import LaunchServices
import Spotlight
import SwiftProtobuf
import Synchronization
import UniformTypes

/// The import extensions of installed apps: each says what is in documents of the types that its app declares.
///
/// An extension counts for a type only if its own app exports it, and no other app or the system names the type or its ending. It
/// reads documents of its app's own containers, and of programs in development, which no signature keeps apart: what it reads its
/// app can learn, whatever the sandbox refuses.
final class ImportingApps: Sendable {
    struct Importer: Sendable, Hashable {
        var app: AppIdentity
        var type: String
        /// Another one for each version of the app: its documents are read again.
        var version: String
    }

    private struct State {
        /// Nil until a document is listed, and after apps came or went.
        var registry: TypeRegistry?
        /// How often apps came or went.
        var generation = 0
        /// By type.
        var importers: [String: Importer] = [:]
        /// By ending, also those without a reader. Bounded.
        var known: [String: Importer?] = [:]
        /// How often an importer failed, one time after the other.
        var failures: [String: Int] = [:]
        var number = 0
    }

    private static let point = "com.apple.spotlight.import"
    /// Extensions of an app, and types of an extension. Policy: further ones are not looked at.
    private static let maximumExtensions = 16
    private static let maximumTypes = 100
    private static let maximumKnown = 1024
    /// Bytes of a document that is read; a larger one is found by its name.
    private static let maximumDocument = 16 << 20
    /// An importer that fails so often, one time after the other, is left alone until its app changes or the daemon starts again.
    private static let maximumFailures = 3

    private let launchServices: LaunchServices
    private let folder: String
    private let recorder: any EventRecorder
    private let queue = BlockingQueue("development.baton.import")
    private let state = Mutex(State())

    /// - Parameter folder: of this alone; emptied.
    init(_ launchServices: LaunchServices, folder: String, recorder: any EventRecorder) {
        self.launchServices = launchServices
        self.folder = folder
        self.recorder = recorder
        // The remains of an earlier daemon.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Apps were installed or removed.
    func appsChanged() {
        state.withLock { state in
            state.generation += 1
            state.registry = nil
            state.importers = [:]
            state.known = [:]
            // Another version of an app has another name here.
            if state.failures.count > Self.maximumKnown { state.failures = [:] }
        }
    }

    /// The app that says what is in a document of this name; nil for none.
    /// - Parameter owner: the app whose container it is in; nil for a container of the person's own.
    func importer(of name: String, in owner: AppIdentity?) -> Importer? {
        guard let owner, let importer = importer(of: name), importer.app == owner || owner.team.isDevelopment else {
            return nil
        }
        return importer
    }

    private func importer(of name: String) -> Importer? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let ending = String(name[dot...]).lowercased()
        if let known = state.withLock({ $0.known[ending] }) { return known }
        load()
        return state.withLock { state in
            guard let registry = state.registry else { return nil }
            let types = registry.declaredTypes(tag: String(ending.dropFirst()), of: .filenameExtension)
            let importer = types.count == 1 ? state.importers[TypeIdentifier.folded(types[0])] : nil
            if state.known.count >= Self.maximumKnown { state.known = [:] }
            state.known[ending] = .some(importer)
            return importer
        }
    }

    /// The answer of an extension about a document.
    /// - Parameter content: reads it; nil where it is larger than that, or cannot be read.
    /// - Throws: where the extension could not be started, which says nothing about the document: it is asked about it again.
    func attributes(
        of document: ListedDocument, content: @Sendable (Int) async -> [UInt8]?
    ) async throws -> [String: PropertyValue]? {
        guard let importer = importer(of: document.name, in: document.app),
            state.withLock({ $0.failures[importer.version, default: 0] < Self.maximumFailures }),
            let bytes = await content(Self.maximumDocument)
        else { return nil }
        do {
            let attributes = try await run(importer, bytes, named: document.name)
            state.withLock { $0.failures[importer.version] = nil }
            return attributes
        } catch {
            let isStarted = error as? LaunchServices.ImportFailure != .notStarted
            failed(importer, error, counts: isStarted)
            guard isStarted else { throw error }
            return nil
        }
    }

    /// - Parameter counts: towards the failures after which it is left alone.
    private func failed(_ importer: Importer, _ error: any Error, counts: Bool) {
        let reason =
            (error as? LaunchServices.ImportFailure)?.rawValue ?? (error as? BatonError)?.reason ?? "unreadable"
        let count = state.withLock { state in
            if counts { state.failures[importer.version, default: 0] += 1 }
            return state.failures[importer.version, default: 0]
        }
        recorder.record(
            "search", count < Self.maximumFailures ? "import_failed" : "import_given_up",
            count < Self.maximumFailures
                ? "An app's import extension did not say what is in a document, which is found by its name."
                : "An app's import extension failed \(count) times, and is not asked again until the app changes.",
            ["bundle_id": importer.app.bundleID.rawValue, "reason": reason])
    }

    /// The extension gets a copy, alone in a folder that it may read.
    private func run(
        _ importer: Importer, _ bytes: [UInt8], named name: String
    ) async throws -> [String: PropertyValue]? {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let place = "\(folder)/\(number)"
        let file = "\(place)/\(name)"
        try await queue.run { [folder] in
            try SecureDirectory.prepare(folder)
            try SecureDirectory.prepare(place)
            try Data(bytes).write(to: URL(fileURLWithPath: file))
        }
        let answer: Result<[UInt8]?, LaunchServices.ImportFailure>
        do {
            answer = .success(
                try await launchServices.runImporter(
                    of: importer.app, file: file, folder: place, type: importer.type,
                    limit: ImportedAttributes.maximumBytes))
        } catch {
            answer = .failure(error)
        }
        await queue.run { try? FileManager.default.removeItem(atPath: place) }
        guard let answer = try answer.get() else { return nil }
        return try Baton_Value_V1_PropertyDictionary(serializedBytes: answer).attributes()
    }

    // MARK: Which there are

    /// Made outside of the lock, which those that report installed and removed apps wait for. Made again where one was installed or
    /// removed meanwhile.
    private func load() {
        while let generation = state.withLock({ $0.registry == nil ? $0.generation : nil }) {
            let (registry, importers) = self.importers()
            state.withLock { state in
                guard state.generation == generation else { return }
                state.registry = registry
                state.importers = importers
            }
        }
    }

    private func importers() -> (TypeRegistry, [String: Importer]) {
        let apps = launchServices.apps()
        let registry = TypeRegistry(apps: apps.map { ($0.bundleID.rawValue, $0.claims.declaredTypes) })
        var importers: [String: Importer] = [:]
        var contested: Set<String> = []
        for app in apps {
            for type in Self.types(of: app)
            where registry.origin(of: type) == .exported(by: app.bundleID.rawValue) {
                let digest = app.digest.prefix(8).map { String($0, radix: 16) }.joined(separator: ".")
                let importer = Importer(app: app.identity, type: type, version: "\(app.identity) \(digest)")
                // Where two apps say that a type is theirs, neither is believed.
                let folded = TypeIdentifier.folded(type)
                if importers.updateValue(importer, forKey: folded) != nil { contested.insert(folded) }
            }
        }
        for app in apps where !importers.isEmpty {
            for type in app.claims.exportedTypes {
                let folded = TypeIdentifier.folded(type.identifier)
                if let importer = importers[folded], importer.app != app.identity { contested.insert(folded) }
            }
        }
        for type in contested { importers[type] = nil }
        return (registry, importers)
    }

    /// Those of its import extensions that the app itself exports.
    private static func types(of app: InstalledApp) -> Set<String> {
        guard let bytes = try? AtomicFile.read(app.bundlePath + "/Info.plist", limit: 1 << 20),
            let values = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any],
            let extensions = values["BatonExtensions"] as? [[String: Any]]
        else { return [] }
        let own = Set(app.claims.exportedTypes.map(\.identifier))
        // The first one at the point counts, as in the app library.
        let found = extensions.prefix(maximumExtensions).first { $0["NSExtensionPointIdentifier"] as? String == point }
        let attributes = found?["NSExtensionAttributes"] as? [String: Any]
        let types = attributes?["CSSupportedContentTypes"] as? [String] ?? []
        return Set(types.prefix(maximumTypes)).intersection(own)
    }
}
