import { claimTogether, releaseCallbacks } from "../../src/callbacks/deliver/dispatch.store.ts";
import { noOwnActivity, type WatchedTransfer } from "../../src/chains/block-sink.ts";
import { watchedAmong } from "../../src/chains/follow/watched-address.store.ts";
import { lockLink } from "../../src/deposits/links/payment-link.store.ts";
import { readLinkPage } from "../../src/deposits/links/read-link-page.ts";
import { createDepositSink } from "../../src/deposits/payments/block-sink.ts";
import { depositContext } from "../../src/main/build/foundation.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { readBacklogs } from "../../src/reports/operations/backlog.store.ts";
import {
  readBooks,
  readHeldAddresses,
  readSample,
} from "../../src/treasury/holdings/comparison.store.ts";
import { listCandidates } from "../../src/treasury/sweeping/sweep.store.ts";
import type { Deployment } from "./deployment.ts";
import { linkPages } from "./growth-rows.ts";

/** Background work that is measured on a small and on a large database. */
export type GrowthTask = {
  readonly name: string;
  readonly run: (grown: Grown) => Promise<void>;
};

type Grown = {
  readonly deployment: Deployment;
  readonly accountId: string;
  readonly enterpriseId: string;
};

const ether = "1002" as CurrencyId;
const account = { keyspace: "evm", chain: "ETH" } as const;
const rolledBack = new Error("rolled back");

/** Each leaves the database as it was. */
export const growthTasks: readonly GrowthTask[] = [
  { name: "a block that pays 20 deposits", run: appendBlock },
  {
    name: "the pages of two payment links",
    run: async ({ deployment: { foundation } }) => {
      const context = { ...foundation, isSandbox: false };
      for (const id of ["1", "2"])
        present(await readLinkPage(context, linkPages + id), "the link's page");
    },
  },
  {
    name: "locking two payment links",
    run: async ({ deployment: { foundation }, accountId }) => {
      for (const id of ["1", "2"])
        await foundation.db.transaction((tx) => lockLink(tx, accountId, id));
    },
  },
  {
    name: "which of 10,000 outputs pay us",
    run: async ({ deployment: { foundation } }) => {
      const outputs = Array.from(
        { length: 10_000 },
        (_, index) => `0014${index.toString(16).padStart(40, "0")}`,
      );
      await watchedAmong(foundation.db, "BTC", outputs);
    },
  },
  {
    name: "claiming due callbacks",
    run: async ({ deployment: { foundation }, accountId }) => {
      const { db, clock } = foundation;
      const lane = { accountId, host: "shop.example", size: 64 };
      const claimed = await claimTogether.claimDue(
        db,
        [lane],
        clock.now(),
        addSeconds(clock.now(), 30),
      );
      await releaseCallbacks(db, claimed);
    },
  },
  {
    name: "backlogs for metrics",
    run: async ({ deployment: { foundation } }) => {
      await readBacklogs(foundation.db);
    },
  },
  {
    name: "reconciliation: the books' sums",
    run: async ({ deployment: { foundation } }) => {
      await foundation.db.transaction((tx) => readBooks(tx, "ETH", ether));
    },
  },
  {
    name: "reconciliation: addresses to read",
    run: async ({ deployment: { foundation } }) => {
      await foundation.db.transaction((tx) => readHeldAddresses(tx, account, ether, false));
      await readSample(foundation.db, "evm", "00148", 1_000);
    },
  },
  {
    name: "choosing what to sweep",
    run: async ({ deployment: { foundation } }) => {
      const least = [{ currency: ether, units: 50_000n, isWanted: false }];
      await listCandidates(foundation.db, account, least, foundation.clock.now(), 20);
    },
  },
];

async function appendBlock({
  deployment: { foundation },
  accountId,
  enterpriseId,
}: Grown): Promise<void> {
  const { db, clock } = foundation;
  const sink = createDepositSink(depositContext(foundation));
  const hits = Array.from({ length: 20 }, (_, index): WatchedTransfer => {
    const depositId = String(10 * (index + 1));
    return {
      transfer: {
        key: { txid: `block ${depositId}`, index },
        to: "0x00",
        asset: { kind: "currency", amount: { units: 4_000n, currency: ether } },
        spendableFromHeight: null,
      },
      senders: { addresses: ["payer"], claims: [`spent ${depositId}`] },
      accountId,
      walletId: enterpriseId,
      depositId,
      addressType: "",
      keyIndex: 10 * (index + 1),
    };
  });
  const time = clock.now();
  await db
    .transaction(async (tx) => {
      const block = { height: 10_000_000, hash: "block", parentHash: "tip", time };
      await sink.appended(tx, "ETH", block, hits, time, noOwnActivity);
      throw rolledBack;
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
}
