import Foundation

/// The URL of a PostgreSQL database, as an operator names it.
enum DatabaseLocation {
    private static let schemes = ["postgresql://", "postgres://"]

    /// A sentence that describes a problem with the URL, without repeating it, since it may hold a password; nil when
    /// there is no problem.
    static func problem(_ url: String) -> String? {
        guard let scheme = schemes.first(where: { url.hasPrefix($0) }) else {
            return "“storage.postgres” (--postgres) must be a URL, as in postgresql://baton@db.example.com/baton."
        }
        guard hasPassword(url.dropFirst(scheme.count)) else { return nil }
        return "“storage.postgres” (--postgres) must hold no password: others can see a command line. PostgreSQL's "
            + "passwords are taken from the file that PGPASSFILE names, or ~/.pgpass."
    }

    /// - Parameter rest: the part behind the scheme.
    private static func hasPassword(_ rest: Substring) -> Bool {
        // Before the path, and, where a slash in a password is not escaped, before the query.
        for place in [rest.prefix(while: { $0 != "/" }), rest.prefix(while: { $0 != "?" })] {
            if let end = place.firstIndex(of: "@"), place[..<end].contains(":") { return true }
        }
        guard let query = rest.firstIndex(of: "?") else { return false }
        return rest[query...].dropFirst().split(separator: "&").contains { parameter in
            let name = String(parameter.prefix(while: { $0 != "=" }))
            return name.removingPercentEncoding?.lowercased() == "password"
        }
    }
}
