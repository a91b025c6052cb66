import Foundation
import Glibc

/// An installed app that speaks the local plane's protocol itself, to ask for streams of a continuation of its choice:
/// the library asks only for those of activities that the app was given.
enum StreamThief {
    static func ask(for acceptance: String) {
        Thread.detachNewThread {
            let path = ProcessInfo.processInfo.environment["BATON_SOCKET"] ?? ""
            guard let attachment = connection(path), let theft = connection(path) else {
                return ProbeLog.print(["event": "stolen", "reason": "no connection"])
            }
            // As an app that can continue activities; an envelope of Connect's streams.
            let attach: [UInt8] = [0x30, 1]
            send(
                attachment, "AttachmentService/Attach", "application/connect+proto",
                [0, 0, 0, 0, UInt8(attach.count)] + attach)
            let session = session(attachment)
            let names = [(UInt8(0x0A), session), (0x12, acceptance)]
            let request = names.flatMap { [$0, UInt8($1.utf8.count)] + Array($1.utf8) }
            send(theft, "ContinuationStreamService/OpenStream", "application/proto", request, upgrade: true)
            let answer = String(decoding: read(theft) { $0.contains("reason") || $0.contains(" 101 ") }, as: UTF8.self)
            let words = answer.split(separator: " ", maxSplits: 2)
            let reasons = ["streams_not_granted", "unknown_session", "other_process", "invalid_identifier"]
            ProbeLog.print([
                "event": "stolen", "session": session, "status": words.count > 1 ? String(words[1]) : "",
                "reason": reasons.first { answer.contains($0) } ?? answer,
            ])
            close(theft)
            close(attachment)
        }
    }

    private static func connection(_ path: String) -> Int32? {
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        return isConnected ? socket : nil
    }

    private static func send(
        _ socket: Int32, _ method: String, _ type: String, _ body: [UInt8], upgrade: Bool = false
    ) {
        var head = "POST /baton.app.v1.\(method) HTTP/1.1\r\nhost: baton\r\nbaton-protocol-version: 1\r\n"
        if upgrade {
            head += "connection: Upgrade\r\nupgrade: baton-stream/1\r\n"
        } else {
            head += "connect-protocol-version: 1\r\n"
        }
        head += "content-type: \(type)\r\ncontent-length: \(body.count)\r\n\r\n"
        let message = Array(head.utf8) + body
        _ = write(socket, message, message.count)
    }

    private static func read(_ socket: Int32, until isEnough: (String) -> Bool) -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !isEnough(String(decoding: received, as: UTF8.self)) {
            let count = Glibc.read(socket, &buffer, buffer.count)
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        return received
    }

    /// The first text of 26 characters in the answer's first message.
    private static func session(_ socket: Int32) -> String {
        func find(_ bytes: [UInt8]) -> String? {
            for index in bytes.indices.dropLast(27) where bytes[index] == 0x0A && bytes[index + 1] == 26 {
                let text = bytes[(index + 2)..<(index + 28)]
                let isName = text.allSatisfy { (0x41...0x5A).contains($0) || (0x32...0x37).contains($0) }
                if isName { return String(decoding: text, as: UTF8.self) }
            }
            return nil
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while find(received) == nil {
            let count = Glibc.read(socket, &buffer, buffer.count)
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        return find(received) ?? ""
    }
}
