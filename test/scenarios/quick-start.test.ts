import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { eventually } from "../support/eventually.ts";
import type { Deployment } from "./support/deployment.ts";
import { quietPort } from "./support/quiet-port.ts";
import { startSandboxDeployment } from "./support/sandbox-deployment.ts";

/*
 * The first steps of README and the integration guide: every command is taken from the page and run in one shell, in order, on a
 * fresh sandbox. Only the folder and the ports differ. The output must match what the pages show.
 */

const root = join(import.meta.dirname, "../..");
let deployment: Deployment | null = null;
let listener: ChildProcess | null = null;
let output = "";
let port = 0;
const folder = mkdtempSync(join(tmpdir(), "sluice-quick-start-"));

beforeAll(async () => {
  deployment = await startSandboxDeployment();
  port = await quietPort();
  // Like the clone's folder: dependencies are installed, and `.sluice` is the sandbox's home.
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  symlinkSync(home(), join(folder, ".sluice"));
  listener = spawn(join(root, "bin/sluice"), ["listen", "--port", String(port)], {
    env: { ...process.env, SLUICE_HOME: home() },
    stdio: ["ignore", "pipe", "inherit"],
  });
  listener.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
}, 900_000);
afterAll(async () => {
  listener?.kill();
  await deployment?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const home = (): string => dirname(present(deployment, "the sandbox").configFile);

/** The code blocks of a section, in the order of the page. */
function blocks(path: string, heading: string, language: string): readonly string[] {
  const page = readFileSync(join(root, path), "utf8");
  const level = heading.split(" ")[0] ?? "";
  const from = page.indexOf(`\n${heading}\n`);
  expect(from, heading).toBeGreaterThan(0);
  const rest = page.slice(from + heading.length + 1);
  const end = rest.search(new RegExp(`\\n#{1,${level.length}} `));
  const section = rest.slice(0, end === -1 ? undefined : end);
  // Read every block, because the end of one looks like the start of another.
  return [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, name, code = ""]) =>
    name === language ? [code] : [],
  );
}

/** Uses this sandbox's address and port, and the program itself instead of `npx sluice`. */
function here(code: string): string {
  return code
    .replaceAll("http://127.0.0.1:8080", present(deployment?.apis[0], "the api"))
    .replaceAll("127.0.0.1:9000", `127.0.0.1:${port}`)
    .replaceAll("npx sluice", join(root, "bin/sluice"));
}

function inShell(...commands: readonly string[]): string {
  return execFileSync("bash", ["-eo", "pipefail", "-c", commands.map(here).join("\n")], {
    cwd: folder,
    env: { ...process.env, SLUICE_HOME: home() },
    encoding: "utf8",
  });
}

/** The number of blocks before the callback is random where several are mined at once. */
const withoutCount = (text: string): string =>
  text.replaceAll(/\d+ confirmations/g, "confirmations");

const heardLine = (line: string) =>
  eventually(
    () => Promise.resolve(output),
    (text) => withoutCount(text).includes(withoutCount(line)),
    // Twelve blocks of two seconds, on a busy machine.
    300,
  );

describe("the quick start", () => {
  it("receives a first payment and sends a first payout, as README describes", {
    timeout: 900_000,
  }, async () => {
    const [listen = "", logIn = "", create = "", pay = "", look = ""] = blocks(
      "README.md",
      "## Quick start",
      "sh",
    );
    expect(listen).toBe("npx sluice listen\n");
    const [paid = ""] = blocks("README.md", "## Quick start", "");
    expect(inShell(logIn, create, pay)).toContain('"id":"1"');
    await heardLine(paid.trim());
    expect(inShell(logIn, look)).toContain('"balance_confirmed":"0.500000000000000000"');

    const [payOut = ""] = blocks("README.md", "## Send a payout", "sh");
    const [paidOut = ""] = blocks("README.md", "## Send a payout", "");
    expect(inShell(payOut)).toMatch(/Payout 1: 0\.1 ETH to 0x7099/);
    // As the page says, funds are usable at once. The payout is broadcast first, then confirmed.
    await systemClock.sleep(10_000);
    inShell("npx sluice mine ETH 13");
    await heardLine(paidOut.trim());
  });

  it("receives a payment with curl, as the integration guide describes", {
    timeout: 900_000,
  }, async () => {
    const steps = blocks("docs/integration.md", "### With curl", "sh");
    expect(steps).toHaveLength(5);
    const printed = inShell(...steps.slice(0, 4), "echo DEPOSIT $DEPOSIT");
    expect(printed).toMatch(
      /^0x[0-9a-fA-F]{40}\n0\.040000000000000000\nhttp:\/\/\S+\/pay\/[\w-]{36}\n/,
    );
    const [, id = ""] = /DEPOSIT (\d+)/.exec(printed) ?? [];
    const [lines = ""] = blocks("docs/integration.md", "### With curl", "");
    for (const line of lines.trim().split("\n")) {
      await heardLine(line.replace(/^deposit 1 /, `deposit ${id} `));
    }
    const [logIn = "", , , , look = ""] = steps;
    const answer = inShell(logIn, `DEPOSIT=${id}`, look);
    expect(answer).toContain('"status":3');
  });

  it("receives a payment with the client, as the integration guide describes", {
    timeout: 900_000,
  }, async () => {
    const [build = ""] = blocks("docs/integration.md", "### With the client", "sh");
    expect(build).toBe("npm run build -w sluice-client\n");
    execFileSync("npm", ["run", "build", "-w", "sluice-client"], { cwd: root, stdio: "ignore" });
    const [program = ""] = blocks("docs/integration.md", "### With the client", "js");
    writeFileSync(join(folder, "first-payment.mjs"), program);
    const shop = spawn("node", ["first-payment.mjs"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    shop.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    // Waits for "close" instead of "exit", after which output may still arrive.
    const ended = new Promise<number | null>((resolve) => shop.on("close", resolve));
    await eventually(
      () => Promise.resolve(said),
      (text) => text.includes("\n"),
      300,
    );
    inShell(said.split("\n")[0] ?? "", "npx sluice mine ETH 13");
    expect(await ended).toBe(0);
    expect(said).toMatch(/\n(?:confirmed|status) 3\n$/);
  });
});
