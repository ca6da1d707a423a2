import { Operation } from "@stellar/stellar-sdk";
import { describe, expect, it } from "vitest";
import {
  coin,
  drafted,
  frozen,
  hot,
  prepareTogether,
  token,
  usePayingStellar,
} from "../../../test/support/paying-stellar.ts";
import { named } from "../../../test/support/stellar-network.ts";
import { present } from "../../platform/kernel/assert.ts";
import { createStellarWriter } from "./writer.ts";

/* Payments of a token that the chain would refuse are found before they are signed: they would undo the others of their transaction. */

const { signal } = new AbortController();
const site = usePayingStellar();
const { account, close, execute, newAccount, testDollar } = site;

/** With a trust line that has room for so many units. */
async function newHolder(roomUnits: bigint): Promise<string> {
  const holder = await newAccount();
  const limit = `0.${roomUnits.toString().padStart(7, "0")}`;
  await execute(holder, [Operation.changeTrust({ asset: testDollar(), limit })]);
  return holder.publicKey();
}

describe("a receiver's trust line with little room", () => {
  const tooFull = {
    kind: "impossible",
    reason: "The receiver's trust line cannot hold that much more USDC-XLM.",
  };

  it("takes what it has room for, and no more", async () => {
    const destination = named(await newHolder(10n));
    expect(await drafted(site, destination, 11n, { currency: token })).toEqual(tooFull);
    expect((await drafted(site, destination, 10n, { currency: token })).kind).toBe("draft");
    // Nothing of that concerns coin.
    expect((await drafted(site, destination, 11n)).kind).toBe("draft");
  });

  it("counts all payments of a transaction to it, which cannot be made together if they are too much", async () => {
    const [full, other] = [await newHolder(10n), await newHolder(1_000n)];
    const draftsOf = async (receivers: readonly (readonly [string, bigint])[]) => {
      const payments = receivers.map(([address, units]) => ({
        destination: named(address),
        amount: { units, currency: token },
      }));
      const [outcome] = await present(account().batching, "batches").draftEach(
        hot,
        [{ payments, feeTarget: null }],
        { timesHigh: 2n },
        signal,
      );
      return outcome;
    };
    expect(
      await draftsOf([
        [full, 6n],
        [other, 500n],
        [full, 5n],
      ]),
    ).toEqual(tooFull);
    const payable = [
      [full, 6n],
      [other, 500n],
      [full, 4n],
    ] as const;
    const { raw, draft, txid } = await prepareTogether(site, payable, undefined, token);
    expect(await site.reached().writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close();
    expect(await site.reached().writer.status(txid, draft, signal)).toMatchObject({
      hasSucceeded: true,
    });
  });
});

describe("our own trust line without the issuer's permission", () => {
  it("holds money that cannot be spent: payouts of the token wait, and those of coin do not", async () => {
    const destination = named(await newHolder(1_000n));
    const { node } = site.options();
    const writer = createStellarWriter({ ...site.options(), node: frozen(node, hot) });
    const draft = async (units: bigint, currency: typeof token) =>
      await writer.draft(
        {
          payments: [{ destination, amount: { units, currency } }],
          funds: { kind: "account", address: hot, sequence: await site.nextSequence() },
          feeTarget: null,
          feeCeiling: 10_000n,
          replaces: null,
        },
        signal,
      );
    expect(await draft(7n, token)).toEqual({
      kind: "impossible",
      reason: "The paying account is currently not authorized to hold USDC-XLM.",
    });
    expect((await draft(7n, coin)).kind).toBe("draft");
    const funds = await writer.account?.funds(hot, token, 1, signal);
    expect(funds?.latest).toBeGreaterThan(0n);
    expect(funds?.reserved).toBe(funds?.latest);
    expect(await writer.account?.readiness?.(hot, signal)).toBe("unauthorized");
    expect(await account().readiness?.(hot, signal)).toBe("ready");
  });

  it("is not made again", async () => {
    const { node } = site.options();
    const writer = createStellarWriter({ ...site.options(), node: frozen(node, hot) });
    const outcome = await writer.draft(
      {
        payments: [],
        funds: { kind: "account", address: hot, sequence: await site.nextSequence() },
        feeTarget: null,
        feeCeiling: 10_000n,
        replaces: null,
      },
      signal,
    );
    expect(outcome).toMatchObject({
      draft: { body: { operations: [{ type: "useSequence" }] } },
    });
  });
});
