import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { createSimulatedChain } from "../../../test/support/simulated-chain.ts";
import { InvariantViolation } from "../../platform/kernel/assert.ts";
import { changeAhead, ensureTreasury, nextChangeAddress } from "./ensure-treasury.ts";

const database = useDatabase();
const { db, sql } = database;
const clock = manualClock();

let chains = 0;

function newChain(funding: "coins" | "account", keyspace?: string) {
  chains += 1;
  const { adapter } = createSimulatedChain({
    chain: `C${chains}`,
    currencies: [],
    clock,
    funding,
    ...(keyspace === undefined ? {} : { keyspace }),
  });
  return adapter;
}

type Row = { readonly purpose: string; readonly index: number; readonly issued: boolean };

const watched = (keyspace: string) =>
  sql<Row>(
    `select purpose, key_index::int as index, issued_at is not null as issued from treasury_address
     where keyspace = $1 order by purpose, key_index`,
    [keyspace],
  );

describe("ensureTreasury", () => {
  it("creates one hot and one gas account per keyspace, however often it runs", async () => {
    const chain = newChain("account", "shared");
    const context = { db, clock };
    await ensureTreasury(context, [chain, { ...chain, keyspace: "shared" }]);
    await ensureTreasury(context, [chain]);
    expect(await watched("shared")).toEqual([
      { purpose: "gas", index: 0, issued: true },
      { purpose: "hot", index: 0, issued: true },
    ]);
  });

  it("issues the first change address of a UTXO chain and watches the next hundred", async () => {
    const chain = newChain("coins");
    await ensureTreasury({ db, clock }, [chain]);
    await ensureTreasury({ db, clock }, [chain]);
    const rows = await watched(chain.keyspace);
    expect(rows.map(({ index }) => index)).toEqual(
      Array.from({ length: changeAhead + 1 }, (_, index) => index),
    );
    expect(rows.filter(({ issued }) => issued)).toEqual([
      { purpose: "change", index: 0, issued: true },
    ]);
  });

  it("stops the start if the keys are not the database's", async () => {
    const [ours, theirs] = [newChain("account"), newChain("account")];
    await ensureTreasury({ db, clock }, [ours]);
    const exchanged = { ...ours, addressing: theirs.addressing };
    await expect(ensureTreasury({ db, clock }, [exchanged])).rejects.toThrow(InvariantViolation);
  });

  it("issues different, watched change addresses to concurrent callers and watches as many more", async () => {
    const chain = newChain("coins");
    await ensureTreasury({ db, clock }, [chain]);
    const take = () => db.transaction((tx) => nextChangeAddress(tx, chain, clock.now()));
    const taken = await Promise.all(Array.from({ length: 12 }, take));
    const expected = Array.from({ length: 12 }, (_, place) => place + 1);
    expect(taken.map(({ keyIndex }) => keyIndex).toSorted((a, b) => a - b)).toEqual(expected);
    for (const { keyIndex, address } of taken)
      expect(address).toBe(chain.addressing.changeAt?.(keyIndex).address);
    const rows = await watched(chain.keyspace);
    expect(rows.at(-1)).toEqual({ purpose: "change", index: 12 + changeAhead, issued: false });
    expect(rows.filter(({ issued }) => issued)).toHaveLength(13);
  });

  it("issues an address again that a rolled-back transaction had taken", async () => {
    const chain = newChain("coins");
    await ensureTreasury({ db, clock }, [chain]);
    const rolledBack = db.transaction(async (tx) => {
      await nextChangeAddress(tx, chain, clock.now());
      throw new Error("given up");
    });
    await expect(rolledBack).rejects.toThrow("given up");
    const { keyIndex } = await db.transaction((tx) => nextChangeAddress(tx, chain, clock.now()));
    expect(keyIndex).toBe(1);
  });

  it("derives more change addresses when all watched ones are issued", async () => {
    const chain = newChain("coins");
    await ensureTreasury({ db, clock }, [chain]);
    await sql("update treasury_address set issued_at = created_at where keyspace = $1", [
      chain.keyspace,
    ]);
    const { keyIndex } = await db.transaction((tx) => nextChangeAddress(tx, chain, clock.now()));
    expect(keyIndex).toBe(changeAhead + 1);
  });
});
