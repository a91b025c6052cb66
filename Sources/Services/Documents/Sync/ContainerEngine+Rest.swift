/// A folder of the person on a disk of its own: while nothing is done there nothing of it is open, so that the disk can be unmounted.
extension ContainerEngine {
    private static let restDelay = Duration.seconds(2)

    private var openFolders: [OpenNode] {
        [disk.root, disk.staging, shelf.directory].filter { $0.mayRest && !$0.isAtRest }
    }

    /// Looks whether they are used still, until all are closed.
    func closeFoldersLater() {
        guard disk.root.mayRest, !isClosingDue, !isStopped, !openFolders.isEmpty else { return }
        isClosingDue = true
        later(after: Self.restDelay) { container in
            container.isClosingDue = false
            container.disk.closeDirectories()
            for folder in container.openFolders { folder.rest(unusedFor: Self.restDelay) }
        }
    }
}
