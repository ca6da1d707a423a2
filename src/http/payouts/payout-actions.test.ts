import { describe, expect, it } from "vitest";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  ownerOf,
  readBalance,
  testCurrencies,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { fund } from "../../../test/support/payout-world.ts";
import { usePayouts } from "../../../test/support/use-payouts.ts";
import type { Principal } from "../../accounts/principal.ts";
import { changePayouts } from "../../payouts/change-payouts.ts";
import type { Payout } from "../../payouts/payout.ts";
import { payoutIntent } from "../../payouts/send/payout-intent.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { approvalMessage } from "../../signer/intent.ts";

/* Changing, approving, canceling and releasing payouts over the real server and database: who may do what in which state. */

const { database, world, payouts, account, ask, member } = usePayouts();
const { make, learn, read, spends } = payouts;
/** Creates payouts that wait for approval. */
const asker = (): Principal => member("withdrawals_with_approval", "5");
const admin = (): Principal => member("admin", "2");

const patch = (id: string, attributes: JsonObject): JsonObject => ({
  data: { type: "payout", id, attributes },
});

describe("payout actions", () => {
  describe("PATCH /payout/{id}/", () => {
    it("changes and clears label and tracking_id, and leaves other members unchanged", async () => {
      const { id } = await make(account.wallet, { attributes: { label: "old", tracking_id: "a" } });
      const first = await ask(
        "PATCH",
        `/payout/${id}/`,
        account.owner,
        patch(id, { label: "new" }),
      );
      expect(first.one.attributes).toMatchObject({ label: "new", tracking_id: "a" });
      const second = await ask(
        "PATCH",
        `/payout/${id}/`,
        account.owner,
        patch(id, { tracking_id: "" }),
      );
      expect(second.one.attributes).toMatchObject({ label: "new", tracking_id: null });
    });

    it("returns 400/4012 for a tracking_id of another payout of the wallet, but not for its own or another wallet's", async () => {
      const one = await make(account.wallet, { attributes: { tracking_id: "taken" } });
      const { id } = await make(account.wallet);
      await learn(one.id, { stage: "cancelled", status: 3 });
      const body = patch(id, { tracking_id: "taken" });
      expect(faults(await ask("PATCH", `/payout/${id}/`, account.owner, body))).toEqual([
        "400",
        "4012 /data/attributes/tracking_id",
      ]);
      const own = patch(one.id, { tracking_id: "taken" });
      expect((await ask("PATCH", `/payout/${one.id}/`, account.owner, own)).status).toBe(200);
      const other = await arrangeWallet(world, { accountId: account.wallet.accountId });
      await fund(world, other, "1");
      const elsewhere = await make(other);
      const there = patch(elsewhere.id, { tracking_id: "taken" });
      expect((await ask("PATCH", `/payout/${elsewhere.id}/`, account.owner, there)).status).toBe(
        200,
      );
    });

    it("gives a tracking_id to one of several concurrent requests", async () => {
      const made = await Promise.all(Array.from({ length: 8 }, () => make(account.wallet)));
      const answers = await Promise.all(
        made.map(({ id }) =>
          ask("PATCH", `/payout/${id}/`, account.owner, patch(id, { tracking_id: "wanted" })),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([
        200,
        ...made.slice(1).map(() => 400),
      ]);
    });

    it("rejects callers who may not pay from the wallet", async () => {
      const { id } = await make(account.wallet);
      const body = patch(id, { label: "x" });
      const faultsOf = async (as: Principal) =>
        faults(await ask("PATCH", `/payout/${id}/`, as, body));
      expect(await faultsOf(member("read_only", "2"))).toEqual(["403", "permission_denied"]);
      const rights = new Map([[account.wallet.walletId, { mayPay: false }]]);
      expect(await faultsOf({ ...admin(), wallets: rights })).toEqual(["400", "4002"]);
      expect(await faultsOf({ ...admin(), wallets: new Map() })).toEqual(["400", "5001"]);
      expect(await faultsOf(ownerOf((await arrangeWallet(world)).accountId))).toEqual([
        "404",
        "404",
      ]);
      const long = patch(id, { label: "x".repeat(33), tracking_id: "x".repeat(129) });
      expect(faults(await ask("PATCH", `/payout/${id}/`, account.owner, long))).toEqual([
        "400",
        "1007 /data/attributes/label",
        "1007 /data/attributes/tracking_id",
      ]);
    });
  });

  describe("POST /payout/{id}/approve/", () => {
    const approve = (id: string, as: Principal) => ask("POST", `/payout/${id}/approve/`, as);

    it("lets another member approve, with a signature over the payment", async () => {
      const waiting = await make(account.wallet, { as: asker() });
      expect([waiting.status, waiting.stage, waiting.approval]).toEqual([1, "waiting", null]);
      const { status, one } = await approve(waiting.id, admin());
      expect([status, one.attributes["status"]]).toEqual([200, 2]);
      const approved = await read(waiting);
      expect(approved).toMatchObject({ stage: "held", approvedByMemberId: "2" });
      const intent = payoutIntent(approved, testCurrencies.get("1002"));
      expect(Buffer.from(approved.approval ?? "")).toEqual(Buffer.from(approvalMessage(intent)));
      expect(faults(await approve(waiting.id, admin()))).toEqual(["400", "1007"]);
      await expectBooksToBalance(database);
    });

    it("rejects the creator in any role, and members who may not pay from the wallet", async () => {
      const { id } = await make(account.wallet, { as: asker() });
      const rights = new Map([[account.wallet.walletId, { mayPay: false }]]);
      const refused: readonly [Principal, string, string][] = [
        [asker(), "403", "permission_denied"],
        [member("owner", "5"), "403", "permission_denied"],
        [member("withdrawals_with_approval", "6"), "403", "permission_denied"],
        [member("read_only", "7"), "403", "permission_denied"],
        [{ ...admin(), wallets: rights }, "400", "4002"],
        [{ ...admin(), wallets: new Map() }, "400", "5001"],
        [ownerOf((await arrangeWallet(world)).accountId), "404", "404"],
      ];
      for (const [as, status, code] of refused) {
        expect(faults(await approve(id, as))).toEqual([status, code]);
      }
      expect((await approve(id, member("withdrawals", "8"))).status).toBe(200);
    });

    it("moves an internal payout's funds at once", async () => {
      const target = await arrangeWallet(world, { accountId: account.wallet.accountId });
      const deposit = await arrangeDeposit(world, await arrangeWallet(world));
      const toWallet = await make(account.wallet, {
        as: asker(),
        attributes: { address: undefined, target_wallet: target.walletId, fee_amount: undefined },
      });
      const toDeposit = await make(account.wallet, {
        as: asker(),
        attributes: {
          address: deposit.address,
          fee_amount: undefined,
          callback_url: "https://s.example/",
        },
      });
      expect((await read(toDeposit)).stage).toBe("waiting");
      for (const { id } of [toWallet, toDeposit])
        expect((await approve(id, admin())).status).toBe(200);
      expect(await readBalance(world, target)).toMatchObject({ available: 10n ** 17n });
      expect(await readBalance(world, deposit)).toMatchObject({ available: 10n ** 17n });
      expect(await read(toDeposit)).toMatchObject({ stage: "internal", isConfirmed: true });
      const [callback] = await database.sql<{ trigger: string }>(
        "select trigger from event where object_type = 'payout' and object_id = $1",
        [toDeposit.id],
      );
      expect(callback?.trigger).toBe("confirmed");
      await expectBooksToBalance(database);
    });

    it.each<[string, string, [string, string]]>([
      [
        "all",
        "insert into payout_stop values ('all', false, 'test', '2026-01-01Z')",
        ["403", "3019"],
      ],
      [
        "of its chain",
        "insert into payout_stop values ('chain/ETH', false, 'test', '2026-01-01Z')",
        ["403", "3019"],
      ],
      ["of its wallet", "update wallet set payouts_blocked = true where id = $1", ["403", "3019"]],
      [
        "by reconciliation",
        "insert into payout_stop values ('chain/ETH', true, 'test', '2026-01-01Z')",
        ["403", "3019"],
      ],
    ])("moves no internal funds while payouts are paused: %s", async (_which, stop, fault) => {
      const target = await arrangeWallet(world, { accountId: account.wallet.accountId });
      const { id } = await make(account.wallet, {
        as: asker(),
        attributes: { address: undefined, target_wallet: target.walletId, fee_amount: undefined },
      });
      await database.sql(stop, stop.includes("$1") ? [account.wallet.walletId] : []);
      const refused = await approve(id, admin());
      await database.sql("delete from payout_stop");
      await database.sql("update wallet set payouts_blocked = false");
      expect(faults(refused)).toEqual(fault);
      expect(refused.errors[0]?.detail).toMatch(/paused: (?:kill switch|reconciliation)/);
      expect(await readBalance(world, target)).toMatchObject({ available: 0n });
      expect((await approve(id, admin())).status).toBe(200);
    });

    it("lets one of two concurrent approvals succeed", async () => {
      const { id } = await make(account.wallet, { as: asker() });
      const answers = await Promise.all([approve(id, admin()), approve(id, member("owner", "3"))]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    });
  });

  describe("POST /payout/{id}/cancel/", () => {
    const cancel = (id: string, as = account.owner) => ask("POST", `/payout/${id}/cancel/`, as);
    const full = 10n ** 19n;

    it("returns the funds of a waiting and of an approved payout", async () => {
      for (const as of [asker(), account.owner]) {
        const { id } = await make(account.wallet, { as });
        const { status, one } = await cancel(id, as);
        expect([status, one.attributes["status"]]).toEqual([200, 3]);
        expect(faults(await cancel(id, as))).toEqual(["400", "1007"]);
      }
      expect(await readBalance(world, account.wallet)).toMatchObject({ available: full });
      await expectBooksToBalance(database);
    });

    it("withdraws a payout from an unsigned spend, and from no other", async () => {
      const { id } = await make(account.wallet);
      await learn(id, { stage: "sending", spendId: "77" });
      expect(faults(await cancel(id))).toEqual(["400", "1007"]);
      spends.withdraw = async (tx) => {
        const now = world.clock.now();
        const back = (payout: Payout): Payout => ({ ...payout, stage: "held", spendId: null });
        await changePayouts(tx, world.context, [id], back, now);
        return true;
      };
      expect((await cancel(id)).status).toBe(200);
      expect(spends.withdrawn.slice(-2)).toEqual(["77", "77"]);
      expect(await readBalance(world, account.wallet)).toMatchObject({ available: full });
    });

    it("rejects a payout that is paid or has failed", async () => {
      const block = { height: 7, hash: "b7" };
      const states: readonly Partial<Payout>[] = [
        { stage: "included", block },
        { stage: "failed", block },
      ];
      for (const facts of states) {
        const { id } = await make(account.wallet);
        await learn(id, facts);
        expect(faults(await cancel(id))).toEqual(["400", "1007"]);
      }
    });

    it("cancels a blocked payout, and lets members with approval cancel only their own", async () => {
      const blocked = await make(account.wallet);
      await learn(blocked.id, { stage: "blocked", message: "risk 91" });
      expect(faults(await cancel(blocked.id, asker()))).toEqual(["403", "permission_denied"]);
      expect((await cancel(blocked.id, admin())).status).toBe(200);
      expect(faults(await cancel(blocked.id, member("read_only", "2")))).toEqual([
        "403",
        "permission_denied",
      ]);
    });
  });

  it("shows on its transfer why it is blocked, and lets an operator release it with a reason", async () => {
    const payout = await make(account.wallet);
    await learn(payout.id, { stage: "blocked", riskStatus: 3, risk: 91, message: "risk 91" });
    const url = `/transfer/${payout.transferId}/`;
    expect((await ask("GET", url)).one.attributes).toMatchObject({
      op_id: Number(payout.id),
      op_type: 2,
      status: -2,
      risk: 91,
      message: "risk 91",
      amount: "0.100000000000000000",
      amount_cleared: "0.100000000000000000",
      txid: null,
      fee: "0.000000000000000200",
    });
    const body = { data: { type: "transfer", attributes: { reason: "Checked manually" } } };
    const release = (by = account.owner) => ask("POST", `${url}release/`, by, body);
    expect(faults(await release())).toEqual(["403", "permission_denied"]);
    await database.sql("update account set is_operator = true where id = $1", [
      account.wallet.accountId,
    ]);
    expect(faults(await release(asker()))).toEqual(["403", "permission_denied"]);
    const { one } = await release();
    expect(one.attributes).toMatchObject({ status: 0, message: null });
    expect((await read(payout)).stage).toBe("held");
    expect(
      await database.sql(
        "select action, object_type, object_id from audit_entry where account_id = $1 order by seq desc limit 1",
        [account.wallet.accountId],
      ),
    ).toEqual([{ action: "payout.released", object_type: "payout", object_id: payout.id }]);
    expect(faults(await release())).toEqual(["400", "1007"]);
    const listed = await ask("GET", `/transfer/?filter[op_id]=${payout.id}&filter[op_type]=2`);
    expect(listed.resources.map(({ id }) => id)).toEqual([payout.transferId]);
  });
});
