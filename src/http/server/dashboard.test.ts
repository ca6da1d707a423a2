import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { dashboardRoutes } from "./dashboard.ts";
import { readWebProgram } from "./web-program.ts";

/* The built files of a small program, over HTTP. */

const folder = mkdtempSync(join(tmpdir(), "sluice-web-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const script = "export const answer = 42;\n".repeat(40);
mkdirSync(join(folder, "assets"));
for (const [name, content] of [
  ["index.html", `<meta name="style-nonce" content="%STYLE_NONCE%">`],
  ["sources.sha256", "0".repeat(64)],
  ["assets/index-1a2b.js", script],
  ["assets/index-1a2b.js.br", brotliCompressSync(script)],
  ["assets/index-1a2b.js.gz", gzipSync(script)],
  ["assets/icon-3c4d.svg", "<svg/>"],
  ["push-worker.js", "self.addEventListener('push', () => {});"],
] as const) {
  writeFileSync(join(folder, name), content);
}
const built = apiServer(
  dashboardRoutes({ dashboard: readWebProgram(folder), random: systemRandom }),
);
const absent = apiServer(
  dashboardRoutes({ dashboard: readWebProgram(join(folder, "none")), random: systemRandom }),
);

const get = (url: string, headers: Record<string, string> = {}) =>
  built.server.inject({ method: "GET", url, headers });

describe("the dashboard's files", () => {
  it("serves the page at every address without a file, with a fresh nonce and no-store", async () => {
    const pages = await Promise.all(
      ["/ui/", "/ui", "/ui/deposits/12/?sort=-id"].map((url) => get(url)),
    );
    const nonces = pages.map(({ body, headers }) => {
      const [, nonce] = /content="([A-Za-z0-9+/=]{24})"/.exec(body) ?? [];
      expect(headers["content-security-policy"]).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`,
      );
      return nonce;
    });
    expect(new Set(nonces).size).toBe(3);
    for (const { statusCode, headers } of pages) {
      expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([
        200,
        "text/html; charset=utf-8",
        "no-store",
      ]);
      expect(headers).toMatchObject({
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      });
      expect(headers["permissions-policy"]).toContain("camera=()");
    }
  });

  it("redirects / to the dashboard", async () => {
    const { statusCode, headers } = await get("/");
    expect([statusCode, headers.location]).toEqual([302, "/ui/"]);
  });

  it("serves a file in an accepted encoding, cacheable forever", async () => {
    const forms = await Promise.all(
      ["br, gzip", "gzip", "identity"].map((encoding) =>
        get("/ui/assets/index-1a2b.js", { "accept-encoding": encoding }),
      ),
    );
    expect(forms.map(({ headers }) => headers["content-encoding"])).toEqual([
      "br",
      "gzip",
      undefined,
    ]);
    expect(forms[0]?.rawPayload).toEqual(brotliCompressSync(script));
    expect(forms[1]?.rawPayload).toEqual(gzipSync(script));
    expect(forms[2]?.body).toBe(script);
    expect(new Set(forms.map(({ headers }) => headers.etag)).size).toBe(3);
    expect(forms[0]?.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding, Origin",
    });
    const icon = await get("/ui/assets/icon-3c4d.svg", { "accept-encoding": "br" });
    expect([icon.headers["content-type"], icon.headers["content-encoding"], icon.body]).toEqual([
      "image/svg+xml",
      undefined,
      "<svg/>",
    ]);
  });

  it("serves the service worker for all pages, checked at each update, and lets it load nothing", async () => {
    const { statusCode, headers, body } = await get("/ui/push-worker.js");
    expect([statusCode, body]).toEqual([200, "self.addEventListener('push', () => {});"]);
    expect(headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": "default-src 'none'",
      "x-content-type-options": "nosniff",
    });
  });

  it("answers 304 to a client that has the file", async () => {
    const url = "/ui/assets/index-1a2b.js";
    const { headers } = await get(url);
    const tag = String(headers.etag);
    for (const named of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const again = await get(url, { "if-none-match": named });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", tag]);
    }
    expect((await get(url, { "if-none-match": '"other"' })).statusCode).toBe(200);
  });

  it("serves only the program's files below assets/", async () => {
    for (const path of [
      "index-9.js",
      "index-1a2b.js.br",
      "../index.html",
      "%2e%2e/sources.sha256",
      "",
    ])
      expect((await get(`/ui/assets/${path}`)).body).not.toContain("0000000000");
    expect((await get("/ui/assets/index-9.js")).statusCode).toBe(404);
    expect((await get("/ui/assets/index-1a2b.js.br")).statusCode).toBe(404);
    expect((await get("/ui/sources.sha256")).headers["content-type"]).toBe(
      "text/html; charset=utf-8",
    );
  });

  it("refuses other methods", async () => {
    const { statusCode, headers } = await built.server.inject({
      method: "POST",
      url: "/ui/deposits/",
    });
    expect([statusCode, headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  it("explains what to do when the program is not built", async () => {
    const { statusCode, body } = await absent.server.inject({ method: "GET", url: "/ui/wallets/" });
    expect([statusCode, body]).toEqual([
      503,
      'The dashboard is not built here. Run "node scripts/setup.js" in Sluice\'s folder and start the api again.\n',
    ]);
  });
});
