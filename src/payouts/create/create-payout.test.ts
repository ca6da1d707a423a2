import { beforeAll, describe, expect, it } from "vitest";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeWallet,
  depositWorld,
  ownerOf,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { mutationOf } from "../../../test/support/mutate-json.ts";
import { newPayout } from "../../../test/support/payout-records.ts";
import {
  fund,
  newPayoutDocument,
  payoutDigest,
  payoutWorld,
  postPayout,
} from "../../../test/support/payout-world.ts";
import { fc } from "../../../test/support/property.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";

/*
 * Concurrent creations by two processes (each with its own batches) on one database. In any order, a key creates one
 * payout, a balance is held once, and the ledger agrees with the responses.
 */

const database = useDatabase();
const world = depositWorld(database);
const processes = [payoutWorld(world), payoutWorld(world)];
const one = processes[0]!;
const either = (index: number) => processes[index % 2]!;

async function arrangeFunded(amount: string): Promise<Wallet> {
  const wallet = await arrangeWallet(world);
  await fund(world, wallet, amount);
  return wallet;
}

async function balanceOf({ walletId }: Wallet) {
  const [row] = await database.sql<{ available: bigint; held: bigint }>(
    "select available, held from wallet_balance where wallet_id = $1",
    [walletId],
  );
  return row!;
}

const countOf = async (wallet: Wallet): Promise<number> => {
  const rows = await database.sql("select from payout where wallet_id = $1", [wallet.walletId]);
  return rows.length;
};

const oneHold = 100_000_000_000_000_200n;

describe("createPayout", () => {
  describe("concurrent requests", () => {
    it("create one payout from 50 identical requests and name it to the others", async () => {
      const wallet = await arrangeFunded("10");
      const key = systemRandom.uuid();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          postPayout(either(index), wallet, { key, attributes: { tracking_id: "only once" } }),
        ),
      );
      const created = answers.filter(({ status }) => status === 201);
      expect(created).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 201);
      for (const answer of others) {
        expect(faults(answer)).toEqual(["409", "1004 idempotency-key"]);
        expect(answer.errors[0]!.meta).toEqual({ payout_id: created[0]!.one.id });
      }
      expect(await countOf(wallet)).toBe(1);
      expect((await balanceOf(wallet)).held).toBe(oneHold);
    });

    it("let one of several requests with the same key succeed, and never a rejected one", async () => {
      const wallet = await arrangeFunded("1");
      const key = systemRandom.uuid();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          postPayout(either(index), wallet, {
            key,
            attributes: { amount: index % 2 === 0 ? "5" : `0.1${index}` },
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const { status, errors } of answers) {
        if (status === 409) expect(errors[0]!.meta).toBeUndefined();
        else if (status !== 201) expect(errors[0]!.code).toBe("4008");
      }
      expect(await countOf(wallet)).toBe(1);
    });

    it("pass the key of a rejected request to the next one in the same batch", async () => {
      const wallet = await arrangeFunded("0.000000000000001");
      const [mine, shared] = [systemRandom.uuid(), systemRandom.uuid()];
      const write = (key: string, chargedUnits: bigint) =>
        one.context.write({
          terms: newPayout({ ...wallet, feeWalletId: wallet.walletId, chargedUnits, feeUnits: 0n }),
          use: { accountId: wallet.accountId, key, fingerprint: new Uint8Array(32) },
          target: null,
          limits: [],
          listed: null,
          incoming: null,
          needsApproval: false,
          findRate: one.context.findRate,
          person: null,
          travelRule: { beneficiary: { beneficiaryPersons: [] } },
        });
      const outcomes = await Promise.all([
        ...[write(mine, 900n), write(shared, 800n), write(shared, 100n), write(shared, 0n)],
      ]);
      expect(outcomes.map(({ kind }) => kind)).toEqual([
        ...["created", "insufficientFunds", "created", "keyUsed"],
      ]);
      expect(await balanceOf(wallet)).toEqual({ available: 0n, held: 1_000n });
    });

    it("create exactly the half of 240 payouts that the balance covers, without an overdraft", async () => {
      const wallet = await arrangeFunded("12.0000000000000240");
      const beside = await arrangeFunded("10");
      const answers = await Promise.all(
        Array.from({ length: 260 }, (_, index) =>
          postPayout(either(index), index % 13 === 12 ? beside : wallet),
        ),
      );
      const [mine, others] = [
        answers.filter((_, index) => index % 13 !== 12),
        answers.filter((_, index) => index % 13 === 12),
      ];
      expect(others.every(({ status }) => status === 201)).toBe(true);
      expect(mine).toHaveLength(240);
      expect(mine.filter(({ status }) => status === 201)).toHaveLength(120);
      for (const answer of mine) {
        if (answer.status !== 201) {
          expect(faults(answer)).toEqual(["400", "4008 /data/attributes/amount"]);
        }
      }
      expect(await balanceOf(wallet)).toEqual({ available: 0n, held: 120n * oneHold });
      const keys = await database.sql(
        "select from payout_key where payout_id in (select id from payout where wallet_id = $1)",
        [wallet.walletId],
      );
      expect(keys).toHaveLength(120);
      const strays = await database.sql(
        "select from payout_key where not exists (select from payout where id = payout_id)",
      );
      expect(strays).toEqual([]);
      await expectBooksToBalance(database);
    });

    it("give a tracking id to one payout", async () => {
      const wallet = await arrangeFunded("10");
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          postPayout(either(index), wallet, { attributes: { tracking_id: "order 7" } }),
        ),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const answer of answers) {
        if (answer.status !== 201) {
          expect(faults(answer)).toEqual(["400", "4012 /data/attributes/tracking_id"]);
        }
      }
    });

    it("do not deadlock wallets that pay each other internally", async () => {
      const left = await arrangeFunded("10");
      const right = await arrangeWallet(world, { accountId: left.accountId });
      await fund(world, right, "10");
      const pairs = [
        [left, right],
        [right, left],
      ] as const;
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) => {
          const [from, to] = pairs[index % 2]!;
          const attributes = { address: undefined, target_wallet: to.walletId };
          return postPayout(either(index >> 1), from, { attributes });
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      const full = { available: 10n ** 19n, held: 0n };
      expect([await balanceOf(left), await balanceOf(right)]).toEqual([full, full]);
      await expectBooksToBalance(database);
    });
  });

  it("does not use the key of a rejected request, and uses that of an accepted one permanently", async () => {
    const wallet = await arrangeFunded("1");
    const key = systemRandom.uuid();
    const post = (amount: string) => postPayout(one, wallet, { key, attributes: { amount } });
    expect(faults(await post("0"))[0]).toBe("400");
    expect(faults(await post("5"))).toEqual(["400", "4008 /data/attributes/amount"]);
    expect((await post("0.5")).status).toBe(201);
    expect(faults(await post("0.5"))[0]).toBe("409");
  });

  describe("malformed documents", () => {
    let wallet: Wallet;
    beforeAll(async () => {
      wallet = await arrangeFunded("1000");
    });

    it("are rejected properly or create one payout each, never a 5xx", async () => {
      const document = newPayoutDocument(wallet.walletId, {
        label: "a",
        tracking_id: undefined,
        confirmations_needed: 3,
        tag: null,
        callback_url: "https://shop.example/",
        is_fee_included: false,
      });
      const before = await payoutDigest(database);
      let made = 0;
      await fc.assert(
        fc.asyncProperty(mutationOf(document), async (body) => {
          const answer = await one.api.ask("POST", "/payout/", {
            body,
            as: ownerOf(wallet.accountId),
            headers: { "idempotency-key": systemRandom.uuid() },
          });
          expect([201, 400, 403, 409, 413]).toContain(answer.status);
          if (answer.status === 201) made += 1;
        }),
        { numRuns: 400 },
      );
      expect(made).toBeGreaterThan(0);
      const after = await payoutDigest(database);
      expect(Number(after!["payouts"]) - Number(before!["payouts"])).toBe(made);
      expect(Number(after!["keys"]) - Number(before!["keys"])).toBe(made);
      await expectBooksToBalance(database);
    });
  });
});
