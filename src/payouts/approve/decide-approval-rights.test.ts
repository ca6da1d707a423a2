import { describe, expect, it } from "vitest";
import type { Principal } from "../../accounts/principal.ts";
import type { PayoutStage } from "../payout.ts";
import { whyNotApprove, whyNotCancel } from "./decide-approval-rights.ts";

// Who may approve and cancel which payout: the refusal's reason, or "may".

const creator: Principal = {
  accountId: "1",
  memberId: "1",
  credentialId: "1",
  role: "owner",
  accountIsReady: true,
  wallets: "all",
};
const waiting = {
  walletId: "5",
  status: 1,
  stage: "waiting",
  createdByMemberId: "1",
  txid: null,
} as const;
const other = (role: Principal["role"], mayPay?: boolean): Principal => ({
  ...creator,
  memberId: "2",
  role,
  ...(mayPay === undefined ? {} : { wallets: new Map([["5", { mayPay }]]) }),
});

describe("whyNotApprove and whyNotCancel", () => {
  it.each([
    ["the creator", creator, "own_payout", "may"],
    ["another Owner", other("owner"), "may", "may"],
    ["an Admin", other("admin"), "may", "may"],
    ["a member with the role Withdrawals", other("withdrawals"), "may", "may"],
    [
      "a member with the role Payouts with approval",
      other("withdrawals_with_approval"),
      "role_approves_none",
      "not_own_payout",
    ],
    [
      "a creator with the role Payouts with approval",
      { ...creator, role: "withdrawals_with_approval" },
      "role_approves_none",
      "may",
    ],
    [
      "a member with the role Read only",
      other("read_only"),
      "role_changes_nothing",
      "role_changes_nothing",
    ],
    ["a member who may pay from the wallet", other("owner", true), "may", "may"],
    [
      "a member who may only view the wallet",
      other("owner", false),
      "wallet_not_granted",
      "wallet_not_granted",
    ],
  ] as const)("gives %s the expected rights", (_who, principal, approve, cancel) => {
    expect(whyNotApprove(waiting, principal)?.reason ?? "may").toBe(approve);
    expect(whyNotCancel(waiting, principal)?.reason ?? "may").toBe(cancel);
  });

  it.each<[PayoutStage, string | null, string]>([
    ["waiting", null, "may"],
    ["held", null, "may"],
    ["blocked", null, "may"],
    ["blocked", "0xabc", "may"],
    ["sending", null, "may"],
    ["sending", "0xabc", "signed"],
    ["included", "0xabc", "paid"],
    ["confirmed", "0xabc", "paid"],
    ["internal", null, "paid"],
    ["failed", "0xabc", "failed"],
    ["cancelled", null, "canceled"],
  ])("decides canceling a payout that is %s with txid %s", (stage, txid, expected) => {
    const payout = { ...waiting, stage, txid, status: stage === "waiting" ? 1 : 2 } as const;
    expect(whyNotCancel(payout, other("owner"))?.reason ?? "may").toBe(expected);
    const approve = stage === "waiting" ? "may" : "not_waiting";
    expect(whyNotApprove(payout, other("owner"))?.reason ?? "may").toBe(approve);
  });

  it("says what to do instead, or why it is too late", () => {
    const withApproval = other("withdrawals_with_approval");
    expect(whyNotApprove(waiting, withApproval)?.detail).toBe(
      "Your role can't approve payouts. Ask an Owner or Admin.",
    );
    expect(whyNotApprove(waiting, creator)?.detail).toBe(
      "You created this payout, so another member must approve it.",
    );
    expect(whyNotApprove({ ...waiting, status: 2 }, other("owner"))?.detail).toBe(
      "Only a payout that is waiting for approval (status 1) can be approved.",
    );
    expect(whyNotCancel(waiting, withApproval)?.detail).toBe(
      "Your role can cancel only payouts that you created.",
    );
    const late = (stage: PayoutStage) => whyNotCancel({ ...waiting, stage }, creator)?.detail;
    expect(late("cancelled")).toBe("The payout has already been canceled.");
    expect(late("failed")).toBe("The payout failed and its funds were released.");
    expect(late("confirmed")).toBe("The payout has already been paid.");
  });
});
