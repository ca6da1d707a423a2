import { buildQuotes } from "../../src/main/build/build-quotes.ts";
import { payoutContext } from "../../src/main/build/payout-context.ts";
import { createPayout, type PayoutOrder } from "../../src/payouts/create/create-payout.ts";
import { emptyPayoutRequest } from "../../src/payouts/payout-documents.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { type BareWork, type Draw, sqlText } from "./bare-sql.ts";
import type { Deployment, Tenant } from "./deployment.ts";
import { type RecordedStatement, recordAnswered } from "./recorded-statements.ts";
import { freshMark, samplePayout, sampleReceiver } from "./sample-payout.ts";

export type PayoutSample = {
  readonly walletId: string;
  readonly currencyId: string;
  readonly address: string;
  readonly amount: string;
  readonly feeAmount: string;
};

/** The arguments of `createPayout` for the sample document. */
export function sampleOrder(sample: PayoutSample, key: string): PayoutOrder {
  return {
    request: {
      ...emptyPayoutRequest,
      wallet: sample.walletId,
      currency: sample.currencyId,
      address: sample.address,
      amount: sample.amount,
      fee_amount: sample.feeAmount,
      label: samplePayout.label,
      tracking_id: key,
      callback_url: samplePayout.callbackUrl,
      travelRule: sampleReceiver,
    },
    faults: [],
    idempotencyKey: key,
    fingerprint: new Uint8Array(32).fill(7),
    incoming: null,
  };
}

type Work = Pick<BareWork, "statements" | "transactionFrom" | "draws">;

export type Range = { readonly from: number; readonly to: number };

/**
 * All statements that create one payout, recorded from the product and parameterized so that each run creates
 * another one: key, tracking id and payout are new, and the wallet is drawn from a range if one is given.
 */
export async function recordPayout(
  { foundation }: Deployment,
  { principal }: Tenant,
  sample: PayoutSample,
): Promise<{
  readonly everything: (wallets: Range | null) => Work;
  readonly transaction: (wallets: Range | null) => Work;
}> {
  const quotes = await buildQuotes(foundation);
  const recorded = await recordAnswered(foundation.db, async (db) => {
    const { creating } = payoutContext({ ...foundation, db }, quotes.quoteFees);
    await createPayout(creating, principal, sampleOrder(sample, freshMark));
  });
  await quotes.close();
  const ids = await idsOf(foundation.db, sample.walletId);
  const reads = recorded.filter(({ isInTransaction }) => !isInTransaction);
  const writes = recorded.filter(({ isInTransaction }) => isInTransaction);
  const work = (
    statements: readonly RecordedStatement[],
    transactionFrom: number,
    wallets: Range | null,
  ): Work => {
    const renewed = statements.map((statement) => renew(statement, ids));
    const places = renewed.flatMap(({ walletAt }, statement) =>
      walletAt === null ? [] : [{ statement, position: walletAt }],
    );
    const draws: Draw[] = wallets === null ? [] : [{ places, ...wallets }];
    return { statements: renewed, transactionFrom, draws };
  };
  return {
    everything: (wallets) => work([...reads, ...writes], reads.length, wallets),
    transaction: (wallets) => work(writes, 0, wallets),
  };
}

type Ids = { readonly payout: string; readonly transfer: string; readonly wallet: string };

async function idsOf(db: Deployment["foundation"]["db"], wallet: string): Promise<Ids> {
  const [row] = await db.query<{ payout: string; transfer: string }>({
    name: "bench.made",
    text: "select payout_id as payout, id as transfer from transfer where payout_id is not null order by id desc limit 1",
  });
  return { ...present(row, "the payout that was recorded"), wallet };
}

/** Turns the wallet's id into a parameter, so that it can be drawn. */
function renew(
  { text, values }: RecordedStatement,
  ids: Ids,
): RecordedStatement & { readonly walletAt: number | null } {
  const walletParameter = values.length + 1;
  const replaced: readonly (readonly [string, string])[] = [
    [freshMark, "gen_random_uuid()::text"],
    [ids.payout, "currval('payout_id_seq')::text"],
    [ids.transfer, "currval('transfer_id_seq')::text"],
    [ids.wallet, `$${walletParameter}::text`],
  ];
  const renewed = values.reduce<string>((sql, value, index) => {
    const given = sqlText(value);
    const parts = replaced.filter(([old]) => given.includes(old));
    if (parts.length === 0) return sql;
    const pattern = new RegExp(`\\$${index + 1}::([a-z]+(?:\\[\\])?)`, "g");
    if (!pattern.test(sql)) throw new Error(`no type cast at $${index + 1} of ${sql}`);
    const fresh = parts.reduce(
      (inner, [old, now]) => `replace(${inner}, '${old}', ${now})`,
      `$${index + 1}::text`,
    );
    return sql.replaceAll(pattern, (_, type: string) => `(${fresh})::${type}`);
  }, text);
  const isDrawn = renewed.includes(`$${walletParameter}::text`);
  return {
    text: renewed,
    values: isDrawn ? [...values, ids.wallet] : values,
    walletAt: isDrawn ? values.length : null,
  };
}
