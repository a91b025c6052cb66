import Foundation

/// The errors of documents, wrappers and versions, as apps know them.
enum DocumentErrors {
    static func cocoa(_ code: CocoaError.Code, _ message: String, _ url: URL?) -> NSError {
        CoordinationErrors.cocoa(code, message, url)
    }

    /// - Parameter isWriting: which of Foundation's codes stands for what the system said.
    static func file(_ failure: DurableFile.Failure, isWriting: Bool) -> NSError {
        let code: CocoaError.Code =
            switch failure.code {
            case ENOENT: isWriting ? .fileNoSuchFile : .fileReadNoSuchFile
            case EACCES, EPERM: isWriting ? .fileWriteNoPermission : .fileReadNoPermission
            case ENOSPC, EDQUOT: .fileWriteOutOfSpace
            case EROFS: .fileWriteVolumeReadOnly
            case EEXIST: .fileWriteFileExists
            case ENAMETOOLONG: isWriting ? .fileWriteInvalidFileName : .fileReadInvalidFileName
            default: isWriting ? .fileWriteUnknown : .fileReadUnknown
            }
        let reason = String(cString: strerror(failure.code))
        let url = URL(fileURLWithPath: failure.path)
        let verb = isWriting ? "written" : "read"
        return cocoa(code, "“\(url.lastPathComponent)” could not be \(verb): \(reason).", url)
    }

    static func missing(_ url: URL) -> NSError {
        cocoa(.fileReadNoSuchFile, "“\(url.lastPathComponent)” does not exist.", url)
    }
}
