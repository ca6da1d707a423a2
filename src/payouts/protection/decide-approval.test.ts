import { describe, expect, it } from "vitest";
import type { MemberOrigin } from "../../accounts/members/access-origins.ts";
import type { Member } from "../../accounts/members/member.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { hasApprover, whyNotApproveChange, whyNotWaiting } from "./decide-approval.ts";

/* Who may approve a change that loosens protection, and whether anybody could. */

const day = 24 * 3600;
const now = 1_800_000_000_000_000 as Instant;
const rules = { approverMinAgeSeconds: day };

function origin(id: string, change: Partial<MemberOrigin> = {}): MemberOrigin {
  return {
    id,
    role: "owner",
    isActive: true,
    createdAt: addSeconds(now, -10 * day),
    createdBy: null,
    isConfirmed: false,
    accessGivenBy: null,
    accessGivenAt: null,
    ...change,
  };
}

const originsOf = (members: readonly MemberOrigin[]) => ({
  members: new Map(members.map((each) => [each.id, each])),
  credentials: new Map(),
});

const waiting = { status: "waiting", createdByMemberId: "ada", expiresAt: null } as const;

function reasonOf(
  members: readonly MemberOrigin[],
  change: Partial<Parameters<typeof whyNotApproveChange>[0]> = {},
  memberId = "ben",
): string {
  const refusal = whyNotApproveChange(
    { ...waiting, ...change },
    { memberId },
    originsOf(members),
    rules,
    now,
  );
  return refusal === null ? "may" : `${refusal.name} ${refusal.reason}`;
}

const [ada, ben] = [origin("ada"), origin("ben")];

describe("a change that waits", () => {
  it.each<[string, string, readonly MemberOrigin[], string?]>([
    ["is approved by an independent Owner", "may", [ada, ben]],
    ["is not approved by the one who asked", "permissionDenied own_change", [ada, ben], "ada"],
    [
      "is not approved with recent access",
      "permissionDenied too_young",
      [ada, origin("ben", { createdAt: addSeconds(now, -60) })],
    ],
    [
      "is not approved by a member that the asker added",
      "permissionDenied made_by_creator",
      [ada, origin("ben", { createdBy: "ada" })],
    ],
    [
      "is not approved by an unconfirmed member among several Owners",
      "permissionDenied not_confirmed",
      [ada, origin("cleo"), origin("ben", { createdBy: "cleo" })],
    ],
    [
      "is not approved by the one who added its unconfirmed asker",
      "permissionDenied creator_not_confirmed",
      [origin("ada", { createdBy: "ben" }), ben],
    ],
    [
      "is not approved once its asker lost access",
      "permissionDenied asker_gone",
      [origin("ada", { isActive: false }), ben],
    ],
    [
      "is not approved once its asker is no Owner or Admin",
      "permissionDenied asker_gone",
      [origin("ada", { role: "withdrawals" }), ben],
    ],
    ["is not approved if its asker is unknown", "permissionDenied asker_gone", [ben]],
    ["is approved if its asker is an Admin", "may", [origin("ada", { role: "admin" }), ben]],
  ])("%s", (_title, expected, members, memberId) => {
    expect(reasonOf(members, {}, memberId)).toBe(expected);
  });

  it("names what to do instead", () => {
    const detailOf = (members: readonly MemberOrigin[], memberId: string) =>
      whyNotApproveChange(waiting, { memberId }, originsOf(members), rules, now)?.detail;
    expect(detailOf([ada, ben], "ada")).toBe(
      "You asked for this change, so another member must approve it.",
    );
    expect(detailOf([ben], "ben")).toBe(
      "The member who asked may no longer change limits. Reject it and ask for it yourself.",
    );
    expect(detailOf([ada, origin("ben", { createdBy: "ada" })], "ben")).toBe(
      "The member who asked for this change gave you access, so a member added by someone else must approve it. It works the other way around: if you ask for the change, they can approve it.",
    );
    expect(detailOf([ada, origin("ben", { createdAt: now })], "ben")).toBe(
      "Your access is too recent. You can approve changes from 2027-01-16T08:00:00.000000Z on.",
    );
    expect(detailOf([ada, origin("cleo"), origin("ben", { createdBy: "cleo" })], "ben")).toBe(
      "This change loosens protection. Another Owner must confirm you first (POST /member/ben/confirm/).",
    );
  });
});

describe("a change that no longer waits", () => {
  it.each(["applied", "rejected", "withdrawn", "expired"] as const)(
    "is refused to everyone if it is %s",
    (status) => {
      expect(reasonOf([ada, ben], { status })).toBe("invalidValue not_waiting");
      expect(reasonOf([ada, ben], { status }, "ada")).toBe("invalidValue not_waiting");
      expect(whyNotWaiting({ status, expiresAt: null }, now)?.detail).toBe(
        `The change no longer waits: it is ${status}.`,
      );
    },
  );

  it("has expired at its end, and not before", () => {
    expect(reasonOf([ada, ben], { expiresAt: now })).toBe("invalidValue not_waiting");
    expect(reasonOf([ada, ben], { expiresAt: addSeconds(now, 1) })).toBe("may");
    expect(whyNotWaiting({ status: "waiting", expiresAt: now }, now)?.detail).toBe(
      "The change has expired. Ask for it again.",
    );
  });
});

function member(id: string, change: Partial<Member> = {}): Member {
  return {
    id,
    name: id,
    role: "owner",
    createdAt: addSeconds(now, -10 * day),
    deactivatedAt: null,
    createdByMemberId: null,
    confirmedAt: null,
    needsConfirmation: false,
    login: `${id}@example.com`,
    mustChangePassword: false,
    hasTotp: false,
    passkeys: 0,
    lastSeenAt: null,
    wallets: "all",
    ...change,
  };
}

describe("an approver exists", () => {
  it.each<[string, boolean, Member, Partial<MemberOrigin>?]>([
    ["if there is another Owner", true, member("ben")],
    ["if there is an Admin", true, member("ben", { role: "admin" }), { role: "admin" }],
    ["if another Owner's access is still too recent", true, member("ben"), { createdAt: now }],
    ["unless its role is lower", false, member("ben", { role: "withdrawals" })],
    ["unless it has lost access", false, member("ben", { deactivatedAt: now })],
    ["unless it has no login", false, member("ben", { login: null })],
    ["unless it sees some wallets only", false, member("ben", { wallets: new Map() })],
    ["unless the asker gave it access", false, member("ben"), { createdBy: "ada" }],
  ])("%s", (_title, expected, other, access) => {
    const origins = originsOf([ada, origin("ben", access)]);
    expect(hasApprover([member("ada"), other], origins, "ada", now)).toBe(expected);
  });

  it("unless the asker is alone", () => {
    expect(hasApprover([member("ada")], originsOf([ada]), "ada", now)).toBe(false);
  });

  it("if only the confirmation of an unconfirmed asker is missing", () => {
    const origins = originsOf([origin("ada", { createdBy: "ben" }), ben]);
    expect(hasApprover([member("ada"), member("ben")], origins, "ada", now)).toBe(true);
  });

  it("if only the confirmation of an Admin beside two Owners is missing", () => {
    const cleo = origin("cleo", { createdBy: "ada" });
    const dan = origin("dan", { isActive: false });
    const admin = origin("ben", { role: "admin", createdBy: "dan" });
    const members = [member("ada"), member("cleo"), member("ben", { role: "admin" })];
    const origins = originsOf([ada, cleo, dan, admin]);
    expect(hasApprover(members, origins, "ada", now)).toBe(true);
    expect(hasApprover(members.slice(0, 2), origins, "ada", now)).toBe(false);
  });

  it("if one of several may approve", () => {
    const members = [member("ada"), member("ben", { login: null }), member("cleo")];
    expect(hasApprover(members, originsOf([ada, ben, origin("cleo")]), "ada", now)).toBe(true);
  });
});
