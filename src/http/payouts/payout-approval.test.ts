import { describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { arrangeWallet, ownerOf } from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { fund, payoutSeal } from "../../../test/support/payout-world.ts";
import { usePayouts } from "../../../test/support/use-payouts.ts";
import type { Principal, Role } from "../../accounts/principal.ts";
import { payoutApprovalRoutes } from "./payout-approval.ts";

/*
 * The approval queue over the real server and database: who created each payout, and whether the caller may approve or cancel it.
 * The answers are compared with what the attempts return.
 */

const { database, world, payouts, account } = usePayouts();
const approvals = apiServer(
  payoutApprovalRoutes({ ...world.context, seal: payoutSeal, approverMinAgeSeconds: 0 }),
  {
    clock: world.clock,
  },
);

async function member(role: Role, name: string, wallets: Principal["wallets"] = "all") {
  const [row] = await database.sql<{ id: string }>(
    `insert into member (account_id, name, role, created_at) values ($1, $2, $3, '2026-01-01Z') returning id`,
    [account.wallet.accountId, name, role],
  );
  return { ...account.owner, memberId: row?.id ?? "", role, wallets };
}

const shown = async (id: string, as: Principal) =>
  (await approvals.ask("GET", `/payout/${id}/approval/`, { as })).one;

describe("GET /payout-approval/", () => {
  it("names the creator, who may not approve, and then the member who approved", async () => {
    const clerk = await member("withdrawals_with_approval", "Ada");
    const boss = await member("owner", "Grace");
    const { id } = await payouts.make(account.wallet, { as: clerk });
    const own = await shown(id, clerk);
    expect(own.attributes).toMatchObject({
      status: 1,
      created_by: { id: clerk.memberId, name: "Ada" },
      recipient: "Jo Doe",
      refunded_deposit: null,
      approved_by: null,
      approved_at: null,
      may_approve: false,
      may_cancel: true,
      cancel_refusal: null,
      approve_refusal: { reason: "role_approves_none" },
    });
    expect(own.relationships["payout"]).toEqual({ data: { type: "payout", id } });
    expect((await shown(id, boss)).attributes).toMatchObject({
      may_approve: true,
      approve_refusal: null,
      may_cancel: true,
    });
    // A role that may not view travel-rule data.
    const auditor = await member("read_only", "Rita");
    expect((await shown(id, auditor)).attributes).toMatchObject({ recipient: null });
    await payouts.api.ask("POST", `/payout/${id}/approve/`, { as: boss });
    expect((await shown(id, boss)).attributes).toMatchObject({
      status: 2,
      approved_by: { id: boss.memberId, name: "Grace" },
      may_approve: false,
      approve_refusal: { reason: "not_waiting" },
      may_cancel: true,
    });
  });

  it("predicts the result of each attempt", async () => {
    const clerk = await member("withdrawals_with_approval", "Ada");
    const askers = [
      clerk,
      await member("withdrawals_with_approval", "Eve"),
      await member("read_only", "Rita"),
      await member("admin", "Vic", new Map([[account.wallet.walletId, { mayPay: false }]])),
      await member("withdrawals", "Will"),
    ];
    for (const as of askers)
      for (const action of ["approve", "cancel"]) {
        const { id } = await payouts.make(account.wallet, { as: clerk });
        const { attributes } = await shown(id, as);
        const answer = await payouts.api.ask("POST", `/payout/${id}/${action}/`, { as });
        const refusal = attributes[`${action}_refusal`] as { detail: string } | null;
        expect([as.role, action, attributes[`may_${action}`]]).toEqual([
          ...[as.role, action, answer.status === 200],
        ]);
        expect(refusal?.detail ?? null).toBe(
          answer.status === 200 ? null : answer.errors[0]?.detail,
        );
      }
  });

  it("lists payouts filtered, in order, and only those that the caller may view", async () => {
    const clerk = await member("withdrawals_with_approval", "Ada");
    const first = await payouts.make(account.wallet, { as: clerk });
    const second = await payouts.make(account.wallet, { as: clerk });
    await payouts.make(account.wallet);
    const other = await arrangeWallet(world, { accountId: account.wallet.accountId });
    await fund(world, other, "10");
    const elsewhere = await payouts.make(other, { as: clerk });
    const list = async (query: string, as = account.owner) =>
      (await approvals.ask("GET", `/payout-approval/?${query}`, { as })).resources.map(
        ({ id }) => id,
      );
    expect(await list("filter[status]=1&sort=created_at")).toEqual([
      ...[first.id, second.id, elsewhere.id],
    ]);
    expect(await list("page[after]=&page[size]=1&filter[status]=1")).toEqual([elsewhere.id]);
    expect(await list(`filter[status]=1&filter[wallet]=${other.walletId}`)).toEqual([elsewhere.id]);
    const granted = await member(
      "owner",
      "Gil",
      new Map([[account.wallet.walletId, { mayPay: true }]]),
    );
    expect(await list("filter[status]=1", granted)).toEqual([second.id, first.id]);
    const hidden = await approvals.ask("GET", `/payout/${elsewhere.id}/approval/`, { as: granted });
    expect(faults(hidden)).toEqual(["400", "5001"]);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    expect(await list("", stranger)).toEqual([]);
    const theirs = await approvals.ask("GET", `/payout/${first.id}/approval/`, { as: stranger });
    expect(theirs.status).toBe(404);
  });
});
