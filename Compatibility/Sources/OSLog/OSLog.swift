/// Lets `import OSLog` of an app that was written for Apple's systems compile: its names are those of the module `os`.
@_exported import os
