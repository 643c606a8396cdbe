import JSON
import Testing

@testable import Reports

@Suite(
    "The pages of load runs in a browser", .enabled(if: Browser.problem == nil, "\(Browser.problem ?? "")"), .serialized
)
struct LoadPageBrowserTests {
    @Test(
        "They ask for nothing, nothing breaks, they fit the window, and what is drawn can be read",
        arguments: ["light", "dark"])
    func fits(scheme: String) throws {
        let totals = try LoadSample(thresholds: ["p90(delivery) < 100ms", "count(lost) == 0"]).totals()
        for page in [
            LoadReport(totals).document(), LoadComparisonReport(before: [totals], after: [totals]).document(),
        ] {
            let result = try Browser.visit(
                page, scheme: scheme,
                #"""
                page.goto(url)
                result["sizes"] = []
                for width in (420, 700, 1000, 1400):
                    page.set_viewport_size({"width": width, "height": 900})
                    result["sizes"].append(page.evaluate("""() => {
                        const main = document.querySelector("main");
                        const texts = [...document.querySelectorAll("svg text")];
                        return {
                            excess: Math.max(main.scrollWidth - main.clientWidth,
                                document.documentElement.scrollWidth - innerWidth),
                            tallest: Math.max(...[...document.querySelectorAll("td")].map((cell) => cell.offsetHeight)),
                            least: Math.min(...texts.map((text) => text.getBoundingClientRect().height)),
                        };
                    }"""))
                paint = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")
                result["before"] = paint()
                page.click("#theme")
                result["after"] = paint()
                """#)
            #expect(result["errors"] == [])
            #expect(result["console"] == [])
            #expect(Set(result["requests"]?.array ?? []) == ["itself"])
            let sizes = try #require(result["sizes"]?.array)
            #expect(sizes.count == 4)
            for size in sizes {
                // A name that is broken after each letter makes a cell as high as the window.
                #expect((size["tallest"]?.integer ?? 1000) < 150, "\(size)")
                #expect((size["excess"]?.integer ?? 1) <= 0, "\(size)")
                #expect((size["least"]?.double ?? Double(size["least"]?.integer ?? 0)) >= 8, "\(size)")
            }
            #expect(result["before"]?.string != result["after"]?.string)
        }
    }
}
