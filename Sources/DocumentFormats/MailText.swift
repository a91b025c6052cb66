import BatonCore
import Glibc

/// The subject, people and text of a mail (RFC 5322 and MIME), with the names of what is attached.
package struct MailText {
    /// Bytes of a mail that are looked at. Policy: a text stands before what is attached.
    private static let maximumMail = 32 << 20
    /// Bytes of the fields of a part, and of its encoded text.
    private static let maximumFields = 256 << 10
    private static let maximumBody = 1 << 20
    private static let maximumParts = 1000
    private static let maximumDepth = 10

    private var contents = DocumentContents()
    private var parts = 0

    /// - Returns: nil for a file that has none of a mail's fields.
    package static func contents(of file: DocumentFile) -> DocumentContents? {
        let bytes = file.bytes(0, maximumMail)
        let fields = MailFields(bytes.prefix(maximumFields))
        guard ["from", "to", "subject", "date"].contains(where: { fields[$0] != nil }) else { return nil }
        var mail = MailText()
        mail.contents.title = fields["subject"] ?? ""
        mail.contents.authors = [fields["from"]].compactMap(\.self)
        mail.contents.recipients = ["to", "cc", "bcc"].compactMap { fields[$0] }
        mail.read(bytes[...], depth: 0)
        return mail.contents
    }

    /// The mails of a file in which a line that begins with “From ”, at its beginning or behind an empty one, begins each.
    ///
    /// - Returns: the subjects and people of all, then their texts; nil for a file that begins in another way.
    package static func contents(ofMailbox file: DocumentFile) -> DocumentContents? {
        let mails = mails(in: file.bytes(0, maximumMail)[...])
        guard !mails.isEmpty else { return nil }
        var mailbox = MailText()
        for mail in mails where mailbox.contents.text.count < BoundedText.maximumBytes / 2 {
            let fields = MailFields(mail.prefix(maximumFields))
            mailbox.append(fields["subject"] ?? "")
            mailbox.contents.addAuthor(fields["from"])
            for name in ["to", "cc"] { mailbox.contents.addRecipient(fields[name]) }
        }
        for mail in mails { mailbox.read(mail, depth: 0) }
        return mailbox.contents
    }

    private static func mails(in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let mark = Array("From ".utf8)
        guard bytes.starts(with: mark) else { return [] }
        var mails: [ArraySlice<UInt8>] = []
        var (start, place) = (nextLine(in: bytes, from: bytes.startIndex), bytes.startIndex)
        var isBehindEmpty = false
        while place < bytes.endIndex, mails.count < maximumParts {
            let next = nextLine(in: bytes, from: place)
            if isBehindEmpty, bytes[place...].starts(with: mark) {
                mails.append(bytes[start..<max(start, place)])
                start = next
            }
            isBehindEmpty = bytes[place..<next].allSatisfy { $0 == 0x0A || $0 == 0x0D }
            place = next
        }
        if mails.count < maximumParts { mails.append(bytes[start...]) }
        return mails
    }

    private mutating func read(_ part: ArraySlice<UInt8>, depth: Int) {
        parts += 1
        guard depth <= Self.maximumDepth, parts <= Self.maximumParts, !contents.text.isFull else { return }
        let fields = MailFields(part.prefix(Self.maximumFields))
        let (type, parameters) = fields.value(of: "content-type")
        let body = part.dropFirst(fields.length)
        let (_, disposition) = fields.value(of: "content-disposition")
        if let name = disposition["filename"] ?? parameters["name"] { append(name) }
        if type.hasPrefix("multipart/") {
            guard let boundary = parameters["boundary"], !boundary.isEmpty else { return }
            for piece in Self.pieces(of: body, boundary: boundary) {
                let before = contents.text.count
                read(piece, depth: depth + 1)
                // The same in other words: the plain text comes first.
                if type == "multipart/alternative", contents.text.count > before { break }
                if parts > Self.maximumParts { break }
            }
        } else if type == "message/rfc822" {
            append(MailFields(body.prefix(Self.maximumFields))["subject"] ?? "")
            read(body, depth: depth + 1)
        } else if type.isEmpty || type == "text/plain" || type == "text/html" {
            let bytes = MailFields.decoded(
                body.prefix(Self.maximumBody), encoding: fields["content-transfer-encoding"] ?? "")
            // Something else under the name of a text.
            guard !bytes.contains(0) else { return }
            let isPage = type == "text/html"
            let encoding =
                parameters["charset"].flatMap { TextEncoding(label: $0) }
                ?? (isPage ? TextEncoding.declared(inMarkup: bytes) : nil) ?? TextEncoding.guessed(for: bytes)
            let text = encoding.text(of: bytes[...])
            append(isPage ? HTMLText.plain(text) : text)
        }
    }

    private mutating func append(_ text: String) {
        contents.text.endWord()
        contents.text.append(text.utf8)
    }

    /// The parts between the lines of a boundary.
    private static func pieces(of body: ArraySlice<UInt8>, boundary: String) -> [ArraySlice<UInt8>] {
        let line = Array("--\(boundary)".utf8)
        var pieces: [ArraySlice<UInt8>] = []
        var start: Int?
        var place = body.startIndex
        while place < body.endIndex, pieces.count < maximumParts {
            let next = nextLine(in: body, from: place)
            let rest = body[place..<next]
            if rest.starts(with: line) {
                let behind = rest.dropFirst(line.count)
                let isLast = behind.starts(with: [0x2D, 0x2D])
                // It may be the beginning of another boundary.
                if isLast || behind.allSatisfy({ $0 <= 0x20 }) {
                    if let start { pieces.append(body[start..<max(start, place - 1)]) }
                    if isLast { return pieces }
                    start = next
                }
            }
            place = next
        }
        // One that is cut off has no last line.
        if let start, pieces.count < maximumParts { pieces.append(body[start...]) }
        return pieces
    }

    private static func nextLine(in bytes: ArraySlice<UInt8>, from place: Int) -> Int {
        bytes[place...].withUnsafeBytes { rest in
            guard let base = rest.baseAddress, let end = memchr(base, 0x0A, rest.count) else { return bytes.endIndex }
            return place + (UnsafeRawPointer(end) - base) + 1
        }
    }
}
