import { RawOldTx } from "@scure/btc-signer/script.js";
import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import {
  type Call,
  client,
  type Handler,
  signal,
  startNode,
} from "../../../test/support/scripted-node.ts";
import { money } from "../../platform/kernel/money.ts";
import type { Coin, Draft, DraftOutcome, DraftRequest } from "../paying-port.ts";
import { draftSpend } from "./draft-spend.ts";

describe("draftSpend", () => {
  /*
   * Coins whose transactions are large: the signer receives those and accepts requests of at most 8 MB. The test's HTTP node
   * returns transactions as large as a block allows.
   */

  const network = bitcoin.networks.regtest;
  const payee = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
  const changeAddress = "bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry";

  const idOf = (kind: "large" | "small", at: number): string =>
    `${kind === "large" ? "aa" : "bb"}${at.toString(16).padStart(2, "0")}`.padEnd(64, "0");

  function coinsOf(kind: "large" | "small", count: number, units: bigint): readonly Coin[] {
    return Array.from({ length: count }, (_, at) => ({
      claim: `${idOf(kind, at)}:0`,
      units,
      addressType: "bech32",
      branch: 0 as const,
      keyIndex: at,
    }));
  }

  /** 950,000 bytes, or 100. */
  function transaction(kind: "large" | "small"): string {
    const script = new Uint8Array(kind === "large" ? 950_000 : 22);
    const input = {
      txid: new Uint8Array(32),
      index: 0,
      finalScriptSig: new Uint8Array(),
      sequence: 0,
    };
    const bytes = RawOldTx.encode({
      version: 2,
      inputs: [input],
      outputs: [{ amount: 1n, script }],
      lockTime: 0,
    });
    return Buffer.from(bytes).toString("hex");
  }

  const node: Handler = (body, response) => {
    const replies = (body as readonly Call[]).map(({ id, method, params }) => ({
      jsonrpc: "2.0",
      id,
      result: {
        getmempoolinfo: { mempoolminfee: 0.00001, minrelaytxfee: 0.00001 },
        getnetworkinfo: { incrementalfee: 0.00001 },
        estimatesmartfee: { feerate: 0.00005, blocks: 6 },
        getrawtransaction: transaction(String(params[0]).startsWith("aa") ? "large" : "small"),
      }[method],
    }));
    response.end(JSON.stringify(replies));
  };

  async function draft(
    coins: readonly Coin[],
    units: readonly bigint[],
    more: Partial<DraftRequest> = {},
  ): Promise<DraftOutcome> {
    const request: DraftRequest = {
      payments: units.map((each) => ({
        destination: { address: payee, addressType: "bech32", tag: null },
        amount: money(each, bitcoin.currency),
      })),
      funds: {
        kind: "coins",
        coins,
        change: { address: changeAddress, addressType: "bech32", keyIndex: 1 },
      },
      feeTarget: null,
      feeCeiling: 1_000_000n,
      replaces: null,
      ...more,
    };
    return await draftSpend(bitcoin, network, client([await startNode(node)]), request, signal);
  }

  function draftIn(outcome: DraftOutcome): Draft {
    if (outcome.kind !== "draft") throw new Error(`no draft: ${outcome.kind}`);
    return outcome.draft;
  }

  const largeIn = ({ claims }: Draft): number =>
    claims.filter((claim) => claim.startsWith("aa")).length;

  it("leaves out coins whose proofs take too much space when others suffice", async () => {
    const coins = [...coinsOf("large", 6, 200_000n), ...coinsOf("small", 10, 100_000n)];
    const created = draftIn(await draft(coins, [1_000_000n]));
    expect(largeIn(created)).toBe(3);
    expect(created.claims.length).toBeGreaterThan(6);
    expect(JSON.stringify(created.body).length).toBeLessThan(6_300_000);
  });

  it("makes the payment wait, instead of impossible, when other coins do not suffice", async () => {
    const coins = [...coinsOf("large", 6, 200_000n), ...coinsOf("small", 2, 100_000n)];
    expect(await draft(coins, [1_000_000n])).toMatchObject({
      kind: "insufficient",
      currency: bitcoin.currency,
    });
    expect(largeIn(draftIn(await draft(coins, [500_000n])))).toBe(3);
  });

  it("consolidates as many coins as can be proven together", async () => {
    const created = draftIn(await draft(coinsOf("large", 8, 200_000n), []));
    expect(created.claims).toHaveLength(3);
  });

  it("keeps a replacement's coins and adds those whose proofs fit", async () => {
    const coins = [...coinsOf("large", 5, 200_000n), ...coinsOf("small", 3, 150_000n)];
    const funds = { kind: "coins" as const, coins: coins.slice(0, 3) };
    const change = { address: changeAddress, addressType: "bech32", keyIndex: 1 };
    const first = draftIn(await draft([], [590_000n], { funds: { ...funds, change } }));
    expect(largeIn(first)).toBe(3);
    const second = draftIn(await draft(coins, [590_000n], { feeTarget: 50_000n, replaces: first }));
    expect(second.claims.slice(0, 3)).toEqual(first.claims);
    expect([second.claims.length, largeIn(second)]).toEqual([4, 3]);
  });
});
