/// Lets `import CloudKit` of an app that was written for Apple's systems compile: its names are Baton's.
@_exported import Baton
