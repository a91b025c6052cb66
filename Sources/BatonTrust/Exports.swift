// Backup still reaches these types by this module. It goes when Backup imports Files.
@_exported public import Files

package typealias SystemFailure = FileFailure
