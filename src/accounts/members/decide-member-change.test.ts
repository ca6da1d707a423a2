import { describe, expect, it } from "vitest";
import type { Role, WalletRights } from "../principal.ts";
import { covers, type IdentifiedMember, memberChangeFault } from "./decide-member-change.ts";

const member = (
  id: string,
  role: Role,
  wallets: WalletRights = "all",
  isActive = true,
): IdentifiedMember => ({
  id,
  role,
  wallets,
  isActive,
});
const some = new Map([["1", { mayPay: true }]]);
const looking = new Map([["1", { mayPay: false }]]);

describe("memberChangeFault", () => {
  it.each<
    [
      string,
      IdentifiedMember | "operator",
      IdentifiedMember | null,
      IdentifiedMember,
      number,
      string | null,
    ]
  >([
    ["lets an Owner create an Admin", member("1", "owner"), null, member("2", "admin"), 0, null],
    ["lets an Owner create an Owner", member("1", "owner"), null, member("2", "owner"), 0, null],
    ["lets an Admin create an Admin", member("1", "admin"), null, member("2", "admin"), 1, null],
    [
      "rejects an Admin who creates an Owner",
      member("1", "admin"),
      null,
      member("2", "owner"),
      1,
      "permissionDenied role",
    ],
    [
      "rejects an Admin who demotes an Owner",
      member("1", "admin"),
      member("2", "owner"),
      member("2", "admin"),
      1,
      "permissionDenied role",
    ],
    [
      "rejects an Admin who promotes another Admin to Owner",
      member("1", "admin"),
      member("2", "admin"),
      member("2", "owner"),
      1,
      "permissionDenied role",
    ],
    [
      "rejects an Admin who promotes themselves",
      member("1", "admin"),
      member("1", "admin"),
      member("1", "owner"),
      1,
      "permissionDenied role",
    ],
    [
      "lets an Admin demote themselves",
      member("1", "admin"),
      member("1", "admin"),
      member("1", "read_only"),
      1,
      null,
    ],
    [
      "rejects an actor who is neither Owner nor Admin",
      member("1", "withdrawals"),
      null,
      member("2", "read_only"),
      1,
      "permissionDenied ",
    ],
    [
      "rejects an inactive Owner as the actor",
      member("1", "owner", "all", false),
      null,
      member("2", "read_only"),
      1,
      "permissionDenied ",
    ],
    [
      "rejects the demotion of the last active Owner",
      member("1", "owner"),
      member("1", "owner"),
      member("1", "admin"),
      0,
      "invalidValue role",
    ],
    [
      "lets one of two Owners step down",
      member("1", "owner"),
      member("1", "owner"),
      member("1", "admin"),
      1,
      null,
    ],
    [
      "rejects an Owner who deactivates themselves",
      member("1", "owner"),
      member("1", "owner"),
      member("1", "owner", "all", false),
      1,
      "permissionDenied ",
    ],
    [
      "lets an Owner deactivate another Owner",
      member("1", "owner"),
      member("2", "owner"),
      member("2", "owner", "all", false),
      1,
      null,
    ],
    [
      "lets an inactive Owner be demoted, however many active Owners remain",
      member("1", "owner"),
      member("2", "owner", "all", false),
      member("2", "admin", "all", false),
      0,
      null,
    ],
    [
      "rejects an Owner of some wallets who grants all wallets",
      member("1", "owner", some),
      null,
      member("2", "read_only"),
      0,
      "permissionDenied wallet_grants",
    ],
    [
      "lets an Owner of some wallets grant viewing them",
      member("1", "owner", some),
      null,
      member("2", "read_only", looking),
      0,
      null,
    ],
    [
      "rejects an Owner who may only view a wallet and grants payouts from it",
      member("1", "owner", looking),
      null,
      member("2", "read_only", some),
      0,
      "permissionDenied wallet_grants",
    ],
    [
      "rejects an Owner who grants themselves more wallets",
      member("1", "owner", some),
      member("1", "owner", some),
      member("1", "owner"),
      1,
      "permissionDenied wallet_grants",
    ],
    [
      "lets the operator demote an Owner while another one is active",
      "operator",
      member("1", "owner"),
      member("1", "admin"),
      1,
      null,
    ],
    [
      "rejects the operator's deactivation of the last active Owner",
      "operator",
      member("1", "owner"),
      member("1", "owner", "all", false),
      0,
      "invalidValue ",
    ],
  ])("%s", (_name, actor, before, after, owners, expected) => {
    const fault = memberChangeFault(actor, before, after, owners);
    expect(fault === null ? null : `${fault.name} ${fault.attribute ?? ""}`).toBe(expected);
  });
});

describe("covers", () => {
  it("compares wallets and payout rights", () => {
    expect([
      covers("all", "all"),
      covers(some, "all"),
      covers(some, looking),
      covers(looking, some),
    ]).toEqual([true, false, true, false]);
    expect(covers(new Map(), new Map())).toBe(true);
  });
});
