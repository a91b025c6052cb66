import Baton
import Foundation
import Synchronization

/// The picture that is attached to a draft. Read on the thread that sends it.
final class Picture: Sendable {
    /// In bytes; a longer one is not taken.
    static let limit = 32 << 20

    private let content = Mutex(Data())

    var data: Data {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }

    /// A number that shows whether a picture has come whole (FNV-1a).
    var fingerprint: String {
        String(data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }
}

/// A pair of continuation streams that carries one picture from the device that has it to the one that goes on.
///
/// @unchecked: the streams are handed to one thread, which alone uses them from then on.
struct PictureStreams: @unchecked Sendable {
    let input: InputStream
    let output: OutputStream

    /// Sends a picture, and closes the streams.
    func send(_ data: Data) {
        Thread.detachNewThread {
            input.open()
            output.open()
            defer {
                output.close()
                input.close()
            }
            let bytes = [UInt8](data)
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBufferPointer { buffer in
                    buffer.baseAddress.map { output.write($0 + sent, maxLength: bytes.count - sent) } ?? -1
                }
                guard count > 0 else { return print("not sent: \(reason(output))") }
                sent += count
            }
            print("sent a picture of \(sent) bytes")
        }
    }

    /// Receives a picture to its end.
    /// - Parameter completion: called on the main queue; nil when it did not come whole.
    func receive(completion: @escaping @MainActor @Sendable (Data?) -> Void) {
        Thread.detachNewThread {
            input.open()
            output.open()
            defer {
                output.close()
                input.close()
            }
            let data = readAll()
            if data == nil { print("no picture came: \(reason(input))") }
            DispatchQueue.main.async { MainActor.assumeIsolated { completion(data) } }
        }
    }

    private func readAll() -> Data? {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = input.read(&buffer, maxLength: buffer.count)
            guard count >= 0, data.count + count <= Picture.limit else { return nil }
            if count == 0 { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }

    private func reason(_ stream: Stream) -> String { stream.streamError?.localizedDescription ?? "it is too long" }
}
