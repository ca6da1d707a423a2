/** `sluice check` says where a deployment that pays has no money of its own, on simulated networks of Algorand and Cardano. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTerminal, writeDeployment } from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  type PrivateAlgorand,
  startPrivateAlgorand,
} from "../../../test/support/private-algorand.ts";
import { network } from "../../sandbox/algorand/genesis.ts";
import { readConfig } from "../config/read-config.ts";
import { checkFunds } from "./check-funds.ts";

const { sql, url } = useDatabase();
const world = openTerminal();
let ledger: PrivateAlgorand;
beforeAll(async () => {
  ledger = await startPrivateAlgorand();
});
afterAll(() => ledger.stop());

async function findings(payouts: object = { payouts: { approval_key_file: "unused" } }) {
  const { algorand, usdc } = ledger;
  const files = await writeDeployment(url, {
    chains: {
      ALGO: {
        network: "regtest",
        nodes: [{ url: algorand.url, headers: { "x-algo-api-token": algorand.token } }],
        genesis_hash: Buffer.from(network.genesisHash).toString("base64"),
      },
      ADA: { network: "regtest", chain_id: 42, nodes: ["http://127.0.0.1:9"] },
    },
    currencies: [{ currency: "USDC-ALGO", contract: String(usdc) }],
    ...payouts,
  });
  const found = await Promise.all(checkFunds(await readConfig(files.configFile, {}), world));
  await files.remove();
  return found;
}

const own = (keyspace: string, purpose: string, address: string) =>
  sql(
    `insert into treasury_address (keyspace, purpose, key_index, watch_key, address, address_type, created_at)
     values ($1, $2, 0, $3, $3, '', '2026-01-01')`,
    [keyspace, purpose, address],
  );

describe("the deployment's own money", () => {
  it("is not asked for where nothing is paid", async () => {
    expect(await findings({})).toEqual([]);
  });

  it("is missed in a gas account that cannot activate another deposit", async () => {
    expect(await findings()).toMatchObject([
      { item: "ALGO gas account", isWell: true, detail: "unknown before a worker has run" },
      { item: "ADA own coins", isWell: true, detail: "none" },
    ]);
    const { addr } = await ledger.newAccount(300_999n);
    const gas = addr.toString();
    await own("ALGO", "gas", gas);
    const [poor] = await findings();
    expect(poor).toEqual({
      item: "ALGO gas account",
      isWell: true,
      detail: `${gas} has 0.200999 ALGO to activate deposits with, each of which takes up to 0.202 ALGO`,
      notes: [
        "it has too little beyond the 0.1 ALGO that it must keep: send your own ALGO to it. Until then deposits get no addresses",
      ],
    });
    await ledger.pay(gas, 1_001n);
    const [enough] = await findings();
    expect(enough).toMatchObject({ isWell: true, notes: [] });
  });

  it("is missed where there are no coins to pay with, with the address to send some to", async () => {
    await own("ADA", "change", "addr_test1vz");
    expect(await findings()).toContainEqual({
      item: "ADA own coins",
      isWell: true,
      detail: "none",
      notes: ["send your own ADA to addr_test1vz: until then payouts wait for deposits"],
    });
    await sql(
      `insert into chain_cursor (chain, network, height, hash, block_time, caught_up_at, updated_at)
       values ('ADA', 'test', 29, 'h', '2026-01-01', '2026-01-01', '2026-01-01')`,
    );
    await sql(
      `insert into coin (chain, outpoint, units, watch_key, address_type, branch, key_index, block_height)
       values ('ADA', 'a:0', 2500000, 'w', '', 1, 0, 15), ('ADA', 'b:0', 1000000, 'w', '', 1, 0, 20)`,
    );
    expect(await findings()).toContainEqual({
      item: "ADA own coins",
      isWell: true,
      detail: "2 with 3.5 ADA, 2.5 ADA of it usable now",
      notes: [],
    });
  });
});
