import Baton
import Foundation

/// The pictures of a page, from the device that shows it to the one that continues: what is too large for an activity
/// goes over its continuation streams. One question, one answer.
///
/// @unchecked: the streams are handed to one thread, which alone uses them from then on.
struct ImageStreams: @unchecked Sendable {
    let input: InputStream
    let output: OutputStream

    /// Answers the other device's question. Reading and writing wait, so they have a thread of their own.
    func serve(_ log: any EventLog) {
        Thread.detachNewThread {
            open()
            defer { close() }
            guard let question = readAll(limit: 64 << 10) else { return fail(input, log) }
            let asked = ImageQuestion(question)
            let images = PageImage.images(of: asked.url)
            let answer = PageImageCoding.encode(images, known: asked.known)
            guard write(answer) else { return fail(output, log) }
            let count = images.count { !asked.known.contains($0.fingerprint) }
            log.record(.log("Sent \(count) images of \(asked.url)"))
        }
    }

    /// Asks for the pictures of a page, but for those that are here already: what crosses the network costs time (H-83).
    /// - Parameter completion: called on the main queue; nil when they did not come whole.
    func ask(
        for url: String, having cache: [String: Data], _ log: any EventLog,
        completion: @escaping @MainActor @Sendable ([PageImage]?) -> Void
    ) {
        Thread.detachNewThread {
            open()
            defer { close() }
            var images: [PageImage]?
            if write(ImageQuestion(url: url, known: cache.keys).data) {
                output.close()
                images = readAll(limit: PageImageCoding.maximumSize).flatMap {
                    PageImageCoding.decode($0, cache: cache)
                }
            }
            if images == nil { fail(input, log) }
            DispatchQueue.main.async { [images] in MainActor.assumeIsolated { completion(images) } }
        }
    }

    private func open() {
        input.open()
        output.open()
    }

    private func close() {
        input.close()
        output.close()
    }

    private func fail(_ stream: Stream, _ log: any EventLog) {
        log.record(.log("The images did not come. \(stream.streamError?.localizedDescription ?? "")"))
    }

    private func write(_ data: Data) -> Bool {
        let bytes = [UInt8](data)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { output.write($0 + sent, maxLength: bytes.count - sent) } ?? -1
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// To the end; nil when the stream broke or is longer than allowed.
    private func readAll(limit: Int) -> Data? {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = input.read(&buffer, maxLength: buffer.count)
            guard count >= 0, data.count + count <= limit else { return nil }
            if count == 0 { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }
}
