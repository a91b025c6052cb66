public import Foundation

// Foundation on Linux has these of Apple's as folders of `FileManager` only. In an app in a sandbox they are in its container.
extension URL {
    private static func folder(_ folder: FileManager.SearchPathDirectory, _ name: String) -> URL {
        FileManager.default.urls(for: folder, in: .userDomainMask).first
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(name, isDirectory: true)
    }

    /// Where the person's documents are.
    public static var documentsDirectory: URL { folder(.documentDirectory, "Documents") }
    /// For what can be made again.
    public static var cachesDirectory: URL { folder(.cachesDirectory, ".cache") }
    /// For the app's own files.
    public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory, ".local/share") }
    /// The desktop.
    public static var desktopDirectory: URL { folder(.desktopDirectory, "Desktop") }
    /// Downloads.
    public static var downloadsDirectory: URL { folder(.downloadsDirectory, "Downloads") }
    /// Pictures.
    public static var picturesDirectory: URL { folder(.picturesDirectory, "Pictures") }
    /// Music.
    public static var musicDirectory: URL { folder(.musicDirectory, "Music") }
    /// Films.
    public static var moviesDirectory: URL { folder(.moviesDirectory, "Videos") }
}
