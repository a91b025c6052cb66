import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Headphones as a real sound server reports them: Debian's PulseAudio, with sinks that play nowhere (P-61).
    @Suite(.serialized, .timeLimit(.minutes(2))) struct SoundServerTests {
        private struct Context: Decodable {
            struct Input: Decodable {
                var name: String
                var state: String
            }
            struct Event: Decodable { var text: String }
            var inputs: [Input]
            var events: [Event]
        }

        @Test("a sink whose form is a headphone is headphones, connected and gone (P-61)")
        func headphones() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let folder = household.directory + "/sound"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let environment = [
                    "PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": folder,
                    "PULSE_SERVER": "unix:\(folder)/native",
                ]
                var server = environment
                server["PULSE_SERVER"] = nil
                let pulse = try ChildProcess(
                    [
                        "/usr/bin/pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
                        "--load=module-native-protocol-unix socket=\(folder)/native auth-anonymous=1",
                        "--load=module-null-sink sink_name=speakers",
                    ], environment: server)
                pulse.closeInput()
                @Sendable func pactl(_ arguments: String...) async throws -> (status: Int32, lines: [String]) {
                    let program = try ChildProcess(["/usr/bin/pactl"] + arguments, environment: environment)
                    program.closeInput()
                    return try await within(.seconds(20), "pactl") {
                        let status = try await program.status()
                        try await program.output.waitForEnd()
                        return (status, program.output.all)
                    }
                }
                @Sendable func context() async throws -> Context {
                    try await device.baton("context").decode(Context.self)
                }
                do {
                    try await device.until("PulseAudio to answer") { try await pactl("info").status == 0 }
                    device.use(["PULSE_SERVER": "unix:\(folder)/native"])
                    try await device.restart()
                    try await device.until("the sound server to be followed") {
                        try await context().inputs.first { $0.name == "sound" }?.state == "followed"
                    }
                    let module = try await pactl(
                        "load-module", "module-null-sink", "sink_name=buds",
                        "sink_properties=device.form_factor=headphone")
                    #expect(module.status == 0)
                    try await device.until("headphones") {
                        try await context().events.contains {
                            $0.text.hasPrefix("Headphones") && $0.text.contains("connected")
                        }
                    }
                    let number = try #require(module.lines.first)
                    #expect(try await pactl("unload-module", number).status == 0)
                    try await device.until("headphones to be gone") {
                        try await context().events.contains {
                            $0.text.hasPrefix("Headphones") && $0.text.contains("gone")
                        }
                    }
                } catch {
                    await pulse.kill()
                    throw error
                }
                await pulse.kill()
            }
        }
    }
}
