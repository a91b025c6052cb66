import AirDropProtocol
import BatonCore

/// The pages that a browser shows. They load nothing from elsewhere.
enum WebPage {
    /// What pages may do: nothing but what stands in them.
    static func policy(nonce: String) -> String {
        "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    static func download(_ files: [(name: String, size: UInt64)], from device: String, nonce: String) -> String {
        let items = files.enumerated().map { number, file in
            "<li><a href=\"\(number)/\(escapedURL(file.name))\" download>\(escaped(SafeName.display(file.name)))</a> "
                + "(\(ByteSize.text(file.size)))</li>"
        }
        return page(
            "From \(device)", nonce: nonce,
            body: "<ul>\(items.joined())</ul><p>Each file can be downloaded once.</p>")
    }

    static func upload(to device: String, nonce: String) -> String {
        page(
            "Send to \(device)", nonce: nonce,
            body: """
                <p><input type="file" id="files" multiple></p>
                <p><button id="send">Send</button></p>
                <p id="state" role="status"></p>
                <script nonce="\(nonce)">\(script)</script>
                """)
    }

    private static let script = """
        const [files, send, state] = ["files", "send", "state"].map(id => document.getElementById(id));
        send.onclick = async () => {
          const list = Array.from(files.files);
          if (!list.length) { state.textContent = "Choose files first."; return; }
          send.disabled = true;
          const batch = Array.from(crypto.getRandomValues(new Uint32Array(2)), n => n.toString(36)).join("");
          try {
            for (const [number, file] of list.entries()) {
              state.textContent = "Sending " + (number + 1) + " of " + list.length + " …";
              const answer = await fetch(encodeURIComponent(file.name) + "?batch=" + batch + "&of=" + list.length,
                { method: "PUT", body: file });
              if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).message || answer.statusText);
            }
            state.textContent = list.length === 1 ? "Sent." : "Sent " + list.length + " files.";
          } catch (error) {
            state.textContent = "Not sent: " + error.message;
            send.disabled = false;
          }
        };
        """

    private static func page(_ title: String, nonce: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(escaped(title))</title>
        <style nonce="\(nonce)">body { font: 1.1rem sans-serif; margin: 2rem auto; max-width: 36rem; padding: 0 1rem }
        li { margin: .6rem 0; overflow-wrap: anywhere } button { font: inherit; padding: .5rem 1.5rem }</style>
        </head><body><h1>\(escaped(title))</h1>
        \(body)
        </body></html>
        """
    }

    /// As text, and in an attribute between quotation marks.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// As one component of a URL's path, and as the value of `filename*`.
    static func escapedURL(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = byte < 0x80 && (isAlphanumeric(byte) || "-._~".utf8.contains(byte))
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
