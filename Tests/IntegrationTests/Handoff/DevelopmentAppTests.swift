import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Programs that a developer starts.
    @Suite(.timeLimit(.minutes(5))) struct DevelopmentAppTests {
        private static let type = "com.example.reader.reading"

        // As `swift run` starts it, whose build folder is in the package's folder.
        @Test("H-6: an unsigned program is what the Info.plist beside its Package.swift says, and continued")
        func swiftRun() async throws {
            try await TestHousehold.with(2) { household in
                let (one, other) = (household[0], household[1])
                let package = household.directory + "/reader"
                let folder = package + "/.build/x86_64-unknown-linux-gnu/debug"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try FileManager.default.copyItem(atPath: Products.path("HandoffProbe"), toPath: folder + "/Reader")
                let plist: [String: Any] = [
                    "CFBundleIdentifier": "com.example.reader", "CFBundleName": "Reader",
                    "NSUserActivityTypes": [Self.type],
                ]
                try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
                    .write(to: URL(fileURLWithPath: package + "/Info.plist"))
                let programs = try household.devices.map { device in
                    let container = package + "/" + (device.home as NSString).lastPathComponent
                    try FileManager.default.createDirectory(atPath: container, withIntermediateDirectories: true)
                    if device === one {
                        try #"{"do":"make","id":"a","type":"\#(Self.type)","title":"Chapter 3"}"#.write(
                            toFile: container + "/startup", atomically: true, encoding: .utf8)
                    }
                    return try ChildProcess(
                        [folder + "/Reader"], environment: ["BATON_HOME": device.home, "BATON_CONTAINER": container])
                }
                let offer = try await other.offer(ofType: Self.type)
                #expect(offer.app.bundleID == "com.example.reader" && offer.appName == "Reader")
                #expect(try await other.continue(offer.offerID).last?.step == .acknowledged)
                let output = programs[1].output
                _ = try await within(.seconds(20), "the activity to be continued") {
                    try await output.expect { $0.contains(#""event":"continue""#) && $0.contains(Self.type) ? $0 : nil }
                }
                for program in programs { await program.kill() }
            }
        }
    }
}
