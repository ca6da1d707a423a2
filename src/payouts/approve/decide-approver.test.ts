import { describe, expect, it } from "vitest";
import type {
  AccessOrigins,
  CredentialOrigin,
  MemberOrigin,
} from "../../accounts/members/access-origins.ts";
import type { PersonSession, Principal } from "../../accounts/principal.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { whyNotTrusted } from "./decide-approver.ts";

/* Whose access is old enough, and independent enough of the creator's, to approve a payout. */

const day = 24 * 3600;
const now = 1_800_000_000_000_000 as Instant;
const longAgo = addSeconds(now, -10 * day);
const rules = { approverMinAgeSeconds: day };

function member(id: string, change: Partial<MemberOrigin> = {}): MemberOrigin {
  return {
    id,
    role: "admin",
    isActive: true,
    createdAt: longAgo,
    createdBy: null,
    isConfirmed: false,
    accessGivenBy: null,
    accessGivenAt: null,
    ...change,
  };
}

function credential(memberId: string, change: Partial<CredentialOrigin> = {}): CredentialOrigin {
  return { id: `key of ${memberId}`, memberId, createdAt: longAgo, createdBy: null, ...change };
}

const byId = <Item extends { readonly id: string }>(items: readonly Item[]) =>
  new Map(items.map((item) => [item.id, item]));

const ada = member("ada", { role: "owner" });
const ben = member("ben", { role: "owner" });
const session = {} as PersonSession;

type Case = {
  readonly members: readonly MemberOrigin[];
  readonly credentials?: readonly CredentialOrigin[];
  /** Default: a payout that cleo's program created, within the limits. */
  readonly payout?: {
    readonly createdByMemberId?: string;
    readonly createdByCredentialId?: string;
    readonly isAboveLimit?: boolean;
  };
  /** Default: dan, as a person. */
  readonly approver?: string;
  readonly isProgram?: boolean;
  readonly minAge?: number;
};

function refusalOf({ members, credentials = [], payout, minAge, ...by }: Case) {
  const origins: AccessOrigins = { members: byId(members), credentials: byId(credentials) };
  const memberId = by.approver ?? "dan";
  const principal: Principal = {
    accountId: "1",
    memberId,
    credentialId: `key of ${memberId}`,
    role: "admin",
    accountIsReady: true,
    wallets: "all",
    ...(by.isProgram === true ? {} : { person: session }),
  };
  const asked = {
    createdByMemberId: "cleo",
    createdByCredentialId: "key of cleo",
    isAboveLimit: false,
    ...payout,
  };
  const wanted = minAge === undefined ? rules : { approverMinAgeSeconds: minAge };
  return whyNotTrusted(asked, principal, origins, wanted, now);
}

const reasonOf = (each: Case) => refusalOf(each)?.reason ?? "may";
const [cleo, dan] = [member("cleo"), member("dan")];
const above = { isAboveLimit: true };

describe("an approver", () => {
  it.each<[string, string, Case]>([
    ["may approve with old access", "may", { members: [cleo, dan] }],
    [
      "may approve at the moment when its access is old enough",
      "may",
      {
        members: [cleo, member("dan", { createdAt: addSeconds(now, -day) })],
      },
    ],
    [
      "may not approve a second earlier",
      "too_young",
      {
        members: [cleo, member("dan", { createdAt: addSeconds(now, 1 - day) })],
      },
    ],
    [
      "may not approve soon after it got a new password",
      "too_young",
      {
        members: [cleo, member("dan", { accessGivenAt: addSeconds(now, -60) })],
      },
    ],
    [
      "may not approve with a new credential",
      "too_young",
      {
        members: [cleo, dan],
        credentials: [credential("dan", { createdAt: addSeconds(now, -60) })],
        isProgram: true,
      },
    ],
    [
      "may approve in the dashboard soon after it created a credential",
      "may",
      {
        members: [cleo, dan],
        credentials: [credential("dan", { createdAt: addSeconds(now, -60) })],
      },
    ],
    [
      "may approve at once without a minimum age",
      "may",
      {
        members: [cleo, member("dan", { createdAt: now })],
        minAge: 0,
      },
    ],
  ])("%s", (_title, expected, each) => {
    expect(reasonOf(each)).toBe(expected);
  });

  it("learns from when on it may approve", () => {
    const members = [cleo, member("dan", { createdAt: addSeconds(now, -60) })];
    expect(refusalOf({ members })).toEqual({
      name: "permissionDenied",
      reason: "too_young",
      detail:
        "Your access is too recent. You can approve payouts from 2027-01-16T07:59:00.000000Z on.",
    });
  });
});

describe("independence of the creator", () => {
  it.each<[string, string, Case]>([
    [
      "is missing in a member that the creator added",
      "made_by_creator",
      {
        members: [cleo, member("dan", { createdBy: "cleo" })],
      },
    ],
    [
      "is missing in a member added by someone whom the creator added",
      "made_by_creator",
      {
        members: [cleo, member("eve", { createdBy: "cleo" }), member("dan", { createdBy: "eve" })],
      },
    ],
    [
      "is missing after the creator gave the member its password",
      "made_by_creator",
      {
        members: [cleo, member("dan", { accessGivenBy: "cleo" })],
      },
    ],
    [
      "is restored by another Owner's confirmation after that",
      "may",
      {
        members: [cleo, member("dan", { accessGivenBy: "cleo", isConfirmed: true })],
      },
    ],
    [
      "is not restored by a confirmation if the creator added the member",
      "made_by_creator",
      {
        members: [cleo, member("dan", { createdBy: "cleo", isConfirmed: true })],
      },
    ],
    [
      "is missing in a program whose credential the creator made",
      "made_by_creator",
      {
        members: [cleo, dan],
        credentials: [credential("dan", { createdBy: "cleo" })],
        isProgram: true,
      },
    ],
    [
      "is not affected by a credential that the person does not use",
      "may",
      {
        members: [cleo, dan],
        credentials: [credential("dan", { createdBy: "cleo" })],
      },
    ],
    [
      "is not affected by a member that the approver added",
      "may",
      {
        members: [member("cleo", { createdBy: "dan" }), dan],
      },
    ],
  ])("%s", (_title, expected, each) => {
    expect(reasonOf(each)).toBe(expected);
  });

  it("names what else could be done", () => {
    expect(refusalOf({ members: [cleo, member("dan", { createdBy: "cleo" })] })?.detail).toBe(
      "The payout's creator gave you access, so a member added by someone else must approve it. It works the other way around: if you create the payout, they can approve it.",
    );
  });
});

describe("a payout above the account's limits", () => {
  const owners = [ada, ben];
  it.each<[string, string, Case]>([
    [
      "is approved by a member whom the operator created",
      "may",
      {
        members: [...owners, cleo, dan],
        payout: above,
      },
    ],
    [
      "is not approved by a member whom no other Owner confirmed",
      "not_confirmed",
      {
        members: [...owners, cleo, member("dan", { createdBy: "ada" })],
        payout: above,
      },
    ],
    [
      "is not approved by a member whose password an Owner gave",
      "not_confirmed",
      {
        members: [...owners, cleo, member("dan", { accessGivenBy: "ada" })],
        payout: above,
      },
    ],
    [
      "is approved by a confirmed member",
      "may",
      {
        members: [...owners, cleo, member("dan", { createdBy: "ada", isConfirmed: true })],
        payout: above,
      },
    ],
    [
      "within the limits is approved by an unconfirmed member",
      "may",
      {
        members: [...owners, cleo, member("dan", { createdBy: "ada" })],
      },
    ],
    [
      "is approved by an unconfirmed member if there is one Owner only",
      "may",
      {
        members: [ada, cleo, member("dan", { createdBy: "ada" })],
        payout: above,
      },
    ],
    [
      "does not count Owners without access",
      "may",
      {
        members: [
          ada,
          member("ben", { role: "owner", isActive: false }),
          cleo,
          member("dan", { createdBy: "ada" }),
        ],
        payout: above,
      },
    ],
    [
      "is not approved with a credential that another member made",
      "credential_of_another",
      {
        members: [...owners, cleo, dan],
        credentials: [credential("dan", { createdBy: "ada" })],
        payout: above,
        isProgram: true,
      },
    ],
    [
      "is approved with a credential of one's own making",
      "may",
      {
        members: [...owners, cleo, dan],
        credentials: [credential("dan", { createdBy: "dan" })],
        payout: above,
        isProgram: true,
      },
    ],
    [
      "is approved with a credential that the operator made",
      "may",
      {
        members: [...owners, cleo, dan],
        credentials: [credential("dan")],
        payout: above,
        isProgram: true,
      },
    ],
    [
      "is approved in the dashboard with a credential that another member made",
      "may",
      {
        members: [...owners, cleo, dan],
        credentials: [credential("dan", { createdBy: "ada" })],
        payout: above,
      },
    ],
    [
      "is not approved by the one who added its unconfirmed creator",
      "creator_not_confirmed",
      {
        members: [...owners, member("cleo", { createdBy: "ada" })],
        payout: above,
        approver: "ada",
      },
    ],
    [
      "is not approved by the one who gave its creator a password",
      "creator_not_confirmed",
      {
        members: [...owners, member("cleo", { accessGivenBy: "ada" })],
        payout: above,
        approver: "ada",
      },
    ],
    [
      "is approved by another Owner than the one who added its creator",
      "may",
      {
        members: [...owners, member("cleo", { createdBy: "ada" })],
        payout: above,
        approver: "ben",
      },
    ],
    [
      "is approved by the one who added its creator once another Owner confirmed it",
      "may",
      {
        members: [...owners, member("cleo", { createdBy: "ada", isConfirmed: true })],
        payout: above,
        approver: "ada",
      },
    ],
    [
      "is not approved by the one who made its creator's credential",
      "creator_not_confirmed",
      {
        members: [...owners, cleo],
        credentials: [credential("cleo", { createdBy: "ada" })],
        payout: above,
        approver: "ada",
      },
    ],
    [
      "is approved by another than the one who made its creator's credential",
      "may",
      {
        members: [...owners, cleo],
        credentials: [credential("cleo", { createdBy: "ada" })],
        payout: above,
        approver: "ben",
      },
    ],
    [
      "is approved by the one who made the credential of another than its creator",
      "may",
      {
        members: [...owners, cleo, member("eve")],
        credentials: [credential("eve", { createdBy: "ada" })],
        payout: { ...above, createdByCredentialId: "key of eve" },
        approver: "ada",
      },
    ],
    ["of a member that is gone is approved", "may", { members: [...owners, dan], payout: above }],
  ])("%s", (_title, expected, each) => {
    expect(reasonOf(each)).toBe(expected);
  });

  it.each<[string, Case]>([
    [
      "This payout exceeds the account's limits. Another Owner must confirm you first (POST /member/dan/confirm/).",
      { members: [...owners, cleo, member("dan", { createdBy: "ada" })], payout: above },
    ],
    [
      "This payout exceeds the account's limits. It can't be approved with a credential that another member created for you.",
      {
        members: [...owners, cleo, dan],
        credentials: [credential("dan", { createdBy: "ada" })],
        payout: above,
        isProgram: true,
      },
    ],
    [
      "This payout exceeds the account's limits, and only you gave its creator access. Another member must approve it.",
      {
        members: [...owners, member("cleo", { createdBy: "ada" })],
        payout: above,
        approver: "ada",
      },
    ],
  ])("is refused with: %s", (detail, each) => {
    expect(refusalOf(each)).toMatchObject({ name: "permissionDenied", detail });
  });
});
