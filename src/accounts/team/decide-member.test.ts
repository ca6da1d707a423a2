import { expect, test } from "vitest";
import type { Role, WalletRights } from "../principal.ts";
import { type Acting, covers, memberFault } from "./decide-member.ts";

const member = (
  id: string,
  role: Role,
  wallets: WalletRights = "all",
  isActive = true,
): Acting => ({
  id,
  role,
  wallets,
  isActive,
});
const some = new Map([["1", { mayPay: true }]]);
const looking = new Map([["1", { mayPay: false }]]);

test.each<[string, Acting, Acting | null, Acting, number, string | null]>([
  ["an Owner adds an Admin", member("1", "owner"), null, member("2", "admin"), 0, null],
  ["an Owner adds an Owner", member("1", "owner"), null, member("2", "owner"), 0, null],
  ["an Admin adds an Admin", member("1", "admin"), null, member("2", "admin"), 1, null],
  [
    "an Admin adds an Owner",
    member("1", "admin"),
    null,
    member("2", "owner"),
    1,
    "permissionDenied role",
  ],
  [
    "an Admin demotes an Owner",
    member("1", "admin"),
    member("2", "owner"),
    member("2", "admin"),
    1,
    "permissionDenied role",
  ],
  [
    "an Admin raises another to Owner",
    member("1", "admin"),
    member("2", "admin"),
    member("2", "owner"),
    1,
    "permissionDenied role",
  ],
  [
    "an Admin raises himself",
    member("1", "admin"),
    member("1", "admin"),
    member("1", "owner"),
    1,
    "permissionDenied role",
  ],
  [
    "an Admin lowers himself",
    member("1", "admin"),
    member("1", "admin"),
    member("1", "read_only"),
    1,
    null,
  ],
  [
    "a member without such a role",
    member("1", "withdrawals"),
    null,
    member("2", "read_only"),
    1,
    "permissionDenied ",
  ],
  [
    "an inactive Owner",
    member("1", "owner", "all", false),
    null,
    member("2", "read_only"),
    1,
    "permissionDenied ",
  ],
  [
    "the last Owner steps down",
    member("1", "owner"),
    member("1", "owner"),
    member("1", "admin"),
    0,
    "invalidValue role",
  ],
  [
    "one of two Owners steps down",
    member("1", "owner"),
    member("1", "owner"),
    member("1", "admin"),
    1,
    null,
  ],
  [
    "an Owner deactivates himself",
    member("1", "owner"),
    member("1", "owner"),
    member("1", "owner", "all", false),
    1,
    "permissionDenied ",
  ],
  [
    "an Owner deactivates the other",
    member("1", "owner"),
    member("2", "owner"),
    member("2", "owner", "all", false),
    1,
    null,
  ],
  [
    "what an inactive Owner is does not count",
    member("1", "owner"),
    member("2", "owner", "all", false),
    member("2", "admin", "all", false),
    0,
    null,
  ],
  [
    "an Owner of some wallets gives all",
    member("1", "owner", some),
    null,
    member("2", "read_only"),
    0,
    "permissionDenied wallet_grants",
  ],
  [
    "an Owner of some wallets gives some",
    member("1", "owner", some),
    null,
    member("2", "read_only", looking),
    0,
    null,
  ],
  [
    "who may only look lets nobody pay",
    member("1", "owner", looking),
    null,
    member("2", "read_only", some),
    0,
    "permissionDenied wallet_grants",
  ],
  [
    "nobody widens their own wallets",
    member("1", "owner", some),
    member("1", "owner", some),
    member("1", "owner"),
    1,
    "permissionDenied wallet_grants",
  ],
])("%s", (_name, actor, before, after, owners, expected) => {
  const fault = memberFault(actor, before, after, owners);
  expect(fault === null ? null : `${fault.name} ${fault.attribute ?? ""}`).toBe(expected);
});

test("rights cover what they hold", () => {
  expect([
    covers("all", "all"),
    covers(some, "all"),
    covers(some, looking),
    covers(looking, some),
  ]).toEqual([true, false, true, false]);
  expect(covers(new Map(), new Map())).toBe(true);
});
