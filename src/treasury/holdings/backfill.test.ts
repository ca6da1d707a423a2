import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  btc,
  depositWorld,
  eth,
  payment,
  usdt,
} from "../../../test/support/deposit-world.ts";

/* A database that took deposits before the service could pay: the migration derives coins and holdings from old transfers. */

const database = useDatabase();
const { sql } = database;

const migration = new URL("../../../db/migrations/0013_treasury.sql", import.meta.url);

describe("the migration to the treasury's tables", () => {
  it("derives coins and holdings of old deposits from their transfers", async () => {
    const world = depositWorld(database);
    const [bitcoin, ethereum] = [
      await announceChain(world, "BTC"),
      await announceChain(world, "ETH"),
    ];
    const coins = await arrangeDeposit(world, await arrangeWallet(world, { currency: btc }));
    const account = await arrangeDeposit(world, await arrangeWallet(world));
    await bitcoin.append([
      payment({ deposit: coins, txid: "first", amount: "0.00001" }),
      payment({
        deposit: coins,
        txid: "reward",
        index: 3,
        amount: "0.00002",
        spendableFromHeight: 99_999,
      }),
    ]);
    await bitcoin.see([payment({ deposit: coins, txid: "waiting", amount: "1" })]);
    const token = payment({ deposit: account, amount: "0.000006", currency: usdt });
    await ethereum.append([payment({ deposit: account, amount: "0.000000000000000001" }), token]);
    await ethereum.append([
      payment({ deposit: account, amount: "0.000000000000000002" }),
      payment({ deposit: account, amount: "7", unlisted: "0xodd" }),
    ]);
    await ethereum.see([payment({ deposit: account, amount: "1" })]);

    const text = await readFile(migration, "utf8");
    for (const [insert] of text.matchAll(/^insert into[^;]*;/gm)) await sql(insert);

    expect(
      await sql(
        `select chain, outpoint, units, address_type, branch, block_height, spendable_from_height from coin order by outpoint`,
      ),
    ).toEqual([
      {
        chain: "BTC",
        outpoint: "first:0",
        units: 1_000n,
        address_type: "bech32",
        branch: 0,
        block_height: String(bitcoin.tip().height),
        spendable_from_height: null,
      },
      {
        chain: "BTC",
        outpoint: "reward:3",
        units: 2_000n,
        address_type: "bech32",
        branch: 0,
        block_height: String(bitcoin.tip().height),
        spendable_from_height: "99999",
      },
    ]);
    const { accountId, walletId } = account;
    const held = { chain: "ETH", account_id: accountId, wallet_id: walletId };
    const height = ethereum.tip().height;
    expect(
      await sql(
        `select chain, account_id, wallet_id, currency, units, changed_at_height from holding order by currency`,
      ),
    ).toEqual([
      { ...held, currency: eth, units: 3n, changed_at_height: String(height) },
      { ...held, currency: usdt, units: 6n, changed_at_height: String(height - 1) },
    ]);
  });
});
