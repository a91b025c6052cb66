import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Testing

extension Integration {
    /// The person's own documents, and those of apps that are not here (D-5, D-32).
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentDriveTests {
        private struct Containers: Decodable {
            struct Container: Decodable {
                var identifier: String
                var elsewhere: Bool
            }
            var containers: [Container]
        }

        @Test(
            "what a person puts into iCloud Drive is there on every device without any app; containers of apps that are not here are listed and exported"
        )
        func drive() async throws {
            try await TestHousehold.with(3) { household in
                let (one, other) = (household[0], household[1])
                try await TestCloud.with(on: 2, of: household) { cloud in
                    try await one.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for index in 0..<2 { try await CloudAccessTests.isConnected(household[index]) }
                    @Sendable func text(_ device: TestDevice, _ path: String) -> String? {
                        FileManager.default.contents(atPath: "\(device.home)/iCloud Drive/\(path)").map {
                            String(decoding: $0, as: UTF8.self)
                        }
                    }
                    @Sendable func write(_ text: String, _ device: TestDevice, _ path: String) throws {
                        let file = URL(fileURLWithPath: "\(device.home)/iCloud Drive/\(path)")
                        try FileManager.default.createDirectory(
                            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                        try Data(text.utf8).write(to: file)
                    }
                    try await one.until("the folder of the person") {
                        (try? write("dear", one, "letters/a.txt")) != nil
                    }
                    try await other.until("the letter to come") { text(other, "letters/a.txt") == "dear" }
                    try write("dear friend", other, "letters/a.txt")
                    try await one.until("the answer to come") { text(one, "letters/a.txt") == "dear friend" }

                    let notes = try await TestContainer(one)
                    try notes.write("kept", to: "deep/note.txt")
                    try await notes.untilSent("deep/note.txt")
                    try await other.until("the container to be listed") {
                        try await other.baton("documents").decode(Containers.self).containers.contains {
                            $0.identifier == TestContainer.identifier && $0.elsewhere
                        }
                    }
                    let folder = other.home + "/exported"
                    try await other.baton("documents", "export", TestContainer.identifier, folder)
                    let exported = FileManager.default.contents(atPath: folder + "/deep/note.txt")
                    #expect(exported == Data("kept".utf8))
                }
            }
        }

        @Test("a daemon that starts on a full disk says so, and goes on when there is room (D-36)")
        func fullDisk() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                try await device.stop()
                let data = device.locations.data
                let copy = data + ".copy"
                try FileManager.default.moveItem(atPath: data, toPath: copy)
                try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
                guard mount("tmpfs", data, "tmpfs", 0, "size=24m,mode=700") == 0 else {
                    throw IntegrationFailure("no disk: \(errno)")
                }
                defer { umount2(data, Int32(MNT_DETACH)) }
                for name in try FileManager.default.contentsOfDirectory(atPath: copy) {
                    try FileManager.default.copyItem(atPath: "\(copy)/\(name)", toPath: "\(data)/\(name)")
                }
                let filler = open(data + "/filler", O_WRONLY | O_CREAT, 0o600)
                let bytes = [UInt8](repeating: 1, count: 1 << 16)
                while Glibc.write(filler, bytes, bytes.count) > 0 {}
                while Glibc.write(filler, bytes, 1) > 0 {}
                close(filler)
                async let isStarted: Void = device.start()
                try await device.until("the full disk to be told") {
                    device.daemonErrors.contains("There is no space for the database")
                }
                unlink(data + "/filler")
                try await isStarted
                try await device.baton("status")
            }
        }
    }
}
