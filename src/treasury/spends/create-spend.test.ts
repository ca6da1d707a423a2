import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { draftOf, newSpend } from "../../../test/support/spend-records.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { changeSpends } from "./change-spends.ts";
import { createSpend } from "./create-spend.ts";
import { readSpends } from "./spend.store.ts";
import type { NewSpend, Spend } from "./spend.ts";
import type { SpendListener } from "./spend-listener.ts";
import { recordSignature, startSigning } from "./spend-transitions.ts";
import { withdrawSpend } from "./withdraw-spend.ts";

const database = useDatabase();
const { db, sql } = database;
const now = 1_000_000 as Instant;
const silent = () => Promise.resolve();
const listener: SpendListener = {
  adopted: silent,
  broadcast: silent,
  included: silent,
  confirmed: silent,
  failed: silent,
  dropped: silent,
  dead: silent,
  orphaned: silent,
};

beforeEach(() => sql("truncate spend, spend_attempt, spend_claim cascade"));

const open = (input: Partial<NewSpend> = {}) =>
  db.transaction((tx) => createSpend(tx, newSpend(input), now));

async function opened(input: Partial<NewSpend> = {}): Promise<Spend> {
  const outcome = await open(input);
  if (outcome.kind !== "created") throw new Error("claimed");
  return outcome.spend;
}

describe("createSpend", () => {
  it("reads a spend back as it was created", async () => {
    const input = newSpend({
      chain: "ETH",
      sender: "0xa",
      kind: "cold",
      purpose: { units: "7", asset: { kind: "coin" } },
      request: {
        payments: [
          {
            destination: { address: "0xb", addressType: null, tag: null },
            amount: { units: 10n ** 30n, currency: newSpend().feeCurrency },
          },
        ],
        funds: { kind: "account", address: "0xa", sequence: 7n },
      },
      leaves: { units: 10n ** 30n, currency: newSpend().feeCurrency },
      draft: draftOf(["0xa#7"], 10n ** 20n),
    });
    const spend = await opened(input);
    expect(await readSpends(db, [spend.id])).toEqual([spend]);
    const claims = await sql("select claim, sender, nonce, is_live from spend_claim");
    expect(claims).toEqual([{ claim: "0xa#7", sender: "0xa", nonce: "7", is_live: true }]);
  });

  it.each([0n, 7n, 260_000_000_000_000_001n, null])(
    "reads the sequence number %s back, and a small one also as versions before wrote it",
    async (sequence) => {
      const funds = { kind: "account", address: "0xa", sequence } as const;
      const spend = await opened({ request: { payments: [], funds } });
      const read = async () => (await readSpends(db, [spend.id]))[0]?.request?.funds;
      expect(await read()).toEqual(funds);
      if (sequence === null || sequence > 7n) return;
      await sql("update spend set request = request #- '{funds,sequence}'");
      expect(await read()).toEqual(funds);
    },
  );

  it("reads coins and change back", async () => {
    const coin = { units: 5n, addressType: "bech32", branch: 1 as const, keyIndex: 3 };
    const request = {
      payments: [],
      funds: {
        kind: "coins" as const,
        coins: [{ ...coin, claim: "a:0" }],
        change: { address: "c", addressType: "bech32", keyIndex: 9 },
      },
    };
    const spend = await opened({ request });
    const [read] = await readSpends(db, [spend.id]);
    expect(read?.request).toEqual(request);
  });

  it("writes nothing if another live spend holds a claim", async () => {
    await opened({ draft: draftOf(["b:0"]) });
    const outcome = await open({ draft: draftOf(["a:0", "b:0", "c:0"]) });
    expect(outcome).toEqual({ kind: "claimed", claims: ["b:0"] });
    expect(await sql("select claim from spend_claim")).toEqual([{ claim: "b:0" }]);
    expect(await sql("select from spend_attempt")).toHaveLength(1);
  });

  it("allows the same claim on another chain", async () => {
    await opened();
    expect((await open({ chain: "LTC" })).kind).toBe("created");
  });

  it("creates only one of several concurrent spends that share a claim", async () => {
    for (let round = 0; round < 10; round += 1) {
      const outcomes = await Promise.all(
        [1, 2, 3, 4].map((own) =>
          open({ draft: draftOf([`own${own}:${round}`, `shared:${round}`]) }),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === "created")).toHaveLength(1);
    }
    expect(await sql("select from spend_claim")).toHaveLength(20);
  });

  it("refuses a draft without claims", async () => {
    await expect(open({ draft: draftOf([]) })).rejects.toThrow("claims nothing");
  });

  it("either withdraws a spend or shows it to the signer, never both", async () => {
    for (let round = 0; round < 15; round += 1) {
      const { id } = await opened({ draft: draftOf([`a:${round}`]) });
      const [isWithdrawn, begun] = await Promise.all([
        db.transaction((tx) => withdrawSpend(tx, listener, id, now)),
        db.transaction((tx) =>
          changeSpends(tx, listener, [id], (spend) => startSigning(spend, 1, now), now),
        ),
      ]);
      expect([isWithdrawn, begun.length]).toEqual(isWithdrawn ? [true, 0] : [false, 1]);
      const [spend] = await readSpends(db, [id]);
      expect(spend?.state).toBe(isWithdrawn ? "dropped" : "open");
    }
  });

  it("frees the claims of a withdrawn spend", async () => {
    const { id } = await opened();
    expect(await db.transaction((tx) => withdrawSpend(tx, listener, id, now))).toBe(true);
    expect((await open()).kind).toBe("created");
    expect(await db.transaction((tx) => withdrawSpend(tx, listener, id, now))).toBe(false);
  });

  it("rolls everything back if the listener throws", async () => {
    const { id } = await opened();
    const failing = { ...listener, dropped: () => Promise.reject(new Error("no")) };
    await expect(db.transaction((tx) => withdrawSpend(tx, failing, id, now))).rejects.toThrow("no");
    const [spend] = await readSpends(db, [id]);
    expect(spend?.state).toBe("open");
    expect((await open()).kind).toBe("claimed");
  });

  it("stores a repeated answer of the signer once", async () => {
    const { id } = await opened();
    const change = (learn: (spend: Spend) => Spend) =>
      db.transaction((tx) => changeSpends(tx, listener, [id], learn, now));
    await change((spend) => startSigning(spend, 1, now));
    const signed = { txid: "t", raw: new Uint8Array([1, 2]) };
    const stored = await Promise.all(
      [1, 2].map(() => change((spend) => recordSignature(spend, 1, signed, now))),
    );
    expect(stored.map(({ length }) => length).toSorted()).toEqual([0, 1]);
    const [spend] = await readSpends(db, [id]);
    expect(Buffer.from(spend?.attempts[0]?.raw ?? []).toString("hex")).toBe("0102");
  });
});
