import { describe, expect, it } from "vitest";
import { expectBooksToBalance, ledgerSums } from "../../../test/support/check-books.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  eth,
  payment,
  readBalance,
  readDeposit,
  readEvents,
  readTransfers,
} from "../../../test/support/deposit-world.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { noOwnActivity } from "../../chains/block-sink.ts";
import type { SecondOpinion } from "../../chains/chain-adapter.ts";
import type { Transfer } from "../../chains/port.ts";
import { depositStatus } from "../deposit-status.ts";
import { askSecondOpinions } from "./ask-second-opinions.ts";
import { decideReported } from "./decide-reported.ts";

/*
 * Payments of which a part can never be paid out, since tokens that came with it keep it. Merchants are credited the rest. The books have all of
 * it, so that they agree with the chain.
 */

const database = useDatabase();
const ether = 10n ** 18n;

async function booked(account: string): Promise<bigint> {
  const [sum] = await ledgerSums(database, `${account}/${eth}`);
  return sum?.units ?? 0n;
}

async function arrange(
  options: Parameters<typeof arrangeDeposit>[2] = {},
  settings: Parameters<typeof depositWorld>[1] = {},
) {
  const world = depositWorld(database, settings);
  const chain = await announceChain(world, "ETH");
  const wallet = await arrangeWallet(world, { type: walletType.merchant, currency: eth });
  const deposit = await arrangeDeposit(world, wallet, options);
  const before = { chain: await booked("chain"), dust: await booked("dust") };
  /** What changed on the chain and in dust, and the wallet's balance. */
  const now = async () => {
    const { available, pending } = await readBalance(world, wallet);
    return {
      chain: (await booked("chain")) - before.chain,
      dust: before.dust - (await booked("dust")),
      available,
      pending,
    };
  };
  return { world, chain, wallet, deposit, now };
}

describe("a payment of which a part is withheld", () => {
  it("is credited the rest, in the mempool, in blocks and after a reorg", async () => {
    const { world, chain, deposit, now } = await arrange();
    const hit = payment({ deposit, amount: "1", withheld: "0.25" });
    const [rest, part] = [(ether * 3n) / 4n, ether / 4n];
    await chain.see([hit]);
    expect(await now()).toEqual({ chain: 0n, dust: part, available: 0n, pending: rest });
    await chain.append([hit]);
    const waiting = { chain: ether, dust: part, available: 0n, pending: rest };
    expect(await now()).toEqual(waiting);
    await chain.grow(2);
    expect(await now()).toEqual({ chain: ether, dust: part, available: rest, pending: 0n });
    expect((await readDeposit(world, deposit)).sums).toMatchObject({
      sourcePaid: rest,
      targetPaid: rest,
    });
    expect(await readTransfers(world, deposit)).toMatchObject([
      { units: rest, withheldUnits: part, disposition: "credited" },
    ]);
    for (let depth = 0; depth < 3; depth += 1) await chain.orphan();
    expect(await now()).toEqual({ chain: 0n, dust: part, available: 0n, pending: rest });
    await chain.append([hit]);
    expect(await now()).toEqual(waiting);
    await chain.orphan();
    await chain.conflict(hit.transfer.key.txid);
    expect(await now()).toEqual({ chain: 0n, dust: 0n, available: 0n, pending: 0n });
    await expectBooksToBalance(database);
  });

  it("does not pay an amount that only all of it would pay", async () => {
    const { world, chain, deposit } = await arrange({ requested: "1" });
    await chain.append([payment({ deposit, amount: "1", withheld: "0.25" })]);
    await chain.grow(2);
    expect((await readDeposit(world, deposit)).status).toBe(depositStatus.created);
    await chain.append([payment({ deposit, amount: "0.5", withheld: "0.25" })]);
    await chain.grow(2);
    expect((await readDeposit(world, deposit)).status).toBe(depositStatus.paid);
    await expectBooksToBalance(database);
  });

  it("is dust if nothing is left of it, and credits nobody", async () => {
    const { world, chain, deposit, now } = await arrange();
    await chain.append([
      payment({ deposit, amount: "1", withheld: "1" }),
      payment({ deposit, amount: "1", withheld: "0.999999999" }),
    ]);
    await chain.grow(2);
    expect(await now()).toEqual({
      chain: 2n * ether,
      dust: 2n * ether,
      available: 0n,
      pending: 0n,
    });
    expect(await readTransfers(world, deposit)).toMatchObject([
      { units: 0n, withheldUnits: ether, disposition: "dust" },
      { units: 10n ** 9n, disposition: "dust" },
    ]);
    expect(await readEvents(world, deposit)).toEqual(["dust (feed)", "dust (feed)"]);
    await chain.orphan();
    await chain.orphan();
    await chain.orphan();
    expect((await now()).chain).toBe(0n);
    await expectBooksToBalance(database);
  });

  it("agrees with the chain while its deposit decides later, and is credited the rest then", async () => {
    const { world, chain, deposit, now } = await arrange();
    const count = 201;
    const hits = Array.from({ length: count }, (_, index) =>
      payment({ deposit, amount: "1", withheld: "0.25", txid: `many ${deposit.id}`, index }),
    );
    const block = { ...chain.tip(), height: chain.tip().height + 1, hash: `later ${deposit.id}` };
    const all = BigInt(count) * ether;
    await database.db.transaction((tx) =>
      world.sink.appended(tx, "ETH", block, hits, world.clock.now(), noOwnActivity),
    );
    expect(await now()).toEqual({ chain: all, dust: 0n, available: 0n, pending: 0n });
    await decideReported(world.context, new AbortController().signal);
    const decided = { chain: all, dust: all / 4n, available: 0n, pending: (all * 3n) / 4n };
    expect(await now()).toEqual(decided);
    await database.db.transaction((tx) => world.sink.orphaned(tx, "ETH", block, world.clock.now()));
    expect((await now()).chain).toBe(0n);
    await decideReported(world.context, new AbortController().signal);
    expect(await now()).toEqual({ ...decided, chain: 0n });
    await expectBooksToBalance(database);
  });

  it("is shown to other nodes as it arrived, or as it was recorded before anything was withheld", async () => {
    const { world, chain, deposit, now } = await arrange({}, { needsOpinion: () => true });
    const txid = `vouched ${deposit.id}`;
    const hits = [
      payment({ deposit, amount: "1", txid, index: 0, withheld: "0.25" }),
      payment({ deposit, amount: "1", txid, index: 1, withheld: "0" }),
      payment({ deposit, amount: "1", txid, index: 2 }),
    ];
    await chain.append(hits);
    await chain.grow(2);
    expect((await now()).available).toBe(0n);
    const asked: Transfer[] = [];
    const secondOpinion: SecondOpinion = {
      chain: "ETH",
      confirmTransfers: (_block, due) => {
        asked.push(...due.map(({ transfer }) => transfer));
        return Promise.resolve(due);
      },
      rememberTransfers: null,
      confirmReceipts: () => Promise.resolve([]),
      recordDoubts: () => Promise.resolve(),
    };
    await askSecondOpinions({ ...world.context, secondOpinion }, new AbortController().signal);
    expect(asked).toEqual(hits.map(({ transfer }) => transfer));
    expect((await now()).available).toBe((ether * 11n) / 4n);
    await expectBooksToBalance(database);
  });

  it("keeps what was credited before anything was withheld, also after a reorg", async () => {
    const { world, chain, deposit, now } = await arrange();
    const txid = `old ${deposit.id}`;
    await chain.append([payment({ deposit, amount: "1", txid })]);
    await chain.grow(2);
    for (let depth = 0; depth < 3; depth += 1) await chain.orphan();
    await chain.append([payment({ deposit, amount: "1", txid, withheld: "0.25" })]);
    await chain.grow(2);
    expect(await now()).toEqual({ chain: ether, dust: 0n, available: ether, pending: 0n });
    expect(await readTransfers(world, deposit)).toMatchObject([
      { units: ether, withheldUnits: null },
    ]);
    await expectBooksToBalance(database);
  });
});
