import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { buildPrograms } from "./support/build-programs.ts";

/* Limits what a browser loads before a page is usable: the HTML, the files it references and their static imports. */

const dist = join(import.meta.dirname, "../../web/dist");
const kB = 1000;

beforeAll(buildPrograms);

describe("the first load", () => {
  it.each([
    { program: "page", base: "/pay/", limit: 30 * kB },
    { program: "dashboard", base: "/ui/", limit: 320 * kB },
  ])("of the $program is at most $limit bytes compressed", ({ program, base, limit }) => {
    const folder = join(dist, program);
    const contents = firstLoad(folder, base);
    const sizes = {
      files: contents.length,
      plain: sum(contents.map((content) => content.length)),
      gzip: sum(contents.map((content) => gzipSync(content, { level: 9 }).length)),
      brotli: sum(contents.map((content) => brotliCompressSync(content, best).length)),
    };
    console.log(`first load of the ${program}: ${JSON.stringify(sizes)}`);
    expect(sizes.files).toBeGreaterThan(1);
    expect(sizes.gzip).toBeLessThanOrEqual(limit);
    expect(sizes.brotli).toBeLessThanOrEqual(limit);
  });

  it("of the dashboard in another language adds that language's texts only", () => {
    const folder = join(dist, "dashboard");
    const own = firstLoad(folder, "/ui/");
    const texts = readdirSync(join(folder, "assets"))
      .filter((name) => /^(?:de|es|zh)-[\w-]+\.js$/.test(name))
      .map((name) => readFileSync(join(folder, "assets", name)));
    expect(texts).toHaveLength(3);
    // None of them is part of the first load in English.
    expect(own.filter((content) => texts.some((text) => text.equals(content)))).toEqual([]);
    const sizes = texts.map((text) => gzipSync(text, { level: 9 }).length);
    const first = sum(own.map((content) => gzipSync(content, { level: 9 }).length));
    console.log(`texts of the dashboard: ${JSON.stringify(sizes)} bytes beside ${first}`);
    expect(first + Math.max(...sizes)).toBeLessThanOrEqual(320 * kB);
  });
});

const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

function firstLoad(folder: string, base: string): readonly Buffer[] {
  const page = readFileSync(join(folder, "index.html"));
  const urls = [...page.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = ""]) => url);
  expect(urls.filter((url) => !url.startsWith(base))).toEqual([]);
  const queue = urls.map((url) => url.slice(base.length));
  const seen = new Map<string, Buffer>();
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path) || !existsSync(join(folder, path))) continue;
    const content = readFileSync(join(folder, path));
    seen.set(path, content);
    if (path.endsWith(".js")) queue.push(...staticImports(content.toString()));
  }
  expect(readdirSync(join(folder, "assets"))).not.toEqual([]);
  return [page, ...seen.values()];
}

/** Finds static imports such as `import{a}from"./b.js"` and `import"./b.js"`. */
function staticImports(script: string): readonly string[] {
  return [...script.matchAll(/\b(?:import|from)\s*["']\.\/([\w.-]+\.js)["']/g)].map(
    ([, name = ""]) => `assets/${name}`,
  );
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
