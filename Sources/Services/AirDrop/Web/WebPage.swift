import AirDropProtocol
import BatonCore
import Files

/// The pages that a browser shows. They load nothing from elsewhere.
enum WebPage {
    /// The rights of pages: nothing but what stands in them.
    static func policy(nonce: String) -> String {
        "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; connect-src 'self'; "
            + "img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    /// One thing that can be downloaded.
    struct Entry {
        var name: String
        var size: UInt64
        var isPicture = false
    }

    static func download(_ files: [Entry], from device: String, isOnce: Bool, nonce: String) -> String {
        let items = files.enumerated().map { number, file in
            let address = "\(number)/\(escapedURL(file.name))"
            let name = escaped(SafeName.display(file.name))
            let picture =
                file.isPicture && !isOnce
                ? "<img src=\"\(address)?preview\" alt=\"\" loading=\"lazy\">"
                : "<span class=\"kind\" aria-hidden=\"true\">\(symbol(of: file.name))</span>"
            return """
                <li>\(picture)<span class="what"><b>\(name)</b><small>\(ByteSize.text(file.size))</small></span>
                <a class="button" href="\(address)" download aria-label="Download \(name)">Download</a></li>
                """
        }
        let rule =
            isOnce
            ? "Each file can be downloaded once."
            : "The files can be downloaded until the address ends, ten minutes at most."
        return page(
            "From \(device)", nonce: nonce,
            body: "<ul>\(items.joined(separator: "\n"))</ul><p class=\"note\">\(rule)</p>")
    }

    static func upload(to device: String, nonce: String) -> String {
        page(
            "Send to \(device)", nonce: nonce,
            body: """
                <p><label class="button wide" for="files">Choose files</label>
                <input type="file" id="files" multiple></p>
                <ul id="list"></ul>
                <p><progress id="bar" max="1" value="0" hidden></progress></p>
                <p><button id="send" class="button wide" disabled>Send</button></p>
                <p id="state" role="status"></p>
                <script nonce="\(nonce)">\(script)</script>
                """)
    }

    /// The files go one by one: the other side has one order of them, and a phone keeps one in its memory.
    private static let script = """
        const [files, send, state, list, bar] =
          ["files", "send", "state", "list", "bar"].map(id => document.getElementById(id));
        const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
        const size = bytes => { let unit = 0; while (bytes >= 1024 && unit < 4) { bytes /= 1024; unit++; }
          return (unit ? Math.round(bytes * 10) / 10 : bytes) + " " + units[unit]; };
        const show = () => {
          list.replaceChildren(...Array.from(files.files, file => {
            const item = document.createElement("li"), what = document.createElement("span");
            let picture;
            if (/^image\\/(png|jpeg|gif|webp|avif|bmp)$/.test(file.type)) {
              picture = document.createElement("img"); picture.alt = "";
              picture.onload = () => URL.revokeObjectURL(picture.src);
              picture.src = URL.createObjectURL(file);
            } else {
              picture = document.createElement("span"); picture.className = "kind"; picture.textContent = "\u{1F4C4}";
            }
            const name = document.createElement("b"), bytes = document.createElement("small");
            what.className = "what"; name.textContent = file.name; bytes.textContent = size(file.size);
            what.append(name, bytes); item.append(picture, what); return item;
          }));
          send.disabled = !files.files.length;
        };
        files.onchange = show;
        const put = (file, address, told) => new Promise((done, failed) => {
          const call = new XMLHttpRequest();
          call.open("PUT", address);
          call.upload.onprogress = event => told(event.loaded);
          call.onerror = () => failed(new Error("the connection broke."));
          call.onload = () => {
            if (call.status === 200) return done();
            let message = call.statusText;
            try { message = JSON.parse(call.responseText).message || message; } catch {}
            failed(new Error(message));
          };
          call.send(file);
        });
        send.onclick = async () => {
          const all = Array.from(files.files);
          if (!all.length) { state.textContent = "Choose files first."; return; }
          send.disabled = files.disabled = true;
          const batch = Array.from(crypto.getRandomValues(new Uint32Array(2)), n => n.toString(36)).join("");
          const total = all.reduce((sum, file) => sum + file.size, 0);
          let before = 0;
          bar.hidden = false;
          try {
            for (const [number, file] of all.entries()) {
              const told = loaded => {
                bar.value = total ? (before + loaded) / total : 1;
                state.textContent = "Sending " + (number + 1) + " of " + all.length + ": " + size(before + loaded)
                  + " of " + size(total);
              };
              told(0);
              await put(file, encodeURIComponent(file.name) + "?batch=" + batch + "&of=" + all.length, told);
              before += file.size;
            }
            bar.value = 1;
            state.textContent = all.length === 1 ? "Sent." : "Sent " + all.length + " files.";
          } catch (error) {
            state.textContent = "Not sent: " + error.message;
            send.disabled = files.disabled = false;
          }
        };
        """

    private static let style = """
        :root { color-scheme: light dark; --line: #8884; --accent: #0b62d6 }
        @media (prefers-color-scheme: dark) { :root { --accent: #4c9aff } }
        * { box-sizing: border-box }
        body { font: 1.1rem/1.4 system-ui, sans-serif; margin: 0 auto; max-width: 40rem; padding: 1rem }
        h1 { font-size: 1.5rem; overflow-wrap: anywhere }
        ul { list-style: none; margin: 0; padding: 0 }
        li { align-items: center; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .8rem; padding: .8rem 0 }
        img, .kind { border-radius: .5rem; flex: none; height: 4rem; width: 4rem }
        img { object-fit: cover }
        .kind { font-size: 2.4rem; line-height: 4rem; text-align: center }
        .what { flex: 1 1 8rem; min-width: 0; overflow-wrap: anywhere }
        small { display: block; opacity: .7 }
        .button { background: var(--accent); border: 0; border-radius: .8rem; color: #fff; cursor: pointer; display: inline-block;
          font: inherit; font-weight: 600; min-height: 3rem; padding: .75rem 1.4rem; text-align: center; text-decoration: none }
        .button:disabled { cursor: default; opacity: .5 }
        .wide { width: 100% }
        input[type=file] { height: 1px; opacity: 0; position: absolute; width: 1px }
        input[type=file]:focus-visible + ul, label:focus-within { outline: 3px solid var(--accent) }
        progress { accent-color: var(--accent); height: 1rem; width: 100% }
        .note { opacity: .7 }
        """

    private static func page(_ title: String, nonce: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(escaped(title))</title>
        <style nonce="\(nonce)">\(style)</style>
        </head><body><h1>\(escaped(title))</h1>
        \(body)
        </body></html>
        """
    }

    /// A picture of the kind of a file, from its extension.
    private static func symbol(of name: String) -> String {
        let point = name.lastIndex(of: ".")
        return switch point.map({ name[name.index(after: $0)...].lowercased() }) ?? "" {
        case "zip", "gz", "xz", "zst", "bz2", "7z", "tar": "🗜"
        case "mp3", "flac", "ogg", "opus", "m4a", "wav": "🎵"
        case "mp4", "mkv", "webm", "mov", "avi": "🎬"
        case "png", "jpg", "jpeg", "gif", "webp", "avif", "heic", "bmp", "svg": "🖼"
        default: "📄"
        }
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
