import JulietAPI
import Testing

@Suite("Integer parameters")
struct IntegerTests {
    private func amount(_ spelling: String) throws -> Int? {
        let body = #"{"requestType":"handleEnergyPurchase","userID":"u","energyPurchaseAmount":\#(spelling)}"#
        guard case .handleEnergyPurchase("u", let amount) = try decode(body, at: .iapManager) else { return nil }
        return amount
    }

    @Test(
        "whatever is an integer counts as one, however it is spelled",
        arguments: [
            ("5", 5), ("5.0", 5), ("5.000", 5), ("5e0", 5), ("5E0", 5), ("5e+0", 5), ("5e-0", 5), ("0.5e1", 5),
            ("0.05e2", 5),
            ("50e-1", 5), ("500E-2", 5), ("5000000000000000000000e-21", 5), ("0.000000000000000000005e21", 5),
            ("5.00e0", 5), ("5.0e0", 5), ("30", 30), ("30.0", 30), ("3e1", 30), ("3.0e1", 30), ("0.3e2", 30),
            ("300e-1", 30),
            ("0", 0), ("-0", 0), ("0.0", 0), ("-0.0", 0), ("0e0", 0), ("0e999999999999999999999999", 0),
            ("-0e-99999999999", 0),
            ("0.000e-5", 0), ("-5", -5), ("-5.0", -5), ("-50e-1", -5), ("1", 1), ("10", 10), ("100", 100), ("1e2", 100),
            ("1.5e1", 15), ("1.25e2", 125), ("1.250e2", 125), ("10.10e1", 101), ("1001e0", 1001), ("100100e-2", 1001),
            ("9007199254740993", 9_007_199_254_740_993), ("9007199254740993.0", 9_007_199_254_740_993),
            ("9223372036854775807", .max), ("9223372036854775807.0", .max), ("9.223372036854775807e18", .max),
            ("92233720368547758070e-1", .max), ("-9223372036854775807", -.max), ("1e18", 1_000_000_000_000_000_000),
            ("2147483648", 2_147_483_648), ("-2147483649", -2_147_483_649),
        ])
    func integers(spelling: String, value: Int) throws {
        #expect(try amount(spelling) == value)
    }

    @Test(
        "an integer beyond 64 bits counts as the largest or the lowest of them, however it is spelled",
        arguments: [
            "9223372036854775808", "9223372036854775808.0", "9.223372036854775808e18", "92233720368547758080e-1",
            "1e19", "10e18", "1e400", "1E+2147483648", "1e999999999999999999999999", "1e9223372036854775807",
            "1e9223372036854775808", "5e1099511627777", "100000000000000000000.0", "18446744073709551616",
            "18446744073709551621", "99999999999999999999999999999999999999999999999999",
            "99999999999999999999999999999999999999999999999999.000", "0.00001e400",
        ])
    func beyond(spelling: String) throws {
        #expect(try amount(spelling) == .max)
        #expect(try amount("-" + spelling) == .min)
    }

    @Test(
        "what is not an integer is refused without a trap, however large it is",
        arguments: [
            "5.5", "5.1", "0.5", "-0.5", "5e-1", "1.25e1", "5.0000000000000000000000000001",
            "4.9999999999999999999999999", "1e-1",
            "1e-400", "5e-999999999999999999999", "0.1e0", "12345e-3", "9223372036854775807.5",
            "-9223372036854775808.5", "9.2233720368547758075e18", "100000000000000000000.5",
            "99999999999999999999999999999999999999999999999999e-1", "12345678901234567890123e-1000000000000000000000",
            "0.1e1e",
            "\"5\"", "\"\"", "\"five\"", "\"5.0\"", "true", "false", "null", "[]", "[5]", "{}", "{\"amount\":5}",
        ])
    func others(spelling: String) {
        let body = #"{"requestType":"handleEnergyPurchase","userID":"u","energyPurchaseAmount":\#(spelling)}"#
        let failure = failure(of: body, at: .iapManager)
        #expect(failure?.type == .handleEnergyPurchase)
        #expect(failure?.code == (spelling == "0.1e1e" ? .jsonMalformed : .parameterInvalid))
    }

    @Test("a number of a hundred thousand digits is taken or refused by its value")
    func manyDigits() throws {
        let zeros = String(repeating: "0", count: 100_000)
        #expect(try amount("5.\(zeros)") == 5)
        #expect(try amount("5\(zeros)e-100000") == 5)
        #expect(try amount("0.\(zeros)5e100001") == 5)
        #expect(try amount("5\(zeros)") == .max)
        #expect(try amount("-5\(zeros).\(zeros)") == .min)
        #expect(throws: RequestFailure.self) { try amount("5.\(zeros)1") }
        #expect(throws: RequestFailure.self) { try amount("1\(zeros)1e-100000") }
    }

    @Test(
        "reported energy is 0 or more",
        arguments: [
            ("0", 0), ("-0", 0), ("25.0", 25), ("9223372036854775807", Int.max), ("9223372036854775808", .max),
            ("1e400", .max),
        ])
    func energy(spelling: String, value: Int) throws {
        let body = #"{"requestType":"updateUserEnergy","userID":"u","userEnergy":\#(spelling)}"#
        #expect(try decode(body, at: .iapManager) == .updateUserEnergy(userID: "u", userEnergy: value))
    }

    @Test(
        "negative reported energy is refused",
        arguments: ["-1", "-1.0", "-1e3", "-9223372036854775807", "-9223372036854775808", "-1e400"])
    func negativeEnergy(spelling: String) {
        let body = #"{"requestType":"updateUserEnergy","userID":"u","userEnergy":\#(spelling)}"#
        #expect(
            failure(of: body, at: .iapManager)
                == RequestFailure(
                    .parameterInvalid, type: .updateUserEnergy,
                    message: #""userEnergy" of updateUserEnergy must be an integer, 0 or more."#))
    }
}
