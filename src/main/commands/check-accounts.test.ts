/** `sluice check` says what an account that deposits share still lacks, on a simulated XRP Ledger. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTerminal, writeDeployment } from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { type PrivateXrpl, startPrivateXrpl } from "../../../test/support/private-xrpl.ts";
import {
  type ConnectedXrpl,
  connectXrpl,
  draftFrom,
  sign,
  signal,
} from "../../../test/support/xrpl-accounts.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { ensureTreasury } from "../../treasury/holdings/ensure-treasury.ts";
import { readConfig } from "../config/read-config.ts";
import { checkAccounts } from "./check-accounts.ts";
import { setUpAccount } from "./set-up-account.ts";

const { db, sql, url } = useDatabase();
const world = openTerminal();
let ledger: PrivateXrpl;
let own: ConnectedXrpl;
beforeAll(async () => {
  ledger = await startPrivateXrpl();
  own = connectXrpl([ledger.xrpl.url]);
});
afterAll(async () => {
  await own.close();
  await ledger.stop();
});

const settings = {
  chains: (): JsonObject => ({
    XRP: { network: "regtest", chain_id: 1000, nodes: [ledger.xrpl.url] },
  }),
  payouts: { approval_key_file: "unused" },
};

/** `sluice set-up`, without waiting for workers. */
async function setUp(chain = "XRP"): Promise<void> {
  const { payouts } = settings;
  const files = await writeDeployment(url, { chains: settings.chains(), payouts });
  try {
    await setUpAccount(files.configFile, { chain, waitSeconds: 0 }, world);
  } finally {
    await files.remove();
  }
}

/** What `sluice check` finds about the account, in a deployment that pays. */
async function finding() {
  const { payouts } = settings;
  const files = await writeDeployment(url, { chains: settings.chains(), payouts });
  const config = await readConfig(files.configFile, {});
  const found = await Promise.all(checkAccounts(config, world));
  await files.remove();
  return found;
}

describe("the account that deposits share", () => {
  it("is shown with what it lacks, until it is set up", async () => {
    expect(await finding()).toMatchObject([{ detail: "unknown before a worker has run" }]);
    await ensureTreasury({ db, clock: world.clock }, [own.adapter]);
    const { address } = own.adapter.addressing.treasury.hot;
    expect(await finding()).toEqual([
      {
        item: "XRP account",
        isWell: true,
        detail: `${address} does not exist yet`,
        notes: [
          "send your own money to it under the tag 4294967295, at least the chain's reserve. Until then deposits get no addresses",
        ],
      },
    ]);
    await ledger.pay(address, 50_000_000n, 4_294_967_295);
    expect(await finding()).toMatchObject([
      { detail: `${address} exists`, notes: [expect.stringMatching(/^it is not set up yet/)] },
    ]);
    // The command opens one transaction, however often it is called, and the workers send it.
    for (let call = 0; call < 2; call += 1)
      await expect(setUp()).rejects.toThrow("the account is not set up yet");
    expect(world.lines()).toEqual([`${address}: 1 transaction opened for the workers`]);
    expect(await sql("select kind, state, sender from spend")).toEqual([
      { kind: "gap", state: "open", sender: address },
    ]);
    const { raw } = sign(await draftFrom(own, null), { kind: "gap" });
    await own.adapter.writer?.broadcast(raw, signal);
    await ledger.mine();
    expect(await finding()).toMatchObject([
      { detail: `${address} exists and is set up`, notes: [] },
    ]);
    await setUp();
    expect(world.lines()).toEqual([`${address} is set up`]);
    await expect(setUp("BTC")).rejects.toThrow("BTC is not a chain of this deployment");
  });
});
