import BatonCore
import BatonTestSupport
import BatonTrust
import Foundation

/// Programs of the machine that speak to a daemon's local socket: in Python, so that one can be an installed app without
/// the library, fork, and change its program.
enum LocalCallers {
    static let bundleID = "org.example.python"

    /// The beginning of each program: `call` answers a unary method, `attach` the beginning of an attachment.
    private static let preamble = """
        socket, os, sys, time, struct = [__import__(n) for n in ("socket", "os", "sys", "time", "struct")]
        def connect():
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); return s
        def post(s, method, kind, body, bundle=""):
            s.sendall(b"POST /baton.%s HTTP/1.1\\r\\nHost: x\\r\\nContent-Type: application/%s\\r\\nContent-Length: %d\\r\\n"
                b"Baton-Bundle-ID: %s\\r\\nBaton-Protocol-Version: 1\\r\\n\\r\\n"
                % (method.encode(), kind, len(body), bundle.encode()) + body)
            return s.recv(65536)
        def call(s, method): return post(s, "control.v1.ControlService/" + method, b"json", b"{}")
        def attach(s, name="other"):
            body = b'{"display_name":"x"}'
            answer = post(s, "app.v1.AttachmentService/Attach", b"connect+json", b"\\0" + struct.pack(">I", len(body)) + body,
                "org.example." + name)
            while b"{" not in answer: answer += s.recv(65536)
            return answer
        def say(*words): print("said", *words, flush=True)

        """

    static func program(_ text: String) -> String { preamble + text }

    /// Runs a program that is no installed app.
    static func start(_ text: String, _ arguments: String..., on device: TestDevice) throws -> ChildProcess {
        try ChildProcess(["python3", "-c", program(text), device.locations.socket] + arguments)
    }

    /// The next line that a program says.
    static func next(_ process: ChildProcess) async throws -> String {
        try await within(.seconds(30), "the program to say something") {
            guard let line = try await process.output.first({ $0.hasPrefix("said ") ? $0 : nil }) else {
                throw IntegrationFailure("The program ended: \(process.errors.all.joined(separator: "\n"))")
            }
            return line.found
        }
    }

    /// Installs the interpreter itself as a signed app.
    static func install(on device: TestDevice) async throws {
        let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path
        let bundle = try BundleFixture(
            in: device.home + "/bundles", name: "Python", bundleID: bundleID, executable: .copy(of: python)
        ).signed(by: try TeamKey(name: "Team"))
        try await device.baton("install", bundle.path)
    }

    /// Launches the installed interpreter with a program.
    /// - Returns: the first line that it says.
    static func launch(_ text: String, on device: TestDevice) async throws -> String {
        let log = "\(device.locations.appLogs)/\(bundleID).log"
        let follower = try FileFollower(log, from: FileFollower.size(log))
        // Beside the copy it would not find its library.
        try await device.baton(
            "launch", bundleID, "--env", "PYTHONHOME=/usr", "--", "-c", program(text), device.locations.socket)
        do {
            let line = try await within(.seconds(30), "the app to say something") {
                guard let line = try await follower.lines.first({ $0.hasPrefix("said ") ? $0 : nil }) else {
                    throw IntegrationFailure("The app's log ended.")
                }
                return line.found
            }
            await follower.end()
            return line
        } catch {
            await follower.end()
            throw error
        }
    }
}
