package import FoundationEssentials
import Glibc

/// Asks the daemon over its socket what a field may be offered: one call of the control plane in JSON.
package struct DaemonQuestion: Sendable {
    private let socket: String
    /// Seconds: the person waits.
    private static let patience = 2
    private static let maximumAnswer = 64 << 10
    private static let body = #"{"field":"fullStreetAddress"}"#

    package init(socket: String) { self.socket = socket }

    /// - Parameter environment: the program's; as the library finds the socket.
    /// - Returns: nil where nothing says where it is.
    package init?(environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        func base(_ name: String) -> String? { value(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        if let socket = value("BATON_SOCKET") {
            self.init(socket: socket)
        } else if let home = value("BATON_HOME") {
            self.init(socket: home + "/run/batond.sock")
        } else if let folder = base("XDG_RUNTIME_DIR") ?? base("HOME").map({ $0 + "/.local/state/baton-run" }) {
            self.init(socket: folder + "/baton/batond.sock")
        } else {
            return nil
        }
    }

    /// Blocks, for some seconds at most.
    /// - Returns: nil where nothing is offered: the daemon does not run, does not know the question, or has nothing.
    package func offer() -> FieldOffer? {
        guard let connection = connect() else { return nil }
        defer { close(connection) }
        let request =
            "POST /baton.control.v1.SuggestionsService/OfferForField HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(Self.body.utf8.count)\r\nConnection: close\r\n\r\n"
            + Self.body
        guard send(Array(request.utf8), on: connection), let answer = receive(from: connection) else { return nil }
        return FieldOffer(answer: answer)
    }

    /// - Returns: the body of an answer with the status 200, once it is there as a whole.
    /// - Throws: for any other answer.
    package static func body(of answer: Data) throws(Refusal) -> Data? {
        guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self).lowercased().split(separator: "\r\n")
        let lengths = head.filter { $0.hasPrefix("content-length:") }.map { line in
            Int(line.dropFirst("content-length:".count).drop { $0 == " " })
        }
        guard head.first?.hasPrefix("http/1.1 200 ") == true, lengths.count == 1, let length = lengths[0],
            (0...maximumAnswer).contains(length)
        else { throw Refusal() }
        let body = answer[end.upperBound...]
        return body.count < length ? nil : Data(body.prefix(length))
    }

    /// The daemon does not run any more, does not know the question, or refuses it.
    package struct Refusal: Error {}

    private func connect() -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(socket.utf8)
        guard !path.contains(0), path.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let connection = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard connection >= 0 else { return nil }
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0, isOwn(connection) else {
            close(connection)
            return nil
        }
        return connection
    }

    /// An answer of another user goes into no field.
    private func isOwn(_ connection: Int32) -> Bool {
        // The kernel's "struct ucred": process, user, group.
        var peer: (pid_t, uid_t, gid_t) = (0, uid_t.max, gid_t.max)
        var size = socklen_t(MemoryLayout.size(ofValue: peer))
        return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.1 == getuid()
    }

    private func send(_ bytes: [UInt8], on connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The body of the answer, if it comes in time.
    private func receive(from connection: Int32) -> Data? {
        let deadline = ContinuousClock.now + .seconds(Self.patience)
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while ContinuousClock.now < deadline, answer.count <= Self.maximumAnswer {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            answer += buffer[..<count]
            do {
                if let body = try Self.body(of: answer) { return body }
            } catch {
                return nil
            }
        }
        return nil
    }
}
