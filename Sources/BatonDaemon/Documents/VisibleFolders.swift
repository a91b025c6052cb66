import BatonCore
import BatonStore
import Documents
import Foundation
import Synchronization

/// Where the person finds documents: a folder that is the `Documents` of the person's own container, and in it the `Documents` of apps'
/// containers as links, each under the name that the app gives it (D-32). The links are in no scan: each device has its own.
final class VisibleFolders: Sendable {
    struct Folder: Hashable, Sendable {
        var container: ContainerName
        /// Absolute: what the link leads to.
        var documents: String
        /// As the app names it.
        var name: String
    }

    let directory: String
    private let documents: String
    private let recorder: any EventRecorder
    private let shown = Mutex<[ContainerName: String]>([:])

    /// - Parameters:
    ///   - directory: the person's; made when there is something to show.
    ///   - documents: the folder of all containers. Links to what is in it are ours.
    init(directory: String, documents: String, recorder: any EventRecorder) {
        self.directory = directory
        self.documents = documents
        self.recorder = recorder
    }

    /// Whether what is put into the folder goes into the person's container.
    var hasDrive: Bool { target(directory)?.hasPrefix(documents + "/") ?? false }

    func path(of container: ContainerName) -> String? { shown.withLock { $0[container] } }

    /// Shows these and no others. Blocks for a moment. Files that the person has put there stay.
    /// - Parameter drive: the `Documents` of the person's own container, where that is open.
    func show(_ folders: [Folder], drive: String? = nil) {
        shown.withLock { shown in
            if let drive { lead(to: drive) }
            shown = [:]
            var names: [String: Folder] = [:]
            for folder in folders where !names.values.contains(where: { $0.container == folder.container }) {
                let name = Self.fileName(folder.name, folder.container)
                names[names[name] == nil ? name : "\(name) (\(folder.container.identifier))"] = folder
            }
            removeOthers(than: names)
            guard !names.isEmpty else { return }
            do {
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
                for (name, folder) in names.sorted(by: { $0.key < $1.key }) {
                    let path = "\(directory)/\(name)"
                    // Something of the person, which came from another device perhaps, keeps the name.
                    if target(path) == nil, !FileManager.default.fileExists(atPath: path) {
                        try FileManager.default.createSymbolicLink(
                            atPath: path, withDestinationPath: folder.documents)
                    }
                    if target(path) == folder.documents { shown[folder.container] = path }
                }
            } catch {
                recorder.record(
                    "documents", "folder_not_shown", "Documents in iCloud cannot be shown in “\(directory)”.",
                    ["error": "\(error)"])
            }
        }
    }

    /// Makes the folder a link to the person's container. Files that the person put there before go into it.
    private func lead(to drive: String) {
        guard target(directory) != drive else { return }
        let manager = FileManager.default
        do {
            if target(directory)?.hasPrefix(documents + "/") == true {
                try manager.removeItem(atPath: directory)
            } else if manager.fileExists(atPath: directory) {
                // A link of the person's own stays.
                guard target(directory) == nil else { return }
                for name in try manager.contentsOfDirectory(atPath: directory) {
                    let path = "\(directory)/\(name)"
                    if target(path)?.hasPrefix(documents + "/") == true {
                        try manager.removeItem(atPath: path)
                    } else {
                        try manager.moveItem(atPath: path, toPath: "\(drive)/\(name)")
                    }
                }
                guard rmdir(directory) == 0 else { throw CocoaError(.fileWriteUnknown) }
            }
            try manager.createDirectory(
                atPath: (directory as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try manager.createSymbolicLink(atPath: directory, withDestinationPath: drive)
        } catch {
            recorder.record(
                "documents", "drive_not_shown",
                "“\(directory)” could not be made the folder of your own documents in iCloud. They are in “\(drive)”.",
                ["error": "\(error)"])
        }
    }

    private func removeOthers(than names: [String: Folder]) {
        let present = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in present {
            let path = "\(directory)/\(name)"
            guard let target = target(path), target.hasPrefix(documents + "/"), names[name]?.documents != target else {
                continue
            }
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Nil for what is no link.
    private func target(_ path: String) -> String? { try? FileManager.default.destinationOfSymbolicLink(atPath: path) }

    /// A name that a folder can have, and that no file manager hides.
    private static func fileName(_ name: String, _ container: ContainerName) -> String {
        let clean = String(name.filter { $0 != "/" && $0 != "\0" && !$0.isNewline }.drop { $0 == "." || $0 == " " })
        return clean.isEmpty ? container.identifier : clean.shortened(toBytes: 120)
    }
}

extension Locations {
    /// Where the person finds documents in iCloud: with a home of its own a device has a folder below it.
    func visibleDocuments(hasHome: Bool, environment: [String: String]) -> String {
        let home = hasHome ? URL(fileURLWithPath: data).deletingLastPathComponent().path : environment["HOME"] ?? ""
        return home + "/iCloud Drive"
    }
}
