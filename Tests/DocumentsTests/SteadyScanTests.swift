import BatonTestSupport
import FileSync
import Foundation
import Glibc
import Testing

@testable import Documents

@Suite("Looks at a disk while it changes") struct SteadyScanTests {
    private let directory: TemporaryDirectory
    private let disk: ContainerDisk
    private let context = ContainerDisk.ScanContext(
        isKnown: { _ in false }, isWatched: { _ in false }, willList: { _, _ in }, attributes: { _ in [:] })

    init() throws {
        directory = try TemporaryDirectory()
        for name in ["root", "staging"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name), withIntermediateDirectories: false)
        }
        disk = try ContainerDisk(path: directory.file("root"), staging: directory.file("staging"))
        for name in ["f", "g"] { try Data(name.utf8).write(to: URL(fileURLWithPath: directory.file("root/\(name)"))) }
    }

    private static func names(_ scan: LocalScan) -> [LocalHandle: String] {
        Dictionary(uniqueKeysWithValues: scan.listings.flatMap(\.nodes).map { ($0.handle, $0.name.description) })
    }

    @Test(
        "Where files are renamed while their directory is listed, it is listed again: none is lost, or seen twice (D-5)",
        arguments: [
            [("f", "t"), ("g", "f"), ("t", "g")], [("f", "x"), ("g", "y")],
        ])
    func renamed(moves: [(String, String)]) throws {
        let before = Self.names(disk.scanEverything(context))
        let root = directory.file("root")
        var context = context
        nonisolated(unsafe) var isDone = false
        // After the names were read and the first file was looked at.
        context.isKnown = { _ in
            guard !isDone else { return false }
            isDone = true
            for (old, new) in moves { rename("\(root)/\(old)", "\(root)/\(new)") }
            return false
        }
        let (scan, isSteady) = disk.scanSteadily(context) { false }
        #expect(isDone && isSteady)
        let expected = before.mapValues { name in
            moves.reduce(name) { name, move in move.0 == name ? move.1 : name }
        }
        #expect(Self.names(scan) == expected)
    }
}
