// Documents and Records still reach AtomicFile and SecureDirectory by this module, where they were. It goes when they import Files.
@_exported public import Files
