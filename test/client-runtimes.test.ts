import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../src/platform/kernel/system-clock.ts";
import { findChromium } from "./browser/support/find-chromium.ts";
import { useDatabase } from "./support/database.ts";
import { useWholeApi } from "./support/whole-api.ts";
import { arrangeTenant, type Tenant } from "./support/whole-tenant.ts";

/*
 * The built client in every runtime that integrators use: in a context without any of Node's globals, in Chromium, and in Deno
 * and Bun if installed. A missing runtime is named on standard error.
 */

const root = join(import.meta.dirname, "..");
const database = useDatabase();
const api = useWholeApi(database);
const folder = mkdtempSync(join(tmpdir(), "sluice-client-"));
let shop: Tenant;
beforeAll(async () => {
  execFileSync("node", [join(root, "scripts/build-client.js"), folder]);
  shop = await arrangeTenant(api);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

/** The input of each runtime, and the expected output. */
function reportedVersions() {
  const { login, password } = shop.owner;
  const now = new Date(systemClock.now() / 1000);
  const body = JSON.stringify({
    data: { type: "deposit", id: "1", attributes: {} },
    included: [],
    meta: { time: "", sign: "" },
  });
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("msg_1", now, body),
  };
  const settings = { baseUrl: api.url(), login, password };
  return { settings, callback: { body, headers }, secret, now: now.toISOString() };
}

const ids = () => Object.values(shop.wallets);

describe("the built client", () => {
  it("runs without Node's globals", async () => {
    const process = join(root, "test/support/bare-context-process.ts");
    const words = [
      "--experimental-vm-modules",
      "--no-warnings",
      process,
      folder,
      JSON.stringify(reportedVersions()),
    ];
    const { stdout } = await promisify(execFile)("node", words);
    expect(JSON.parse(stdout)).toEqual({
      isBare: true,
      listed: ids(),
      ids: ids(),
      isGenuine: true,
    });
  });

  const found = findChromium(process.env);
  if ("reason" in found)
    process.stderr.write(`\nNOT RUN: the client in Chromium, ${found.reason}\n`);

  it.each("program" in found ? [found.program] : [])("runs in %s", async (program) => {
    const browser = await chromium.launch({
      executablePath: program,
      args: ["--no-sandbox", "--disable-gpu"],
    });
    try {
      const page = await browser.newPage();
      await page.route(`${api.url()}/client/*`, (route) => {
        const name = basename(new URL(route.request().url()).pathname);
        return name === "page.html"
          ? route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Shop</title>" })
          : route.fulfill({
              contentType: "text/javascript",
              body: readFileSync(join(folder, name)),
            });
      });
      await page.goto(`${api.url()}/client/page.html`);
      const outcome = await page.evaluate(
        `(async ({ settings, callback, secret }) => {
        const { createClient } = await import("/client/create-client.js");
        const { verifyCallback } = await import("/client/verify-callback.js");
        const client = createClient({ ...settings, baseUrl: "" }, { fetchInit: { credentials: "same-origin" } });
        const { data } = await client.list("/wallet/", { sort: ["id"] });
        const { isGenuine } = await verifyCallback(callback, { webhookSecret: secret });
        return { listed: data.map(({ id }) => id), isGenuine };
      })(${JSON.stringify(reportedVersions())})`,
      );
      expect(outcome).toEqual({ listed: ids(), isGenuine: true });
    } finally {
      await browser.close();
    }
  });

  const others = [
    { program: "deno", words: ["run", "--allow-net", "--allow-read"] },
    { program: "bun", words: ["run"] },
  ].map((one) => ({ ...one, isHere: isOnPath(one.program) }));
  for (const { program } of others.filter(({ isHere }) => !isHere)) {
    process.stderr.write(
      `\nNOT RUN: the client in ${program}, which this machine does not have.\n`,
    );
  }

  function isOnPath(program: string): boolean {
    const folders = (process.env["PATH"] ?? "").split(delimiter);
    return folders.some((one) => existsSync(join(one, program)));
  }

  it.each(others.filter(({ isHere }) => isHere))("runs in $program", async ({ program, words }) => {
    const code = `import { createClient } from "${join(folder, "create-client.js")}";
    const { data } = await createClient(${JSON.stringify(reportedVersions().settings)}).list("/wallet/", { sort: ["id"] });
    console.log(JSON.stringify(data.map(({ id }) => id)));`;
    const file = join(folder, `in-${program}.mjs`);
    writeFileSync(file, code);
    const { stdout } = await promisify(execFile)(program, [...words, file]);
    expect(JSON.parse(stdout)).toEqual(ids());
  });

  it("imports only its own files and stays small", () => {
    const modules = readdirSync(folder).filter((name) => name.endsWith(".js"));
    const sources = modules.map((name) => readFileSync(join(folder, name), "utf8"));
    const imported = sources.flatMap((text) => [
      ...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g),
    ]);
    expect(imported.length).toBeGreaterThan(10);
    expect(imported.filter(([, path = ""]) => !modules.includes(path.replace("./", "")))).toEqual(
      [],
    );
    const bytes = gzipSync(sources.join("\n")).length;
    process.stderr.write(`\nThe client's modules together: ${bytes} bytes, gzipped.\n`);
    expect(bytes).toBeLessThan(14_000);
  });
});
