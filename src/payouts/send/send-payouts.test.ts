import { beforeEach, describe, expect, it } from "vitest";
import { readBlock } from "../../../test/support/block-reading.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase, restoreBackup, takeBackup } from "../../../test/support/database-backup.ts";
import type { JournallingSigner } from "../../../test/support/journalling-signer.ts";
import {
  askForPayout,
  coinId,
  createPayoutSite,
  floatUnits,
  type PayoutSite,
  sendContext,
  tokenId,
} from "../../../test/support/payout-site.ts";
import type { DraftOutcome } from "../../chains/paying-port.ts";
import type { ScreeningResult } from "../../deposits/screening/provider.ts";
import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { changePayouts } from "../change-payouts.ts";
import type { Payout } from "../payout.ts";
import { createPayoutPipeline } from "./run-payouts.ts";
import { screenPayouts } from "./screen-payouts.ts";
import { readPayoutDemand } from "./send.store.ts";
import type { SendContext } from "./send-context.ts";

/* Which payouts are paid, together or alone, and what holds them back; on a simulated chain with the real database. */

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();

beforeEach(() => emptyDatabase(database));

async function arrange(funding: "coins" | "account"): Promise<PayoutSite<JournallingSigner>> {
  const site = await createPayoutSite(database, { funding, confirmations: 1 });
  while (await readBlock(site, db));
  return site;
}

function contextOf(site: PayoutSite, parts: Partial<SendContext> = {}): SendContext {
  return { ...sendContext(site, { db, writer: site.node.writer, signer: site.signer }), ...parts };
}

async function run(context: SendContext): Promise<void> {
  await createPayoutPipeline(context)(signal);
}

async function ask(site: PayoutSite, count: number, units = 1_000n): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const payout = { number, currency: coinId, units, feeUnits: 20n };
    ids.push((await askForPayout(site, payout)).id);
  }
  site.clock.advance(5);
  return ids;
}

/** `1 sending, 2 held`. */
async function stages(): Promise<string> {
  const rows = await sql<{ text: string }>(
    "select id || ' ' || stage as text from payout order by id",
  );
  return rows.map(({ text }) => text).join(", ");
}

async function spends(): Promise<string> {
  const rows = await sql<{ text: string }>(
    `select s.state || ' ' || coalesce(string_agg(p.id::text, '+' order by p.id), '-') as text
     from spend s left join payout p on p.spend_id = s.id group by s.id order by s.id`,
  );
  return rows.map(({ text }) => text).join(", ");
}

describe("payout pipeline", () => {
  it("pays several payouts per transaction on UTXO chains, up to the setting", async () => {
    const site = await arrange("coins");
    await ask(site, 4);
    await run(contextOf(site));
    expect(await spends()).toBe("open 1+2+3, open 4");
    expect(site.chain.mempool().map(({ outputs }) => outputs.length)).toEqual([4, 2]);
  });

  it("pays payouts of an account one by one, as many at once as the setting allows", async () => {
    const site = await arrange("account");
    await ask(site, 6);
    await run(contextOf(site));
    expect(await stages()).toBe("1 sending, 2 sending, 3 sending, 4 sending, 5 held, 6 held");
    const nonces = await sql("select nonce::int from spend_claim order by 1");
    expect(nonces).toEqual([0, 1, 2, 3].map((nonce) => ({ nonce })));
  });

  it("excludes nodes that are behind what was read before it asks for a number", async () => {
    const site = await arrange("account");
    await ask(site, 1);
    const asked: (string | number)[] = [];
    const { writer } = site.node;
    const account = present(writer.account, "an account");
    const noting: typeof account = {
      ...account,
      excludeBehind: (height) => asked.push(height),
      nextSequence: (...question) => {
        asked.push("number");
        return present(account.nextSequence, "numbers")(...question);
      },
    };
    await run(contextOf(site, { writer: { ...writer, account: noting } }));
    const [cursor] = await sql<{ height: number }>("select height::int from chain_cursor");
    expect(asked.slice(0, 2)).toEqual([cursor?.height, "number"]);
    expect(await stages()).toBe("1 sending");
  });

  it("gives out no number twice, even if a node does not know that it is used", async () => {
    const site = await arrange("account");
    const { writer } = site.node;
    const account = present(writer.account, "an account");
    const lagging = { ...account, nextSequence: () => Promise.resolve(0n) };
    const context = contextOf(site, { writer: { ...writer, account: lagging } });
    await ask(site, 2);
    await run(context);
    site.chain.mine();
    site.chain.mine();
    while (await readBlock(site, db));
    expect(await spends()).toBe("confirmed 1, confirmed 2");
    await askForPayout(site, { number: 7, currency: coinId, units: 1_000n, feeUnits: 20n });
    site.clock.advance(5);
    await run(context);
    const nonces = await sql("select nonce::int from spend_claim order by 1");
    expect(nonces).toEqual([0, 1, 2].map((nonce) => ({ nonce })));
  });

  it("makes recent payouts wait for others", async () => {
    const site = await arrange("coins");
    await askForPayout(site, { number: 0, currency: coinId, units: 1_000n, feeUnits: 20n });
    await run(contextOf(site));
    expect(await stages()).toBe("1 held");
  });

  it.each(["all", "chain/SIM"])(
    "holds back payouts while %s is paused, including drafted ones",
    async (scope) => {
      const site = await arrange("coins");
      await ask(site, 1);
      const stop = () =>
        sql(
          "insert into payout_stop (scope, reason, created_at) values ($1, 'test', '2026-01-01Z')",
          [scope],
        );
      await stop();
      await run(contextOf(site));
      expect(await stages()).toBe("1 held");

      await sql("delete from payout_stop");
      site.signer.faults.outage = true;
      const stopped = { ...contextOf(site).payouts, arePaused: () => Promise.resolve(true) };
      await expect(run(contextOf(site, { payouts: stopped }))).rejects.toThrow(Unavailable);
      site.signer.faults.outage = false;
      await run(contextOf(site, { payouts: stopped }));
      expect(await sql("select state from spend_attempt")).toEqual([{ state: "drafted" }]);
      expect(site.signer.journal).toEqual([]);
    },
  );

  it("ignores a pause of another chain", async () => {
    const site = await arrange("coins");
    await ask(site, 1);
    await sql(
      "insert into payout_stop (scope, reason, created_at) values ('chain/BTC', 'test', '2026-01-01Z')",
    );
    await run(contextOf(site));
    expect(await stages()).toBe("1 sending");
  });

  it("holds back only the payouts of a paused wallet or with pending screening", async () => {
    const site = await arrange("account");
    await ask(site, 3);
    await askForPayout(site, { number: 9, currency: tokenId, units: 10n, feeUnits: 20n });
    await sql("update wallet set payouts_blocked = true where id = $1", [
      site.wallets.get(tokenId)!,
    ]);
    await sql("update payout set risk_status = 2 where id = 1");
    await sql("update payout set risk_status = 3 where id = 2");
    await run(contextOf(site));
    expect(await stages()).toBe("1 held, 2 held, 3 sending, 4 held");
    await sql("update payout set released_at = '2026-01-01Z' where id = 2");
    await run(contextOf(site));
    expect(await stages()).toBe("1 held, 2 sending, 3 sending, 4 held");
  });

  it.each(["coins", "account"] as const)(
    "withdraws drafted payouts of a paused wallet that the signer has not seen: %s",
    async (funding) => {
      const site = await arrange(funding);
      await ask(site, 1);
      // Paused for all between drafting and signing, then for the wallet alone.
      const stopped = { ...contextOf(site).payouts, arePaused: () => Promise.resolve(true) };
      await run(contextOf(site, { payouts: stopped }));
      expect(await stages()).toBe("1 sending");
      const coinWallet = site.wallets.get(coinId)!;
      await sql("update wallet set payouts_blocked = true where id = $1", [coinWallet]);
      await run(contextOf(site));
      expect(site.signer.journal).toEqual([]);
      expect(await stages()).toBe("1 held");
      expect(await spends()).toBe("dropped -");
      await sql("update wallet set payouts_blocked = false");
      await run(contextOf(site));
      expect(await stages()).toBe("1 sending");
    },
  );

  it("sends other payouts of an account if the node has no answer for one", async () => {
    const site = await arrange("account");
    await ask(site, 3);
    const { writer } = site.node;
    const bad = site.addressing.depositAt(1_000, null).address;
    const account = present(writer.account, "accounts");
    const cause = new Unavailable("node", "execution timeout");
    const draftEach: typeof account.draftEach = async (address, payments, ...rest) => {
      const outcomes = await account.draftEach(address, payments, ...rest);
      return outcomes.map((outcome, place) =>
        payments[place]?.payment.destination.address === bad
          ? { kind: "unanswered", cause }
          : outcome,
      );
    };
    const context = contextOf(site, { writer: { ...writer, account: { ...account, draftEach } } });
    await expect(run(context)).rejects.toThrow("execution timeout");
    expect(await stages()).toBe("1 held, 2 sending, 3 sending");
  });

  it("looks for signed payouts even if the node has no answer for another payout", async () => {
    const site = await arrange("account");
    const [first = ""] = await ask(site, 3);
    const account = present(site.node.writer.account, "accounts");
    const cause = new Unavailable("node", "execution timeout");
    const good = site.addressing.depositAt(1_000, null).address;
    const readFrom: number[] = [];
    const context = contextOf(site, {
      signer: {
        ...site.signer,
        signedSpends: (chain, after) => {
          readFrom.push(after);
          return site.signer.signedSpends(chain, after);
        },
      },
      writer: {
        ...site.node.writer,
        account: {
          ...account,
          draftEach: async (address, payments, ...rest) => {
            const outcomes = await account.draftEach(address, payments, ...rest);
            return outcomes.map((outcome, place) =>
              payments[place]?.payment.destination.address === good
                ? outcome
                : { kind: "unanswered", cause },
            );
          },
        },
      },
    });
    const pipeline = createPayoutPipeline(context);
    await expect(pipeline(signal)).rejects.toThrow("execution timeout");
    // As in a database that has lost it.
    await sql("update payout set stage = 'held', spend_id = null, txid = null where id = $1", [
      first,
    ]);
    await expect(pipeline(signal)).rejects.toThrow("execution timeout");
    expect(readFrom.at(-1)).toBe(1);
    readFrom.length = 0;
    await expect(pipeline(signal)).rejects.toThrow("execution timeout");
    expect(readFrom[0]).toBe(0);
  });

  it("does not read the whole journal again for payouts that the signer's policy refuses", async () => {
    const site = await arrange("coins");
    const readFrom: number[] = [];
    const { signer } = site;
    const signedSpends: typeof signer.signedSpends = (chain, after) => {
      readFrom.push(after);
      return signer.signedSpends(chain, after);
    };
    const pipeline = createPayoutPipeline(contextOf(site, { signer: { ...signer, signedSpends } }));
    await ask(site, 1);
    await pipeline(signal);
    await pipeline(signal);
    readFrom.length = 0;
    for (let pass = 0; pass < 10; pass += 1) {
      const [id = ""] = await ask(site, 1);
      signer.forbidden.add(id);
      await pipeline(signal);
    }
    expect(await stages()).toContain("2 blocked, 3 blocked");
    expect(readFrom).not.toContain(0);
  });

  it("reads the whole journal again if the signer refuses a payout for which it has signed what the database lacks", async () => {
    const site = await arrange("coins");
    const { signer } = site;
    const readFrom: number[] = [];
    const signedSpends: typeof signer.signedSpends = (chain, after) => {
      readFrom.push(after);
      return signer.signedSpends(chain, after);
    };
    // It signs for the payout between the two.
    let isSigned = false;
    const sign: typeof signer.sign = (request) => {
      if (!isSigned) return signer.sign(request);
      return Promise.resolve({ kind: "refused", reason: "shares no claim" });
    };
    let answers = 0;
    const payoutsSigned: typeof signer.payoutsSigned = (ids) => {
      answers += isSigned ? 1 : 0;
      return answers === 1 ? Promise.resolve([]) : signer.payoutsSigned(ids);
    };
    const context = contextOf(site, { signer: { ...signer, signedSpends, sign }, payoutsSigned });
    const pipeline = createPayoutPipeline(context);
    await ask(site, 1);
    const backup = await takeBackup(database);
    await pipeline(signal);
    await pipeline(signal);
    await restoreBackup(database, backup);
    isSigned = true;
    await pipeline(signal);
    expect(await stages()).toBe("1 blocked");
    readFrom.length = 0;
    await pipeline(signal);
    expect(readFrom[0]).toBe(0);
    expect(await stages()).toBe("1 sending");
  });

  it.each([
    ["off the best chain", "1 sending"],
    ["of the best chain", "1 failed"],
  ])("handles a payout whose coins were used in a block %s: %s", async (which, after) => {
    const site = await arrange("coins");
    await ask(site, 1);
    const { height, hash } = site.chain.tip();
    const isStray = which === "off the best chain";
    const block = { height, hash: isStray ? "of another branch" : hash };
    const status = () => Promise.resolve({ kind: "conflicted", by: "stranger", block } as const);
    const context = contextOf(site, { writer: { ...site.node.writer, status } });
    await run(context);
    for (let mined = 0; mined < 3; mined += 1) site.chain.mine({ empty: true });
    while (await readBlock(site, db));
    site.clock.advance(context.settings.checkAfterSeconds);
    await run(context);
    expect(await stages()).toBe(after);
  });

  it.each([
    ["nothing", null, false],
    ["a block in or before which it was mined", null, true],
    ["its id and block", "stranger", true],
  ])(
    "fails, with its funds returned, once a person has decided about a spender of which nodes tell %s",
    async (_what, by, isLocated) => {
      await sql("truncate unexplained_spend");
      const site = await arrange("coins");
      await ask(site, 1);
      const block = isLocated ? site.chain.tip() : null;
      const status = () => Promise.resolve({ kind: "conflicted", by, block } as const);
      const context = contextOf(site, { writer: { ...site.node.writer, status } });
      await run(context);
      const held = async () =>
        (
          await sql<{ units: bigint }>(
            `select sum(case when credit ~ '/held$' then units else -units end) as units
           from posting where debit ~ '/held$' or credit ~ '/held$'`,
          )
        )[0]?.units;
      expect(await held()).toBe(1_020n);
      const { height, hash } = site.chain.tip();
      await sql(
        `insert into unexplained_spend (chain, txid, claims, payments, block_height, block_hash, seen_at)
       select chain, 'stranger', array(select jsonb_array_elements_text(draft -> 'claims')), '[]', $1, $2, now()
       from spend_attempt`,
        [height, hash],
      );
      const check = async () => {
        for (let mined = 0; mined < 3; mined += 1) site.chain.mine({ empty: true });
        while (await readBlock(site, db));
        site.clock.advance(context.settings.checkAfterSeconds);
        await run(context);
      };
      await check();
      expect(await stages()).toBe("1 sending");
      await sql("update unexplained_spend set decided_at = now()");
      await check();
      expect(await stages()).toBe("1 failed");
      expect(await held()).toBe(0n);
    },
  );

  it("drafts fewer payments at once for a node that times out on many", async () => {
    const site = await arrange("account");
    await ask(site, 4);
    const account = present(site.node.writer.account, "accounts");
    const requests: number[] = [];
    const draftEach: typeof account.draftEach = (address, payments, ...rest) => {
      requests.push(payments.length);
      return payments.length > 1
        ? Promise.reject(new Unavailable("node", "too many requests"))
        : account.draftEach(address, payments, ...rest);
    };
    const writer = { ...site.node.writer, account: { ...account, draftEach } };
    const pipeline = createPayoutPipeline(contextOf(site, { writer }));
    for (let pass = 0; pass < 8; pass += 1) await pipeline(signal).catch(() => undefined);
    expect(requests.slice(0, 3)).toEqual([4, 2, 1]);
    expect(await stages()).toBe("1 sending, 2 sending, 3 sending, 4 sending");
  });

  it("makes payouts that the balance does not cover wait, and sends others before them", async () => {
    const site = await arrange("account");
    await ask(site, 1, floatUnits - 1_000n);
    // Someone else took most of the account's funds.
    site.chain.submit({
      txid: "away",
      claims: [`${site.hot!}#0`],
      feeUnits: 20n,
      validity: null,
      account: { sender: site.hot!, nonce: 0, through: null, lender: null },
      outputs: [{ address: "elsewhere", units: floatUnits / 2n, currency: coinId }],
    });
    site.chain.mine();
    await askForPayout(site, { number: 1, currency: tokenId, units: 10n, feeUnits: 20n });
    await run(contextOf(site));
    expect(await stages()).toBe("1 held, 2 sending");
    expect(await readPayoutDemand(db, "SIM")).toEqual([
      { currency: coinId, units: floatUnits - 980n },
    ]);
  });

  it("spends pending funds once", async () => {
    const site = await arrange("account");
    await ask(site, 1, (floatUnits * 4n) / 5n);
    await run(contextOf(site));
    // The ledger covers it; the account does not until the first one is in a block.
    await sql("update wallet_balance set available = available + $1", [floatUnits]);
    await ask(site, 1, floatUnits / 2n);
    await run(contextOf(site));
    expect(await stages()).toBe("1 sending, 2 held");
  });

  it("blocks a payout that the chain would reject, with the reason, and pays the rest of its batch", async () => {
    const site = await arrange("coins");
    await ask(site, 3);
    const { writer } = site.node;
    const bad = site.addressing.depositAt(1_001, null).address;
    const context = contextOf(site, {
      writer: {
        ...writer,
        draft: (request, aborted): Promise<DraftOutcome> =>
          request.payments.some(({ destination }) => destination.address === bad)
            ? Promise.resolve({ kind: "impossible", reason: "below dust" })
            : writer.draft(request, aborted),
      },
    });
    await run(context);
    expect(await stages()).toBe("1 sending, 2 blocked, 3 sending");
    expect(await sql("select message from payout where id = 2")).toEqual([
      { message: "Below dust" },
    ]);
  });

  it("makes payouts wait while fees are above the ceiling", async () => {
    const site = await arrange("coins");
    await ask(site, 2);
    const { writer } = site.node;
    const draft = (): Promise<DraftOutcome> =>
      Promise.resolve({ kind: "tooExpensive", feeUnits: 9n });
    await run(contextOf(site, { writer: { ...writer, draft } }));
    expect(await stages()).toBe("1 held, 2 held");
  });

  it("tries payouts alone after the signer refuses a batch, blocks the one that it refuses, and drafts it again once released", async () => {
    const site = await arrange("coins");
    const ids = await ask(site, 3);
    site.signer.forbidden.add(ids[1]!);
    const pipeline = createPayoutPipeline(contextOf(site));
    await pipeline(signal);
    expect(await stages()).toBe("1 held, 2 held, 3 held");
    site.clock.advance(5);
    await pipeline(signal);
    expect(await stages()).toBe("1 sending, 2 blocked, 3 sending");
    expect(await spends()).toBe("dropped -, open 1, dropped -, open 3");
    const [blocked] = await sql<{ message: string }>("select message from payout where id = 2");
    expect(blocked?.message).toBe("The signer rejected this payout: forbidden by policy");
    const held = await sql("select from spend_claim where is_live and spend_id in (1, 3)");
    expect(held).toEqual([]);
    site.signer.forbidden.clear();
    const now = site.clock.now();
    const release = (payout: Payout): Payout => ({ ...payout, stage: "held", releasedAt: now });
    await db.transaction((tx) => changePayouts(tx, contextOf(site), ["2"], release, now));
    await pipeline(signal);
    expect(await stages()).toBe("1 sending, 2 sending, 3 sending");
  });

  it("loses nothing while the signer is away, and signs the same draft afterwards", async () => {
    const site = await arrange("coins");
    await ask(site, 1);
    const { sign } = site.signer;
    const away = {
      ...site.signer,
      sign: async (request: Parameters<typeof sign>[0]) => {
        await sign(request);
        throw new Unavailable("signer", "no answer");
      },
    };
    await expect(run(contextOf(site, { signer: away }))).rejects.toThrow(Unavailable);
    expect(await sql("select state from spend_attempt")).toEqual([{ state: "signing" }]);
    await run(contextOf(site));
    expect(site.signer.journal).toHaveLength(1);
    expect(site.chain.mempool().map(({ txid }) => txid)).toEqual([site.signer.journal[0]!.txid]);
  });

  const verdicts: readonly (readonly [ScreeningResult | null, string])[] = [
    [{ risk: 1, verdict: "green" }, "1 sending"],
    [{ risk: 99, verdict: "red" }, "1 blocked"],
    [null, "1 held"],
  ];

  it.each(verdicts)("screens a payout before drafting it: %j, then %s", async (result, after) => {
    const site = await arrange("coins");
    await ask(site, 1);
    await sql("update payout set risk_status = 2");
    const context = contextOf(site);
    const provider = {
      name: "test",
      screen: () =>
        result === null ? Promise.reject(new Unavailable("test", "off")) : Promise.resolve(result),
    };
    const screening = screenPayouts({ ...context, provider }, signal);
    await (result === null ? expect(screening).rejects.toThrow(Unavailable) : screening);
    await run(context);
    expect(await stages()).toBe(after);
  });

  it("pays what is queued after screening was removed from the configuration", async () => {
    const site = await arrange("coins");
    await ask(site, 1);
    await sql("update payout set risk_status = 2");
    const context = contextOf(site);
    await screenPayouts({ ...context, provider: null }, signal);
    await run(context);
    expect(await stages()).toBe("1 sending");
    expect(await sql("select risk_status::int from payout")).toEqual([{ risk_status: 4 }]);
  });
});
