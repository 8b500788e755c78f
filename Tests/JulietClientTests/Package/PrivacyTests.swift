import Foundation
import Testing

@Suite("The privacy manifest")
struct PrivacyTests {
    /// Calls that an app must give a reason for, by Apple's category ("Describing use of required reason API"). Only the
    /// client's sources count: the service is no part of an app.
    private static let calls = [
        "FileTimestamp": [
            "stat", "fstat", "fstatat", "lstat", "getattrlist", "fgetattrlist", "getattrlistat", "getattrlistbulk",
            "attributesOfItem", "creationDate", "modificationDate", "creationDateKey", "contentModificationDateKey",
            "fileModificationDate",
        ],
        "SystemBootTime": ["systemUptime", "mach_absolute_time"],
        "DiskSpace": [
            "statfs", "statvfs", "fstatfs", "fstatvfs", "systemFreeSize", "systemSize", "volumeAvailableCapacityKey",
            "volumeAvailableCapacityForImportantUsageKey", "volumeAvailableCapacityForOpportunisticUsageKey",
            "volumeTotalCapacityKey", "attributesOfFileSystem",
        ],
        "ActiveKeyboards": ["activeInputModes"],
        "UserDefaults": ["UserDefaults", "AppStorage"],
    ]

    @Test("names each kind of call that the client makes and that needs a reason, and no other")
    func categories() throws {
        let manifest = try #require(
            try PropertyListSerialization.propertyList(
                from: Data(contentsOf: Self.sources.appendingPathComponent("JulietClient/PrivacyInfo.xcprivacy")),
                format: nil) as? [String: Any])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
        #expect((manifest["NSPrivacyCollectedDataTypes"] as? [String])?.isEmpty == true)
        let declared = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        let categories = declared.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
        #expect(categories.sorted() == (try Self.used()).map { "NSPrivacyAccessedAPICategory\($0)" })
        // Files inside the app's or its group's container.
        #expect(declared.map { $0["NSPrivacyAccessedAPITypeReasons"] as? [String] } == [["C617.1"]])
    }

    private static func used() throws -> [String] {
        var words: Set<Substring> = []
        for folder in ["JulietClient", "JulietAPI"] {
            let folder = sources.appendingPathComponent(folder).resolvingSymlinksInPath()
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift")
            {
                let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
                for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                    words.formUnion(line.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
                }
            }
        }
        return calls.filter { _, names in names.contains { words.contains($0[...]) } }.keys.sorted()
    }

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")
}
