import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../src/platform/kernel/assert.ts";
import { useDatabase } from "./support/database.ts";
import { fillPool } from "./support/deposit-world.ts";
import { payee } from "./support/payout-world.ts";
import { useWholeApi } from "./support/whole-api.ts";
import { payAll } from "./support/whole-payments.ts";
import { fundTenant } from "./support/whole-payouts.ts";
import { arrangeTenant, setPrices, type Tenant } from "./support/whole-tenant.ts";

/*
 * The packed client as integrators get it: installed into an empty project, it compiles in strict mode without Node's types, and
 * its examples work against the service.
 */

const root = join(import.meta.dirname, "..");
const database = useDatabase();
const api = useWholeApi(database);
const project = mkdtempSync(join(tmpdir(), "sluice-integrator-"));
let shop: Tenant;

const npm = (cwd: string, ...words: readonly string[]): string =>
  execFileSync("npm", words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

function packed(): readonly string[] {
  const manifest = JSON.parse(
    npm(join(root, "client"), "pack", "--json", "--pack-destination", project),
  ) as readonly [Packed] | Readonly<Record<string, Packed>>;
  return present(Object.values(manifest)[0], "what was packed").files.map(({ path }) => path);
}
type Packed = { readonly files: readonly { readonly path: string }[] };

let files: readonly string[] = [];
beforeAll(async () => {
  files = packed();
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true }));
  const [tarball = ""] = readdirSync(project).filter((name) => name.endsWith(".tgz"));
  npm(project, "install", "--offline", "--no-audit", "--no-fund", `./${tarball}`);
  cpSync(join(root, "client/examples"), join(project, "examples"), { recursive: true });
  await fillPool(api.world(), "evm", "", 20);
  await setPrices(api, { ETH: 2000 });
  shop = await arrangeTenant(api);
  await fundTenant(api, shop);
  // Each runs a compiler and a package manager twice, on a machine with other work.
}, 900_000);
afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

describe("the packed client", () => {
  it("contains the runtime files, types and license, and nothing else", () => {
    const expected = /^(?:dist\/[a-z.-]+\.(?:js|d\.ts)|README\.md|LICENSE|package\.json)$/;
    expect(files.filter((path) => !expected.test(path))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(["dist/create-client.js", "dist/create-client.d.ts", "LICENSE"]),
    );
    expect(files.filter((path) => path.includes("test"))).toEqual([]);
  });

  /** Each marked line must not compile: the types know paths, members, values, filters and includes. */
  const wrongCalls = `
import { createClient } from "sluice-client";
const client = createClient({ baseUrl: "", login: "", password: "" });
const wallet = { type: "wallet", id: "1" } as const;
export async function calls(): Promise<unknown> {
  const { data } = await client.get("/deposit/{id}/", { id: 5, include: ["wallet.currency"] });
  const amount: string = data.attributes.target_paid;
  const label: string | undefined = data.relationships.wallet.resource?.attributes.label;
  await client.post("/deposit/", { relationships: { wallet } });
  await client.post("/deposit/{id}/cancel/", { id: "5" });
  for await (const transfer of client.each("/transfer/", { filter: { status: 2 } })) transfer.id;
  // @ts-expect-error: no such path
  await client.get("/deposits/");
  // @ts-expect-error: the path's id is missing
  await client.get("/deposit/{id}/");
  // @ts-expect-error: an amount is no number
  const wrong: number = data.attributes.target_paid;
  // @ts-expect-error: currency was not included
  data.relationships.currency.resource;
  // @ts-expect-error: no such include
  await client.get("/deposit/{id}/", { id: 5, include: ["transfers"] });
  // @ts-expect-error: a wallet is required
  await client.post("/deposit/", { attributes: {} });
  // @ts-expect-error: no such attribute
  await client.post("/deposit/", { attributes: { amount: "1" }, relationships: { wallet } });
  // @ts-expect-error: another type
  await client.post("/deposit/", { relationships: { wallet: { type: "currency", id: "1" } } });
  // @ts-expect-error: no such status
  await client.list("/deposit/", { filter: { status: 9 } });
  // @ts-expect-error: no such filter
  await client.list("/deposit/", { filter: { shade: "blue" } });
  // @ts-expect-error: no such sort key
  await client.list("/deposit/", { sort: ["shade"] });
  await client.post("/deposit/", { relationships: { wallet }, idempotencyKey: "" });
  // @ts-expect-error: canceling takes no key
  await client.post("/deposit/{id}/cancel/", { id: "5", idempotencyKey: "" });
  return [amount, label, wrong];
}
`;

  it.each(["nodenext", "bundler"])(
    "compiles without Node's types, resolved as %s",
    (resolution) => {
      mkdirSync(join(project, "checks"), { recursive: true });
      writeFileSync(join(project, "checks/calls.ts"), wrongCalls);
      const options = {
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        target: "ES2022",
        lib: ["ES2023", "DOM", "DOM.AsyncIterable"],
        types: [],
        skipLibCheck: false,
        module: resolution === "bundler" ? "esnext" : resolution,
        moduleResolution: resolution,
        noEmit: true,
      };
      const config = { compilerOptions: options, include: ["examples", "checks"] };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
      const compiler = join(root, "node_modules/typescript/bin/tsc");
      const compile = () => execFileSync("node", [compiler, "-p", project], { encoding: "utf8" });
      expect(compile()).toBe("");
    },
  );

  /** An integrator's program, driven line by line. */
  const program = `
import { createInterface } from "node:readline";
import { createClient } from "sluice-client";
import { exportDeposits } from "./examples/export-deposits.ts";
import { followPayments } from "./examples/follow-payments.ts";
import { payOut } from "./examples/pay-out.ts";
import { takePayment } from "./examples/take-a-payment.ts";

const client = createClient(JSON.parse(process.env.SETTINGS));
const say = (value) => console.log(JSON.stringify(value));
const steps = {
  take: async ({ orderId }) => say(await takePayment(client, orderId)),
  follow: async ({ count }) => {
    const seen = [];
    const leaving = new AbortController();
    await followPayments(client, 0, async (event) => {
      seen.push(event);
      if (seen.length === count) leaving.abort();
    }, leaving.signal);
    say(seen);
  },
  pay: async (order) => say(await payOut(client, order)),
  export: async ({ year }) => {
    let text = "";
    for await (const line of exportDeposits(client, year)) text += line;
    say(text);
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const [step, input] = JSON.parse(line);
  await steps[step](input);
}
`;

  let child: ChildProcess | null = null;
  afterAll(() => child?.kill());

  function startProgram(): (step: string, input: object) => Promise<unknown> {
    writeFileSync(join(project, "program.mjs"), program);
    const { login, password } = shop.owner;
    const env = {
      ...process.env,
      SETTINGS: JSON.stringify({ baseUrl: api.url(), login, password }),
    };
    child = spawn("node", ["program.mjs"], {
      cwd: project,
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: present(child.stdout, "its output") })[
      Symbol.asyncIterator
    ]();
    return async (step, input) => {
      present(child?.stdin, "its input").write(`${JSON.stringify([step, input])}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the program ended: ${api.failures().join()}`);
      return JSON.parse(value) as unknown;
    };
  }

  it("has examples that take a payment, follow it, pay out once, and export", async () => {
    const run = startProgram();
    const deposit = (await run("take", { orderId: "order-1" })) as {
      readonly id: string;
      readonly attributes: {
        readonly address: string;
        readonly source_amount_requested: string;
        readonly created_at: string;
      };
    };
    expect(deposit.attributes).toMatchObject({
      tracking_id: "order-1",
      source_amount_requested: "0.050000000000000000",
      status: 2,
      address: expect.stringMatching(/^evmAddress/) as string,
    });
    await payAll(api, "ETH", [{ accountId: shop.accountId, id: deposit.id, amount: "0.05" }]);
    expect(await run("follow", { count: 2 })).toEqual([
      { seq: 1, trigger: "confirmed", depositId: deposit.id },
      { seq: 2, trigger: "status", depositId: deposit.id },
    ]);

    const order = {
      walletId: shop.wallets.ether,
      currencyId: "1002",
      amount: "0.001",
      address: payee,
      trackingId: "salary-1",
      key: crypto.randomUUID(),
    };
    const paid = (await run("pay", order)) as { readonly id: string };
    expect(await run("pay", order)).toEqual(paid);
    const dear = { ...order, amount: "1000001", trackingId: "salary-2", key: crypto.randomUUID() };
    expect(await run("pay", dear)).toBeNull();

    const year = new Date(deposit.attributes.created_at).getUTCFullYear();
    const lines = String(await run("export", { year })).split("\n");
    expect(lines).toEqual([
      "id,tracking_id,paid,wallet",
      expect.stringMatching(/^"\d+","order-1","100.00","/),
      "",
    ]);
  });
});
