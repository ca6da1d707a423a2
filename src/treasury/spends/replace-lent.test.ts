import { Keypair } from "@stellar/stellar-sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  channelsLending,
  coin,
  hot,
  usePayingStellar,
} from "../../../test/support/paying-stellar.ts";
import { named } from "../../../test/support/stellar-network.ts";
import { createCursor } from "../../chains/follow/follower.store.ts";
import type { ChainWriter, SequenceRange } from "../../chains/paying-port.ts";
import { createStellarWriter } from "../../chains/stellar/writer.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { changeSpends } from "./change-spends.ts";
import { createSpend } from "./create-spend.ts";
import { replaceStuck } from "./replace-spend.ts";
import { readOpenSpends } from "./spend.store.ts";
import { defaultSpendSettings } from "./spend-context.ts";
import { combineListeners } from "./spend-listener.ts";
import { recordBroadcast, recordSignature, startSigning } from "./spend-transitions.ts";

/* Expired transactions of the hot account of Stellar, one of them with the sequence of a channel, after fewer channels were configured. */

const database = useDatabase();
const { db, sql } = database;
const site = usePayingStellar();
const { signal } = new AbortController();
const chain = "XLM";
const listener = combineListeners([]);

/** Signed and broadcast, but no ledger has it. */
async function arrangeLost(writer: ChainWriter, range: SequenceRange): Promise<void> {
  const destination = named(Keypair.random().publicKey(), "7");
  const payments = [{ destination, amount: { units: 10_000_000n, currency: coin } }];
  const funds = { kind: "account", address: hot, ...range } as const;
  const terms = { feeTarget: null, feeCeiling: 10_000n, replaces: null };
  const outcome = await writer.draft({ payments, funds, ...terms }, signal);
  if (outcome.kind !== "draft") throw new Error(outcome.kind);
  const { draft } = outcome;
  const { raw, txid } = site.signedAll(draft, payments);
  const now = systemClock.now();
  await db.transaction(async (tx) => {
    const created = await createSpend(
      tx,
      {
        chain,
        kind: "payout",
        sender: hot,
        purpose: {},
        request: { payments, funds },
        feeCurrency: coin,
        confirmations: 1,
        leaves: null,
        draft,
      },
      now,
    );
    if (created.kind !== "created") throw new Error(created.kind);
    const carry = (spend: typeof created.spend) =>
      recordBroadcast(recordSignature(startSigning(spend, 1, now), 1, { raw, txid }, now), 1, now);
    await changeSpends(tx, listener, [created.spend.id], carry, now);
  });
}

describe("an expired transaction with the sequence of a channel beyond the configured ones", () => {
  beforeAll(async () => {
    await createCursor(db, chain, "a network", 1, systemClock.now());
    const later = formatTimestamp(addSeconds(systemClock.now(), 7_200));
    await sql("update chain_cursor set height = 9, hash = 'ab', block_time = $1", [later]);
  });

  it.each([1, 0])("is drafted again, and so are the others (%d configured)", async (count) => {
    const writerWith = (channels: number) =>
      createStellarWriter({ ...site.options(), channels: channelsLending(channels) });
    const last = present(channelsLending(5).lending.at(-1), "a channel");
    await arrangeLost(writerWith(5), { sequence: 100n + BigInt(count), lender: last.address });
    await arrangeLost(writerWith(5), { sequence: (await site.nextSequence()) + BigInt(count) });
    const open = await readOpenSpends(db, chain);
    const irreplaceable = new Set<string>();
    await replaceStuck(
      {
        db,
        clock: systemClock,
        logger: silentLogger,
        chain,
        writer: writerWith(count),
        listener,
        coins: null,
        settings: defaultSpendSettings,
      },
      signal,
      irreplaceable,
    );
    expect(irreplaceable).toEqual(new Set());
    const after = await readOpenSpends(db, chain);
    expect(after.map(({ id }) => id)).toEqual(open.map(({ id }) => id));
    for (const { attempts } of after) {
      expect(attempts.map(({ state }) => state)).toEqual(["broadcast", "drafted"]);
      expect(attempts[1]?.draft.claims).toEqual(attempts[0]?.draft.claims);
    }
  });
});
