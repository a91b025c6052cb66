import BatonTestSupport
import BatonWire
import Foundation
import Testing

extension Integration {
    /// A shell's offers when a person presses Tab.
    @Suite(.timeLimit(.minutes(5))) struct CompletionTests {
        /// The completion of bash for the words, of which the last is completed.
        private static let script = #"""
            PATH=$(dirname "$0"):$PATH
            source <(baton --generate-completion-script bash)
            COMP_WORDS=(baton "$@")
            COMP_CWORD=$#
            COMP_LINE="${COMP_WORDS[*]}"
            COMP_POINT=${#COMP_LINE}
            COMP_TYPE=9
            complete=$(complete -p baton | sed -E 's/.*-F ([^ ]+).*/\1/')
            "$complete" baton "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\n' "${COMPREPLY[@]}"
            """#

        private static func offered(_ words: String..., by device: TestDevice) async throws -> [String] {
            let process = try ChildProcess(
                ["/bin/bash", "-c", script, try Products.path("baton")] + words,
                environment: ["BATON_HOME": device.home])
            _ = try await within(.seconds(60), "bash") { try await process.status() }
            try await process.output.waitForEnd()
            return process.output.all
        }

        @Test(
            "a shell completes offers, devices, apps, teams, containers, folders, settings and their values by what there is"
        )
        func completions() async throws {
            let (probe, type) = ("com.example.probe", "com.example.probe.note")
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                try await household.install(.probe(probe, types: [type]))
                let app = try TestApp(probe, on: a)
                try await app.launch()
                try app.make("x", type: type, title: "Note")
                let offer = try await b.offer(ofType: type)
                let offers = try await Self.offered("continue", "", by: b)
                #expect(offers.count == 1 && offer.offerID.hasPrefix(offers.first ?? "none"), "\(offers)")
                #expect(try await Self.offered("explain", "device", "", by: b) == [a.name])
                #expect(try await Self.offered("send", "x", "--to", "", by: b) == [a.name])
                #expect(try await Self.offered("launch", "com", by: b) == [probe])
                #expect(try await Self.offered("documents", "list", "iC", by: b).contains("iCloud.baton.Drive"))
                let folder = household.directory + "/notes"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                try await b.baton("folder", "add", folder)
                #expect(try await Self.offered("folder", "status", "", by: b) == ["notes"])
                try await b.baton("team", "create", "Mine")
                #expect(try await Self.offered("team", "export", "", by: b).contains("Mine"))
                #expect(try await Self.offered("settings", "get", "not", by: b) == ["notifications"])
                #expect(try await Self.offered("settings", "set", "notifications", "o", by: b).contains("offers-off"))
            }
        }
    }
}
