import { describe, expect, it } from "vitest";
import { renderMarkdown } from "./render-markdown.ts";

const render = (markdown: string) =>
  renderMarkdown(markdown, (target) => (target.startsWith("#") ? target : `/elsewhere/${target}`));

describe("renderMarkdown", () => {
  it.each([
    ["a **b** `c < d`\nand more", "<p>a <strong>b</strong> <code>c &lt; d</code> and more</p>"],
    [
      "[the list](#lists) of [errors](errors.md)",
      '<p><a href="#lists">the list</a> of <a href="/elsewhere/errors.md">errors</a></p>',
    ],
    ["- one\n  more\n- two", "<ul><li>one more</li><li>two</li></ul>"],
    ["1. one\n2. two", "<ol><li>one</li><li>two</li></ol>"],
    ["# A guide", '<h1 id="a-guide">A guide</h1>'],
    ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
  ])("renders %j", (markdown, html) => {
    expect(render(markdown)).toBe(html);
  });

  it("numbers repeated anchors as GitHub does", () => {
    const html = render("## With `curl`, twice\n## With curl twice");
    expect([...html.matchAll(/id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      "with-curl-twice",
      "with-curl-twice-1",
    ]);
  });

  it("renders tables with escaped bars, and code as it is", () => {
    expect(render("| A | B |\n|---|---|\n| `x` | 1 \\| 2 |")).toContain(
      "<tr><td><code>x</code></td><td>1 | 2</td></tr>",
    );
    expect(render("```sh\na | b\n\n# c\n```\n")).toContain("<code>a | b\n\n# c</code>");
  });
});
