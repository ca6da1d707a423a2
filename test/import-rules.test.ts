/**
 * Every rule of `dependency-cruiser.cjs` can fail and is explained in docs/architecture.md: a small source tree breaks each one.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const config = join(root, "dependency-cruiser.cjs");
const { forbidden } = createRequire(import.meta.url)(config) as {
  readonly forbidden: readonly { readonly name: string }[];
};

/** The rule, the file that breaks it, and its import. */
const offences: readonly (readonly [rule: string, from: string, to: string])[] = [
  ["no-cycles", "src/callbacks/one.ts", "./other.ts"],
  ["no-cycles", "web/dashboard/src/one.tsx", "./other.tsx"],
  ["no-dead-files", "src/callbacks/dead.ts", ""],
  ["kernel-imports-nothing", "src/platform/kernel/clock.ts", "../db/database.ts"],
  ["folders-keep-their-direction", "src/platform/jobs/lease.ts", "../../deposits/deposit.ts"],
  ["folders-keep-their-direction", "src/accounts/login.ts", "../deposits/deposit.ts"],
  ["folders-keep-their-direction", "src/accounts/members.ts", "./wallets/wallet.ts"],
  ["folders-keep-their-direction", "src/accounts/wallets/find.ts", "../../ledger/post.ts"],
  ["folders-keep-their-direction", "src/currencies/list.ts", "../accounts/member.ts"],
  ["folders-keep-their-direction", "src/ledger/book.ts", "../deposits/deposit.ts"],
  ["folders-keep-their-direction", "src/chains/port.ts", "../ledger/post.ts"],
  ["folders-keep-their-direction", "src/callbacks/notify.ts", "../payouts/payout.ts"],
  ["folders-keep-their-direction", "src/deposits/refund.ts", "../payouts/payout.ts"],
  ["folders-keep-their-direction", "src/payouts/pay.ts", "../deposits/deposit.ts"],
  ["folders-keep-their-direction", "src/treasury/move.ts", "../payouts/payout.ts"],
  ["folders-keep-their-direction", "src/reports/list.ts", "../payouts/payout.ts"],
  [
    "features-see-chains-only-through-the-port",
    "src/currencies/rates/find.ts",
    "../../chains/evm/adapter.ts",
  ],
  ["an-adapter-knows-no-sibling", "src/chains/evm/reader.ts", "../utxo/reader.ts"],
  ["a-feature-keeps-its-store", "src/callbacks/tell.ts", "../accounts/account.store.ts"],
  ["a-part-keeps-its-store", "src/deposits/read.ts", "./transfers/transfer.store.ts"],
  ["sql-stays-in-stores", "src/deposits/transfers/read.ts", "pg"],
  ["http-stays-at-the-edge", "src/deposits/screening/ask.ts", "fastify"],
  ["keys-stay-in-the-signer", "src/chains/pools/fill-pools.ts", "../../signer/keys/keystore.ts"],
  ["the-signer-stands-alone", "src/signer/serve.ts", "../platform/db/database.ts"],
  ["the-sandbox-stays-aside", "src/http/server/server.ts", "../../sandbox/faucet.ts"],
  ["only-main-wires", "src/http/server/route.ts", "../../main/cli.ts"],
  ["connections-load-on-demand", "src/main/build/connect.ts", "../families/evm-connection.ts"],
  ["src-never-imports-tests", "src/payouts/travel-rule/read.ts", "../../../test/support/clock.ts"],
  ["declared-dependencies-only", "src/callbacks/pay.ts", "undeclared"],
];

const files = new Map<string, string>([
  ["tsconfig.json", `{"compilerOptions":{"module":"nodenext","allowImportingTsExtensions":true}}`],
  ["package.json", `{"type":"module","dependencies":{"pg":"1.0.0","fastify":"1.0.0"}}`],
  ...["pg", "fastify", "undeclared"].flatMap((name): [string, string][] => [
    [`node_modules/${name}/package.json`, `{"name":"${name}","version":"1.0.0","main":"index.js"}`],
    [`node_modules/${name}/index.js`, "exports.value = 1;"],
  ]),
  ["src/callbacks/other.ts", `import { value } from "./one.ts";\nexport const other = value;`],
  [
    "web/dashboard/src/other.tsx",
    `import { value } from "./one.tsx";\nexport const other = value;`,
  ],
]);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-import-rules-"));
  for (const [, from, to] of offences) {
    const target = to.startsWith(".") ? join(dirname(from), to) : null;
    if (target !== null && !files.has(target)) files.set(target, "export const value = 1;");
    files.set(from, to === "" ? "export {};" : `import { value } from "${to}";\nexport { value };`);
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("import rules", () => {
  it("fail on exactly the import that they forbid", async () => {
    const program = join(root, "node_modules/.bin/depcruise");
    const args = ["src", "web", "--config", config, "--output-type", "json"];
    const cruise = promisify(execFile)(program, args, { cwd: folder, maxBuffer: 2 ** 24 });
    const { stdout } = await cruise.catch((error: unknown) => error as { stdout: string });
    const { summary } = JSON.parse(stdout) as {
      summary: { violations: { rule: { name: string }; from: string }[] };
    };
    const fired = new Set(summary.violations.map(({ rule, from }) => `${rule.name} ${from}`));
    const missed = offences.filter(([rule, from]) => !fired.has(`${rule} ${from}`));
    expect(missed).toEqual([]);
  });

  it("have a violation here and a line in the documentation", async () => {
    const architecture = await readFile(join(root, "docs/architecture.md"), "utf8");
    const names = forbidden.map(({ name }) => name);
    expect([...new Set(offences.map(([rule]) => rule))].toSorted()).toEqual(
      [...new Set(names)].toSorted(),
    );
    expect(names.filter((name) => !architecture.includes(`\`${name}\``))).toEqual([]);
  });
});
