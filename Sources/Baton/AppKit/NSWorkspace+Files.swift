public import Foundation
import Logging

/// The desktop's file manager, as it may be asked from outside.
extension NSWorkspace {
    /// Shows files in the desktop's file manager, selected in their folders: those that exist, 100 at most.
    ///
    /// Returns at once. The file manager is asked over the session's bus (`org.freedesktop.FileManager1`), by `busctl`; where there is
    /// none the desktop opens the first file's folder. An app in a sandbox can ask neither: that is logged.
    public func activateFileViewerSelecting(_ fileURLs: [URL]) {
        let viewer = FileViewer(runtime: runtime)
        let files = viewer.existing(fileURLs)
        guard !files.isEmpty else { return }
        show { try await viewer.select(files) }
    }

    /// Shows a file in the desktop's file manager, as ``activateFileViewerSelecting(_:)``, or a folder.
    /// - Parameters:
    ///   - fullPath: of the file; nil to show the folder.
    ///   - rootFullPath: of the folder that is shown where `fullPath` is nil; otherwise not used, since a file manager of Linux shows the
    ///     file's own.
    /// - Returns: false for what does not exist, and in a sandbox. Otherwise the file manager is being asked.
    @discardableResult
    public func selectFile(_ fullPath: String?, inFileViewerRootedAtPath rootFullPath: String) -> Bool {
        let viewer = FileViewer(runtime: runtime)
        let path = fullPath ?? rootFullPath
        guard viewer.isReachable, path.hasPrefix("/") else { return false }
        let files = viewer.existing([URL(fileURLWithPath: path)])
        guard let file = files.first else { return false }
        show { if fullPath == nil { try await viewer.open(file) } else { try await viewer.select(files) } }
        return true
    }

    private func show(_ body: @escaping @MainActor () async throws -> Void) {
        let runtime = runtime
        // Ends with the program that asks the file manager.
        Task {
            do { try await body() } catch {
                runtime.logger.warning("The file manager shows nothing: \(error.localizedDescription)")
            }
        }
    }

    /// Whether a folder is shown to people as one file, by its type.
    public func isFilePackage(atPath fullPath: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: fullPath, isDirectory: &isDirectory) && isDirectory.boolValue
            && CoordinationPaths.isPackage(fullPath)
    }
}
