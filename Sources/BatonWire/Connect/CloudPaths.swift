/// Paths of the cloud's server.
package enum CloudPaths {
    /// Bulk bytes, which are no calls of Connect: `PUT` and `GET` of this and the blob's name in hexadecimal.
    package static let blobPath = "/v1/blobs/"

    /// Those that need no token.
    package static let open: Set<String> = [
        AccountMethods.getServer.path, AccountMethods.getChallenge.path, AccountMethods.register.path,
        AccountMethods.authenticate.path,
    ]
}
