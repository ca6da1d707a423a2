import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { readSandboxFile, type SandboxFile } from "../../src/sandbox/sandbox-file.ts";
import { patienceMs } from "./support/define-scenario.ts";
import type { Deployment } from "./support/deployment.ts";
import { quietPort } from "./support/quiet-port.ts";
import { startSluice } from "./support/run-sluice.ts";
import { startSandboxDeployment } from "./support/sandbox-deployment.ts";
import { currencyOf, openTestSite, type TestSite } from "./support/test-site.ts";

/* `SLUICE_CHAINS` selects the chains of the sandbox. `every-currency.test.ts` runs all of them. */

type Opened = {
  readonly deployment: Deployment;
  readonly site: TestSite;
  readonly file: SandboxFile;
};

/** Nothing is installed, and nothing was fetched. */
const withoutDaemons = { PATH: "/nowhere", XDG_CACHE_HOME: "/nowhere" };

/** A sandbox with these chains, running while the tests of the block run. */
function useSandbox(
  chains: string,
  environment: Readonly<Record<string, string>> = {},
): () => Opened {
  let opened: Opened | null = null;
  beforeAll(async () => {
    const deployment = await startSandboxDeployment({ SLUICE_CHAINS: chains, ...environment });
    const file = await readSandboxFile(join(deployment.configFile, ".."));
    opened = { deployment, file, site: await openTestSite(deployment) };
  }, 900_000);
  afterAll(async () => {
    await opened?.site.close();
    await opened?.deployment.stop();
  });
  return () => present(opened, "the sandbox");
}

describe("a sandbox with a list of chains", () => {
  const sandbox = useSandbox("matic, XMR", withoutDaemons);

  it("runs the chains of the list that can run, with a wallet for each of their currencies", () => {
    const { file } = sandbox();
    expect(Object.keys(file.chains)).toEqual(["MATIC"]);
    const enterprise = file.wallets.filter(({ type }) => type === 2).map(({ alpha }) => alpha);
    expect(enterprise.sort()).toEqual(["MATIC", "USDC-MATIC", "USDT-MATIC"]);
    expect(file.other_account.wallets).toHaveLength(3);
  });

  it("answers 6002 for chains that were not selected, and 6015 for chains that cannot run", async () => {
    const { file, site } = sandbox();
    const merchant = present(
      file.wallets.find(({ alpha }) => alpha === "USD"),
      "a Merchant wallet",
    );
    const codeFor = async (alpha: string): Promise<unknown> => {
      const currency = { data: { type: "currency", id: currencyOf(alpha).id } };
      const wallet = { data: { type: "wallet", id: merchant.id } };
      const relationships = { wallet, currency };
      const answer = await site.owner.ask("POST", "/deposit/", {
        data: { type: "deposit", attributes: {}, relationships },
      });
      const { errors } = JSON.parse(answer.text) as { errors?: readonly { code: string }[] };
      return errors?.map(({ code }) => code) ?? answer.status;
    };
    expect(await codeFor("ETH")).toEqual(["6002"]);
    expect(await codeFor("USDT-ETH")).toEqual(["6002"]);
    expect(await codeFor("XMR")).toEqual(["6015"]);
    expect(await codeFor("ADA")).toEqual(["6002"]);
    expect(await codeFor("USDC-MATIC")).toBe(201);
  });

  it("continues with other chains, and offers the wallets of those that run", {
    timeout: patienceMs,
  }, async () => {
    const home = await mkdtemp(join(tmpdir(), "sluice-other-chains-"));
    const startWith = async (chains: string): Promise<string> => {
      const port = String(await quietPort());
      const environment = { SLUICE_HOME: home, SLUICE_PORT: port, SLUICE_CHAINS: chains };
      const sandbox = startSluice(`${home}.log`, ["start"], environment);
      await sandbox.printed(/(Ready)\./);
      const { wallets } = await readSandboxFile(home);
      await sandbox.end(systemClock, 60_000);
      const enterprise = wallets.filter(({ type }) => type === 2);
      return enterprise.map(({ alpha }) => alpha).join(" ");
    };
    try {
      expect(await startWith("ETH-BASE")).toBe("ETH-BASE USDC-ETH-BASE");
      expect(await startWith("AVAX")).toBe("AVAX USDT-AVAX USDC-AVAX");
      expect(await startWith("AVAX,ETH-BASE")).toBe(
        "ETH-BASE USDC-ETH-BASE AVAX USDT-AVAX USDC-AVAX",
      );
    } finally {
      await rm(home, { recursive: true });
      await rm(`${home}.log`, { force: true });
    }
  });

  it("refuses to start with a code that is no chain's", async () => {
    const home = await mkdtemp(join(tmpdir(), "sluice-no-chain-"));
    const port = String(await quietPort());
    const environment = { SLUICE_HOME: home, SLUICE_PORT: port, SLUICE_CHAINS: "ETH,NOPE" };
    const sandbox = startSluice(`${home}.log`, ["start"], environment);
    try {
      await sandbox.ended;
      expect(await readFile(`${home}.log`, "utf8")).toContain(
        'SLUICE_CHAINS: there is no chain "NOPE"',
      );
    } finally {
      await rm(home, { recursive: true });
      await rm(`${home}.log`, { force: true });
    }
  });
});
