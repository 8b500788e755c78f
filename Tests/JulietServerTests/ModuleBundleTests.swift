import Testing

@testable import JulietServer

@Suite("The modules of a page, joined")
struct ModuleBundleTests {
    private static let sources = [
        "app.js": """
        import { player } from "./player.js";
        const load = () => import("./late.js");
        """,
        "player.js": """
        import { read } from "./storage.js";
        export const player = read();
        """,
        "storage.js": """
        export function read() {}
        """,
        "late.js": """
        import { player } from "./player.js";
        import { draw } from "./draw.js";
        export async function show() { return [player, draw, await import("./later.js")]; }
        export const cost = 5;
        """,
        "draw.js": """
        export const draw = 1;
        """,
        "later.js": """
        export class Later {}
        """,
    ]

    @Test("what a page begins with is one file, and hands its modules on to late ones")
    func early() throws {
        let text = try #require(ModuleBundle("app.js", from: Self.sources).files["app.js"])
        #expect(
            text == """
                const module_storage = {};
                {
                function read() {}
                Object.assign(module_storage, { read });
                }
                const module_player = {};
                {
                const { read } = module_storage;
                const player = read();
                Object.assign(module_player, { player });
                }
                const module_app = {};
                {
                const { player } = module_player;
                const load = () => import("./late.js");
                Object.assign(module_app, {  });
                }
                export { module_app, module_player, module_storage };
                """)
    }

    @Test("a late module is a file with what it alone needs, and takes the rest from where the page has it")
    func late() throws {
        let files = ModuleBundle("app.js", from: Self.sources).files
        #expect(Set(files.keys) == ["app.js", "late.js", "later.js"])
        #expect(
            files["late.js"] == """
                import { module_player } from "./app.js";
                const module_draw = {};
                {
                const draw = 1;
                Object.assign(module_draw, { draw });
                }
                const module_late = {};
                {
                const { player } = module_player;
                const { draw } = module_draw;
                async function show() { return [player, draw, await import("./later.js")]; }
                const cost = 5;
                Object.assign(module_late, { show, cost });
                }
                export const { show, cost } = module_late;
                """)
        #expect(files["later.js"]?.hasPrefix("const module_later = {};") == true)
    }

    @Test("a page without late modules hands nothing on")
    func whole() {
        var sources = Self.sources
        sources["app.js"] = #"import { player } from "./player.js";"#
        let files = ModuleBundle("app.js", from: sources).files
        #expect(Array(files.keys) == ["app.js"])
        #expect(files["app.js"]?.contains("export") == false)
    }

    @Test("a module that two late ones would each have is refused")
    func twice() async {
        await #expect(processExitsWith: .failure) {
            var sources = Self.sources
            sources["later.js"] = #"import { draw } from "./draw.js";"#
            _ = ModuleBundle("app.js", from: sources)
        }
    }
}
