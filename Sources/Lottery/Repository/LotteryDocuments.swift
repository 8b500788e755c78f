public import LotteryEntities

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The two documents: `{"items": [user, …]}` and `{"lotteryList": [entry, …]}`. Members that are not ours are ignored.
public enum LotteryDocuments {
    /// The numbers that users of an imported document may have; the service gives higher ones to players.
    public static let ownNumbers = 1...999_999_999
    /// The longest list that is read.
    public static let maximumCount = 100_000

    /// Reads the document of users.
    ///
    /// - Parameter numbers: Which are taken.
    /// - Throws: What is wrong first.
    public static func users(
        in bytes: [UInt8], numbers: ClosedRange<Int> = 1...Int.max
    ) throws(LotteryDocumentError) -> [LotteryUser] {
        let users = try list("items", in: bytes) { (document: UserDocument) in document.items }
        try checkNumbers(of: users.map(\.userID), in: "items", numbers)
        for (index, user) in users.enumerated() {
            func check(_ member: String, _ isRight: Bool, _ problem: String) throws(LotteryDocumentError) {
                if !isRight { throw LotteryDocumentError(list: "items", index: index, member: member, problem) }
            }
            try check("name", isName(user.name), "is not 1 to 200 visible characters")
            try check("username", isName(user.username), "is not 1 to 200 visible characters")
            try check("regDate", isDate(user.registrationDate), "is not a day such as 2020-10-19")
        }
        return users
    }

    /// Reads the document of those who take part.
    ///
    /// - Parameter users: The known users: an entry of anybody else is an error. nil: not checked.
    /// - Throws: What is wrong first.
    public static func entries(
        in bytes: [UInt8], of users: [LotteryUser]? = nil
    ) throws(LotteryDocumentError) -> [LotteryEntry] {
        let entries = try list("lotteryList", in: bytes) { (document: EntryDocument) in document.lotteryList }
        try checkNumbers(of: entries.map(\.userID), in: "lotteryList", 1...Int.max)
        if let known = users.map({ Set($0.map(\.userID)) }),
            let index = entries.firstIndex(where: { !known.contains($0.userID) })
        {
            throw LotteryDocumentError(
                list: "lotteryList", index: index, member: "userId",
                "there is no user \(entries[index].userID)")
        }
        return entries
    }

    private static func checkNumbers(
        of listed: [Int], in list: String, _ numbers: ClosedRange<Int>
    ) throws(LotteryDocumentError) {
        var places: [Int: Int] = [:]
        for (index, number) in listed.enumerated() {
            var problem: String?
            if !numbers.contains(number) {
                problem =
                    numbers.upperBound == .max
                    ? "is not 1 or more" : "is not \(numbers.lowerBound) to \(numbers.upperBound)"
            } else if let earlier = places.updateValue(index, forKey: number) {
                problem = "\(number) is already in \(list)[\(earlier)]"
            }
            if let problem { throw LotteryDocumentError(list: list, index: index, member: "userId", problem) }
        }
    }

    private static func list<Document: Decodable, Element>(
        _ name: String, in bytes: [UInt8], _ elements: (Document) -> [Element]
    ) throws(LotteryDocumentError) -> [Element] {
        let found: [Element]
        do {
            found = elements(try JSONDecoder().decode(Document.self, from: Data(bytes)))
        } catch let error as DecodingError {
            throw LotteryDocumentError(error, list: name)
        } catch {
            throw LotteryDocumentError(list: name, index: nil, member: nil, "cannot be read")
        }
        guard found.count <= maximumCount else {
            throw LotteryDocumentError(
                list: name, index: nil, member: nil,
                "has \(found.count) elements, but at most \(maximumCount) are allowed")
        }
        return found
    }

    private static func isName(_ text: String) -> Bool {
        (1...200).contains(text.unicodeScalars.count) && text.unicodeScalars.contains { !$0.properties.isWhitespace }
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year > 0,
            (1...12).contains(month)
        else { return false }
        let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day)
    }
}

/// What is wrong with a document.
public struct LotteryDocumentError: Error, Hashable, CustomStringConvertible {
    /// Where, and what: `items[3].userId: is not 1 to 999999999`.
    public let description: String

    init(list: String, index: Int?, member: String?, _ problem: String) {
        description = list + (index.map { "[\($0)]" } ?? "") + (member.map { ".\($0)" } ?? "") + ": \(problem)"
    }

    init(_ error: DecodingError, list: String) {
        var (context, member, problem): (DecodingError.Context, String?, String)
        switch error {
        case .keyNotFound(let key, let found): (context, member, problem) = (found, key.stringValue, "is missing")
        case .typeMismatch(let type, let found), .valueNotFound(let type, let found):
            (context, member, problem) = (found, nil, "is not \(Self.words[ObjectIdentifier(type)] ?? "an object")")
        case .dataCorrupted(let found):
            (context, member, problem) = (found, nil, "is not JSON, or has a number that is not whole")
        @unknown default:
            self.init(list: list, index: nil, member: nil, "cannot be read")
            return
        }
        let index = context.codingPath.lazy.compactMap(\.intValue).first
        if index == nil, member == nil, !context.codingPath.isEmpty { problem = "is not a list" }
        if let last = context.codingPath.last, last.intValue == nil { member = member ?? last.stringValue }
        self.init(list: list, index: index, member: index == nil ? nil : member, problem)
    }

    private static let words: [ObjectIdentifier: String] = [
        ObjectIdentifier(Int.self): "a whole number", ObjectIdentifier(String.self): "text",
        ObjectIdentifier(Bool.self): "true or false",
    ]
}

private struct UserDocument: Decodable {
    let items: [LotteryUser]
}

private struct EntryDocument: Decodable {
    let lotteryList: [LotteryEntry]
}
