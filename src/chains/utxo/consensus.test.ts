import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import { type Call, client, signal, startNode } from "../../../test/support/scripted-node.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { money } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { Draft } from "../paying-port.ts";
import { draftSpend } from "./draft-spend.ts";
import { isMissingUpTo } from "./missing-transaction.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/*
 * Drafts against a node whose rules change, as they changed on Zcash's main network: each upgrade with its height and branch id
 * (zebra-chain, `activation_heights` and `CONSENSUS_BRANCH_IDS`).
 */

const upgrades = [
  ["NU5", 1_687_104, "c2d6d0b4"],
  ["NU6", 2_726_400, "c8e71055"],
  ["NU6.1", 3_146_400, "4dec4df0"],
  ["NU6.2", 3_364_600, "5437f330"],
  ["NU6.3", 3_428_143, "37a5165b"],
] as const;

const chain: UtxoChain = {
  ...bitcoin,
  addressTypes: ["legacy"],
  defaultAddressType: "legacy",
  blocks: "json",
  signatureHash: "zip244",
  feeRule: "zip317",
  expiryBlocks: 40,
  replacement: false,
};
const { main } = chain.networks;
const payee = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
const coin = {
  claim: `${"ab".repeat(32)}:0`,
  units: 100_000n,
  addressType: "legacy",
  branch: 0,
  keyIndex: 1,
} as const;

/** A node at that height, which knows every upgrade. */
function blockchainInfo(blocks: number): JsonValue {
  const active = upgrades.findLast(([, height]) => height <= blocks + 1);
  return {
    blocks,
    upgrades: Object.fromEntries(
      upgrades.map(([name, activationheight, id]) => [id, { name, activationheight }]),
    ),
    consensus: { nextblock: active?.[2] ?? "e9ff75a6" },
  };
}

async function nodeAt(blocks: number, more: Record<string, JsonValue> = {}) {
  const results: Record<string, JsonValue> = {
    getblockchaininfo: blockchainInfo(blocks),
    getstandardfee: { standard_fee: 5_000, version: 0 },
    ...more,
  };
  const answer = ({ id, method }: Call): object => {
    const result = results[method];
    return result === undefined
      ? { id, error: { code: -32601, message: "Method not found" } }
      : { id, result };
  };
  const node = await startNode((body, response) => {
    const isBatch = Array.isArray(body);
    response.end(JSON.stringify(isBatch ? (body as Call[]).map(answer) : answer(body as Call)));
  });
  return client([node]);
}

async function draftAt(
  blocks: number,
  replaces: Draft | null = null,
  feeTarget: bigint | null = null,
) {
  const change = { address: payee, addressType: "legacy", keyIndex: 5 };
  return await draftSpend(
    chain,
    main,
    await nodeAt(blocks),
    {
      payments: [
        {
          destination: { address: payee, addressType: "legacy", tag: null },
          amount: money(50_000n, chain.currency),
        },
      ],
      funds: { kind: "coins", coins: [coin], change },
      feeTarget,
      feeCeiling: 100_000n,
      replaces,
    },
    signal,
  );
}

async function draftedAt(blocks: number): Promise<Draft> {
  const outcome = await draftAt(blocks);
  if (outcome.kind !== "draft") throw new Error(outcome.kind);
  return outcome.draft;
}

describe("a draft for a consensus branch", () => {
  it.each(upgrades)(
    "states the branch of %s from the block before height %i on",
    async (_, height, id) => {
      const draft = await draftedAt(height - 1);
      expect(draft.body["consensus"]).toEqual({ branchId: id, expiryHeight: height + 39 });
      expect(draft.validity).toEqual({ kind: "height", last: height + 39 });
      expect(draft).toMatchObject({ claims: [coin.claim], feeUnits: 10_000n });
      expect(draft.body["previous"]).toEqual({});
    },
  );

  it.each(upgrades)("expires before %s at height %i", async (_, height) => {
    expect((await draftedAt(height - 42)).validity).toEqual({ kind: "height", last: height - 2 });
    expect((await draftedAt(height - 41)).validity).toEqual({ kind: "height", last: height - 1 });
    expect((await draftedAt(height - 11)).validity).toEqual({ kind: "height", last: height - 1 });
  });

  it.each([10, 3, 2])("waits when an upgrade is %i blocks away", async (blocks) => {
    await expect(draftAt(3_428_143 - blocks)).rejects.toThrow(Unavailable);
  });

  it("burns exactly what its payer was charged", async () => {
    expect(await draftAt(3_500_000, null, 12_345n)).toMatchObject({
      draft: { feeUnits: 12_345n },
    });
  });
});

describe("a draft that replaces another one", () => {
  it("is impossible while the other one may be mined", async () => {
    const old = await draftedAt(3_500_000);
    for (const blocks of [3_500_001, 3_500_039])
      expect(await draftAt(blocks, old)).toMatchObject({ kind: "impossible" });
  });

  it("spends the same coin once the other one has expired", async () => {
    const old = await draftedAt(3_500_000);
    const outcome = await draftAt(3_500_040, old);
    expect(outcome).toMatchObject({
      kind: "draft",
      draft: { claims: old.claims, feeUnits: 10_000n, validity: { last: 3_500_080 } },
    });
  });

  it.each(upgrades.slice(1))(
    "is signed for the branch of %s after height %i",
    async (_, height, id) => {
      const old = await draftedAt(height - 20);
      expect(old.validity).toEqual({ kind: "height", last: height - 1 });
      const outcome = await draftAt(height - 1, old);
      expect(outcome).toMatchObject({ kind: "draft", draft: { claims: old.claims } });
      if (outcome.kind === "draft")
        expect(outcome.draft.body["consensus"]).toMatchObject({ branchId: id });
    },
  );
});

describe("isMissingUpTo", () => {
  const hash = "0f".repeat(32);
  const header = {
    hash,
    height: 70,
    confirmations: 5,
    time: 1,
    previousblockhash: "0e".repeat(32),
  };
  const block = { height: 70, hash };
  const indexedTo = (height: number | null) => () => Promise.resolve(height);
  const ask = async (results: Record<string, JsonValue>, index = indexedTo(74)) =>
    await isMissingUpTo(
      await nodeAt(74, results),
      { indexedHeight: index },
      "ab".repeat(32),
      block,
      signal,
    );

  it("is true for a transaction that waits or is in a later block", async () => {
    expect(await ask({ getblockheader: header, getrawtransaction: {} })).toBe(true);
  });

  it("is false for a transaction of that block, or of one before", async () => {
    expect(await ask({ getblockheader: header, getrawtransaction: { blockhash: hash } })).toBe(
      false,
    );
  });

  it("is false on a node that follows another branch or lacks an index", async () => {
    const orphaned = { ...header, confirmations: -1 };
    expect(await ask({ getblockheader: orphaned, getrawtransaction: {} })).toBe(false);
    for (const height of [null, 69])
      expect(await ask({ getblockheader: header, getrawtransaction: {} }, indexedTo(height))).toBe(
        false,
      );
  });
});
