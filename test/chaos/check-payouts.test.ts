import { describe, expect, it } from "vitest";
import { BestChain, itself, type Output, type TruthBlock } from "./best-chain.ts";
import { checkPayouts } from "./check-payouts.ts";
import type { Evidence } from "./finding.ts";
import type { Sql } from "./open-sql.ts";
import type { RequestedPayout } from "./pay-out-load.ts";

/* One payout of a millionth of a bitcoin, and its possible faults. */

const requested: RequestedPayout = {
  trackingId: "chaos-payout-0",
  key: "k",
  chain: "BTC",
  amount: "0.000001",
  address: "receiver",
  hasCallback: true,
  id: "7",
  isRefused: false,
};
const payout = {
  id: "7",
  tracking_id: "chaos-payout-0",
  key: "k",
  chain: "BTC",
  currency: "1000",
  address: "receiver",
  units: 100n,
  paid_units: 100n,
  stage: "confirmed",
  status: 2,
  txid: "t1",
  block_hash: "b1",
  spend_id: "3",
  transfer_status: 2,
  fee_units: 10n,
  fee_currency: "1000",
  is_charged: true,
};
const attempt = {
  spend_id: "3",
  kind: "payout",
  state: "confirmed",
  chain: "BTC",
  txid: "t1",
  is_mined: true,
  burnt_units: 8n,
  block_hash: "b1",
  fee_currency: "1000",
};

function output(txid: string, units: bigint): Output {
  return { txid, vout: 0, address: "receiver", currency: "1000", units };
}

type World = {
  readonly payouts?: readonly object[];
  readonly attempts?: readonly object[];
  readonly requests?: readonly RequestedPayout[];
  readonly outputs?: readonly Output[];
  readonly held?: bigint;
  readonly fees?: bigint;
};

async function faultsIn(world: World): Promise<readonly string[]> {
  const outputs = world.outputs ?? [output("t1", 100n)];
  const block: TruthBlock = {
    height: 0,
    hash: "b1",
    parentHash: "",
    outputs,
    debits: outputs.map(({ txid }) => ({ txid, address: "ours", currency: "1000", units: 108n })),
    burnt: new Map(outputs.map(({ txid }) => [txid, 8n])),
  };
  const best = new BestChain({
    firstHeight: 0,
    holderOf: itself,
    numbersOutputs: true,
    mayContradictItself: false,
    tipHeight: () => Promise.resolve(0),
    hashAt: () => Promise.resolve("b1"),
    blockAt: () => Promise.resolve(block),
    waiting: () => Promise.resolve(new Set()),
    holdings: () => Promise.resolve(0n),
  });
  await best.update();
  const answers: readonly (readonly [part: string, rows: readonly object[]])[] = [
    ["from payout p join transfer", world.payouts ?? [payout]],
    ["from spend_attempt a", world.attempts ?? [attempt]],
    ["from treasury_address", [{ address: "ours" }]],
    ["count(*) as claims", [{ claims: "1" }]],
    ["held <> 0", world.held === undefined ? [] : [{ wallet_id: "1", held: world.held }]],
    ["like 'fees/%'", [{ account: "fees/1000", units: world.fees ?? -2n }]],
    ["count(*) as events", [{ events: "1" }]],
  ];
  const sql: Sql = <Row>(text: string) =>
    Promise.resolve((answers.find(([part]) => text.includes(part))?.[1] ?? []) as readonly Row[]);
  const evidence = {
    sql,
    payouts: world.requests ?? [requested],
    deposits: [],
    decisions: [],
    deliveries: [],
    feed: [],
    chains: [{ actor: { chain: "BTC", best }, reader: null }],
    print: () => undefined,
  } as unknown as Evidence;
  const findings = await checkPayouts(evidence);
  return findings.filter(({ faults }) => faults.length > 0).map(({ invariant }) => invariant);
}

const [acknowledged, paid, mined, known, balanced] = [
  "every acknowledged payout exists once",
  "every payout is paid exactly once, or ended without payment",
  "exactly one transaction of each spend is mined",
  "only transactions on record spent our money",
  "nothing is held, and fees equal charges minus burnt fees",
];

describe("checkPayouts", () => {
  it("finds nothing if nothing is wrong", async () => {
    expect(await faultsIn({})).toEqual([]);
  });

  const mishaps: readonly (readonly [what: string, world: World, found: readonly string[]])[] = [
    ["lost", { payouts: [], attempts: [], outputs: [], fees: 0n }, [acknowledged]],
    ["made twice", { payouts: [payout, { ...payout, id: "8" }], fees: -12n }, [acknowledged]],
    [
      "paid twice, by a transaction that is not on record",
      { outputs: [output("t1", 100n), output("t2", 100n)] },
      [paid, known],
    ],
    ["paid too little", { outputs: [output("t1", 99n)] }, [paid]],
    ["confirmed without being on the chain", { outputs: [], fees: -10n }, [paid, mined]],
    [
      "failed but paid",
      {
        payouts: [{ ...payout, stage: "failed", transfer_status: -1, block_hash: null }],
        fees: 8n,
      },
      [paid],
    ],
    [
      "sent in two transactions of one spend",
      {
        attempts: [attempt, { ...attempt, txid: "t2", is_mined: false }],
        outputs: [output("t1", 100n), output("t2", 100n)],
        fees: 6n,
      },
      [paid, mined],
    ],
    ["still held", { held: 110n }, [balanced]],
    ["booked with another fee", { fees: -3n }, [balanced]],
  ];

  it.each(mishaps)("finds a payout that is %s", async (_what, world, found) => {
    expect(await faultsIn(world)).toEqual(found);
  });
});
