import { beforeEach, describe, expect, it } from "vitest";
import { assertAllSettled } from "../../../test/support/check-payouts.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase, restoreBackup, takeBackup } from "../../../test/support/database-backup.ts";
import type { Batches } from "../../../test/support/paying-chain.ts";
import { cancelAsked, comeToRest, startPrograms } from "../../../test/support/payout-programs.ts";
import {
  askForPayout,
  coinId,
  createPayoutSite,
  receiverOf,
  tokenId,
} from "../../../test/support/payout-site.ts";
import { present } from "../../platform/kernel/assert.ts";

/*
 * One transaction of an account pays several payouts, and one payment that the chain refuses undoes the others: these are paid again, with
 * the sequence numbers that the failed transaction left.
 */

const database = useDatabase();
const { sql } = database;

beforeEach(() => emptyDatabase(database));

async function arrange(
  count: number,
  batches: Batches = { paymentsMax: 4, isAtomic: true },
  batchMax: number | null = null,
) {
  const site = await createPayoutSite(database, {
    funding: "account",
    confirmations: 1,
    batches,
    batchMax,
  });
  const deployment = startPrograms(site);
  const [worker, , follower] = deployment.programs;
  const run = async (runner: typeof worker): Promise<void> => {
    await runner!.program.start(runner!.main);
    while (runner!.program.isRunning()) await runner!.program.step("go");
  };
  const ask = async (number: number, currency = coinId): Promise<void> => {
    const payout = { number, currency, units: 1_000n, feeUnits: 20n };
    const { id } = await askForPayout(site, payout);
    deployment.requests.push({ ...payout, id, isLost: false, isCancelled: false });
  };
  await run(follower);
  for (let number = 0; number < count; number += 1) await ask(number);
  site.clock.advance(5);
  const pass = async (): Promise<void> => {
    site.clock.advance(15);
    await run(worker);
  };
  /** The chain includes what waits. The follower reads its outcome, and reads it again before it is final. */
  const mine = async (): Promise<void> => {
    site.chain.mine();
    for (let turn = 0; turn < 4; turn += 1) await run(follower);
  };
  return { site, deployment, ask, pass, mine };
}

async function stages(): Promise<string> {
  const rows = await sql<{ stage: string }>("select stage from payout order by id");
  return rows.map(({ stage }) => stage).join(", ");
}

/** How many payments each transaction of ours on the chain stated, and whether it succeeded. */
function minedOf({ chain }: Awaited<ReturnType<typeof arrange>>["site"]): readonly string[] {
  return chain
    .blocks()
    .flatMap(({ applied }) => applied)
    .filter(({ transaction }) => transaction.account !== null)
    .map(({ transaction, hasSucceeded }) => `${transaction.outputs.length} ${hasSucceeded}`);
}

describe("payouts of one transaction", () => {
  it("are paid together, up to the chain's limit", async () => {
    const { site, deployment, pass } = await arrange(6);
    await pass();
    expect(await stages()).toBe(Array.from({ length: 6 }, () => "sending").join(", "));
    await comeToRest(deployment);
    await assertAllSettled(site, deployment.requests);
    expect(minedOf(site)).toEqual(["4 true", "2 true"]);
  });

  it("are no more than the configuration allows", async () => {
    const { site, deployment, pass } = await arrange(5, { paymentsMax: 4, isAtomic: true }, 2);
    await pass();
    await comeToRest(deployment);
    await assertAllSettled(site, deployment.requests);
    expect(minedOf(site)).toEqual(["2 true", "2 true", "1 true"]);
  });

  it("are paid again without the one that the chain refused, before later transactions", async () => {
    const { site, deployment, pass, mine } = await arrange(6);
    site.chain.reverting.add(receiverOf(site, 1));
    await pass();
    await mine();
    expect(await stages()).toBe("held, failed, held, held, sending, sending");
    await pass();
    expect(await stages()).toBe("sending, failed, sending, sending, sending, sending");
    await mine();
    expect(minedOf(site)).toEqual(["4 false", "3 true", "2 true"]);
    await comeToRest(deployment);
    await assertAllSettled(site, deployment.requests);
    const [failed] = await sql("select message from payout where stage = 'failed'");
    expect(failed).toEqual({ message: "The chain refused this payment" });
  });

  it("are paid again as often as another one is refused", async () => {
    const { site, deployment, pass, mine } = await arrange(4);
    for (const bad of [3, 0, 2]) {
      site.chain.reverting.clear();
      site.chain.reverting.add(receiverOf(site, bad));
      await pass();
      await mine();
    }
    expect(await stages()).toBe("failed, held, failed, failed");
    await comeToRest(deployment);
    await assertAllSettled(site, deployment.requests);
    expect(minedOf(site)).toEqual(["4 false", "3 false", "2 false", "1 true"]);
  });

  it("fail with the reason if their receiver can no longer be paid, and delay no others", async () => {
    const { site, deployment, pass, mine, ask } = await arrange(3);
    site.chain.reverting.add(receiverOf(site, 0));
    await pass();
    await mine();
    const reason = "The receiver has no trust line.";
    for (const number of [1, 2])
      site.chain.receivers.set(receiverOf(site, number), {
        kind: "impossible",
        member: "address",
        reason,
      });
    await ask(3);
    await pass();
    await pass();
    expect(await stages()).toBe("failed, failed, failed, sending");
    expect(
      await sql("select message from payout where id <> 1 and stage = 'failed' order by id"),
    ).toEqual(expect.arrayContaining([{ message: reason }]));
    await comeToRest(deployment);
    await assertAllSettled(site, deployment.requests);
    expect(minedOf(site)).toContain("1 true");
  });

  it("fail one by one if they can no longer be paid together, and delay no others", async () => {
    const { site, deployment, pass, mine, ask } = await arrange(4);
    site.chain.reverting.add(receiverOf(site, 0));
    await pass();
    await mine();
    const together = [1, 2, 3].map((number) => receiverOf(site, number));
    const batching = present(site.node.writer.account?.batching, "batches");
    const { draftEach } = batching;
    // Each of them alone is possible, and the first two are.
    const reason = "It has no room for so much.";
    const limited: typeof draftEach = async (address, batches, ...rest) => {
      const outcomes = await draftEach(address, batches, ...rest);
      return outcomes.map((outcome, place) =>
        together.every((one) =>
          present(batches[place], "a batch").payments.some(
            ({ destination }) => destination.address === one,
          ),
        )
          ? { kind: "impossible", reason }
          : outcome,
      );
    };
    Object.assign(batching, { draftEach: limited });
    await ask(4);
    await pass();
    await pass();
    expect(await stages()).toBe("failed, sending, sending, failed, sending");
    expect(await sql("select message from payout where id = 4")).toEqual([{ message: reason }]);
    await comeToRest(deployment);
    await assertAllSettled(site, deployment.requests);
    expect(minedOf(site)).toEqual(["4 false", "2 true", "1 true"]);
  });

  it("can be canceled once their transaction has failed; the numbers that it left hold nothing up", async () => {
    const { site, deployment, pass, mine, ask } = await arrange(3);
    site.chain.reverting.add(receiverOf(site, 0));
    await pass();
    await ask(3);
    await pass();
    await mine();
    expect(await stages()).toBe("failed, held, held, sending");
    for (const payout of deployment.requests.slice(1, 3)) await cancelAsked(deployment, payout);
    await comeToRest(deployment);
    expect(await stages()).toBe("failed, cancelled, cancelled, confirmed");
    await assertAllSettled(site, deployment.requests);
    // One transaction without payments uses both numbers.
    expect(minedOf(site)).toEqual(["3 false", "0 true", "1 true"]);
  });

  it.each(["before they are paid again", "after the new transaction was drafted"])(
    "fail if their wallet is stopped %s, and hold nothing up",
    async (time) => {
      const { site, deployment, pass, mine, ask } = await arrange(3);
      site.chain.reverting.add(receiverOf(site, 0));
      await pass();
      const isEarly = time === "before they are paid again";
      const stop = () =>
        sql("update wallet set payouts_blocked = true where currency = $1", [coinId]);
      if (isEarly) await stop();
      await mine();
      expect(await stages()).toBe("failed, held, held");
      await ask(3, tokenId);
      if (!isEarly) {
        const [worker] = deployment.programs;
        await worker!.program.start(worker!.main);
        while ((await sql("select from spend where purpose ? 'undoneBy'")).length === 0)
          await worker!.program.step("go");
        await stop();
        while (worker!.program.isRunning()) await worker!.program.step("go");
        expect(await stages()).toBe("failed, held, held, sending");
      }
      for (let turn = 0; turn < 4; turn += 1) {
        await pass();
        await mine();
      }
      expect(await stages()).toBe("failed, failed, failed, confirmed");
      await assertAllSettled(site, deployment.requests);
      // One transaction without payments uses both numbers.
      expect(minedOf(site)).toEqual(["3 false", "0 true", "1 true"]);
    },
  );

  it("fail if the signer refuses to pay them again", async () => {
    const { site, deployment, pass, mine } = await arrange(3);
    site.chain.reverting.add(receiverOf(site, 0));
    await pass();
    await mine();
    const [, second] = deployment.requests;
    site.signer.forbidden.add(second!.id);
    await pass();
    await comeToRest(deployment);
    expect(await stages()).toBe("failed, failed, failed");
    await assertAllSettled(site, deployment.requests);
  });

  it.each(["before the first transaction", "after it failed"])(
    "are paid once if the database is restored to a copy from %s",
    async (time) => {
      const { site, deployment, pass, mine } = await arrange(3);
      site.chain.reverting.add(receiverOf(site, 2));
      const early = await takeBackup(database);
      await pass();
      await mine();
      const late = await takeBackup(database);
      await pass();
      await mine();
      await restoreBackup(database, time === "after it failed" ? late : early);
      await comeToRest(deployment);
      await assertAllSettled(site, deployment.requests);
      expect(await stages()).toBe("confirmed, confirmed, failed");
      expect(minedOf(site)).toEqual(["3 false", "2 true"]);
    },
  );
});

describe("payments that the chain makes independently", () => {
  it("are final one by one: a refused one fails alone", async () => {
    const { site, deployment, pass, mine } = await arrange(3, { paymentsMax: 4, isAtomic: false });
    site.chain.reverting.add(receiverOf(site, 1));
    await pass();
    await mine();
    expect(await stages()).toBe("confirmed, failed, confirmed");
    await comeToRest(deployment);
    await assertAllSettled(site, deployment.requests);
    expect(minedOf(site)).toEqual(["3 true"]);
  });
});

/** The account of the numbers that each transaction of ours on the chain used, and its payments. */
function numbersOf({ chain, hot }: Awaited<ReturnType<typeof arrange>>["site"]): readonly string[] {
  return chain
    .blocks()
    .flatMap(({ applied }) => applied)
    .filter(({ transaction }) => transaction.account !== null)
    .map(({ transaction: { claims, outputs }, hasSucceeded }) => {
      const names = claims.map((claim) => claim.replace(hot ?? "", "own"));
      return `${names.join(" ")}: ${outputs.length} ${hasSucceeded}`;
    });
}

describe("payouts with the numbers of lenders", () => {
  const lending = { paymentsMax: 4, isAtomic: true, lenders: ["a", "b"] };

  it("leave in one block with one transaction of each account, and one more that is ready", async () => {
    const { site, deployment, pass, mine } = await arrange(6, lending, 1);
    await pass();
    expect(await stages()).toBe("sending, sending, sending, sending, held, held");
    await mine();
    expect(numbersOf(site).toSorted()).toEqual([
      "a#0: 1 true",
      "b#0: 1 true",
      "own#0: 1 true",
      "own#1: 1 true",
    ]);
    await comeToRest(deployment);
    await assertAllSettled(site, deployment.requests);
    expect(numbersOf(site)).toHaveLength(6);
  });

  it("are paid again with the numbers that the lender of a failed transaction has left", async () => {
    const { site, deployment, pass, mine } = await arrange(6, lending, 3);
    site.chain.reverting.add(receiverOf(site, 4));
    await pass();
    await mine();
    expect(await stages()).toBe("confirmed, confirmed, confirmed, held, failed, held");
    await pass();
    await mine();
    expect(numbersOf(site)).toEqual([
      "own#0 own#1 own#2: 3 true",
      "a#0 a#1 a#2: 3 false",
      "a#1 a#2: 2 true",
    ]);
    await comeToRest(deployment);
    await assertAllSettled(site, deployment.requests);
  });

  it("of which a restored database knows nothing are adopted, and never paid with other numbers", async () => {
    const { site, deployment, pass, mine } = await arrange(2, lending, 1);
    const backup = await takeBackup(database);
    await pass();
    await restoreBackup(database, backup);
    await pass();
    const spends = await sql<{ sender: string; lender: string | null }>(
      "select sender, request->'funds'->>'lender' as lender from spend order by id",
    );
    expect(spends).toEqual([
      { sender: site.hot, lender: null },
      { sender: site.hot, lender: "a" },
    ]);
    await mine();
    expect(numbersOf(site).toSorted()).toEqual(["a#0: 1 true", "own#0: 1 true"]);
    await comeToRest(deployment);
    await assertAllSettled(site, deployment.requests);
  });

  it("wait while a node is behind the block that used the numbers", async () => {
    const { site, deployment, ask, pass, mine } = await arrange(2, lending, 1);
    await pass();
    await mine();
    expect(await stages()).toBe("confirmed, confirmed");
    site.faults.lag = 1;
    await ask(2);
    await ask(3);
    site.clock.advance(5);
    await pass();
    // Not even the lender that nothing has used: the node may not know.
    expect((await stages()).split(", ").slice(2)).not.toContain("failed");
    const [lent] = await sql(
      "select count(*)::int as count from spend where request->'funds' ? 'lender'",
    );
    expect(lent).toEqual({ count: 1 });
    site.faults.lag = 0;
    await comeToRest(deployment);
    await assertAllSettled(site, deployment.requests);
  });
});
